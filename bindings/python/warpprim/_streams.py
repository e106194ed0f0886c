"""Streams and events, and where a native stream of another library is found in its objects."""

from __future__ import annotations

import atexit
import ctypes
import os
import threading
import weakref
from typing import Any, Callable

from . import raw
from ._context import Context, Handle, default_context, int32, lost
from ._host_calls import HostCallNode, forget, register, run_in_c
from ._recording import Node, Recording, Used
from .errors import Error, InvalidArgument, InvalidHandle, Unsupported, check, failure
from .raw import Status, StreamKind


def native_stream(stream: object) -> int:
    """The cudaStream_t of an object: an integer, what has __cuda_stream__, a stream of torch, CuPy or
    Numba."""
    value: Any = stream
    protocol = getattr(stream, "__cuda_stream__", None)
    if protocol is not None:
        value = protocol() if callable(protocol) else protocol
        value = value[1] if isinstance(value, tuple) and len(value) == 2 else None
    else:
        for name in ("cuda_stream", "ptr", "handle"):
            if hasattr(stream, name):
                value = getattr(stream, name)
                value = getattr(value, "value", value) or 0
                break
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**64:
        return value
    raise InvalidArgument(
        f"stream = {stream!r} is no stream: pass a warpprim.Stream, a cudaStream_t as an integer, or an "
        "object with __cuda_stream__ (a stream of torch, CuPy or cuda.core)"
    )


class Event(Handle):
    """A point in a stream: wait for it on the host or on another stream, read the time between two."""

    def __init__(self, context: Context | None = None) -> None:
        self.context = context or default_context("cpu", 0)
        self._recording: Recording | None = None  # that of the stream that it recorded last
        super().__init__("event", raw.wprim_event_create, self.context.handle)

    def record(self, stream: Stream) -> None:
        """The event now stands for the end of all work enqueued on the stream so far."""
        if not isinstance(stream, Stream):
            raise InvalidHandle(f"stream = {stream!r} is no warpprim.Stream")
        with self._lock, stream._lock:
            check(raw.wprim_event_record(self.handle, stream.handle))
            self._recording = stream.recording

    def synchronize(self) -> None:
        """Waits on the host for the recorded point."""
        with self._lock:
            check(raw.wprim_event_synchronize(self.handle))

    def query(self) -> bool:
        """Whether the recorded point is reached, or nothing was recorded."""
        with self._lock:
            status: int = raw.wprim_event_query(self.handle)
            if status != Status.NOT_READY:
                check(status)
        return status == Status.OK

    def since(self, start: Event) -> float:
        """Milliseconds from `start` to this event. Both must have been reached."""
        if not isinstance(start, Event):
            raise InvalidHandle(f"start = {start!r} is no warpprim.Event")
        milliseconds = ctypes.c_float()
        # Always in one order, so that no two threads wait in a circle.
        first, second = sorted((self, start), key=id)
        with first._lock, second._lock:
            status = raw.wprim_event_elapsed(start.handle, self.handle, ctypes.byref(milliseconds))
            if status == Status.NOT_READY:
                raise InvalidArgument("an event has not been reached yet: synchronize first")
            check(status)
        return milliseconds.value


# What work in flight uses, with the event that says that the work is done.
_kept: list[tuple[Event, tuple[object, ...]]] = []
_keeping = threading.RLock()


def _sweep() -> None:
    """Lets go of what is not used any more."""
    if not _kept:
        return
    with _keeping:
        done = [pair for pair in _kept if pair[0].query()]
        for pair in done:
            _kept.remove(pair)


_streams: weakref.WeakSet[Stream] = weakref.WeakSet()


@atexit.register
def _wait_for_kept() -> None:
    """Python frees its objects when it ends, so work that uses them has to end first."""
    for stream in list(_streams):
        if stream._handle:
            with stream._lock:
                stream._release()
    while _kept:
        _kept.pop()[0].synchronize()


MOST_HELD, MOST_HELD_BYTES = 64, 1 << 20  # see Stream.hold


