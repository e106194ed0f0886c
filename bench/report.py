#!/usr/bin/env python3
"""Writes the tables of docs/performance.md from bench/results/; --check says whether they are up to date."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/performance.md"
BEGIN, END = "<!-- made by bench/report.py -->\n", "<!-- end -->\n"
Row = dict[str, Any]


def microseconds(value: float) -> str:
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def count(n: int) -> str:
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 and n >= 1 << 10 else str(n)


def table(head: list[str], lines: list[list[str]]) -> str:
    text = [f"| {' | '.join(head)} |", "|" + "---|" * len(head)]
    return "\n".join(text + [f"| {' | '.join(line)} |" for line in lines]) + "\n"


def ratio(row: Row) -> str:
    if "numpy_us" not in row:
        return "-"
    value = row["numpy_us"] / row["ours_us"]
    return f"{value:.2f}" if value >= 1 else f"**{value:.2f}**"


def shapes(rows: list[Row], whole: bool) -> str:
    """A line an op and type; for each shape our time and numpy's time over ours."""
    chosen = [row for row in rows if (row["rows"] == 1) == whole]

    def column(row: Row) -> int:  # an op is measured at the same places with each type
        return int(row["cols"])

    columns = sorted({column(row) for row in chosen})
    lines: dict[tuple[str, str], dict[int, Row]] = {}
    for row in chosen:
        lines.setdefault((row["op"], row["dtype"]), {})[column(row)] = row
    head = ["op", "type"] + [f"{count(c)} us | ratio" if whole else f"{c} cols us | ratio" for c in columns]
    body = []
    for (op, dtype), cells in lines.items():
        text = [op, dtype]
        for c in columns:
            cell = cells.get(c)
            text.append(f"{microseconds(cell['ours_us'])} | {ratio(cell)}" if cell else "- | -")
        body.append(text)
    return table(head, body).replace(
        "|---|" + "---|" * (len(head) - 1), "|" + "---|" * (2 + 2 * len(columns))
    )


def section(path: Path) -> str:
    report = json.loads(path.read_text())
    rows: list[Row] = report["results"]
    text = f"## {report['processor']}, {report['threads']} threads\n\n"
    text += (
        f"{report['instruction_set']}; {report['library']}; commit {report['commit']}; "
        f"numpy {report['numpy']}, Python {report['python']}; {report['date']}. "
        f"Figures: `{path.relative_to(ROOT)}`.\n\n"
    )
    limits = [row for row in rows if "limit_us" in row]
    if limits:
        text += "### Against the read limit: f32, 2^26 elements\n\n"
        head = ["op", "ours GB/s", "loop GB/s", "ours / loop", "ours, 1 thread GB/s", "numpy GB/s"]
        body = []
        for row in limits:
            speed = {
                k: row["bytes"] / row[f"{k}_us"] / 1e3 for k in ("ours", "limit", "ours_1_thread", "numpy")
            }
            share = row["limit_us"] / row["ours_us"]
            figures = [f"{speed['ours']:.1f}", f"{speed['limit']:.1f}", f"{share:.2f}"]
            body.append([row["op"], *figures, f"{speed['ours_1_thread']:.1f}", f"{speed['numpy']:.1f}"])
        text += table(head, body)
    text += "\n### Whole arrays: our time, and numpy's over ours\n\n" + shapes(rows, True)
    text += "\n### Rows, 16 MiB in all: our time, and numpy's over ours\n\n" + shapes(rows, False)
    behind = [row for row in rows if "numpy_us" in row and row["numpy_us"] < row["ours_us"]]
    with_peer = sum("numpy_us" in row for row in rows)
    text += f"\n### Behind\n\nOf {with_peer} measurements beside numpy, {len(behind)} are slower"
    text += ":\n\n" if behind else ".\n"
    if behind:
        head = ["measurement", "ours us", "ours, 1 thread us", "numpy us", "numpy / ours"]
        body = []
        for row in sorted(behind, key=lambda r: r["numpy_us"] / r["ours_us"]):
            single = microseconds(row["ours_1_thread_us"]) if "ours_1_thread_us" in row else "-"
            figures = [microseconds(row["ours_us"]), single, microseconds(row["numpy_us"])]
            body.append([row["name"], *figures, f"{row['numpy_us'] / row['ours_us']:.2f}"])
        text += table(head, body)
    disturbed = [row["name"] for row in rows if row["disturbance"] > 0.05]
    if disturbed:
        text += "\nWhile these were measured, others used more than 5% of a processor, "
        text += "which slows what uses all threads: "
        text += ", ".join(disturbed) + ".\n"
    return text


