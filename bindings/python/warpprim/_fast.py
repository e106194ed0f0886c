"""The short ways of a call: packed arrays of the well-known libraries, whole or by the last axis, with all
else as it is by default. The way of _general.py does everything else, and tells what is wrong.

A reduce of a thousand elements takes a fifth of a microsecond, an attribute of Python a tenth of that. So
each way is one flat function, and reads an attribute once.
"""

from __future__ import annotations

import ctypes
import operator
from typing import Any, Callable

import numpy as np

from . import _general
from ._libraries import Cupy, Torch, library_of
from ._numpy import numpy_dtype
from ._prepared import (
    CPU_KEY,
    make,
    make_small,
    new_pool,
    put_cpu,
    reduce,
    short_reduce,
    short_synchronize,
    small_lists,
    synchronize,
    take_cpu,
)
from ._view import BY_NAME, RESULTS
from .errors import failure
from .raw import Dtype, Op

ndarray = np.ndarray
codes = {np.dtype(name): number for name, number in BY_NAME.items() if name != "bfloat16"}
from_buffer = ctypes.c_char.from_buffer
addressof = ctypes.addressof

PROPAGATE = "propagate"
SMALL = 1 << 13  # up to so many elements the interpreter's lock is kept: 64 KiB at most, which is 3 us

# (x, op, axis, out): the result, or None if the arrays need the long way.
Way = Callable[[Any, int, Any, Any], Any]
# How numpy holds the results of the types that are in `codes`.
result_dtypes = {
    op: [numpy_dtype(d) if d != Dtype.BF16 and d else None for d in RESULTS[op]] for op in RESULTS
}


def numpy_way(x: Any, op: int, axis: Any, out: Any) -> Any:
    if axis is None:
        shape: Any = ()
    elif axis.__class__ is int and axis == -1 and x.ndim > 1:
        shape = x.shape[:-1]
    else:
        return None
    try:
        code = codes[x.dtype]
        address = addressof(from_buffer(x))
        dtype = result_dtypes[op][code]
        if out is None:
            result: Any = np.empty(shape, dtype)
        elif out.__class__ is ndarray and out.dtype is dtype and out.shape == shape:
            result = out
        else:
            return None
        out_address = addressof(from_buffer(result))
    except (KeyError, TypeError, ValueError, BufferError):
        return None  # another type, read-only, with gaps, or empty
    p = take_cpu()
    desc, desc_argument, _ = p.calls.get(16 * op + code) or p.prepare(op, code, None)
    desc.in_ = address
    desc.out = out_address
    desc.rows = rows = result.size
    desc.cols = x.size // rows
    status = reduce(p.argument, desc_argument) or synchronize(p.argument)
    put_cpu(p)
    if status:
        raise failure(status)
    return result if shape or out is not None else result[()]


def torch_way(library: Torch) -> Way:
    numbers, dtypes, raw_stream = library.numbers, library.dtypes, library.raw_stream
    tensor, empty, empty_like = library.torch.Tensor, library.torch.empty, library.torch.empty_like
    free = new_pool()

    def way(x: Any, op: int, axis: Any, out: Any) -> Any:
        code = numbers.get(x.dtype)
        n = x.numel()
        if code is None or n == 0 or x.requires_grad or not x.is_contiguous() or x.is_neg():
            return None  # what is wrong with it, the long way tells
        dtype = dtypes.get(RESULTS[op][code])
        ordinal = x.get_device()  # -1: the CPU
        if dtype is None or not (x.is_cuda or x.is_cpu):
            return None
        if axis is None:
            rows, shape = 1, ()
        elif axis.__class__ is int and axis == -1 and x.ndim > 1:
            shape = x.shape[:-1]
            rows = n // x.shape[-1]
        else:
            return None
        if out is not None and (
            out.__class__ is not tensor
            or out.dtype is not dtype
            or out.get_device() != ordinal
            or out.shape != shape
            or not out.is_contiguous()
            or out.requires_grad
            or out.is_neg()
            or not (out.is_cuda or out.is_cpu)
        ):
            return None
        key = CPU_KEY if ordinal < 0 else (ordinal, raw_stream(ordinal))
        try:
            p = free[key].pop()
        except (KeyError, IndexError):
            p = make(free, key, library)
        call = p.calls.get(16 * op + code)
        if call is None:
            call = p.prepare(op, code, empty((), dtype=dtype, device=x.device))
        desc, desc_argument, scalar = call
        if out is not None:
            result = out
        elif axis is None:
            result = empty_like(scalar)  # takes half the time of empty
        else:
            result = empty(shape, dtype=dtype, device=x.device)
        desc.in_ = x.data_ptr()
        desc.out = result.data_ptr()
        desc.rows = rows
        desc.cols = n // rows
        status = reduce(p.argument, desc_argument)
        if ordinal < 0:
            status = status or synchronize(p.argument)
        free.get(key, []).append(p)  # if the key is gone, so is p
        if status:
            raise failure(status)
        return result

    return way


