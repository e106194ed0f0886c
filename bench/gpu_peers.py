#!/usr/bin/env python3
"""Measures PyTorch and CuPy on a GPU, for the rows that bench/gpu_reduce.cu measured there.

    gpu_peers.py build/gpu/gpu-reduce.json > build/gpu/gpu-peers.json

Device time is that of a captured graph of calls over rotating places in 4 GiB, as in gpu_reduce.cu; where a
library cannot be captured, that of the calls between two events, which holds what it costs to launch them.
Medians of replays. Then two times of the host: that of a call alone, and that until the value is a number in
Python. What is missing (a library that is not installed, a type or an op that it lacks) is left out.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Callable

import numpy as np
from gpu_libraries import LIBRARIES, Library, Shape

BYTES = 4 << 30
SIZES = {"f32": 4, "f64": 8, "f16": 2, "bf16": 2, "i8": 1, "i16": 2, "i32": 4, "i64": 8, "u8": 1, "bool": 1}


def parse(name: str) -> Shape | None:
    """A row of gpu_reduce.cu: "sum f32 1024" or "rows sum f32 8388608x32"."""
    words = name.split()
    if words[0] == "rows":
        words = words[1:]
    if len(words) != 3 or words[1] not in SIZES:
        return None
    op, dtype, extent = words
    if extent.isdigit():
        return Shape(op, dtype, 1, int(extent))
    rows, _, cols = extent.partition("x")
    return Shape(op, dtype, int(rows), int(cols)) if rows.isdigit() and cols.isdigit() else None


def places(size: int) -> Iterator[int]:
    """Where the calls of a batch read: as input_at and batch_of in gpu_reduce.cu."""
    batch = 96 if size < 32 << 20 else 16 if size < 256 << 20 else 4
    aligned = -(-size // 256) * 256
    gap = max(aligned, BYTES // 256)
    for i in range(batch):
        yield 0 if BYTES // aligned <= 1 else i * gap % (BYTES - aligned) // 256 * 256


def device_us(library: Library, shape: Shape) -> tuple[float, str]:
    """Microseconds a call, and how they were measured."""
    size = shape.rows * shape.cols * SIZES[shape.dtype]
    calls = [library.call(shape, at) for at in places(size)]

    def batch() -> None:
        for call in calls:
            call()

    batch()  # loads kernels and fills the library's memory pool, which may not happen while capturing
    library.synchronize()
    try:
        run, how = library.capture(batch), "graph"
    except Exception as error:
        print(f"{shape}: not captured by {library.name}: {error}", file=sys.stderr)
        run, how = batch, "events"
    times = [library.elapsed_us(run) / len(calls) for _ in range(13)][2:]
    return statistics.median(times), how


def host_us(call: Callable[[], Any], rest: Callable[[], Any], batch: int) -> float:
    """Microseconds that the calling thread spends in one call; `rest` comes after each batch, not counted."""
    times = []
    for _ in range(51):
        start = time.perf_counter()
        for _ in range(batch):
            call()
        times.append((time.perf_counter() - start) / batch * 1e6)
        rest()
    return statistics.median(times[10:])


def pattern() -> np.ndarray:
    """256 MiB: floats in [1, 2) with a few bits, fine as bf16 and f16 too; as gpu_reduce.cu has them."""
    bits = np.random.default_rng(1).integers(0, 1 << 32, 64 << 20, dtype=np.uint32)
    bits &= np.uint32(0x007F007F)
    bits |= np.uint32(0x3F803F80)
    return bits


def value_of(call: Callable[[], Any]) -> Callable[[], float]:
    return lambda: float(call())


def report(rows: dict[str, dict[str, Any]], name: str, library: str, us: float, unit: str, how: str) -> None:
    print(f"{library:6} {name:34} {us:9.2f} us ({how})", file=sys.stderr)
    rows.setdefault(name, {"name": name}).update({f"{library}_{unit}": us, f"{library}_by": how})


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("reduce", type=Path, help="what gpu_reduce wrote: names the rows")
    args = parser.parse_args()
    names = [row["name"] for row in json.loads(args.reduce.read_text())["rows"]]
    rows: dict[str, dict[str, Any]] = {}
    versions = {}
    for make in LIBRARIES:
        try:
            library = make()
        except ImportError as error:
            print(f"not measured: {error}", file=sys.stderr)
            continue
        versions[library.name] = library.version
        library.fill(pattern(), BYTES)
        for name in names:
            shape = parse(name)
            if shape is not None and library.can(shape):
                us, how = device_us(library, shape)
                report(rows, name, library.name, us, "us", f"device, by {how}")
        call = library.call(Shape("sum", "f32", 1, 1024), 0)
        us = host_us(call, library.synchronize, 200)
        report(rows, "call: sum f32 1024", library.name, us, "host_us", "host")
        us = host_us(value_of(call), library.synchronize, 20)
        report(rows, "value: sum f32 1024", library.name, us, "host_us", "host")
        library.close()
    json.dump({**versions, "rows": list(rows.values())}, sys.stdout, indent=1)
    print()
    return 0


if __name__ == "__main__":
    sys.exit(main())
