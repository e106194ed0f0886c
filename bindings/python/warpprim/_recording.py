"""What is written down while the calls of a stream are recorded for a graph."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Callable, ClassVar

from . import raw
from .errors import Error, InvalidArgument, check
from .raw import Slot

if TYPE_CHECKING:
    from ._streams import Event, Stream

Pointers = list[tuple[Slot, int]]


class Node:
    """One op with what it uses. `slots` names what can be exchanged, as the arguments of the call are
    named."""

    name = ""
    slots: ClassVar[Mapping[str, Slot]] = {}

    def used(self) -> tuple[object, ...]:
        """What must live as long as the op may run."""
        raise NotImplementedError

    def bytes(self) -> int:
        """Of the memory that it uses."""
        return 0

    def rebound(self, given: dict[str, Any]) -> tuple[Node, Pointers]:
        """The same op with other memory, and what the library has to know. `given` names slots of it."""
        raise NotImplementedError

    def check_names(self, given: dict[str, Any]) -> None:
        if not given:
            raise InvalidArgument(f"nothing to rebind was given; a {self.name} has {', '.join(self.slots)}")
        for name in given:
            if name not in self.slots:
                raise InvalidArgument(f"a {self.name} has no {name}; it has {', '.join(self.slots)}")


class Used:
    """What launches of a plan or a graph use, and where exceptions of its host calls go. After a rebind there
    is another."""

    def __init__(self, objects: object, raised: list[BaseException]) -> None:
        self.objects, self.raised = objects, raised


def bindings_of(node: int, pointers: Pointers) -> Any:
    """As C takes them."""
    return (raw.Binding * len(pointers))(*[raw.Binding(node, slot, pointer) for slot, pointer in pointers])


class Recording:
    """From begin to end, on the stream that began it and on those that joined it by waiting for an event."""

    def __init__(self, origin: Stream) -> None:
        self.origin = origin
        self.streams: list[Stream] = []
        self.ends: list[Event] = []  # where streams were that are closed
        self.nodes: list[Node] = []
        self.kept: list[object] = []  # for as long as the graph lives
        self.raised: list[BaseException] = []  # by the graph's host calls
        self.over = False
        # Streams of a recording may be used by several threads; nodes are counted in the order of the calls.
        self.lock = threading.RLock()

    def add(self, node: Node, function: Callable[..., int], *arguments: object) -> None:
        with self.lock:
            check(function(*arguments))
            self.nodes.append(node)

    def end(self) -> int:
        """The handle of the graph. If it is refused, the recording is given up."""
        handle = ctypes.c_void_p()
        try:
            with self.origin._lock, self.lock:
                check(raw.wprim_graph_end(self.origin.handle, ctypes.byref(handle)))
                self.over = True
        except Error:
            self.abandon()
            raise
        self.streams.clear()
        return handle.value or 0

    def abandon(self) -> None:
        """Ends it without a graph. The library wants all work to have come back first."""
        handle = ctypes.c_void_p()
        try:
            for stream in self.streams:
                if stream._handle:
                    stream._mark_end()
            for event in self.ends:
                self.origin.wait(event)
            with self.origin._lock:
                if raw.wprim_graph_end(self.origin.handle, ctypes.byref(handle)) == raw.Status.OK:
                    raw.wprim_graph_destroy(handle)
        except Error:
            pass  # the stream was closed, and the recording with it
        self.over = True
        self.streams.clear()
