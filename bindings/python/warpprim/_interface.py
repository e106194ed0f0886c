"""Arrays that only have __array_interface__ or __cuda_array_interface__: dictionaries that say where they
lie."""

from __future__ import annotations

import ctypes
import operator
from typing import Any

from ._native import native_stream
from ._view import CPU, NAMES, SIZES, Device, View, dtype_number, product
from .errors import InvalidArgument, NoDevice, Unsupported

LEGACY = 1  # cudaStreamLegacy: what an array on a GPU works on that does not say
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
    if text[:1] not in ("<", "|", "=") or size not in ("1", "2", "4", "8") or kind not in _KINDS:
        raise Unsupported(f"{what} has the type {text!r}; warpprim takes {', '.join(NAMES[1:])}")
    return dtype_number(_KINDS[kind] + ("" if kind == "b" else str(8 * int(size))), f"dtype of {what}")


def integers(numbers: Any, what: str, name: str) -> tuple[int, ...]:
    """A tuple of integers, and nothing that could merely be read as one."""
    if not isinstance(numbers, tuple):
        raise InvalidArgument(f"{what} has {name} = {numbers!r}, which is no tuple")
    return tuple(operator.index(n) for n in numbers)


def view_of(x: Any, interface: dict[str, Any], cuda: bool) -> View:
    """The array that the interface of x describes."""
    what = type(x).__name__
    if interface.get("mask") is not None:
        raise Unsupported(f"{what} has a mask, which warpprim does not know")
    number = number_of(interface["typestr"], what)
    shape = integers(interface["shape"], what, "shape")
    pointer, read_only = interface["data"]
    if not isinstance(pointer, int):
        raise Unsupported(f"{what} has the address {pointer!r}, which is no integer")
    size, strides = SIZES[number], interface.get("strides")
    if strides is not None:
        strides = integers(strides, what, "strides")
        if len(strides) != len(shape) or any(step % size for step in strides):
            raise InvalidArgument(f"{what} has strides {strides}: no whole elements of {size} bytes")
        strides = tuple(step // size for step in strides)
    owner = x, interface
    if not cuda:
        return View(pointer, number, shape, strides, CPU, not read_only, None, owner)
    native = interface.get("stream")
    if native == 0:
        raise InvalidArgument(f"{what} says stream 0, which __cuda_array_interface__ does not allow")
    device = Device("cuda", ordinal_of(pointer) if product(shape) else 0)
    native = LEGACY if native is None else native_stream(native)
    return View(pointer, number, shape, strides, device, not read_only, native, owner)
