"""What work in flight uses is kept alive until it is done."""

from __future__ import annotations

import atexit
import os
import threading
import weakref
from typing import TYPE_CHECKING

from . import raw
from ._context import Handle, lost
from ._recording import Recording
from .errors import Error

if TYPE_CHECKING:
    from ._streams import Event

# By the event that says that the work is done.
kept: dict[Event, tuple[object, ...]] = {}
_keeping = threading.RLock()
_streams: weakref.WeakSet[Keeper] = weakref.WeakSet()
MOST_HELD, MOST_HELD_BYTES = 64, 1 << 20


def sweep() -> None:
    """Lets go of what is not used any more."""
    if not kept:
        return
    with _keeping:
        for event in list(kept):  # a copy: Python may free a stream at any point, which sweeps too
            try:
                if event.query():
                    kept.pop(event, None)
            except Error:  # it was captured into another's graph, whose life nobody knows, or the GPU is lost
                lost.append(kept.pop(event, None))


class Keeper(Handle):
    """The part of a stream that keeps objects alive."""

    def __init__(self) -> None:
        self._recording: Recording | None = None
        self._held: dict[int, object] = {}
        self._held_bytes = 0
        _streams.add(self)

    @property
    def recording(self) -> Recording | None:
        """What this stream is being recorded for, if it is."""
        recording = self._recording
        if recording is not None and recording.over:
            recording = self._recording = None
        return recording

    def mark(self) -> Event:
        """An event that stands for the end of all work so far."""
        raise NotImplementedError

    def keep(self, *objects: object) -> None:
        """Keeps objects alive until the work enqueued so far is done; those of work that is recorded, for as
        long as the graph lives."""
        recording = self.recording
        if recording is not None:
            recording.kept.append(objects)
            return
        try:
            event = self.mark()
        except Error:  # no event, since the context is closed or memory is short: what is left is to wait
            if raw.wprim_stream_synchronize(self.handle):
                lost.append(objects)
            return
        sweep()
        with _keeping:
            kept[event] = objects

    def hold(self, held: object, size: int) -> None:
        """Keeps an object alive as `keep` does, or for longer, at less cost: until the stream is
        synchronized, or many are held, or `size` bytes become many. The lock is held."""
        if id(held) in self._held:
            return
        if len(self._held) >= MOST_HELD or self._held_bytes + size > MOST_HELD_BYTES:
            self.release()
        self._held[id(held)] = held
        self._held_bytes += size

    def keep_for(self, objects: tuple[object, ...], size: int) -> None:
        """Keeps them as `keep` does: small ones at less cost, large ones no longer than needed."""
        if size > MOST_HELD_BYTES:
            self.keep(*objects)
        else:
            self.hold(objects, size)

    def release(self) -> None:
        """What is held is kept no longer than needed from now on."""
        if self._held:
            self.keep(*self._held.values())
            self.forget()

    def forget(self) -> None:
        """What is held is not used any more."""
        self._held.clear()
        self._held_bytes = 0


@atexit.register
def _wait_for_kept() -> None:
    """Python frees its objects when it ends, so work that uses them has to end first."""
    for stream in list(_streams):
        if getattr(stream, "_handle", 0):
            with stream._lock:
                stream.release()
    while kept:
        kept.popitem()[0].synchronize()


def _after_fork() -> None:
    global _keeping
    _keeping = threading.RLock()
    lost.append(dict(kept))
    kept.clear()
    for stream in list(_streams):
        lost.append(stream._held)
        stream._held, stream._held_bytes = {}, 0


os.register_at_fork(after_in_child=_after_fork)
