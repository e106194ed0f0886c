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


PEERS = {"cub": "CUB", "torch": "PyTorch", "cupy": "CuPy"}


def gpu_table(rows: list[Row], first: str) -> str:
    """A line a measurement; a peer has columns if it was measured for any."""
    peers = {key: name for key, name in PEERS.items() if any(row.get(f"{key}_us") for row in rows)}
    body = []
    for row in rows:
        us = row["us"]
        cells = [row["name"].removeprefix("rows "), microseconds(us)]
        cells += [f"{row['bytes'] / us / 1e3:.0f}", f"{row['limit_us'] / us:.2f}"]
        for peer in peers:
            theirs = row.get(f"{peer}_us", 0)
            quotient = f"{theirs / us:.2f}" if theirs >= us else f"**{theirs / us:.2f}**"
            eager = " eager" if str(row.get(f"{peer}_by")).endswith("events") else ""
            cells += [microseconds(theirs) + eager, quotient] if theirs else ["-", "-"]
        body.append(cells)
    head = [first, "us", "GB/s", "share of the read limit"]
    for name in peers.values():
        head += [f"{name} us", f"{name} / ours"]
    return table(head, body)


def beside(path: Path, what: str) -> dict[str, Any]:
    """The figures of the same run that are in a file of their own, or nothing."""
    file = path.with_suffix(f".{what}.json")
    report: dict[str, Any] = json.loads(file.read_text()) if file.exists() else {"rows": []}
    return report


def memory_table(rows: list[Row]) -> str:
    body = []
    for row in rows:
        cells = [row["name"]]
        for ours, theirs in (("us", "cuda_us"), ("eager_us", "cuda_eager_us")):
            speed = f"{row['bytes'] / row[ours] / 1e3:.0f}"
            cells += [microseconds(row[ours]), speed, microseconds(row[theirs])]
            quotient = row[theirs] / row[ours]
            cells.append(f"{quotient:.2f}" if quotient >= 1 else f"**{quotient:.2f}**")
        body.append(cells)
    columns = ["us", "GB/s", "CUDA's us", "CUDA's / ours"]
    return table(["op, bytes", *columns, *(f"eager {name}" for name in columns)], body)


def calls_table(rows: list[Row], peers: list[Row]) -> str:
    body = [[row["name"], f"{row['host_us']:.2f}"] for row in rows]
    for row in peers:
        for key, name in PEERS.items():
            if f"{key}_host_us" in row:
                body.append([f"{row['name']}, {name} from Python", f"{row[f'{key}_host_us']:.2f}"])
    return table(["what", "us"], sorted(body, key=lambda cells: cells[0].partition(":")[0]))


def gpu_section(path: Path) -> str:
    report = json.loads(path.read_text())
    peers, memory, calls, modes = (beside(path, what) for what in ("peers", "memory", "calls", "modes"))
    rows: list[Row] = report["rows"]
    theirs = {row["name"]: row for row in peers["rows"]}
    rows = [{**row, **theirs.get(row["name"], {})} for row in rows]
    cuda = f"{report['driver'] // 1000}.{report['driver'] % 1000 // 10}"
    versions = [f"CUB {cub_version(report['cub'])}"]
    versions += [f"{PEERS[key]} {peers[key]}" for key in PEERS if key in peers]
    text = (
        f"## {report['device']}\n\n{report['build']}; commit {report.get('commit', 'unknown')}; "
        f"driver for CUDA {cuda}; {'; '.join(versions)}. Figures: `{path.relative_to(ROOT)}`.\n"
    )
    of_rows = [row for row in rows if row["name"].startswith("rows ")]
    whole = [row for row in rows if row not in of_rows]
    if whole:
        text += "\n### Whole arrays on the GPU\n\n" + gpu_table(whole, "op, type, elements")
    if of_rows:
        text += "\n### Rows on the GPU\n\n" + gpu_table(of_rows, "op, type, rows x columns")
    for key, name in PEERS.items():
        with_peer = [row for row in rows if row.get(f"{key}_us")]
        behind = sum(row[f"{key}_us"] < row["us"] for row in with_peer)
        if with_peer:
            text += f"\nOf {len(with_peer)} measurements beside {name}, {behind} are slower.\n"
    if memory["rows"]:
        text += "\n### Copy and fill on the GPU\n\n" + memory_table(memory["rows"])
    if modes["rows"]:
        body = [[row["name"], f"{row['us']:.2f}"] for row in modes["rows"]]
        text += "\n### Four ways to run an op\n\n" + table(["what", "us"], body)
    if calls["rows"]:
        text += "\n### Calls, and values on the host\n\n" + calls_table(calls["rows"], peers["rows"])
    return text


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
    parts += [gpu_section(path) for path in sorted(results.glob("gpu-*.json")) if len(path.suffixes) == 1]
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
