"""The long way of a call: every option, every kind of array, and the text of every refusal."""

from __future__ import annotations

import ctypes
import operator
from typing import Any

import numpy as np

from . import raw
from ._interface import LEGACY
from ._libraries import library_of
from ._prepared import put_cpu, take_cpu
from ._streams import Event, Stream, native_stream, shared_stream
from ._view import BY_NAME, CPU, NAMES, View, product, reduced_axes, rows_of
from .errors import InvalidArgument, InvalidHandle, Unsupported, check
from .raw import Dtype, Nan, Op

OPS = {op.name.lower(): op for op in Op}
NANS = {"propagate": Nan.NAN_PROPAGATE, "ignore": Nan.NAN_IGNORE}


def op_number(op: object) -> int:
    if isinstance(op, str) and op in OPS:
        return OPS[op]
    if isinstance(op, Op):
        return op
    raise InvalidArgument(f"op = {op!r} is none of {', '.join(OPS)}")


def output_number(dtype: object) -> int:
    """An element type however it is said: "float32", numpy.float32, torch.float32, Dtype.F32."""
    if isinstance(dtype, Dtype) and dtype:
        return dtype
    name = dtype if isinstance(dtype, str) else str(dtype)
    if not isinstance(dtype, str) and not name.startswith("torch."):
        try:
            name = np.dtype(dtype).name  # type: ignore[call-overload]
        except Exception:
            name = "unknown to numpy"
    number = BY_NAME.get(name.replace("torch.", ""))
    if number is None:
        raise Unsupported(f"dtype = {dtype!r} is no element type; there are {', '.join(NAMES[1:])}")
    return number


def divisor(ddof: Any) -> int:
    try:
        number = operator.index(ddof)
    except TypeError:
        number = -1
    if not 0 <= number < 2**32:
        raise InvalidArgument(f"ddof = {ddof!r} is no integer from 0 to 2^32 - 1")
    return number


def shape_of(view: View, axes: frozenset[int], op: int, keepdims: bool) -> tuple[int, ...]:
    """The shape of the result."""
    if keepdims:
        shape = tuple(1 if i in axes else n for i, n in enumerate(view.shape))
    else:
        shape = tuple(n for i, n in enumerate(view.shape) if i not in axes)
    return (*shape, 2) if op == Op.MINMAX else shape


def check_view(view: View, name: str) -> None:
    """What an exchange protocol might say that no array is."""
    if any(n < 0 for n in view.shape) or product(view.shape) >= 2**62:
        raise InvalidArgument(f"{name} has the shape {view.shape}, which no memory holds")
    if not 0 <= view.pointer < 2**64:
        raise InvalidArgument(f"{name} has the address {view.pointer}")


def view_of_out(out: Any, x: View, dtype: int | None, shape: tuple[int, ...], native: int) -> View:
    """The caller's output: right in every way, or refused."""
    view = library_of(out, "out").view(out, native)
    check_view(view, "out")
    if not view.writable:
        raise InvalidArgument("out cannot be written: it is read-only, or does not say that it is not")
    if view.device != x.device:
        raise InvalidArgument(f"out is on {view.device}, x on {x.device}: pass an out on {x.device}")
    if view.shape != shape:
        raise InvalidArgument(f"out has the shape {view.shape}; the result has {shape}")
    if dtype is not None and view.dtype != dtype:
        raise Unsupported(f"out is of {NAMES[view.dtype]}, dtype says {NAMES[dtype]}: pass one of the two")
    rows_of(view, frozenset(range(len(shape))), "out", "an array without gaps")
    return view


def requested(stream: Any, x: View) -> Stream:
    """The stream that the caller asked for, on the device of x."""
    if not isinstance(stream, Stream):
        native = native_stream(stream)
        if x.device == CPU:
            raise InvalidHandle("x is on the CPU, stream is one of CUDA: pass a warpprim.Stream, or none")
        owner = None if isinstance(stream, int) else stream
        return shared_stream(x.device.ordinal, native, owner)
    context = stream.context
    if (context.kind, context.ordinal) != x.device:
        raise InvalidHandle(f"x is on {x.device}, stream on {context.kind}:{context.ordinal}")
    return stream


def order(stream: Stream, view: View) -> bool:
    """Makes a stream of a GPU wait for the one that the array's owner works on. False if they are the
    same."""
    if view.native is None or view.native == stream.native:
        return False
    producer = shared_stream(view.device.ordinal, view.native, view.native_owner)
    event = Event(producer.context)
    event.record(producer)
    stream.wait(event)
    return True


def run(queue: Stream, views: list[View], desc: raw.ReduceDesc) -> bool:
    """Enqueues, in order with what the arrays' libraries do. Says whether one of them works on another
    stream."""
    with queue._lock:
        elsewhere = [order(queue, view) for view in views]
        check(raw.wprim_reduce_ex(queue.handle, ctypes.byref(desc)))
    return any(elsewhere)


def reduce(
    x: Any, op: int, axis: Any, out: Any, dtype: Any, nan: Any, ddof: Any, keepdims: bool, stream: Any
) -> Any:
    library = library_of(x, "x")
    native = LEGACY
    if stream is not None:
        native = (stream.native if isinstance(stream, Stream) else native_stream(stream)) or LEGACY
    view = library.view(x, native)
    check_view(view, "x")
    axes = reduced_axes(axis, len(view.shape))
    rows = rows_of(view, axes, "x", library.how_to_copy)
    shape = shape_of(view, axes, op, keepdims)
    if not isinstance(nan, str) or nan not in NANS:
        raise InvalidArgument(f"nan = {nan!r} is none of {', '.join(map(repr, NANS))}")
    wanted = None if dtype is None else output_number(dtype)
    views = [view]
    if out is None:
        number = library.default_result(op, view.dtype) if wanted is None else wanted
        result, pointer = library.empty(view, number, shape)
    else:
        views.append(view_of_out(out, view, wanted, shape, native))
        result, pointer, number = out, views[1].pointer, views[1].dtype
    desc = raw.ReduceDesc(
        struct_size=ctypes.sizeof(raw.ReduceDesc),
        op=op,
        dtype=view.dtype,
        out_dtype=number,
        in_=view.pointer,
        out=pointer,
        rows=rows.rows,
        cols=rows.cols,
        row_stride=rows.row_stride,
        nan=NANS[nan],
        ddof=divisor(ddof),
    )
    if view.device == CPU and stream is None:
        prepared = take_cpu()
        try:
            run(prepared, views, desc)
            prepared.synchronize()
        finally:
            put_cpu(prepared)
    else:
        if stream is not None:
            queue = requested(stream, view)
        else:
            queue = shared_stream(view.device.ordinal, view.native or 0, view.native_owner)
        if run(queue, views, desc) or view.device == CPU:
            queue.keep(result, *(v.owner for v in views))
        elif any(v.native_owner is None for v in views):  # memory that may not be given back in stream order
            queue.keep(*(v.owner for v in views))
    return result if out is not None else library.give(result, x, ready=stream is None)