def cub_version(version: int) -> str:
    return f"{version // 100000}.{version // 100 % 1000}.{version % 100}"


def gpu_table(rows: list[Row], first: str) -> str:
    body = []
    for row in rows:
        us, cub = row["us"], row.get("cub_us", 0)
        ratio = f"{cub / us:.2f}" if cub >= us else f"**{cub / us:.2f}**"
        peer = [microseconds(cub), ratio] if cub else ["-", "-"]
        speed, share = row["bytes"] / us / 1e3, row["limit_us"] / us
        name = row["name"].removeprefix("rows ")
        body.append([name, microseconds(us), f"{speed:.0f}", f"{share:.2f}", *peer])
    return table([first, "us", "GB/s", "share of the read limit", "CUB us", "CUB / ours"], body)


def gpu_section(path: Path) -> str:
    report = json.loads(path.read_text())
    rows: list[Row] = report["rows"]
    cuda = f"{report['driver'] // 1000}.{report['driver'] % 1000 // 10}"
    text = (
        f"## {report['device']}\n\n{report['build']}; commit {report.get('commit', 'unknown')}; "
        f"driver for CUDA {cuda}; CUB {cub_version(report['cub'])}. Figures: `{path.relative_to(ROOT)}`.\n"
    )
    of_rows = [row for row in rows if row["name"].startswith("rows ")]
    whole = [row for row in rows if row not in of_rows]
    if whole:
        text += "\n### Whole arrays on the GPU\n\n" + gpu_table(whole, "op, type, elements")
    if of_rows:
        text += "\n### Rows on the GPU\n\n" + gpu_table(of_rows, "op, type, rows x columns")
    with_peer = [row for row in rows if row.get("cub_us", 0)]
    behind = sum(row["cub_us"] < row["us"] for row in with_peer)
    return text + f"\nOf {len(with_peer)} measurements beside CUB, {behind} are slower.\n"


def python_section(path: Path) -> str:
    report = json.loads(path.read_text())
    rows: list[Row] = report["results"]
    device = " and ".join(name for name in (report["gpu"], report["processor"]) if name)
    versions = ", ".join(f"{name} {version}" for name, version in report["versions"].items())
    text = f"## Calls from Python: {device}\n\n{report['library']}; commit {report['commit']}; {versions}; "
    text += f"{report['date']}. Figures: `{path.relative_to(ROOT)}`.\n\n"
    body = []
    for row in rows:
        ratio = row["peer_us"] / row["ours_us"]
        shown = f"{ratio:.2f}" if ratio >= 1 else f"**{ratio:.2f}**"
        body.append([row["name"], microseconds(row["ours_us"]), microseconds(row["peer_us"]), shown])
    text += table(["call", "ours us", "theirs us", "theirs / ours"], body)
    disturbed = [row["name"] for row in rows if row["disturbance"] > 0.05]
    if disturbed:
        text += f"\nOthers used more than 5% of a processor during {len(disturbed)} of {len(rows)} rows.\n"
    return text


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--check", action="store_true", help="change nothing; fail if the page is out of date"
    )
    args = parser.parse_args()
    results = ROOT / "bench/results"
    parts = [section(path) for path in sorted(results.glob("cpu-*.json"))]
    parts += [gpu_section(path) for path in sorted(results.glob("gpu-*.json"))]
    parts += [python_section(path) for path in sorted(results.glob("python-*.json"))]
    made = "\n".join(parts)
    page = PAGE.read_text()
    before, rest = page.split(BEGIN)
    after = rest.split(END)[1]
    fresh = f"{before}{BEGIN}\n{made}\n{END}{after}"
    if args.check:
        if fresh != page:
            print("docs/performance.md does not show bench/results/: run bench/report.py", file=sys.stderr)
        return int(fresh != page)
    PAGE.write_text(fresh)
    return 0


if __name__ == "__main__":
    sys.exit(main())
