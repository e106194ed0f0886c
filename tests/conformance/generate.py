"""Writes cases/*.jsonl, or with --check says whether they are what this would write.

The plans say which cases there are, the reference what they give. The same bytes come out on every machine.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import plan_errors
import plan_objects
import plan_reduce
from dtypes import DTYPES, Array
from recipe import ARGS, PATTERNS, fnv1a, make
from reference import out_dtypes, reduce

Case = dict[str, Any]
CASES = Path(__file__).resolve().parent / "cases"
SPELLED = 16  # an output of more elements is written as a digest

# fmt: off
# The keys of a case in the order they are written; others (`in`, `desc`) go before `out`.
HEAD = (
    "name", "kind", "function", "backends", "op", "dtype", "out_dtype", "pattern", "args", "seed", "count",
    "offset", "rows", "cols", "row_stride", "n_on_device", "nan", "ddof", "struct_size", "extra",
    "extra_value", "large", "null_in", "null_out", "stream", "text",
)
TAIL = ("out", "result", "status", "words", "expect", "digest")
# What stands for leaving a key out.
DEFAULTS: Case = {
    "out_dtype": "default", "args": [], "offset": 0, "rows": 1, "row_stride": 0, "nan": "propagate",
    "ddof": 0, "large": False, "words": [],
}
# fmt: on


def line(c: Case) -> str:
    """One case as JSON: keys in the order above, defaults left out."""
    between = tuple(k for k in c if k not in HEAD + TAIL)
    keys = [k for k in HEAD + between + TAIL if k in c and (k not in DEFAULTS or c[k] != DEFAULTS[k])]
    return json.dumps({k: c[k] for k in keys}, separators=(", ", ": "))


def name_of(c: Case) -> str:
    parts = ["reduce", c["op"], c["dtype"], "-".join([c["pattern"], *map(str, c["args"])])]
    shape = f"n{c['cols']}" if c["rows"] == 1 else f"r{c['rows']}x{c['cols']}"
    shape += f"-s{c['row_stride']}" if c.get("row_stride") else ""
    parts.append(shape + (f"-o{c['offset']}" if c.get("offset") else ""))
    if "out_dtype" in c:
        parts.append("to-" + c["out_dtype"])
    if "nan" in c:
        parts.append(c["nan"])
    if "n_on_device" in c:
        parts.append(f"count{c['n_on_device']}")
    for key in ("ddof", "struct_size", "extra"):
        if c.get(key):
            parts.append(f"{key}{c[key]}")
    parts += [key.replace("_", "-") for key in ("null_in", "null_out") if c.get(key)]
    return "/".join(parts)


def hexes(bits: Array) -> list[str]:
    return [f"{int(b):0{2 * bits.itemsize}x}" for b in bits]


def finish_reduce(c: Case) -> Case:
    """Adds name, seed and expectation."""
    name = name_of(c)
    c = dict(c, name=name, kind="reduce", seed=fnv1a(name.encode()) & 0xFFFFFFFF)
    rows, cols = c["rows"], c["cols"]
    stride = c.get("row_stride") or cols
    bits = make(c["dtype"], c["pattern"], c["seed"], rows * stride, c["args"], cols, stride)
    matrix = bits.reshape(rows, stride)[:, :cols]
    settings = {key: c[key] for key in ("out_dtype", "nan", "ddof") if key in c}
    taken = min(cols, c.get("n_on_device", cols))
    got = reduce(c["op"], c["dtype"], matrix[:, :taken].copy(), taken, **settings)
    c["result"] = c.get("out_dtype") or out_dtypes(c["op"], c["dtype"])[0]
    if got.size <= SPELLED:
        return dict(c, expect=hexes(got))
    return dict(c, digest=f"{fnv1a(got.astype(got.dtype.newbyteorder('<')).tobytes()):016x}")


def recipe_cases() -> Iterator[Case]:
    """The recipe and the digest by themselves: a new runner finds its mistake there and not in a sum."""
    for text in ("", "a", "foobar", "warpprim"):
        yield {
            "name": f"digest/{text or 'empty'}",
            "kind": "digest",
            "text": text,
            "digest": f"{fnv1a(text.encode()):016x}",
        }
    for pattern in PATTERNS:
        args = [3] * ARGS[pattern]
        for dtype in DTYPES:
            c = {
                "name": f"recipe/{pattern}/{dtype}",
                "kind": "recipe",
                "dtype": dtype,
                "pattern": pattern,
                "args": args,
                "seed": 12345,
            }
            bits = make(dtype, pattern, 12345, 6, args)
            yield dict(c, count=6, expect=hexes(bits))
    for pattern in ("uniform", "ascending", "extremes"):
        for dtype, seed, cols, stride in (
            ("f32", 1, 70, 100),
            ("bf16", 2**32 - 1, 1000, 1000),
            ("i64", 2**64 - 1, 99, 100),
        ):
            c = {
                "name": f"recipe/{pattern}/{dtype}/long",
                "kind": "recipe",
                "dtype": dtype,
                "pattern": pattern,
                "seed": seed,
            }
            bits = make(dtype, pattern, seed, 1000, (), cols, stride)
            digest = fnv1a(bits.astype(bits.dtype.newbyteorder("<")).tobytes())
            yield dict(c, count=1000, cols=cols, row_stride=stride, digest=f"{digest:016x}")


def all_files() -> dict[str, str]:
    files = {"recipe": list(recipe_cases())}
    for name, cases in plan_reduce.files():
        files[name] = [finish_reduce(c) for c in cases]
    files["reduce_errors"] = plan_errors.reduce_errors()
    files["object_errors"] = plan_objects.object_errors()
    names = [c["name"] for cases in files.values() for c in cases]
    twice = {n for n in names if names.count(n) > 1} if len(set(names)) != len(names) else set()
    if twice:
        raise ValueError(f"case names must be unique: {sorted(twice)}")
    return {f"{name}.jsonl": "".join(line(c) + "\n" for c in cases) for name, cases in files.items()}


def check(files: dict[str, str]) -> int:
    """Compares what is there with what should be; names the first line that differs."""
    bad = 0
    for extra in sorted({p.name for p in CASES.glob("*")} - set(files)):
        print(f"{CASES / extra}: generate.py does not make this file", file=sys.stderr)
        bad += 1
    for name, want in files.items():
        path = CASES / name
        have = path.read_bytes().decode() if path.exists() else ""
        if have != want:
            lines = zip([*have.split("\n"), ""], [*want.split("\n"), ""])
            at = next((i for i, (a, b) in enumerate(lines, 1) if a != b), 0)
            print(
                f"{path}:{at}: not what generate.py makes; run it, and look at the difference",
                file=sys.stderr,
            )
            bad += 1
    return bad


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="write nothing, fail if a file is not up to date"
    )
    options = parser.parse_args()
    files = all_files()
    if options.check:
        return 1 if check(files) else 0
    CASES.mkdir(exist_ok=True)
    for name, text in files.items():
        (CASES / name).write_bytes(text.encode())
        print(f"{text.count(chr(10)):6} cases  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