class Stream(Handle):
    """An ordered queue of work on a device. A call that is given one only enqueues: until `synchronize` its
    arrays must not be changed, and its result is not there yet. (They are kept alive as long as needed.)

    >>> import numpy as np, warpprim as wp
    >>> stream = wp.Stream()
    >>> total = wp.sum(np.ones(1000), stream=stream)
    >>> stream.synchronize()
    >>> float(total)
    1000.0

    `native` makes a stream out of one that the program has: a cudaStream_t as an integer, or an object that
    has one (of torch, CuPy, cuda.core), which is kept alive. The context is then one of the GPU.
    """

    def __init__(
        self,
        context: Context | None = None,
        *,
        native: object = None,
        priority: int = 0,
        resident: bool = False,
    ) -> None:
        if context is not None and not isinstance(context, Context):
            raise InvalidHandle(f"context = {context!r} is no warpprim.Context")
        if not isinstance(resident, bool) or (resident and native is not None):
            raise InvalidArgument(f"resident = {resident!r}: pass True or False, and True without native")
        self.context = context or default_context("cpu" if native is None else "cuda", 0)
        self.native = None if native is None else native_stream(native)
        self.resident = resident
        self._owner = native
        self._raised: list[BaseException] = []
        self._recording: Recording | None = None
        self._held: dict[int, object] = {}
        self._held_bytes = 0
        _streams.add(self)
        if native is None:
            kind = StreamKind.STREAM_RESIDENT if resident else StreamKind.STREAM_LAUNCHED
            desc = raw.StreamDesc(ctypes.sizeof(raw.StreamDesc), int32("priority", priority), kind)
            super().__init__("stream", raw.wprim_stream_create, self.context.handle, ctypes.byref(desc))
        else:
            super().__init__("stream", raw.wprim_stream_wrap, self.context.handle, self.native)
        self.argument = ctypes.c_void_p(self.handle)

    @property
    def recording(self) -> Recording | None:
        """What this stream is being recorded for, if it is."""
        recording = self._recording
        if recording is not None and recording.over:
            recording = self._recording = None
        return recording

    def enqueue(self, node: Node, function: Callable[..., int], *arguments: object) -> None:
        """Calls C, which enqueues, or writes down if this stream is recorded. The lock is held."""
        recording = self.recording
        if recording is not None:
            recording.add(node, function, *arguments)
        else:
            check(function(*arguments))

    def keep(self, *objects: object) -> None:
        """Keeps objects alive until the work enqueued so far is done; those of work that is recorded, for as
        long as the graph lives."""
        recording = self.recording
        if recording is not None:
            recording.kept.append(objects)
            return
        try:
            event = Event(self.context)
            event.record(self)
        except Error:  # no event, since the context is closed or memory is short: what is left is to wait
            if raw.wprim_stream_synchronize(self.handle):
                lost.append(objects)
            return
        _sweep()
        with _keeping:
            _kept.append((event, objects))

    def hold(self, held: object, size: int) -> None:
        """Keeps an object alive as `keep` does, or for longer, at less cost: until the stream is
        synchronized, or many are held, or `size` bytes become many. The lock is held."""
        if id(held) in self._held:
            return
        if len(self._held) >= MOST_HELD or self._held_bytes + size > MOST_HELD_BYTES:
            self._release()
        self._held[id(held)] = held
        self._held_bytes += size

    def keep_for(self, objects: tuple[object, ...], size: int) -> None:
        """Keeps them as `keep` does: small ones at less cost, large ones no longer than needed."""
        if size > MOST_HELD_BYTES:
            self.keep(*objects)
        else:
            self.hold(objects, size)

    def _begin(self) -> Recording:
        """Records from now on."""
        with self._lock:
            self._release()  # what is held is of work before
            check(raw.wprim_graph_begin(self.handle))
            recording = self._recording = Recording(self)
        return recording

    def _release(self) -> None:
        """What is held is kept no longer than needed."""
        if self._held:
            self.keep(*self._held.values())
            self._held.clear()
        self._held_bytes = 0

    def _mark_end(self) -> None:
        """Tells the recording, if there is one, how far this stream has come."""
        recording = self.recording
        if recording is not None:
            event = Event(self.context)
            event.record(self)
            recording.ends.append(event)

    def _leave_recording(self) -> None:
        recording = self.recording
        if recording is not None and recording.origin is self:
            recording.over = True  # the library gives it up with this stream
        self._mark_end()

    def close(self) -> None:
        """Gives the stream up. Work in flight completes, and what it uses lives until then."""
        with self._lock:
            if self._handle:
                self._release()
                self._leave_recording()
            super().close()

    def _report(self, status: int) -> None:
        """What a status of synchronize or query means."""
        if status == Status.NOT_READY:
            return
        raised = self._raised[:]
        self._raised.clear()
        for held in self._held.values():
            if isinstance(held, Used):
                raised += held.raised
                held.raised.clear()
        if status == Status.OK:
            self._held.clear()
            self._held_bytes = 0
        _sweep()
        if status:
            raise failure(status) from (raised[0] if raised else None)

    def synchronize(self) -> None:
        """Waits until all work enqueued so far is done, and raises the first late error since the last
        report."""
        with self._lock:
            self._report(raw.wprim_stream_synchronize(self.handle))

    def query(self) -> bool:
        """Whether all work is done, without waiting. Raises a late error as `synchronize` does."""
        with self._lock:
            status: int = raw.wprim_stream_query(self.handle)
            self._report(status)
        return status == Status.OK

    def wait(self, event: Event) -> None:
        """Work enqueued from now on runs after the point that `event` recorded last, on whatever stream."""
        if not isinstance(event, Event):
            raise InvalidHandle(f"event = {event!r} is no warpprim.Event")
        with event._lock, self._lock:
            recording = event._recording
            joins = recording is not None and not recording.over and self.recording is None
            if joins:
                self._release()
            check(raw.wprim_stream_wait(self.handle, event.handle))
            if joins and recording is not None:
                self._recording = recording
                recording.streams.append(self)

    def call(self, function: Callable[[], object]) -> None:
        """Enqueues a call of `function()`, on a thread of the library. It must not call warpprim. What it
        raises becomes a late error of the stream, a CallbackError with that exception as its cause."""
        if not callable(function):
            raise InvalidArgument(f"function = {function!r} cannot be called")
        with self._lock:
            recording = self.recording
            if recording is not None:
                node = HostCallNode(function, recording.raised)
                recording.add(node, raw.wprim_stream_call, self.handle, run_in_c, node.call.number)
                return
            number = register(function, self._raised, once=True)
            try:
                check(raw.wprim_stream_call(self.handle, run_in_c, number))
            except Error:
                forget(number)
                raise
            self.hold(function, 0)

    def copy(self, dst: Any, src: Any) -> None:
        """Enqueues a copy between two arrays of one type and shape without gaps, each on the device of the
        stream or on the CPU.

        >>> import numpy as np, warpprim as wp
        >>> stream, room = wp.Stream(), np.zeros(3)
        >>> stream.copy(room, np.ones(3))
        >>> stream.synchronize()
        >>> room.tolist()
        [1.0, 1.0, 1.0]
        """
        from ._memory import copy  # which needs streams itself

        copy(self, dst, src)

    def fill(self, dst: Any, value: Any) -> None:
        """Enqueues the filling of an array without gaps, on the device of the stream, with a number.

        >>> import numpy as np, warpprim as wp
        >>> stream, room = wp.Stream(), np.zeros(3)
        >>> stream.fill(room, 2)
        >>> stream.synchronize()
        >>> room.tolist()
        [2.0, 2.0, 2.0]
        """
        from ._memory import fill  # which needs streams itself

        fill(self, dst, value)

    def __cuda_stream__(self) -> tuple[int, int]:
        if self.native is None:
            raise Unsupported("only a stream made with native= has a cudaStream_t")
        return 0, self.native

    def __repr__(self) -> str:
        return f"<warpprim.Stream on {self.context.kind}:{self.context.ordinal}>"


_shared: dict[tuple[int, int], Stream] = {}
MOST_SHARED = 64
DEFAULTS = (0, 1, 2)  # native streams that are always there: default, legacy, per thread


def shared_stream(ordinal: int, native: int, owner: object) -> Stream:
    """The stream of this package on a native stream of a GPU. It is kept for the next call if the native one
    is sure to live: because `owner` keeps it, or because it always does."""
    stream = _shared.get((ordinal, native))
    if stream is None:
        stream = Stream(default_context("cuda", ordinal), native=native)
        stream._owner = owner
        if owner is not None or native in DEFAULTS:
            _shared[ordinal, native] = stream
            if len(_shared) > MOST_SHARED:
                _shared.pop(next(iter(_shared)), None)
    return stream


def _after_fork() -> None:
    global _keeping
    _keeping = threading.RLock()
    lost.append((dict(_shared), _kept[:]))
    for stream in list(_streams):
        lost.append(stream._held)
        stream._held, stream._held_bytes = {}, 0
    _shared.clear()
    _kept.clear()


os.register_at_fork(after_in_child=_after_fork)
