"""What bench/cpu_reduce.py measures on and beside: the data, and what a numpy user would write."""

from __future__ import annotations

import sys
from typing import Any, Callable

import numpy as np
from streams import NUMPY


def make_data(dtype: str, op: str, n: int) -> np.ndarray:
    """n elements: for any, all and bool, such that nobody may stop early; for prod, factors close to 1."""
    rng = np.random.default_rng(7)
    if op == "any":
        return np.full(n, 0, np.float32)  # not np.zeros, whose pages are all the same one until written
    if op == "all":
        return np.ones(n, np.float32)
    if op == "prod":
        return (1 + 1e-3 * (rng.random(n, dtype=np.float32) - 0.5)).astype(np.float32)
    if dtype in ("f32", "f64"):
        return rng.standard_normal(n, dtype=NUMPY[dtype])
    if dtype in ("f16", "bf16"):
        return rng.standard_normal(n, dtype=np.float32).astype(NUMPY[dtype])
    if dtype == "bool":
        return np.full(n, False)
    info = np.iinfo(NUMPY[dtype])
    return rng.integers(info.min, info.max, n, dtype=NUMPY[dtype], endpoint=True)


def numpy_call(op: str, dtype: str, x: np.ndarray) -> Callable[[], Any] | None:
    """What a numpy user would write, or None where numpy lacks the type."""
    if dtype == "bf16":
        return None
    axis = 1 if x.ndim == 2 else None
    if op == "minmax":
        return lambda: (x.min(axis=axis), x.max(axis=axis))
    if op == "count_nonzero":
        return lambda: np.count_nonzero(x, axis=axis)
    if op in ("l1", "amax"):
        order = 1 if op == "l1" else np.inf
        return lambda: np.linalg.norm(x, order, axis=axis)
    if op == "l2":
        return lambda: np.linalg.norm(x, axis=axis)
    if op == "logsumexp":

        def logsumexp() -> Any:
            m = x.max(axis=axis, keepdims=True)
            return np.log(np.exp(x - m).sum(axis=axis)) + m.reshape(m.shape[0] if axis else ())

        return logsumexp
    method = getattr(x, op)
    return lambda: method(axis=axis)


def check(op: str, dtype: str, ours: np.ndarray, theirs: Any, n: int) -> None:
    """A figure for a wrong result is worth nothing. (Bits are the conformance tests' business.)"""
    expected = np.stack(theirs, axis=-1) if op == "minmax" else np.asarray(theirs)
    expected = expected.reshape(ours.shape)
    if op == "prod":  # of factors so close to 1 that rounding leans to one side: the order shows
        good = bool(np.all(np.abs(np.log(ours / expected)) <= 1e-5 + 1e-8 * n))
    elif op in ("sum", "mean", "var", "std", "l1", "l2", "logsumexp") and dtype in ("f32", "f64", "f16"):
        tolerance = {"f64": 1e-10, "f32": 1e-3, "f16": 2e-2}[dtype]
        scale = (
            np.sqrt(n)
            if op == "sum"
            else 1 / np.sqrt(n)
            if op == "mean"
            else np.maximum(np.abs(expected), 1e-30)
        )
        good = bool(np.all(np.abs(ours.astype(np.float64) - expected) <= tolerance * scale))
    else:
        good = np.array_equal(ours.astype(expected.dtype), expected)
    if not good:
        sys.exit(f"{op} {dtype}: {ours.ravel()[:4]} is not what numpy gives, {expected.ravel()[:4]}")
