"""What the library refuses, as exceptions. Each is also the built-in exception that fits."""

from __future__ import annotations

from . import raw
from .raw import Status


class Error(Exception):
    """Any failure that warpprim tells. Its text names the function, the argument, the value and the rule."""


class InvalidArgument(Error, ValueError):
    """An argument breaks a rule: a shape, a count, memory that overlaps."""


class InvalidHandle(Error, ValueError):
    """A stream, event or context that was closed, or that belongs elsewhere."""


class Unsupported(Error, TypeError):
    """Well formed, but without meaning (`and` of floats), or not in this build; or an object or a type that
    warpprim does not take."""


class NoDevice(Error, RuntimeError):
    """No such device, or its driver is missing or too old."""


class OutOfMemory(Error, MemoryError):
    """Host or device memory is exhausted."""


class CallbackError(Error, RuntimeError):
    """A host callback failed. Its own exception is the `__cause__`."""


class DeviceError(Error, RuntimeError):
    """The device reported an error."""


class InternalError(Error, RuntimeError):
    """A bug in warpprim: please report it."""


BY_STATUS: dict[int, type[Error]] = {
    Status.ERROR_INVALID_ARGUMENT: InvalidArgument,
    Status.ERROR_INVALID_HANDLE: InvalidHandle,
    Status.ERROR_UNSUPPORTED: Unsupported,
    Status.ERROR_NO_DEVICE: NoDevice,
    Status.ERROR_OUT_OF_MEMORY: OutOfMemory,
    Status.ERROR_CALLBACK: CallbackError,
    Status.ERROR_DEVICE: DeviceError,
    Status.ERROR_INTERNAL: InternalError,
}


def failure(status: int) -> Error:
    """The exception for a failed call, to be asked for on the thread that made the call, before any other."""
    text: bytes = raw.wprim_last_error()
    return BY_STATUS.get(status, InternalError)(text.decode("utf-8", "replace"))


def check(status: int) -> None:
    """Raises what a call's status says."""
    if status:
        raise failure(status)
