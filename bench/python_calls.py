#!/usr/bin/env python3
"""Times a small call from Python, as a program sees it, beside numpy, torch and CuPy on the same array.

    bench/python_calls.py                    everything that is there, as a table
    bench/python_calls.py --out FILE.json    also writes the figures

On a GPU the time is the host's: how long until the call is back, with the GPU kept idle enough never to hold
it up. Each figure is the median of repetitions; the contenders of a row take turns.
"""

from __future__ import annotations

import argparse
import datetime
import functools
import gc
import importlib.util
import json
import sys
import time
from pathlib import Path
from typing import Any, Callable

import numpy as np
from timing import git, undisturbed

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bindings/python"))
import warpprim as wp  # noqa: E402  (found through the line above)

Call = Callable[[], Any]
N = 1 << 10
ROWS, COLS = 32, 32
NODES = 4  # of a graph


def timed(call: Call, between: Call) -> Callable[[int], float]:
    """Nanoseconds of a call, in batches of at most 100; `between` waits for the GPU, and is not timed."""

    def run(calls: int) -> float:
        spent = done = 0
        while done < calls:
            batch = min(100, calls - done)
            between()
            start = time.perf_counter_ns()
            for _ in range(batch):
                call()
            spent += time.perf_counter_ns() - start
            done += batch
        return spent / calls

    return run


def rows_of(name: str, x: Any, peer: Any, between: Call) -> dict[str, dict[str, Callable[[int], float]]]:
    """What is measured on an array: the whole of it, and its rows."""
    matrix = x.reshape(ROWS, COLS)
    return {
        f"{name}: sum f32 {N}": {
            "ours": timed(lambda: wp.sum(x), between),
            "peer": timed(lambda: peer.sum(x), between),
        },
        f"{name}: argmax f32 {N}": {
            "ours": timed(lambda: wp.argmax(x), between),
            "peer": timed(lambda: peer.argmax(x), between),
        },
        f"{name}: sum f32 {ROWS} x {COLS}": {
            "ours": timed(lambda: wp.sum(matrix, -1), between),
            "peer": timed(lambda: peer.sum(matrix, -1), between),
        },
    }


def modes_of(
    name: str, x: Any, out: Any, peer: Call, peers_graph: Call, stream: wp.Stream, between: Call
) -> dict[str, dict[str, Callable[[int], float]]]:
    """A plan, and a graph of several sums. On the CPU a graph is waited for, as everything else is there."""
    plan = wp.plan(x, "sum", out=out)
    with wp.graph(stream) as graph:
        for _ in range(NODES):
            wp.sum(x, out=out, stream=stream)

    def launch_and_wait() -> None:
        graph.launch()
        stream.synchronize()

    return {
        f"{name}: plan of sum f32 {N}": {"ours": timed(plan, between), "peer": timed(peer, between)},
        f"{name}: graph of {NODES} sums f32 {N}": {
            "ours": timed(graph if stream.native is not None else launch_and_wait, between),
            "peer": timed(peers_graph, between),
        },
    }


def often(call: Call) -> Call:
    def calls() -> None:
        for _ in range(NODES):
            call()

    return calls


def torch_modes(torch: Any, x: Any) -> dict[str, dict[str, Callable[[int], float]]]:
    """Beside torch's own graphs."""
    out = torch.empty((), device="cuda")

    def peer() -> None:
        torch.sum(x, 0, out=out)

    theirs, captured = torch.cuda.Stream(), torch.cuda.CUDAGraph()
    often(peer)()
    with torch.cuda.graph(captured):
        often(peer)()
    with torch.cuda.stream(theirs):
        stream = wp.Stream(wp.Context("cuda"), native=theirs)
    return modes_of("torch, GPU", x, out, peer, captured.replay, stream, torch.cuda.synchronize)


