"""Graphs: calls that are recorded in place of being enqueued, and launched together as often as one likes."""

from __future__ import annotations

import operator
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from . import raw
from ._context import Handle
from ._describe import describe
from ._general import requested
from ._recording import Recording, Used, bindings_of
from ._streams import Stream
from ._view import Device
from .errors import InvalidArgument, InvalidHandle, check


class Graph(Handle):
    """Several ops that are launched as one. `graph` records one.

    It keeps the arrays of its ops alive, and may be launched by several threads and on several streams: its
    launches run one after the other.
    """

    def __init__(self, stream: Stream, recording: Recording) -> None:
        self._lock = threading.RLock()
        self._destroy = raw.wprim_graph_destroy
        self._handle = 0
        self.stream = stream
        self._recording = recording
        self._used: Used | None = None
        self._replaced_bytes = 0

    @property
    def handle(self) -> int:
        """The C handle, for `warpprim.raw`."""
        if not self._handle and not self._recording.over:
            raise InvalidHandle("this Graph is still being recorded: use it after the with")
        return super().handle

    @property
    def nodes(self) -> tuple[str, ...]:
        """What has been recorded, in order: "reduce", "copy", "fill", "call"."""
        return tuple(node.name for node in self._recording.nodes)

    def launch(self, stream: Any = None) -> None:
        """Enqueues all of it, on `stream`, or else on the one that was recorded, and does not wait. What
        other streams do to the arrays is not waited for either: wait for an event of theirs where it
        matters."""
        context = self.stream.context
        device = Device(context.kind, context.ordinal)
        queue = self.stream if stream is None else requested(stream, device, "the graph")
        with queue._lock, self._lock:
            check(raw.wprim_graph_launch(self.handle, queue.handle))
            if self._used is None:
                recording = self._recording
                objects = [*recording.kept, *(node.used() for node in recording.nodes)]
                self._used = Used(objects, recording.raised)
            queue.hold(self._used, self._replaced_bytes)

    __call__ = launch

    def rebind(self, node: int, **arrays: Any) -> None:
        """A node uses other arrays from the next launch on; launches before are not touched. `node` counts
        from 0 in the order of the calls. The arrays go by the names of the arguments: `x`, `out`,
        `n_on_device` of a reduce, `dst` and `src` of a copy, `dst` and `value` of a fill, `function` of a
        call. They must be of the same type, shape and layout, on the same device. If it is refused, nothing
        has changed.
        """
        with self._lock:
            handle, nodes = self.handle, self._recording.nodes
            try:
                number = operator.index(node)
            except TypeError:
                number = -1
            if not 0 <= number < len(nodes):
                raise InvalidArgument(f"node = {node!r}: the graph has {len(nodes)}, counted from 0")
            new, pointers = nodes[number].rebound(arrays)
            bindings = bindings_of(number, pointers)
            check(raw.wprim_graph_rebind_many(handle, bindings, len(pointers)))
            nodes[number] = new
            self._used = None
            self._replaced_bytes = new.bytes()

    def describe(self, json: bool = False) -> Any:
        """What a launch will do, for people: lines of text, or a dictionary with the list "nodes"."""
        with self._lock:
            return describe(raw.wprim_graph_describe, self.handle, json)

    def __repr__(self) -> str:
        return f"<warpprim.Graph of {len(self._recording.nodes)} nodes>"


@contextmanager
def graph(stream: Stream) -> Iterator[Graph]:
    """Records the calls that are given `stream`, in place of enqueueing them, and makes a graph of them.

    >>> stream, x = wp.Stream(), np.ones(1000)
    >>> with wp.graph(stream) as g:
    ...     stream.fill(x, 2)
    ...     total = wp.sum(x, stream=stream)
    >>> g.launch()
    >>> stream.synchronize()
    >>> float(total)
    2000.0
    >>> g.nodes
    ('fill', 'reduce')

    Recorded are the functions of the package with `stream=`, launches of plans, and `copy`, `fill` and `call`
    of the stream. A stream that waits for an event of the recording joins it; by the end all must have come
    back to the first. Calls without `stream=`, and on other streams, are not recorded but done.

    A call without `out=` makes the array for its result at once. Each launch writes to it; before the first
    it holds anything.

    Only calls of this package are recorded. Where torch's or CuPy's work is to be in the graph too, use
    theirs: calls of this package on their current stream can be captured.

    An exception gives the recording up, and the stream goes on as before.
    """
    if not isinstance(stream, Stream):
        raise InvalidHandle(f"stream = {stream!r} is no warpprim.Stream: pass one, maybe made with native=")
    recording = stream._begin()
    made = Graph(stream, recording)
    try:
        yield made
    except BaseException:
        recording.abandon()
        raise
    made._handle = recording.end()
