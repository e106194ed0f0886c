"""The long way of a call: every option, every kind of array, and the text of every refusal."""

from __future__ import annotations

import ctypes
from typing import Any

from . import raw
from ._device_array import DeviceArray
from ._interface import LEGACY
from ._native import native_stream
from ._prepared import put_cpu, synchronize, take_cpu
from ._prepared import reduce as run_prepared
from ._recording import Node
from ._reduce import Reduce
from ._shared import shared_stream
from ._streams import Event, Stream
from ._view import CPU, Device, View
from .errors import InvalidHandle, check


def requested(stream: Any, device: Device, what: str) -> Stream:
    """The stream that the caller asked for, on the device of `what`."""
    if not isinstance(stream, Stream):
        native = native_stream(stream)
        if device == CPU:
            raise InvalidHandle(
                f"{what} is on the CPU, stream is one of CUDA: pass a warpprim.Stream, or none"
            )
        owner = None if isinstance(stream, int) else stream
        return shared_stream(device.ordinal, native, owner)
    context = stream.context
    if (context.kind, context.ordinal) != device:
        raise InvalidHandle(f"{what} is on {device}, stream on {context.kind}:{context.ordinal}")
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


def ordered(queue: Stream, node: Node, views: list[View], function: Any, *arguments: Any) -> None:
    """Enqueues, in order with what the arrays' libraries do, and keeps what must live until it is done."""
    with queue._lock:
        if queue.recording is not None:  # a graph is in the order of its launch
            queue.enqueue(node, function, *arguments)
            return
        elsewhere = [order(queue, view) for view in views]
        queue.enqueue(node, function, *arguments)
        if any(elsewhere) or queue.context.kind == "cpu":
            queue.keep_for(node.used(), node.bytes())
        elif any(view.native_owner is None for view in views):
            # Memory that may not be given back in the order of the stream.
            queue.keep_for(tuple(view.owner for view in views), node.bytes())


def run(queue: Stream, node: Reduce) -> None:
    if queue.recording is not None and isinstance(node.result, DeviceArray):
        node.result._stream.synchronize()  # it is made on another stream than the graph will run on
    ordered(queue, node, node.views(), raw.wprim_reduce_ex, queue.handle, ctypes.byref(node.desc))


def reduce(
    x: Any,
    op: int,
    axis: Any,
    out: Any,
    dtype: Any,
    nan: Any,
    ddof: Any,
    keepdims: Any,
    stream: Any,
    n_on_device: Any = None,
) -> Any:
    native = LEGACY
    if stream is not None:
        native = (stream.native if isinstance(stream, Stream) else native_stream(stream)) or LEGACY
    node = Reduce(x, op, axis, out, dtype, nan, ddof, keepdims, n_on_device, native)
    view = node.x
    if stream is not None:
        run(requested(stream, view.device, "x"), node)
    elif view.device == CPU:
        p = take_cpu()
        status = run_prepared(p.argument, ctypes.byref(node.desc)) or synchronize(p.argument)
        put_cpu(p)
        check(status)
    else:
        run(shared_stream(view.device.ordinal, view.native or 0, view.native_owner), node)
    return out if out is not None else node.library.give(node.result, x, ready=stream is None)