def cupy_modes(cupy: Any, x: Any) -> dict[str, dict[str, Callable[[int], float]]]:
    """Beside CuPy's own graphs."""
    out, theirs = cupy.empty((), "f4"), cupy.cuda.Stream(non_blocking=True)

    def peer() -> None:
        cupy.sum(x, out=out)

    peer()
    with theirs:
        peer()
        theirs.begin_capture()
        often(peer)()
        captured = theirs.end_capture()
    stream = wp.Stream(wp.Context("cuda"), native=theirs)
    wait = cupy.cuda.Device().synchronize
    return modes_of("CuPy, GPU", x, out, peer, lambda: captured.launch(theirs), stream, wait)


def measurements() -> dict[str, dict[str, Callable[[int], float]]]:
    data = np.random.default_rng(1).standard_normal(N, np.float32)
    found = rows_of("numpy", data, np, lambda: None)
    out = np.empty((), np.float32)
    found[f"numpy: sum f32 {N} with out"] = {
        "ours": timed(lambda: wp.sum(data, out=out), lambda: None),
        "peer": timed(lambda: np.sum(data, out=out), lambda: None),
    }
    found[f"numpy: x.sum() f32 {N}"] = {
        "ours": timed(lambda: wp.sum(data), lambda: None),
        "peer": timed(data.sum, lambda: None),
    }
    peer = functools.partial(np.sum, data, out=out)
    found.update(modes_of("numpy", data, out, peer, often(peer), wp.Stream(), lambda: None))
    resident, total = wp.Stream(resident=True), wp.plan(data, "sum", out=out)

    def posted() -> None:
        total.launch(resident)
        resident.synchronize()

    found[f"numpy: plan on a resident stream, sum f32 {N}"] = {
        "ours": timed(posted, lambda: None),
        "peer": timed(peer, lambda: None),
    }
    gpu = wp.device_count("cuda") > 0
    if importlib.util.find_spec("torch"):
        import torch

        found.update(rows_of("torch, CPU", torch.from_numpy(data), torch, lambda: None))
        if gpu:
            there = torch.from_numpy(data).cuda()
            found.update(rows_of("torch, GPU", there, torch, torch.cuda.synchronize))
            found.update(torch_modes(torch, there))
    if gpu and importlib.util.find_spec("cupy"):
        cupy: Any = __import__("cupy")
        found.update(
            rows_of("CuPy, GPU", cupy.asarray(data), cupy, cupy.cuda.get_current_stream().synchronize)
        )
        found.update(cupy_modes(cupy, cupy.asarray(data)))
    return found


def versions() -> dict[str, str]:
    names = [name for name in ("numpy", "torch", "cupy") if name in sys.modules]
    return {"python": sys.version.split()[0], **{name: sys.modules[name].__version__ for name in names}}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=1.0, help="time for each row")
    parser.add_argument("--retries", type=int, default=0, help="measure again while others use the machine")
    parser.add_argument("--commit", help="that the library was built from (default: that of this tree)")
    parser.add_argument("--out", type=Path, help="write the figures as JSON")
    args = parser.parse_args()
    gc.disable()
    rows = []
    print(f"{'library: call':48}{'ours us':>10}{'theirs us':>11}{'theirs/ours':>13}")
    for name, contenders in measurements().items():
        ns, disturbance = undisturbed(contenders, args.seconds, args.retries)
        ours, peer = ns["ours"] / 1e3, ns["peer"] / 1e3
        rows.append(
            {
                "name": name,
                "ours_us": round(ours, 3),
                "peer_us": round(peer, 3),
                "disturbance": round(disturbance, 2),
            }
        )
        print(f"{name:48}{ours:10.2f}{peer:11.2f}{peer / ours:13.2f}", flush=True)
    if args.out:
        report = {
            "benchmark": "bench/python_calls.py",
            "date": datetime.date.today().isoformat(),
            "processor": wp.Context("cpu").info.name,
            "gpu": wp.Context("cuda").info.name if wp.device_count("cuda") else None,
            "library": wp.build_info(),
            "commit": args.commit or git("rev-parse", "--short=12", "HEAD"),
            "versions": versions(),
            "results": rows,
        }
        args.out.write_text(json.dumps(report, indent=1) + "\n")


if __name__ == "__main__":
    main()
