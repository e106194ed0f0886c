"""Streams and events."""

from __future__ import annotations

import ctypes
from typing import Any, Callable

from . import raw
from ._context import Context, Handle, default_context, int32
from ._host_calls import HostCallNode, forget, register, run_in_c
from ._keeping import Keeper, sweep
from ._native import native_stream
from ._recording import Node, Recording, Used
from .errors import Error, InvalidArgument, InvalidHandle, Unsupported, check, failure
from .raw import Status, StreamKind


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


class Stream(Keeper):
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

    `resident` is for many small calls one after the other whose results the host waits for: they are posted
    to a kernel that stays on the GPU, or on the CPU to a thread that spins.
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
        Keeper.__init__(self)
        if native is None:
            kind = StreamKind.STREAM_RESIDENT if resident else StreamKind.STREAM_LAUNCHED
            desc = raw.StreamDesc(ctypes.sizeof(raw.StreamDesc), int32("priority", priority), kind)
            Handle.__init__(self, "stream", raw.wprim_stream_create, self.context.handle, ctypes.byref(desc))
        else:
            Handle.__init__(self, "stream", raw.wprim_stream_wrap, self.context.handle, self.native)
        self.argument = ctypes.c_void_p(self.handle)

    def mark(self) -> Event:
        """An event that stands for the end of all work so far."""
        event = Event(self.context)
        event.record(self)
        return event

    def enqueue(self, node: Node, function: Callable[..., int], *arguments: object) -> None:
        """Calls C, which enqueues, or writes down if this stream is recorded. The lock is held."""
        recording = self.recording
        if recording is not None:
            recording.add(node, function, *arguments)
        else:
            check(function(*arguments))

    def _begin(self) -> Recording:
        """Records from now on."""
        with self._lock:
            self.release()  # what is held is of work before
            check(raw.wprim_graph_begin(self.handle))
            recording = self._recording = Recording(self)
        return recording

    def _mark_end(self) -> None:
        """Tells the recording, if there is one, how far this stream has come."""
        recording = self.recording
        if recording is not None:
            recording.ends.append(self.mark())

    def _leave_recording(self) -> None:
        recording = self.recording
        if recording is not None and recording.origin is self:
            recording.over = True  # the library gives it up with this stream
        self._mark_end()

    def close(self) -> None:
        """Gives the stream up. Work in flight completes, and what it uses lives until then."""
        with self._lock:
            if self._handle:
                self.release()
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
            self.forget()
        sweep()
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
                self.release()
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
