"""Results on a GPU for arrays that come from no library that could make them."""

from __future__ import annotations

import ctypes
import sys
from typing import Any, Callable

import numpy as np

from . import raw
from ._dlpack import CUDA_CODE, capsule_of
from ._interface import LEGACY
from ._native import native_stream
from ._numpy import address, numpy_dtype
from ._streams import Event, Stream
from ._view import NAMES, SIZES, Device, product
from .errors import InvalidArgument, check
from .raw import Dtype


class DeviceArray:
    """A result on a GPU that belongs to no other library. Other libraries read it without a copy, through
    DLPack or __cuda_array_interface__; `float`, `int`, `bool` and `item` wait for the value and bring it to
    the host.
    """

    def __init__(self, stream: Stream, dtype: int, shape: tuple[int, ...]) -> None:
        self.shape = shape
        self.dtype = NAMES[dtype]
        self.device = Device("cuda", stream.context.ordinal)
        self._number, self._stream = dtype, stream
        pointer = ctypes.c_void_p()
        with stream._lock:
            size = max(1, product(shape)) * SIZES[dtype]
            check(raw.wprim_malloc(stream.handle, size, ctypes.byref(pointer)))
        self.pointer = pointer.value or 0

    def __del__(self, ending: Callable[[], bool] = sys.is_finalizing) -> None:
        pointer = getattr(self, "pointer", 0)
        if pointer and self._stream._handle and not ending():
            with self._stream._lock:
                raw.wprim_free(self._stream.handle, pointer)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        name = Dtype(self._number).name.lower()
        if name == "bf16":
            raise AttributeError("__cuda_array_interface__ cannot say bf16: use DLPack")
        kind = "b" if name == "bool" else name[0]
        if self._stream.native is None:
            self._stream.synchronize()  # a stream of our own has no number to tell
        return {
            "version": 3,
            "shape": self.shape,
            "typestr": f"{'|' if SIZES[self._number] == 1 else '<'}{kind}{SIZES[self._number]}",
            "data": (self.pointer, False),
            "strides": None,
            "stream": self._stream.native or None,
        }

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA_CODE, self.device.ordinal

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None, **_: Any) -> object:
        if stream != -1:  # -1: the consumer sees to the order
            native = LEGACY if stream is None else native_stream(stream)
            if native != self._stream.native:
                event = Event(self._stream.context)
                event.record(self._stream)
                Stream(self._stream.context, native=native).wait(event)
        versioned = max_version is not None and max_version[0] >= 1
        device = self.__dlpack_device__()
        return capsule_of(self, self.pointer, self._number, self.shape, device, versioned)

    def item(self) -> Any:
        """The one element, on the host. Waits for it."""
        if product(self.shape) != 1:
            raise InvalidArgument(f"an array of shape {self.shape} is no single element")
        value = np.empty((), numpy_dtype(self._number))
        with self._stream._lock:
            check(raw.wprim_copy(self._stream.handle, address(value), self.pointer, value.nbytes))
            self._stream.synchronize()
        return value.item()

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __bool__(self) -> bool:
        return bool(self.item())

    def __repr__(self) -> str:
        return f"<warpprim.DeviceArray {self.dtype}{list(self.shape)} on {self.device}>"
