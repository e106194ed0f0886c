"""Devices, and what every C object has in common: it is closed when Python drops it."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
from dataclasses import dataclass
from typing import Any, Callable, TypeVar

from . import raw
from .errors import InvalidArgument, InvalidHandle, check
from .raw import DeviceKind

KINDS = {"cpu": DeviceKind.CPU, "cuda": DeviceKind.CUDA}
Self = TypeVar("Self", bound="Handle")


def kind_named(kind: str) -> DeviceKind:
    if not isinstance(kind, str) or kind not in KINDS:
        raise InvalidArgument(f"kind = {kind!r} is none of {', '.join(map(repr, KINDS))}")
    return KINDS[kind]


def int32(name: str, value: int) -> int:
    """An integer that ctypes will not wrap."""
    if not isinstance(value, int) or not -(2**31) <= value < 2**31:
        raise InvalidArgument(f"{name} = {value!r} is no integer of 32 bits")
    return value


class Handle:
    """A C object, for one thread at a time: the lock sees to it. (It lets a signal handler through, which
    runs between two calls.)"""

    def __init__(self, kind: str, create: Any, *arguments: Any) -> None:
        self._lock = threading.RLock()
        self._destroy = getattr(raw, f"wprim_{kind}_destroy")
        handle = ctypes.c_void_p()
        check(create(*arguments, ctypes.byref(handle)))
        self._handle = handle.value or 0

    @property
    def handle(self) -> int:
        """The C handle, for `warpprim.raw`."""
        if not self._handle:
            raise InvalidHandle(f"this {type(self).__name__} is closed")
        return self._handle

    def close(self) -> None:
        """Gives the object up. Work in flight completes. Does nothing the second time."""
        with self._lock:
            handle, self._handle = self._handle, 0
            if handle:
                check(self._destroy(handle))

    def __del__(self, ending: Callable[[], bool] = sys.is_finalizing) -> None:
        if getattr(self, "_handle", 0) and not ending():  # modules are gone when Python ends
            self.close()

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


@dataclass(frozen=True)
class Info:
    """What is known of a device."""

    kind: str  # "cpu" or "cuda"
    ordinal: int
    parallelism: int  # threads that an op may use, or multiprocessors
    memory: int  # bytes
    name: str  # the processor or the GPU
    detail: str  # instruction set, or compute capability


class Context(Handle):
    """A device with its memory. The package opens one for each device by itself. Make one to have threads of
    its own: the environment variable WARPPRIM_NUM_THREADS is read when a context is made.

    >>> Context("cpu").info.kind
    'cpu'
    """

    def __init__(self, kind: str = "cpu", ordinal: int = 0) -> None:
        number = kind_named(kind)
        super().__init__("context", raw.wprim_context_create, number, int32("ordinal", ordinal))
        self.kind, self.ordinal = kind, ordinal

    @property
    def info(self) -> Info:
        desc = raw.ContextInfoDesc(struct_size=ctypes.sizeof(raw.ContextInfoDesc))
        with self._lock:
            check(raw.wprim_context_info(self.handle, ctypes.byref(desc)))
        name, detail = (text.decode("utf-8", "replace") for text in (desc.name, desc.detail))
        return Info(self.kind, desc.ordinal, desc.parallelism, desc.memory, name, detail)

    def __repr__(self) -> str:
        return f"<warpprim.Context {self.kind}:{self.ordinal}>"


def device_count(kind: str) -> int:
    """Number of devices: 0, not an error, where there is none.

    >>> device_count("cpu")
    1
    """
    count = ctypes.c_int32()
    check(raw.wprim_device_count(kind_named(kind), ctypes.byref(count)))
    return count.value


_contexts: dict[tuple[str, int], Context] = {}
_opening = threading.Lock()
lost: list[object] = []  # what a fork left behind: its threads are gone, so it is neither used nor closed


def default_context(kind: str, ordinal: int) -> Context:
    """The context of a device that this process uses unless it is told otherwise."""
    context = _contexts.get((kind, ordinal))
    if context is None or not context._handle:
        with _opening:
            context = _contexts.get((kind, ordinal))
            if context is None or not context._handle:
                context = _contexts[kind, ordinal] = Context(kind, ordinal)
    return context


def _after_fork() -> None:
    global _opening
    _opening = threading.Lock()
    lost.append(dict(_contexts))
    _contexts.clear()


os.register_at_fork(after_in_child=_after_fork)
