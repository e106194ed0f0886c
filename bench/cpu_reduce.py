#!/usr/bin/env python3
"""Times reduce on the CPU backend beside numpy, on the same arrays, and beside the read limit.

    bench/cpu_reduce.py                     everything, as a table
    bench/cpu_reduce.py --filter 'sum f32'  rows whose name matches a regular expression
    bench/cpu_reduce.py --out FILE.json     also writes the figures; --update replaces rows of such a file

Each figure is the median of repetitions; the contenders of a row take turns, so that a disturbance hits all.
A row during which others used more than 5% of a processor is measured again, --retries times; the least
disturbed counts. Ours is timed by a C loop around wprim_reduce_ex and wprim_stream_synchronize, numpy
as a Python program calls it, the cost of that call included: at 2^10 elements most of its time. numpy
reduces on one thread (but for the norm of a whole array, which BLAS may share). The limit: bench/probe.cpp.
"""

from __future__ import annotations

import argparse
import contextlib
import ctypes
import datetime
import gc
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))
import peers  # noqa: E402  (found through the line above)
from streams import NUMPY, stream_of, wp  # noqa: E402
from timing import git, timed_python, undisturbed  # noqa: E402
from warpprim import raw  # noqa: E402

WHOLE = [1 << 10, 1 << 16, 1 << 20, 1 << 26]
COLUMNS = [32, 128, 1024, 4096]
ROWS_BYTES = 16 << 20
F32_OPS = [
    "sum",
    "prod",
    "min",
    "max",
    "argmin",
    "argmax",
    "minmax",
    "any",
    "all",
    "count_nonzero",
    "mean",
    "var",
    "std",
    "l1",
    "l2",
    "amax",
    "logsumexp",
]
OTHER_OPS = ["sum", "max", "argmax"]
OTHER_TYPES = ["f64", "f16", "bf16", "i8", "i32", "i64", "u8", "bool"]
LIMITS = ["sum", "min", "max", "argmax"]


class Probe:
    """bench/probe.cpp, compiled for this machine."""

    def __init__(self) -> None:
        folder = Path(tempfile.mkdtemp(prefix="warpprim-bench-"))
        target = folder / "probe.so"
        compiler = os.environ.get("CXX", "c++")
        flags = ["-std=c++20", "-O3", "-march=native", "-ffast-math", "-fopenmp", "-shared", "-fPIC"]
        subprocess.run(
            [compiler, *flags, f"-I{ROOT / 'include'}", str(ROOT / "bench/probe.cpp"), "-o", str(target)],
            check=True,
        )
        os.environ["OMP_WAIT_POLICY"] = "passive"  # else its threads spin into the next contender's turn
        self.lib = ctypes.CDLL(str(target))
        self.lib.time_reduce.restype = ctypes.c_double
        self.lib.time_limit.restype = ctypes.c_double
        target.unlink()
        folder.rmdir()

    def reduce(self, stream: wp.Stream, desc: raw.ReduceDesc) -> Callable[[int], float]:
        function, synchronize = raw.wprim_reduce_ex, raw.wprim_stream_synchronize
        handle = ctypes.c_void_p(stream.handle)

        def timed(calls: int) -> float:
            ns = self.lib.time_reduce(function, synchronize, handle, ctypes.byref(desc), calls)
            if ns < 0:
                raise RuntimeError(raw.wprim_last_error().decode())
            return float(ns)

        return timed

    def limit(self, op: str, x: np.ndarray, threads: int) -> Callable[[int], float]:
        loop = getattr(self.lib, f"limit_{op}")
        args = (loop, ctypes.c_void_p(x.ctypes.data), ctypes.c_uint64(x.size), threads)
        return lambda calls: float(self.lib.time_limit(*args, calls))


def describe(op: str, x: np.ndarray) -> tuple[raw.ReduceDesc, np.ndarray]:
    """A desc for x, whole or by rows, and the array that it writes. Both, and x, must be kept while it is
    used."""
    out = np.array(wp.reduce(x, op, None if x.ndim == 1 else -1))
    desc = raw.ReduceDesc(
        struct_size=ctypes.sizeof(raw.ReduceDesc),
        op=raw.Op[op.upper()],
        dtype=next(raw.Dtype[name.upper()] for name, dtype in NUMPY.items() if dtype == x.dtype),
        in_=x.ctypes.data,
        out=out.ctypes.data,
        rows=x.shape[0] if x.ndim == 2 else 1,
        cols=x.shape[-1],
    )
    return desc, out


def disturbed_rows(path: Path) -> set[str]:
    return {row["name"] for row in json.loads(path.read_text())["results"] if row["disturbance"] > 0.05}


def run(args: argparse.Namespace) -> list[dict[str, Any]]:
    """The rows asked for; those that are done if it is interrupted."""
    results: list[dict[str, Any]] = []
    with contextlib.suppress(KeyboardInterrupt):
        measure_rows(args, results)
    return results


