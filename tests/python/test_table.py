"""warpprim.raw says the same as warpprim.h: every enum, struct and function, and the layout that tests/abi
pins."""

from __future__ import annotations

import ctypes
import re
from pathlib import Path
from typing import Any

import pytest
from warpprim import raw

ROOT = Path(__file__).resolve().parents[2]
HEADER = re.sub(r"/\*.*?\*/", " ", (ROOT / "include/warpprim.h").read_text(), flags=re.DOTALL)

SCALARS: dict[str, Any] = {
    "uint32_t": ctypes.c_uint32,
    "int32_t": ctypes.c_int32,
    "uint64_t": ctypes.c_uint64,
    "size_t": ctypes.c_size_t,
    "float": ctypes.c_float,
}
CALLBACKS = {"wprim_host_fn": raw.HostFn, "wprim_log_fn": raw.LogFn}


def ctype(text: str) -> Any:
    """The type of ctypes for a type of the header."""
    text = text.strip()
    if text == "const char*":
        return ctypes.c_char_p
    if text.endswith("*") or text in CALLBACKS:
        return ctypes.c_void_p
    return ctypes.c_int32 if text in raw.ENUMS else SCALARS[text]


def split(declaration: str) -> tuple[str, str]:
    """`const void* in` into type and name."""
    found = re.fullmatch(r"(.*?[\s*])(\w+)", " ".join(declaration.split()))
    assert found, declaration
    return found[1].strip(), found[2]


def enums() -> dict[str, dict[str, int]]:
    result = {}
    for body, name in re.findall(r"typedef enum \w+ WPRIM_ENUM_BASE \{(.*?)\} (\w+);", HEADER, re.DOTALL):
        members = re.findall(r"WPRIM_(\w+)\s*=\s*(\d+)", body)
        assert len(members) == len([m for m in body.split(",") if m.strip()])
        result[name] = {member: int(number) for member, number in members}
    return result


def test_enums() -> None:
    assert enums() == {name: {m.name: m.value for m in enum} for name, enum in raw.ENUMS.items()}


def structs() -> dict[str, list[tuple[str, str, int]]]:
    result = {}
    for body, name in re.findall(r"typedef struct \w+ \{(.*?)\} (\w+);", HEADER, re.DOTALL):
        fields = []
        for declaration in filter(None, (line.strip() for line in body.split(";"))):
            found = re.fullmatch(r"(.*?)(?:\[(\d+)\])?", declaration, re.DOTALL)
            assert found
            fields.append((*split(found[1]), int(found[2] or 0)))
        result[name] = fields
    return result


def test_structs() -> None:
    declared = structs()
    assert declared.keys() == raw.STRUCTS.keys()
    for name, fields in declared.items():
        expected = []
        for kind, field, length in fields:
            one: Any = ctypes.c_char if kind == "char" else ctype(kind)
            expected.append(("in_" if field == "in" else field, one * length if length else one))
        assert list(raw.STRUCTS[name]._fields_) == expected


def test_layout() -> None:
    layout = (ROOT / "tests/abi/layout.c").read_text()
    pinned = re.findall(r"^FIELD\((\w+), (\w+), (\d+), (\d+)\);", layout, re.MULTILINE)
    assert len(pinned) == sum(len(struct._fields_) for struct in raw.STRUCTS.values())
    for struct, field, offset, size in pinned:
        member = getattr(raw.STRUCTS[struct], "in_" if field == "in" else field)
        assert (member.offset, member.size) == (int(offset), int(size)), (struct, field)
    for struct, size in re.findall(r"sizeof\((\w+_desc)\) == (\d+)", layout):
        assert ctypes.sizeof(raw.STRUCTS[struct]) == int(size)


def functions() -> dict[str, tuple[Any, ...]]:
    result = {}
    for head, arguments in re.findall(r"WPRIM_API ([^;(]*?)\(([^;]*?)\);", HEADER, re.DOTALL):
        returned, name = split(head)
        listed = [] if arguments.strip() == "void" else [split(a)[0] for a in arguments.split(",")]
        result[name] = (ctype(returned), *map(ctype, listed))
    return result


def test_functions() -> None:
    assert functions() == raw.FUNCTIONS


@pytest.mark.parametrize("name", sorted(CALLBACKS))
def test_callbacks(name: str) -> None:
    found = re.search(rf"typedef (\w+) \(\*{name}\)\((.*?)\);", HEADER, re.DOTALL)
    assert found
    returned = None if found[1] == "void" else ctype(found[1])
    arguments = [ctype(split(a)[0]) for a in found[2].split(",")]
    assert (CALLBACKS[name]._restype_, list(CALLBACKS[name]._argtypes_)) == (returned, arguments)


def test_version() -> None:
    parts = [int(n) for n in re.findall(r"#define WPRIM_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", HEADER)]
    assert raw.VERSION == 10000 * parts[0] + 100 * parts[1] + parts[2] == raw.wprim_version()


def test_unknown_names_are_no_attributes() -> None:
    with pytest.raises(AttributeError, match="wprim_scan"):
        raw.wprim_scan  # noqa: B018
