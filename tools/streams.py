"""What the demo and the benchmark share: the package of this tree, its types in numpy, and streams with a
number of threads of their own."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bindings/python"))
import warpprim as wp  # noqa: E402  (found through the line above)

__all__ = ["NUMPY", "ROOT", "stream_of", "wp"]

NUMPY: dict[str, np.dtype[Any]] = {
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "bool": np.dtype(np.bool_),
    **{f"i{8 * n}": np.dtype(f"i{n}") for n in (1, 2, 4, 8)},
    **{f"u{8 * n}": np.dtype(f"u{n}") for n in (1, 2, 4, 8)},
}


def stream_of(threads: int | None = None) -> wp.Stream:
    """A stream that may use so many threads; by default as many as the library chooses."""
    former = os.environ.get("WARPPRIM_NUM_THREADS")
    if threads:
        os.environ["WARPPRIM_NUM_THREADS"] = str(threads)
    try:
        return wp.Stream(wp.Context("cpu"))
    finally:
        if threads and former is None:
            del os.environ["WARPPRIM_NUM_THREADS"]
        elif former is not None:
            os.environ["WARPPRIM_NUM_THREADS"] = former
