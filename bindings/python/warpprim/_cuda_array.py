"""Arrays on a GPU that only have __cuda_array_interface__, and results for those that ask for no library's
own."""

from __future__ import annotations

import ctypes
from typing import Any

from . import raw
from ._dlpack import CUDA_CODE, capsule_of
from ._streams import Event, Stream, native_stream
from ._view import NAMES, SIZES, Device, View, dtype_number, product
from .errors import InvalidArgument, NoDevice, Unsupported, check
from .raw import Dtype

LEGACY = 1  # cudaStreamLegacy: what an array works on that does not say
_KINDS = {"f": "float", "i": "int", "u": "uint", "b": "bool"}
_DEVICE_ORDINAL = 9  # CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL


def ordinal_of(pointer: int) -> int:
    """The GPU that an address belongs to, as the driver knows it."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        raise NoDevice(f"there is no CUDA driver that could reach address {pointer:#x}") from None
    driver.cuInit(0)
    ordinal = ctypes.c_int(-1)
    status = driver.cuPointerGetAttribute(ctypes.byref(ordinal), _DEVICE_ORDINAL, ctypes.c_uint64(pointer))
    if status or ordinal.value < 0:
        raise InvalidArgument(f"address {pointer:#x} is no memory of a GPU, the driver says ({status})")
    return ordinal.value


def number_of(typestr: object, what: str) -> int:
    """The element type of a numpy type string."""
    text = str(typestr)
    kind, size = text[1:2], text[2:]
    if text[:1] not in "<|=" or not size.isdigit() or kind not in _KINDS:
        raise Unsupported(f"{what} has the type {text!r}; warpprim takes {', '.join(NAMES[1:])}")
    return dtype_number(_KINDS[kind] + ("" if kind == "b" else str(8 * int(size))), f"dtype of {what}")


def view_of(x: Any) -> View:
    """An array through its __cuda_array_interface__."""
    what, interface = type(x).__name__, x.__cuda_array_interface__
    if interface.get("mask") is not None:
        raise Unsupported(f"{what} has a mask, which warpprim does not know")
    number = number_of(interface["typestr"], what)
    shape = tuple(int(n) for n in interface["shape"])
    pointer, read_only = interface["data"]
    size, strides = SIZES[number], interface.get("strides")
    if strides is not None:
        if len(strides) != len(shape) or any(step % size for step in strides):
            raise InvalidArgument(f"{what} has strides {strides}: no whole elements of {size} bytes")
        strides = tuple(step // size for step in strides)
    native = interface.get("stream")
    if native == 0:
        raise InvalidArgument(f"{what} says stream 0, which __cuda_array_interface__ does not allow")
    device = Device("cuda", ordinal_of(pointer) if product(shape) else 0)
    native = LEGACY if native is None else native_stream(native)
    return View(int(pointer), number, shape, strides, device, not read_only, native, x)


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

    def __del__(self) -> None:
        pointer = getattr(self, "pointer", 0)
        if pointer and self._stream._handle:
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
        import numpy as np

        from ._libraries import numpy_dtype

        if product(self.shape) != 1:
            raise InvalidArgument(f"an array of shape {self.shape} is no single element")
        value = np.empty((), numpy_dtype(self._number))
        with self._stream._lock:
            address = value.__array_interface__["data"][0]
            check(raw.wprim_copy(self._stream.handle, address, self.pointer, value.nbytes))
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
