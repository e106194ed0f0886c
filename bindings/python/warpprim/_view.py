"""An array as the library sees it: an address, a type, and how the elements lie."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, NamedTuple

from .errors import InvalidArgument, Unsupported
from .raw import Dtype, Op

# Bytes of an element, and its name in numpy and torch, by number.
SIZES = [0, 4, 8, 2, 2, 1, 2, 4, 8, 1, 2, 4, 8, 1]
_floats = ["float32", "float64", "float16", "bfloat16"]
_integers = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
NAMES = ["", *_floats, *_integers, "bool"]
BY_NAME = {name: number for number, name in enumerate(NAMES) if name}


class Device(NamedTuple):
    kind: str  # "cpu", "cuda"
    ordinal: int

    def __str__(self) -> str:
        return f"{self.kind}:{self.ordinal}"


CPU = Device("cpu", 0)


class View(NamedTuple):
    pointer: int
    dtype: int
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None  # in elements; None: packed, the last axis fastest
    device: Device
    writable: bool
    native: int | None = None  # the CUDA stream that the array's owner works on
    owner: Any = None  # keeps the memory
    native_owner: object = None  # keeps that stream

    def __str__(self) -> str:
        return f"{NAMES[self.dtype]}{list(self.shape)} on {self.device}"


class Rows(NamedTuple):
    rows: int
    cols: int
    row_stride: int
    kept: tuple[int, ...]  # the axes that stay, as the shape of the result


def dtype_number(name: str, what: str) -> int:
    number = BY_NAME.get(name)
    if number is None:
        raise Unsupported(f"{what} is {name}; warpprim takes {', '.join(NAMES[1:])}")
    return number


def packed(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides of an array without gaps."""
    strides = []
    step = 1
    for n in reversed(shape):
        strides.append(step)
        step *= n
    return tuple(reversed(strides))


def product(numbers: Sequence[int]) -> int:
    result = 1
    for n in numbers:
        result *= n
    return result


def reduced_axes(axis: Any, ndim: int) -> frozenset[int]:
    """The axes that go; None is all."""
    if axis is None:
        return frozenset(range(ndim))
    axes = []
    for one in axis if isinstance(axis, (tuple, list)) else (axis,):
        try:
            number = operator.index(one)
        except TypeError:
            raise Unsupported(f"axis = {axis!r} is no integer, tuple of integers or None") from None
        if not -ndim <= number < ndim:
            raise InvalidArgument(f"axis = {number} is out of range for an array of {ndim} dimensions")
        axes.append(number % ndim)
    if len(set(axes)) != len(axes):
        raise InvalidArgument(f"axis = {axis!r} names an axis twice")
    return frozenset(axes)


def rows_of(view: View, axes: frozenset[int], name: str, how_to_copy: str) -> Rows:
    """The array as rows of C: what is reduced must lie packed, in order, and the rows evenly spaced."""
    shape, strides = view.shape, view.strides or packed(view.shape)
    cols = product([n for i, n in enumerate(shape) if i in axes])
    kept = tuple(n for i, n in enumerate(shape) if i not in axes)
    rows = product(kept)
    if rows == 0 or cols == 0:
        return Rows(rows, cols, 0, kept)
    if view.strides is None and axes == frozenset(range(len(kept), len(shape))):
        return Rows(rows, cols, cols, kept)
    expected = 1
    for i in sorted(axes, reverse=True):
        if shape[i] > 1 and strides[i] != expected:
            break
        expected *= shape[i]
    else:
        spacing = span = 0
        for i in sorted(set(range(len(shape))) - axes, reverse=True):
            if shape[i] == 1:
                continue
            if span == 0:
                spacing = strides[i]
            elif strides[i] != span:
                break
            span = strides[i] * shape[i]
        else:
            if rows == 1 or spacing >= cols:
                return Rows(rows, cols, spacing, kept)
    gone = "all axes" if len(axes) == len(shape) else "axis " + ", ".join(map(str, sorted(axes)))
    raise InvalidArgument(
        f"{name} of shape {shape} and strides {strides} (in elements) does not lie as rows over {gone}: the "
        "elements of a row must be packed and in order, and the rows evenly spaced, without overlap. Pass a "
        f"copy: {how_to_copy}"
    )


_UNSIGNED = {Dtype.I8: Dtype.U8, Dtype.I16: Dtype.U16, Dtype.I32: Dtype.U32, Dtype.I64: Dtype.U64}


def default_result(op: int, dtype: int) -> int:
    """The output type that an op gives by itself: the table of the header."""
    if op in (Op.SUM, Op.PROD, Op.L1):
        if dtype <= Dtype.BF16:
            return dtype
        return Dtype.I64 if dtype <= Dtype.I64 and op != Op.L1 else Dtype.U64
    if op in (Op.L2, Op.MEAN, Op.VAR, Op.STD, Op.LOGSUMEXP):
        return dtype if dtype <= Dtype.BF16 else Dtype.F64
    if op in (Op.ARGMIN, Op.ARGMAX):
        return Dtype.I64
    if op in (Op.ANY, Op.ALL):
        return Dtype.BOOL
    if op == Op.COUNT_NONZERO:
        return Dtype.U64
    return _UNSIGNED.get(Dtype(dtype), dtype) if op == Op.AMAX else dtype


# The same as lists, for the path of small calls: RESULTS[op][dtype].
RESULTS = {int(op): [0, *(int(default_result(op, d)) for d in range(1, len(SIZES)))] for op in Op}
