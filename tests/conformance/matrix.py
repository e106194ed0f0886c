"""Builds the table of conformance from the result files of runners, and fails where it has a hole.

    matrix.py --write docs/conformance.md c=c-cpu-eager.txt c=c-cpu-plan.txt ...
    matrix.py --check docs/conformance.md c=c-cpu-eager.txt c=c-cpu-plan.txt ...

Several files of one language add up; of a case run twice, a result that ran counts before a skip. A runner
must report every case, and a language that ran on a backend must have run there in every mode. A cell (op by
type) with nothing passed, any failing case, and a case skipped as another backend's that is not, fail the
whole; other skips are counted.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

CASES = Path(__file__).resolve().parent / "cases"
MODES = ("eager", "plan", "graph", "resident")
RANK = {"skip": 0, "pass": 1, "fail": 2}  # of two results for one case, the higher stays

INTRO = """# Conformance

Which cases of `tests/conformance` passed, by language/backend/mode, and for each op and type. Made by
`tests/conformance/matrix.py` from the result files of the runners; do not edit.
"""
CELLS = """A cell is the number of cases that passed; an empty cell has no case, because the op has no
meaning for the type."""
OTHER_BACKEND = "for another backend"


class Result(NamedTuple):
    what: str  # pass, fail, skip
    why: str


Results = dict[str, dict[str, Result]]  # "language/backend/mode" -> case name -> result


def read_cases() -> dict[str, dict[str, Any]]:
    lines = [line for path in sorted(CASES.glob("*.jsonl")) for line in path.read_text().splitlines()]
    return {case["name"]: case for case in map(json.loads, lines)}


def read_results(files: list[str]) -> Results:
    results: Results = {}
    for item in files:
        language, _, path = item.partition("=")
        if not path:
            raise SystemExit(f"{item}: say which language it is, as in c={item}")
        for line in Path(path).read_text().splitlines():
            fields = line.split(" ", 3)
            what, _, why = fields[3].partition(": ") if len(fields) == 4 else ("", "", "")
            if what not in RANK:
                continue  # a summary line
            column = results.setdefault(f"{language}/{fields[1]}/{fields[2]}", {})
            old = column.get(fields[0])
            if old is None or RANK[what] > RANK[old.what]:
                column[fields[0]] = Result(what, why)
    return results


def table(cases: dict[str, dict[str, Any]], column: dict[str, Result], holes: list[str]) -> list[str]:
    """Passed cases, op by type. Cells that no case is for stay empty."""
    values = {n: c for n, c in cases.items() if c["kind"] == "reduce"}
    ops = sorted({c["op"] for c in values.values()})
    dtypes = list(dict.fromkeys(c["dtype"] for c in values.values()))
    exist = {(c["op"], c["dtype"]) for c in values.values()}
    passed = Counter(
        (c["op"], c["dtype"]) for n, c in values.items() if column.get(n, Result("", "")).what == "pass"
    )
    rows = ["| reduce | " + " | ".join(dtypes) + " |", "|---|" + "---:|" * len(dtypes)]
    for op in ops:
        cells = [str(passed[op, d]) if (op, d) in exist else "" for d in dtypes]
        holes += [f"nothing passed for {op} of {d}" for d in dtypes if (op, d) in exist and not passed[op, d]]
        rows.append(f"| {op} | " + " | ".join(cells) + " |")
    return rows


KINDS = {
    "reduce": "reduces",
    "reduce_call": "refused calls of reduce",
    "object_call": "refused calls on objects and memory",
    "recipe": "recipe and digest",
    "digest": "recipe and digest",
}


def overview(cases: dict[str, dict[str, Any]], results: Results) -> list[str]:
    """A line for each column: how many cases of each kind passed, and what did not run."""
    heads = list(dict.fromkeys(KINDS.values()))
    rows = ["| | " + " | ".join(heads) + " | failed | skipped |"]
    rows.append("|---|" + "---:|" * (len(heads) + 1) + "---|")
    for title, column in results.items():
        known = {n: r for n, r in column.items() if n in cases}
        passed = Counter(KINDS[cases[n]["kind"]] for n, r in known.items() if r.what == "pass")
        failed = sum(r.what == "fail" for r in column.values())
        skips = Counter(r.why for r in column.values() if r.what == "skip")
        why = "; ".join(f"{count} {text}" for text, count in sorted(skips.items())) or "0"
        rows.append(f"| {title} | " + " | ".join(str(passed[h]) for h in heads) + f" | {failed} | {why} |")
    return rows


def check(title: str, cases: dict[str, dict[str, Any]], column: dict[str, Result]) -> list[str]:
    """What is wrong with a column, cells apart."""
    missing = [n for n in cases if n not in column]
    holes = [f"{len(missing)} cases have no result, first {missing[0]}"] if missing else []
    unknown = [n for n in column if n not in cases]
    holes += [f"{len(unknown)} results are of no case, first {unknown[0]}"] if unknown else []
    holes += [f"{n} fails: {r.why}" for n, r in column.items() if r.what == "fail"]
    backend = title.split("/")[1]
    own = (n for n, c in cases.items() if backend in c.get("backends", [backend]))
    return holes + [f"{n} is for {backend}" for n in own if column.get(n) == Result("skip", OTHER_BACKEND)]


def missing_modes(results: Results) -> list[str]:
    places = dict.fromkeys(title.rpartition("/")[0] for title in results)
    wanted = (f"{place}/{mode}" for place in places for mode in MODES)
    return [f"no results for {title}" for title in wanted if title not in results]


def build(cases: dict[str, dict[str, Any]], results: Results, required: list[str]) -> tuple[str, list[str]]:
    """The page, and what is wrong with it."""
    results = dict(sorted(results.items(), key=by_mode))
    wrong = [f"no results for {r}" for r in required if r not in results] + missing_modes(results)
    if not results:
        wrong.append("no results at all")
    page = [INTRO, *overview(cases, results), "", CELLS, ""]
    titles_of: dict[tuple[str, ...], list[str]] = {}  # columns with the same table share it
    for title, column in results.items():
        holes = check(title, cases, column)
        titles_of.setdefault(tuple(table(cases, column, holes)), []).append(title)
        wrong += [f"{title}: {hole}" for hole in holes]
    for rows, titles in titles_of.items():
        page += ["## " + ("All of them" if len(titles_of) == 1 else ", ".join(titles)), "", *rows, ""]
    return "\n".join(page), wrong


def by_mode(item: tuple[str, dict[str, Result]]) -> tuple[str, int]:
    place, _, mode = item[0].rpartition("/")
    return place, MODES.index(mode) if mode in MODES else len(MODES)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("results", nargs="+", metavar="LANGUAGE=FILE")
    parser.add_argument("--require", action="append", default=[], metavar="LANGUAGE/BACKEND/MODE")
    target = parser.add_mutually_exclusive_group()
    target.add_argument("--write", type=Path, metavar="PAGE")
    target.add_argument("--check", type=Path, metavar="PAGE")
    options = parser.parse_args()
    page, wrong = build(read_cases(), read_results(options.results), options.require)
    for text in wrong:
        print(text, file=sys.stderr)
    if options.write:
        options.write.write_text(page)
    elif options.check:
        if not options.check.exists() or options.check.read_text() != page:
            print(f"{options.check} is not what these results make; run matrix.py --write", file=sys.stderr)
            return 1
    else:
        print(page)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
