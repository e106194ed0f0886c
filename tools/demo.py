"""The demo: see tools/demo. Exits non-zero if any result is wrong."""

from __future__ import annotations

import argparse
import functools
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Callable

import numpy as np
from streams import NUMPY, ROOT, stream_of, wp

BIG = 1 << 26
ROWS, COLS, STRIDE = 1 << 20, 64, 96

# (op, type, shape); a shape with a third number has rows that lie that far apart.
CASES: list[tuple[str, str, tuple[int, ...]]] = [
    ("sum", "f32", (BIG,)),
    ("max", "f32", (BIG,)),
    ("argmax", "f32", (BIG,)),
    ("std", "f32", (BIG,)),
    ("l2", "f32", (BIG,)),
    ("sum", "f64", (BIG // 2,)),
    ("mean", "f16", (BIG,)),
    ("mean", "bf16", (BIG,)),
    ("sum", "i8", (BIG,)),
    ("minmax", "u8", (BIG,)),
    ("count_nonzero", "u8", (BIG,)),
    ("sum", "f32", (ROWS, COLS)),
    ("argmax", "f32", (ROWS, COLS)),
    ("logsumexp", "f32", (ROWS, COLS)),
    ("mean", "f32", (ROWS, COLS, STRIDE)),
    ("max", "i8", (ROWS, COLS, STRIDE)),
]
EXAMPLES_RUST = str(ROOT / "examples/rust/Cargo.toml")
CARGO_RUN = ["cargo", "run", "--quiet", "--locked", "--release", "--manifest-path", EXAMPLES_RUST, "--bin"]
EXACT = ("max", "argmax", "minmax", "count_nonzero")


def make_data(dtype: str, shape: tuple[int, ...]) -> np.ndarray:
    rng = np.random.default_rng(2024)
    n = shape[0] * (shape[-1] if len(shape) > 1 else 1)
    if dtype in ("i8", "u8"):
        x = rng.integers(0, 256, n, dtype=np.uint8).view(NUMPY[dtype])
    elif dtype == "f64":
        x = rng.random(n)
    else:
        x = rng.random(n, dtype=np.float32).astype(NUMPY[dtype])
    return x if len(shape) == 1 else x.reshape(shape[0], shape[-1])[:, : shape[1]]


def numpy_call(op: str, dtype: str, x: np.ndarray) -> Callable[[], Any] | None:
    axis = x.ndim - 1
    if dtype == "bf16":
        return None
    if op == "minmax":
        return lambda: np.stack((x.min(axis=axis), x.max(axis=axis)), axis=-1)
    if op == "count_nonzero":
        return lambda: np.count_nonzero(x, axis=axis)
    if op == "l2":
        return lambda: np.linalg.norm(x, axis=axis)
    if op == "logsumexp":

        def logsumexp() -> Any:
            m = x.max(axis=axis, keepdims=True)
            return m[:, 0] + np.log(np.exp(x - m).sum(axis=axis))

        return logsumexp
    return lambda: getattr(x, op)(axis=axis)


def expected(op: str, dtype: str, x: np.ndarray) -> tuple[Any, float]:
    """numpy's answer, and the relative difference that rounding may make: none where the op is exact."""
    if op in EXACT or dtype in ("i8", "u8"):
        call = numpy_call(op, dtype, x)
        assert call
        return call(), 0.0
    call = numpy_call(op, "f64", x.astype(np.float64))
    assert call
    return call(), {"f64": 1e-12, "f32": 1e-5, "f16": 1e-3, "bf16": 5e-3}[dtype]


def timed(call: Callable[[], Any], repeats: int) -> float:
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def run_examples(commands: list[list[str]]) -> str:
    """Runs programs; the names of those that passed and of those that did not."""
    library = str(ROOT / "build/release/src")
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT / "bindings/python"),
        "WARPPRIM_DIR": library,
        "LD_LIBRARY_PATH": library,
        "CARGO_TARGET_DIR": str(ROOT / "build/rust"),
    }
    passed: list[str] = []
    failed: list[str] = []
    for command in commands:
        done = subprocess.run(command, capture_output=True, env=environment)
        (failed if done.returncode else passed).append(Path(command[-1]).stem)
    return f"{' '.join(passed) or 'none built'}" + (f"; FAILED: {' '.join(failed)}" if failed else "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--examples", type=Path, default=ROOT / "build/release/examples/c", help="folder of the C examples"
    )
    args = parser.parse_args()
    start = time.monotonic()
    stream, single = stream_of(), stream_of(threads=1)
    info = stream.context.info
    print(wp.build_info())
    print(f"{info.name}, {info.detail}, {info.parallelism} threads; numpy {np.__version__}\n")
    print(f"{'op':14}{'type':6}{'shape':24}{'GB/s':>8}{'numpy':>8}   checks")

    wrong = 0
    data: tuple[Any, np.ndarray] = (None, np.empty(0))
    for op, dtype, shape in CASES:
        if data[0] != (dtype, shape):
            data = ((dtype, shape), make_data(dtype, shape))
        x = data[1]
        axis = None if x.ndim == 1 else -1
        seconds = timed(functools.partial(wp.reduce, x, op, axis), 7)
        got = np.asarray(wp.reduce(x, op, axis))
        faults = []
        for name, other in [("repeat", stream), ("1 thread", single)]:
            again = wp.reduce(x, op, axis, stream=other)
            other.synchronize()
            if again.tobytes() != got.tobytes():
                faults.append(f"{name}: other bits")
        want, tolerance = expected(op, dtype, x)
        if tolerance:
            good = np.allclose(got.astype(np.float64), want, rtol=tolerance, atol=0)
        else:
            good = np.array_equal(got, want)
        if not good:
            faults.append("differs from numpy")
        peer = numpy_call(op, dtype, x)
        theirs = f"{x.nbytes / timed(peer, 2) / 1e9:8.1f}" if peer else f"{'-':>8}"
        text = f"{shape[0]}" if len(shape) == 1 else f"{shape[0]} x {shape[1]}"
        text += f", stride {shape[2]}" if len(shape) == 3 else ""
        verdict = (
            "; ".join(faults) or ("equal to numpy, " if not tolerance else "close to numpy, ") + "same bits"
        )
        print(f"{op:14}{dtype:6}{text:24}{x.nbytes / seconds / 1e9:8.1f}{theirs}   {verdict}", flush=True)
        wrong += bool(faults)

    programs = sorted(p for p in args.examples.glob("*") if p.is_file() and os.access(p, os.X_OK))
    crates = sorted(p for p in (ROOT / "examples/rust").glob("*.rs") if p.stem != "run")
    scripts = sorted((ROOT / "examples/python").glob("*.py"))
    told = [
        run_examples([[str(p)] for p in programs]),
        run_examples([[*CARGO_RUN, p.stem] for p in crates]),
        run_examples([[sys.executable, str(p)] for p in scripts]),
    ]
    print(f"\nexamples in C: {told[0]}; in Rust: {told[1]}; in Python: {told[2]}")
    print("same bits: a repeated run and a run on one thread gave the output of the first, bit for bit")
    print("numpy: one thread; close: within rounding of numpy's f64 result; - : numpy lacks the type")
    wrong += sum("FAILED" in text for text in told)
    print(f"{'all results are right' if not wrong else f'{wrong} WRONG'}, {time.monotonic() - start:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
