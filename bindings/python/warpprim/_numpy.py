"""How numpy holds the element types."""

from __future__ import annotations

import ctypes
import importlib
from typing import Any

import numpy as np

from ._view import NAMES, dtype_number
from .errors import Unsupported

_numpy_dtypes: dict[int, np.dtype[Any]] = {}


def numpy_dtype(number: int) -> np.dtype[Any]:
    """How numpy holds an element type."""
    found = _numpy_dtypes.get(number)
    if found is None:
        if NAMES[number] == "bfloat16":
            try:
                ml_dtypes = importlib.import_module("ml_dtypes")
            except ImportError:
                raise Unsupported(
                    "numpy has no bfloat16 by itself: install ml_dtypes, or ask for dtype='float32'"
                ) from None
            found = np.dtype(ml_dtypes.bfloat16)
        else:
            found = np.dtype(NAMES[number])
        _numpy_dtypes[number] = found
    return found


_numbers: dict[np.dtype[Any], int] = {}


def numpy_number(dtype: np.dtype[Any]) -> int:
    """The element type of a numpy type."""
    found = _numbers.get(dtype)
    if found is not None:
        return found
    if not dtype.isnative:
        native = dtype.newbyteorder("=")
        raise Unsupported(f"x has the byte order of another machine: pass x.astype({native.name!r})")
    number = _numbers[dtype] = dtype_number(dtype.name, "dtype")
    return number


_addressof, _from_buffer = ctypes.addressof, ctypes.c_char.from_buffer


def address(x: np.ndarray[Any, Any]) -> int:
    try:
        return _addressof(_from_buffer(x))  # type: ignore[arg-type]  # takes a fifth of the time
    except (TypeError, ValueError, BufferError):  # read-only, with gaps, empty, or bfloat16
        number: int = x.__array_interface__["data"][0]
        return number
