#!/usr/bin/env python3
"""Runs conformance cases through the Python package, and says for each: case, backend, mode, result.

    runner.py [--backend cpu] [--mode eager] [--large] [--filter TEXT] [--out FILE] CASES.jsonl...

Values are computed by the package's functions, on arrays of numpy (CPU) or torch (CUDA). What they cannot
say, such as a null pointer or an unknown op, goes through warpprim.raw. PYTHONPATH must lead to the package:
bindings/python.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Callable

import numpy as np
import warpprim as wp
from dtypes import DTYPES
from recipe import fnv1a
from refusal import run_object_call, run_reduce_call
from session import (
    ALIGNMENT,
    PASS,
    Block,
    Case,
    Result,
    Session,
    compare,
    desc_of,
    failed,
    input_bits,
    name_in_libraries,
    place,
)
from warpprim import raw

NAMES = {"and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor", "amax": "max_abs"}


def run_digest(_: Session, case: Case) -> Result:
    digest = f"{fnv1a(case['text'].encode()):016x}"
    return PASS if digest == case["digest"] else failed(f"got {digest} want {case['digest']}")


def run_recipe(_: Session, case: Case) -> Result:
    bits = input_bits(case, case["count"])
    return compare(case, bits.tobytes(), DTYPES[case["dtype"]].size)


class Reduce:
    """One case of kind `reduce`, with its memory."""

    def __init__(self, session: Session, case: Case) -> None:
        self.session, self.case = session, case
        self.rows, self.cols = case.get("rows", 1), case["cols"]
        self.stride = case.get("row_stride", 0)
        self.values = 2 if case["op"] == "minmax" else 1
        self.size = DTYPES[case["result"]].size
        elements = input_bits(case, self.rows * (self.stride or self.cols))
        self.head = case.get("offset", 0) * DTYPES[case["dtype"]].size
        self.start = ALIGNMENT + case.get("offset", 0) * self.size
        self.bytes = self.rows * self.values * self.size
        self.input = Block(session, self.head + len(elements))
        self.input.image[self.head :] = elements
        self.input.put()
        self.output = Block(session, self.start + self.bytes + ALIGNMENT)

    def sayable(self) -> bool:
        """Whether the package's functions can make the call."""
        return not any(key in self.case for key in ("null_in", "null_out", "struct_size", "extra"))

    def simple(self) -> bool:
        return self.rows == 1 and not any(key in self.case for key in ("out_dtype", "nan", "ddof"))

    def x(self) -> Any:
        if self.rows == 1:
            return self.input.array(self.head, self.case["dtype"], (self.cols,))
        return self.input.array(self.head, self.case["dtype"], (self.rows, self.cols), self.stride)

    def call_with_all(self) -> None:
        """Into the case's own output, with every argument that the case has."""
        shape = (self.rows,) if self.rows != 1 else ()
        if self.values == 2:
            shape = (*shape, 2)
        options = {key: self.case[key] for key in ("nan", "ddof") if key in self.case}
        if "out_dtype" in self.case:
            options["dtype"] = name_in_libraries(self.case["out_dtype"])
        out = self.output.array(self.start, self.case["result"], shape)
        axis = None if self.rows == 1 else -1
        given = wp.reduce(self.x(), self.case["op"], axis, out=out, **options)
        assert given is out

    def call_raw(self) -> None:
        desc = desc_of(self.case)
        desc.in_ = None if self.case.get("null_in") else self.input.address + self.head
        desc.out = None if self.case.get("null_out") else self.output.address + self.start
        status = raw.wprim_reduce_ex(self.session.stream.handle, place(self.case, desc))
        wp.errors.check(status)
        self.session.stream.synchronize()

    def run(self, call: Callable[[], None]) -> Result:
        self.output.image[:] = np.uint8(0xA5)
        self.output.put()
        call()
        now = self.output.get()[self.start : self.start + self.bytes]
        self.output.image[self.start : self.start + self.bytes] = now
        result = compare(self.case, now.tobytes(), self.size)
        if result is PASS:
            result = self.output.changed("memory around out")
        return result if result is not PASS else self.input.changed("in")

    def run_simple(self) -> Result:
        """The function of the op, which makes its own output."""
        op: str = self.case["op"]
        function = getattr(wp, NAMES.get(op, op))
        result = compare(self.case, self.session.bytes_of(function(self.x())), self.size)
        if result is PASS:
            result = self.input.changed("in")
        return result if result is PASS else failed(f"simple call: {result.why}")


def run_reduce(session: Session, case: Case) -> Result:
    case_run = Reduce(session, case)
    if not case_run.sayable():
        return case_run.run(case_run.call_raw)
    result = case_run.run(case_run.call_with_all)
    return case_run.run_simple() if result is PASS and case_run.simple() else result


KINDS = {
    "digest": run_digest,
    "recipe": run_recipe,
    "reduce": run_reduce,
    "reduce_call": run_reduce_call,
    "object_call": run_object_call,
}


def run_case(session: Session, case: Case, large: bool) -> Result:
    if session.backend not in case.get("backends", [session.backend]):
        return Result("skip", "for another backend")
    if case.get("large") and not large:
        return Result("skip", "large")
    if case["kind"] not in KINDS:
        return failed(f'this runner does not know the kind "{case["kind"]}"')
    try:
        return KINDS[case["kind"]](session, case)
    except Exception as error:
        return failed(f"{type(error).__name__}: {error}")


def cases(files: list[Path], text: str) -> Iterator[Case]:
    for file in files:
        for line in file.read_text().splitlines():
            case = json.loads(line)
            if text in case["name"]:
                yield case


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="+", type=Path, metavar="CASES")
    parser.add_argument("--backend", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--mode", default="eager")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--filter", default="")
    parser.add_argument("--out", type=Path)
    args = parser.parse_args()
    session = Session(args.backend, args.mode)
    counts: Counter[str] = Counter()
    with args.out.open("w") if args.out else nullcontext(sys.stdout) as out:
        for case in cases(args.files, args.filter):
            result = run_case(session, case, args.large)
            counts[result.what] += 1
            line = f"{case['name']} {args.backend} {args.mode} {result}"
            print(line, file=out)
            if result.what == "fail" and args.out:
                print(line, file=sys.stderr)
    print(f"{counts['pass']} passed, {counts['fail']} failed, {counts['skip']} skipped")
    return 0 if counts["pass"] and not counts["fail"] else 1


if __name__ == "__main__":
    sys.exit(main())
