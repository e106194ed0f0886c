"""Calls that must fail, and how: a status, and words that wprim_last_error() has to say.

The words are few on purpose: the function, the argument, and what the caller needs to put it right. A handful
of calls that only just keep the rule they stand beside must succeed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from dtypes import DTYPES, FLOATS, INTEGERS
from reference import BITWISE, OPS

Case = dict[str, Any]
ARGUMENT = "WPRIM_ERROR_INVALID_ARGUMENT"
HANDLE = "WPRIM_ERROR_INVALID_HANDLE"
UNSUPPORTED = "WPRIM_ERROR_UNSUPPORTED"
IN, OUT = 4096, 12288  # where README.md puts the two in the arena when a case does not say
FAR = 1 << 44  # an address for `in` where a call that must fail has nothing to read


def call(
    name: str, status: str, words: Sequence[str], function: str = "wprim_reduce_ex", **desc: Any
) -> Case:
    base: Case = {"op": "sum", "dtype": "f32", "cols": 16}
    for key, value in desc.items():
        base[key.rstrip("_")] = value  # in_: Python keeps `in` to itself
    return dict(
        name=f"reduce_errors/{name}",
        kind="reduce_call",
        function=function,
        status=status,
        words=[function, *words],
        **base,
    )


def both(name: str, status: str, words: Sequence[str], **desc: Any) -> Iterator[Case]:
    """By the desc, and by the simple call, where `cols` is called `n`."""
    yield call(f"{name}/ex", status, words, **desc)
    simple = ["n" if w == "cols" else w for w in words]
    yield call(f"{name}/simple", status, simple, function="wprim_reduce", **desc)


def pointers() -> Iterator[Case]:
    yield from both("null-in", ARGUMENT, ["in"], in_=None)
    yield from both("null-out", ARGUMENT, ["out"], out=None)
    yield call("null-out/empty-rows", ARGUMENT, ["out"], out=None, rows=2, cols=0)
    for d in DTYPES.values():
        if d.size > 1:
            yield from both(f"misaligned-in/{d.name}", ARGUMENT, ["in"], dtype=d.name, in_=IN + d.size // 2)
            yield call(
                f"misaligned-out/{d.name}", ARGUMENT, ["out"], op="max", dtype=d.name, out=OUT + d.size // 2
            )
    yield call("misaligned-in/f64/by-1", ARGUMENT, ["in"], dtype="f64", in_=IN + 1)
    yield call("misaligned-out/i64-of-i8", ARGUMENT, ["out"], dtype="i8", out=OUT + 4)
    yield from both("misaligned-out/argmax", ARGUMENT, ["out"], op="argmax", out=OUT + 4)


def overlaps() -> Iterator[Case]:
    """in is 16 f32: bytes 0 to 63 of its place."""
    yield from both("overlap/same", ARGUMENT, ["out", "in"], out=IN)
    yield from both("overlap/inside", ARGUMENT, ["out", "in"], out=IN + 32)
    yield from both("overlap/last-element", ARGUMENT, ["out", "in"], out=IN + 60)
    yield call("overlap/front", ARGUMENT, ["out", "in"], op="minmax", out=IN - 4)
    yield call("overlap/front/rows", ARGUMENT, ["out", "in"], rows=8, out=IN - 28)
    yield call("overlap/back/rows", ARGUMENT, ["out", "in"], rows=8, out=IN + 4 * 127)
    yield call("overlap/in-inside-out", ARGUMENT, ["out", "in"], rows=64, cols=1, dtype="u8", out=IN - 64)
    yield call(
        "overlap/stride-gap", ARGUMENT, ["out", "in"], op="any", rows=2, cols=4, row_stride=64, out=IN + 100
    )
    for name, place in (("before", IN - 8), ("behind", IN + 64)):
        yield call(
            f"beside/{name}", "WPRIM_OK", [], op="count_nonzero", out=place, expect=["0000000000000010"]
        )
    yield call(
        "beside/empty-at-same",
        "WPRIM_OK",
        [],
        op="count_nonzero",
        cols=0,
        out=IN,
        expect=["0000000000000000"],
    )


def enums() -> Iterator[Case]:
    """Unknown numbers, negative ones, and numbers of the wrong enum.

    Those are 1 to 13 for types, 101 to 120 for ops.
    """
    for value in (0, 1, 100, 121, -1, 2147483647):
        yield from both(f"op/{value}", ARGUMENT, ["op"], op=value)
    for value in (0, 14, 101, -1, -2147483648):
        yield from both(f"dtype/{value}", ARGUMENT, ["dtype"], dtype=value)
    for value in (14, 101, -1):
        yield call(f"out_dtype/{value}", ARGUMENT, ["out_dtype"], out_dtype=value)
    for value in (2, 101, -1):
        yield call(f"nan/{value}", ARGUMENT, ["nan"], nan=value)


def sizes() -> Iterator[Case]:
    yield call("desc/null", ARGUMENT, ["desc"], desc=None)
    for size in (0, 4, 55):
        yield call(f"struct_size/{size}", ARGUMENT, ["struct_size"], struct_size=size)
    for extra in (1, 8, 128):
        yield call(f"struct_size/newer-by-{extra}", ARGUMENT, ["struct_size"], extra=extra, extra_value=1)
    yield call("row_stride/below-cols", ARGUMENT, ["row_stride", "cols"], rows=2, cols=5, row_stride=3)
    for dtype, n in (("f32", 2**62), ("f32", 2**63), ("u8", 2**64 - 1), ("f64", 2**61), ("bf16", 2**63 + 8)):
        yield from both(f"too-many/{dtype}/{n}", ARGUMENT, ["cols"], dtype=dtype, cols=n, in_=FAR)
    yield call("too-many/rows", ARGUMENT, ["rows"], rows=2**61, cols=2, in_=FAR)
    yield call("too-many/rows-wrap-to-zero", ARGUMENT, ["rows"], rows=2**32, cols=2**32, in_=FAR)
    yield call("too-many/rows-wrap-to-few", ARGUMENT, ["rows"], rows=2**63 + 1, cols=2, dtype="u8", in_=FAR)
    yield call("too-many/row_stride", ARGUMENT, ["row_stride"], rows=4, cols=1, row_stride=2**62, in_=FAR)
    yield call("too-many/output", ARGUMENT, ["rows"], rows=2**62, cols=0)
    for op in ("argmin", "argmax", "count_nonzero"):
        for out, most in (("i32", 2**31 - 1), ("u32", 2**32 - 1)):
            yield call(
                f"index/{op}/{out}",
                ARGUMENT,
                ["cols", out],
                op=op,
                dtype="u8",
                cols=most + 1,
                out_dtype=out,
                in_=FAR,
            )


def meaning() -> Iterator[Case]:
    for op in OPS:
        if op not in ("var", "std"):
            yield call(f"ddof/{op}", ARGUMENT, ["ddof", op], op=op, dtype="i32", ddof=1)
    for op in BITWISE:
        for dtype in FLOATS:
            yield from both(
                f"unsupported/{op}/{dtype}", UNSUPPORTED, [op, dtype, *INTEGERS, "bool"], op=op, dtype=dtype
            )
    for op, dtype, out, good in (
        ("sum", "f32", "i32", FLOATS),
        ("sum", "f32", "bool", FLOATS),
        ("prod", "i32", "bool", INTEGERS + FLOATS),
        ("l1", "u8", "bool", INTEGERS + FLOATS),
        ("mean", "i32", "i32", FLOATS),
        ("var", "f64", "u64", FLOATS),
        ("std", "bool", "bool", FLOATS),
        ("l2", "f16", "i8", FLOATS),
        ("logsumexp", "bf16", "u8", FLOATS),
        ("min", "f32", "f64", ("f32",)),
        ("max", "i8", "i16", ("i8",)),
        ("minmax", "u32", "i32", ("u32",)),
        ("amax", "i16", "i16", ("u16",)),
        ("amax", "f16", "f32", ("f16",)),
        ("argmin", "f32", "f32", ("i64", "i32", "u32", "u64")),
        ("argmax", "u8", "i16", ("i64", "i32", "u32", "u64")),
        ("and", "i32", "u32", ("i32",)),
        ("xor", "bool", "u8", ("bool",)),
        ("any", "f32", "u8", ("bool",)),
        ("all", "u8", "u8", ("bool",)),
        ("count_nonzero", "f32", "f32", ("u64", "i64", "i32", "u32")),
        ("count_nonzero", "bool", "u8", ("u64", "i64", "i32", "u32")),
    ):
        words = ["out_dtype", op, out, *good]
        yield call(
            f"unsupported/{op}/{dtype}/to-{out}", UNSUPPORTED, words, op=op, dtype=dtype, out_dtype=out
        )


def streams() -> Iterator[Case]:
    for stream in ("null", "context", "event", "destroyed_stream", "arena"):
        yield from both(f"stream/{stream}", HANDLE, ["stream"], stream=stream)


def counts() -> Iterator[Case]:
    """The place of n_on_device is 8 bytes for one row, apart from out."""
    place = 8192
    yield call("count/misaligned", ARGUMENT, ["n_on_device"], n_on_device=place + 4)
    yield call("count/rows", ARGUMENT, ["n_on_device", "rows"], n_on_device=place, rows=2)
    yield call("count/no-rows", ARGUMENT, ["n_on_device", "rows"], n_on_device=place, rows=0)
    yield call("count/in-out", ARGUMENT, ["n_on_device", "out"], op="argmax", n_on_device=OUT)
    yield call("count/in-out-f32", ARGUMENT, ["n_on_device", "out"], n_on_device=OUT, out=OUT + 4)
    # The arena's bytes make a number larger than cols.
    for name, at in (("apart", place), ("beside-out", OUT + 8), ("in-input", IN)):
        good = ["0000000000000010"]
        yield call(f"count/{name}", "WPRIM_OK", [], op="count_nonzero", n_on_device=at, expect=good)


def planned(cases: Sequence[Case]) -> Iterator[Case]:
    """The same from wprim_plan_reduce, but for the stream, which it does not take."""
    for c in cases:
        if c["function"] != "wprim_reduce_ex" or "stream" in c:
            continue
        head, _, rest = c["name"].partition("/")
        words = ["wprim_plan_reduce" if w == "wprim_reduce_ex" else w for w in c["words"]]
        yield dict(c, name=f"{head}/plan/{rest}", function="wprim_plan_reduce", words=words)


def reduce_errors() -> list[Case]:
    groups = (pointers, overlaps, enums, sizes, meaning, streams, counts)
    cases = [c for group in groups for c in group()]
    return [*cases, *planned(cases)]