def measure_rows(args: argparse.Namespace, results: list[dict[str, Any]]) -> None:
    probe = Probe()
    stream, single = stream_of(), stream_of(threads=1)
    cases = [(op, "f32") for op in F32_OPS] + [(op, dtype) for dtype in OTHER_TYPES for op in OTHER_OPS]
    wanted = disturbed_rows(args.update) if args.again else None
    data: tuple[str, np.ndarray] = ("", np.empty(0))
    print(
        f"{'op type shape':34}{'ours us':>12}{'GB/s':>8}{'1 thread us':>13}"
        f"{'numpy us':>12}{'numpy/ours':>12}{'limit us':>11}"
    )
    for op, dtype in cases:
        size = NUMPY[dtype].itemsize
        rows_columns = [(1, n) for n in WHOLE] + [(ROWS_BYTES // size // c, c) for c in COLUMNS]
        for rows, cols in rows_columns:
            name = f"{op} {dtype} {cols}" if rows == 1 else f"{op} {dtype} {rows} x {cols}"
            if not re.search(args.filter, name) or (wanted is not None and name not in wanted):
                continue
            key = f"{dtype} {op if op in ('any', 'all', 'prod') else ''}"
            if data[0] != key:
                data = (key, peers.make_data(dtype, op, max(WHOLE)))
            x = data[1][: rows * cols]
            x = x if rows == 1 else x.reshape(rows, cols)
            desc, out = describe(op, x)
            contenders = {"ours": probe.reduce(stream, desc)}
            if x.nbytes >= 1 << 20:
                contenders["ours_1_thread"] = probe.reduce(single, desc)
            call = peers.numpy_call(op, dtype, x)
            if call:
                peers.check(op, dtype, out, call(), cols)
                contenders["numpy"] = timed_python(call)
            if rows == 1 and cols == max(WHOLE) and dtype == "f32" and op in LIMITS:
                contenders["limit"] = probe.limit(op, x, stream.context.info.parallelism)
            ns, disturbance = undisturbed(contenders, args.seconds, args.retries)
            row: dict[str, Any] = {
                "name": name,
                "op": op,
                "dtype": dtype,
                "rows": rows,
                "cols": cols,
                "bytes": x.nbytes,
            }
            row.update({f"{k}_us": round(v / 1e3, 3) for k, v in ns.items()})
            row["disturbance"] = round(disturbance, 2)
            results.append(row)
            print(line(row), flush=True)


def merge(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """The newer figures, unless they were more disturbed than the older ones."""
    return old if new["disturbance"] > max(0.05, old["disturbance"]) else new


def line(row: dict[str, Any]) -> str:
    def cell(key: str, width: int) -> str:
        return f"{row[key]:{width}.2f}" if key in row else " " * (width - 1) + "-"

    ours = row["ours_us"]
    ratio = f"{row['numpy_us'] / ours:12.2f}" if "numpy_us" in row else " " * 11 + "-"
    text = f"{row['name']:34}{ours:12.2f}{row['bytes'] / ours / 1e3:8.1f}"
    text += cell("ours_1_thread_us", 13) + cell("numpy_us", 12) + ratio + cell("limit_us", 11)
    return text + ("   behind" if "numpy_us" in row and row["numpy_us"] < ours else "")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--commit", help="that the library was built from (default: that of this tree)")
    parser.add_argument("--filter", default="", help="regular expression for the rows' names")
    parser.add_argument(
        "--seconds", type=float, default=0.4, help="time for each row (at least 5 repetitions)"
    )
    parser.add_argument("--retries", type=int, default=0, help="measure again while others use the machine")
    parser.add_argument("--out", type=Path, help="write the figures as JSON")
    parser.add_argument("--update", type=Path, help="replace the measured rows in this JSON file")
    parser.add_argument("--again", action="store_true", help="with --update: only rows that were disturbed")
    args = parser.parse_args()
    gc.disable()
    results = run(args)
    target = args.update or args.out
    if not target:
        return
    if args.update:
        report = json.loads(target.read_text())
        fresh = {row["name"]: row for row in results}
        kept = [merge(row, fresh.pop(row["name"], row)) for row in report["results"]]
        results = kept + list(fresh.values())
    info = stream_of().context.info
    changed = git("status", "--porcelain", "src", "include")
    report = {
        "benchmark": "bench/cpu_reduce.py",
        "date": datetime.date.today().isoformat(),
        "processor": info.name,
        "instruction_set": info.detail,
        "threads": info.parallelism,
        "library": wp.build_info(),
        "commit": args.commit
        or git("rev-parse", "--short=12", "HEAD") + (" with changes" if changed else ""),
        "numpy": np.__version__,
        "python": sys.version.split()[0],
        "results": results,
    }
    head = json.dumps({k: v for k, v in report.items() if k != "results"}, indent=1)
    rows = ",\n".join("  " + json.dumps(row) for row in results)
    target.write_text(f'{head[:-2]},\n "results": [\n{rows}\n ]\n}}\n')


if __name__ == "__main__":
    main()
