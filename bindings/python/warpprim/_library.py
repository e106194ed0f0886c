"""Finds and loads libwarpprim.so: the first that is there of

1. the file that the environment variable WARPPRIM_LIBRARY names;
2. the library in this package, which a wheel carries;
3. the builds of the source tree, if this package lies in one: build/release, build/cuda, build/debug;
4. whatever the system's loader finds under the name libwarpprim.so.0.
"""

from __future__ import annotations

import ctypes
import os
from pathlib import Path

NAME = "libwarpprim.so.0"
PACKAGE = Path(__file__).resolve().parent
TREE = PACKAGE.parents[2]  # of TREE/bindings/python/warpprim


def find() -> str:
    """What to give to the loader: a path, or the name alone."""
    chosen = os.environ.get("WARPPRIM_LIBRARY")
    if chosen:
        return chosen
    files = [PACKAGE / "lib" / NAME]
    if (TREE / "include/warpprim.h").is_file():
        files += [TREE / "build" / preset / "src" / NAME for preset in ("release", "cuda", "debug")]
    return next((str(file) for file in files if file.is_file()), NAME)


def load() -> ctypes.CDLL:
    """The library, or ImportError with what was tried and what to do."""
    path = find()
    try:
        return ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(
            f"warpprim cannot load its library {path}: {error}. Install the wheel, or build the source tree "
            "(`make`), or set WARPPRIM_LIBRARY to the path of a libwarpprim.so"
        ) from error
