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

from dtypes import DTYPES
from objects import run_object_call
from recipe import fnv1a
from refusal import run_reduce_call
from session import MODES as MODE_NAMES
from session import PASS, Case, Result, Session, compare, failed, input_bits
from value import MODES, RAW_MODES, Reduce


def run_digest(_: Session, case: Case) -> Result:
    digest = f"{fnv1a(case['text'].encode()):016x}"
    return PASS if digest == case["digest"] else failed(f"got {digest} want {case['digest']}")


def run_recipe(_: Session, case: Case) -> Result:
    bits = input_bits(case, case["count"])
    return compare(case, bits.tobytes(), DTYPES[case["dtype"]].size)


def run_reduce(session: Session, case: Case) -> Result:
    reduce = Reduce(session, case)
    if not reduce.sayable():
        return reduce.run(RAW_MODES[session.mode])
    result = reduce.run(MODES[session.mode])
    if result is PASS and reduce.simple() and session.mode != "plan":
        result = reduce.run_simple()
        return result if result is PASS else failed(f"simple call: {result.why}")
    return result


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
    parser.add_argument("--mode", default="eager", choices=MODE_NAMES)
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
