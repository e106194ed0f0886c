"""DLPack, in and out: the structs of dlpack.h, and the capsules that carry them."""

from __future__ import annotations

import ctypes
from ctypes import c_char_p, c_int32, c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p
from typing import Any

from ._view import CPU, NAMES, SIZES, Device, View, packed
from .errors import InvalidArgument, Unsupported
from .raw import Dtype

CPU_CODE, CUDA_CODE, CUDA_HOST_CODE, CUDA_MANAGED_CODE = 1, 2, 3, 13
CODES = {"i": 0, "u": 1, "f": 2, "bf": 4, "bool": 6}
READ_ONLY = 1


class Tensor(ctypes.Structure):
    """DLTensor."""

    _fields_ = (
        ("data", c_void_p),
        ("device_type", c_int32),
        ("device_id", c_int32),
        ("ndim", c_int32),
        ("code", c_uint8),
        ("bits", c_uint8),
        ("lanes", c_uint16),
        ("shape", ctypes.POINTER(c_int64)),
        ("strides", ctypes.POINTER(c_int64)),
        ("byte_offset", c_uint64),
    )


class Managed(ctypes.Structure):
    """DLManagedTensor, of DLPack before 1.0."""

    _fields_ = (("tensor", Tensor), ("manager", c_void_p), ("deleter", c_void_p))


class Versioned(ctypes.Structure):
    """DLManagedTensorVersioned."""

    _fields_ = (
        ("major", c_uint32),
        ("minor", c_uint32),
        ("manager", c_void_p),
        ("deleter", c_void_p),
        ("flags", c_uint64),
        ("tensor", Tensor),
    )


# Name of a capsule that nobody has taken yet -> what it carries.
LAYOUTS: dict[bytes, Any] = {b"dltensor": Managed, b"dltensor_versioned": Versioned}

_api = ctypes.pythonapi
_is_valid = ctypes.PYFUNCTYPE(ctypes.c_int, ctypes.py_object, c_char_p)(("PyCapsule_IsValid", _api))
_is_valid_dying = ctypes.PYFUNCTYPE(ctypes.c_int, c_void_p, c_char_p)(("PyCapsule_IsValid", _api))
_pointer = ctypes.PYFUNCTYPE(c_void_p, ctypes.py_object, c_char_p)(("PyCapsule_GetPointer", _api))
_pointer_dying = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", _api))
_new = ctypes.PYFUNCTYPE(ctypes.py_object, c_void_p, c_char_p, c_void_p)(("PyCapsule_New", _api))


def number_of(code: int, bits: int) -> int | None:
    """The element type, if warpprim has it."""
    for number in range(1, len(SIZES)):
        if code_of(number) == code and SIZES[number] * 8 == bits:
            return number
    return None


def code_of(number: int) -> int:
    name = Dtype(number).name.lower()
    return CODES[name.rstrip("0123456789")]


def view_of(x: Any, native: int) -> View:
    """An array through its __dlpack__. The capsule is kept, never taken: it frees the export when it goes.

    The producer makes the stream `native` wait for its own work, if the array is on a GPU."""
    kind, _ordinal = x.__dlpack_device__()
    stream = native if int(kind) in (CUDA_CODE, CUDA_MANAGED_CODE) else None
    try:
        capsule = x.__dlpack__(stream=stream, max_version=(1, 0))
    except TypeError:  # a producer from before max_version
        capsule = x.__dlpack__(stream=stream)
    name = next((name for name in LAYOUTS if _is_valid(capsule, name)), None)
    if name is None:
        raise Unsupported(f"__dlpack__ of {type(x).__name__} gave {capsule!r}, which is no DLPack capsule")
    managed = LAYOUTS[name].from_address(_pointer(capsule, name))
    if name == b"dltensor_versioned" and managed.major != 1:
        raise Unsupported(f"__dlpack__ of {type(x).__name__} has version {managed.major}; warpprim reads 1")
    tensor = managed.tensor
    number = number_of(tensor.code, tensor.bits)
    if number is None or tensor.lanes != 1:
        raise Unsupported(
            f"{type(x).__name__} has the DLPack type (code {tensor.code}, {tensor.bits} bits, {tensor.lanes} "
            f"lanes); warpprim takes {', '.join(NAMES[1:])}"
        )
    if tensor.device_type in (CUDA_CODE, CUDA_MANAGED_CODE):
        device = Device("cuda", tensor.device_id)
    elif tensor.device_type in (CPU_CODE, CUDA_HOST_CODE):
        device = CPU
    else:
        raise Unsupported(
            f"{type(x).__name__} is on a device of DLPack's kind {tensor.device_type}; warpprim takes 1, the "
            "CPU, and 2, CUDA"
        )
    if not 0 <= tensor.ndim <= 64:
        raise InvalidArgument(f"{type(x).__name__} has {tensor.ndim} dimensions")
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    strides = tuple(tensor.strides[i] for i in range(tensor.ndim)) if tensor.strides else None
    writable = name == b"dltensor_versioned" and not managed.flags & READ_ONLY
    return View(
        tensor.data + tensor.byte_offset if tensor.data else 0,
        number,
        shape,
        strides,
        device,
        writable,
        None if stream is None else native,
        (x, capsule),
    )


# What is exported: address of the struct -> all that must live until its deleter is called.
_exported: dict[int, tuple[object, ...]] = {}


def _forget(address: int) -> None:
    _exported.pop(address, None)


def _drop(capsule: int) -> None:
    """A capsule dies. If nobody took what it carries, that goes too."""
    for name in LAYOUTS:
        if _is_valid_dying(capsule, name):
            _forget(_pointer_dying(capsule, name))


_forget_in_c = ctypes.CFUNCTYPE(None, c_void_p)(_forget)
_drop_in_c = ctypes.PYFUNCTYPE(None, c_void_p)(_drop)


def capsule_of(
    owner: object, pointer: int, dtype: int, shape: tuple[int, ...], device: tuple[int, int], versioned: bool
) -> object:
    """A capsule for memory that `owner` keeps."""
    sizes, strides = (c_int64 * len(shape))(*shape), (c_int64 * len(shape))(*packed(shape))
    name = b"dltensor_versioned" if versioned else b"dltensor"
    managed = LAYOUTS[name]()
    if versioned:
        managed.major = 1
    managed.deleter = ctypes.cast(_forget_in_c, c_void_p).value
    managed.tensor = Tensor(
        data=pointer,
        device_type=device[0],
        device_id=device[1],
        ndim=len(shape),
        code=code_of(dtype),
        bits=SIZES[dtype] * 8,
        lanes=1,
        shape=sizes,
        strides=strides,
    )
    address = ctypes.addressof(managed)
    _exported[address] = managed, sizes, strides, owner, name
    return _new(address, name, ctypes.cast(_drop_in_c, c_void_p).value)


class Export:
    """Memory of the CPU for who reads DLPack, of any type. (numpy exports no bfloat16.)"""

    def __init__(
        self, owner: object, pointer: int, dtype: int, shape: tuple[int, ...], device: tuple[int, int]
    ) -> None:
        self._arguments = owner, pointer, dtype, shape, device

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._arguments[-1]

    def __dlpack__(self, *, max_version: Any = None, **_: Any) -> object:
        return capsule_of(*self._arguments, versioned=max_version is not None and max_version[0] >= 1)