def cupy_way(library: Cupy) -> Way:
    cupy = library.cupy
    array, current_stream = cupy.ndarray, cupy.cuda.get_current_stream
    # x.flags makes an object each time. What it reads is an attribute of CuPy's own, which may go one day.
    is_packed = operator.attrgetter(
        "_c_contiguous" if hasattr(array, "_c_contiguous") else "flags.c_contiguous"
    )
    free = new_pool()

    def way(x: Any, op: int, axis: Any, out: Any) -> Any:
        code = codes.get(x.dtype)
        n = x.size
        memory = x.data
        ordinal = memory.device_id
        if code is None or n == 0 or not is_packed(x):
            return None
        if axis is None:
            rows, shape = 1, ()
        elif axis.__class__ is int and axis == -1 and x.ndim > 1:
            shape = x.shape[:-1]
            rows = n // x.shape[-1]
        else:
            return None
        dtype = result_dtypes[op][code]
        if out is not None and (
            out.__class__ is not array
            or out.dtype != dtype
            or out.shape != shape
            or not is_packed(out)
        ):
            return None
        result = array(shape, dtype) if out is None else out
        target = result.data
        if target.device_id != ordinal:
            return None  # x is not on the current device, or out is elsewhere
        stream = current_stream(ordinal)  # without the number it would ask for the device
        key = ordinal, stream.ptr
        try:
            p = free[key].pop()
        except (KeyError, IndexError):
            p = make(free, key, stream)
        desc, desc_argument, _ = p.calls.get(16 * op + code) or p.prepare(op, code, None)
        desc.in_ = memory.ptr
        desc.out = target.ptr
        desc.rows = rows
        desc.cols = n // rows
        status = reduce(p.argument, desc_argument)
        free.get(key, []).append(p)  # if the key is gone, so is p
        if status:
            raise failure(status)
        return result

    return way


# By the type of the array, exactly. Torch and CuPy come in when the first of their arrays has been seen.
ways: dict[type, Way] = {ndarray: numpy_way}


def find_way(x: object) -> Way | None:
    """The way for an array of a type that is not among `ways` yet."""
    library = library_of(x, "x")
    if isinstance(library, Torch):
        ways.setdefault(library.torch.Tensor, torch_way(library))
    elif isinstance(library, Cupy):
        ways.setdefault(library.cupy.ndarray, cupy_way(library))
    return ways.get(type(x))


def function_of(op: Op) -> Callable[..., Any]:
    """The function of an op."""
    number = int(op)
    results = RESULTS[number]
    small = small_lists(len(results))
    minmax = op == Op.MINMAX  # two values: the long way

    def function(
        x: Any,
        axis: Any = None,
        *,
        out: Any = None,
        dtype: Any = None,
        nan: Any = PROPAGATE,
        keepdims: Any = False,
        stream: Any = None,
    ) -> Any:
        # `is`, because == may be anything, and takes longer. What is equal but not the same takes the long
        # way.
        if dtype is None and stream is None and nan is PROPAGATE and keepdims is False and not minmax:
            if out is None and axis is None and x.__class__ is ndarray and x.size <= SMALL:
                try:
                    code = codes[x.dtype]
                    address = addressof(from_buffer(x))
                except (KeyError, TypeError, ValueError, BufferError):
                    return _general.reduce(x, number, axis, out, dtype, nan, 0, keepdims, stream)
                try:
                    prepared = small[code].pop()
                except IndexError:
                    prepared = make_small(number, code, results[code])
                desc, desc_argument, argument, scalar, _ = prepared
                desc.in_ = address
                desc.cols = x.size
                status = short_reduce(argument, desc_argument) or short_synchronize(argument)
                if status:
                    raise failure(status)
                result = scalar[()]
                small[code].append(prepared)
                return result
            way = ways.get(type(x)) or find_way(x)
            if way is not None:
                result = way(x, number, axis, out)
                if result is not None:
                    return result
        return _general.reduce(x, number, axis, out, dtype, nan, 0, keepdims, stream)

    return function
