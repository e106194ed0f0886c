"""The C interface as it is: enums, structs and functions of warpprim.h, by their names in C.

Nothing is checked or converted here beyond what ctypes does: a wrong pointer is followed. Functions return
the status as an int. This one table is all that the package knows of the header; tests/python/test_table.py
compares the two.
"""

from __future__ import annotations

import ctypes
from ctypes import c_char, c_char_p, c_int32, c_size_t, c_uint32, c_uint64, c_void_p
from enum import IntEnum
from typing import Any

from . import _library

VERSION = 100  # WPRIM_VERSION of the header that this table follows


class Status(IntEnum):
    """wprim_status."""

    OK = 0
    NOT_READY = 1
    ERROR_INVALID_ARGUMENT = 2
    ERROR_INVALID_HANDLE = 3
    ERROR_UNSUPPORTED = 4
    ERROR_NO_DEVICE = 5
    ERROR_OUT_OF_MEMORY = 6
    ERROR_CALLBACK = 7
    ERROR_DEVICE = 8
    ERROR_INTERNAL = 9


class LogLevel(IntEnum):
    """wprim_log_level."""

    LOG_OFF = 0
    LOG_WARN = 1
    LOG_INFO = 2
    LOG_DEBUG = 3


class DeviceKind(IntEnum):
    """wprim_device_kind."""

    CPU = 1
    CUDA = 2


class Dtype(IntEnum):
    """wprim_dtype."""

    DTYPE_DEFAULT = 0
    F32 = 1
    F64 = 2
    F16 = 3
    BF16 = 4
    I8 = 5
    I16 = 6
    I32 = 7
    I64 = 8
    U8 = 9
    U16 = 10
    U32 = 11
    U64 = 12
    BOOL = 13


class Op(IntEnum):
    """wprim_op."""

    SUM = 101
    PROD = 102
    MIN = 103
    MAX = 104
    ARGMIN = 105
    ARGMAX = 106
    MINMAX = 107
    AND = 108
    OR = 109
    XOR = 110
    ANY = 111
    ALL = 112
    COUNT_NONZERO = 113
    MEAN = 114
    VAR = 115
    STD = 116
    L1 = 117
    L2 = 118
    AMAX = 119
    LOGSUMEXP = 120


class Nan(IntEnum):
    """wprim_nan."""

    NAN_PROPAGATE = 0
    NAN_IGNORE = 1


class StreamKind(IntEnum):
    """wprim_stream_kind."""

    STREAM_LAUNCHED = 0
    STREAM_RESIDENT = 1


class Slot(IntEnum):
    """wprim_slot."""

    SLOT_IN = 201
    SLOT_OUT = 202
    SLOT_COUNT = 203
    SLOT_VALUE = 204
    SLOT_USER = 205


class Format(IntEnum):
    """wprim_format."""

    TEXT = 301
    JSON = 302


ENUMS: dict[str, type[IntEnum]] = {
    "wprim_status": Status,
    "wprim_log_level": LogLevel,
    "wprim_device_kind": DeviceKind,
    "wprim_dtype": Dtype,
    "wprim_op": Op,
    "wprim_nan": Nan,
    "wprim_stream_kind": StreamKind,
    "wprim_slot": Slot,
    "wprim_format": Format,
}


class ContextInfoDesc(ctypes.Structure):
    """wprim_context_info_desc."""

    _fields_ = (
        ("struct_size", c_uint32),
        ("kind", c_int32),
        ("ordinal", c_int32),
        ("parallelism", c_int32),
        ("memory", c_uint64),
        ("name", c_char * 128),
        ("detail", c_char * 128),
    )


class StreamDesc(ctypes.Structure):
    """wprim_stream_desc."""

    _fields_ = (("struct_size", c_uint32), ("priority", c_int32), ("kind", c_int32))


class ReduceDesc(ctypes.Structure):
    """wprim_reduce_desc. (`in` is a word of Python: that field is `in_`.)"""

    _fields_ = (
        ("struct_size", c_uint32),
        ("op", c_int32),
        ("dtype", c_int32),
        ("out_dtype", c_int32),
        ("in_", c_void_p),
        ("out", c_void_p),
        ("rows", c_uint64),
        ("cols", c_uint64),
        ("row_stride", c_uint64),
        ("nan", c_int32),
        ("ddof", c_uint32),
        ("n_on_device", c_void_p),
    )


class Binding(ctypes.Structure):
    """wprim_binding."""

    _fields_ = (("node", c_uint64), ("slot", c_int32), ("pointer", c_void_p))


STRUCTS: dict[str, type[ctypes.Structure]] = {
    "wprim_context_info_desc": ContextInfoDesc,
    "wprim_stream_desc": StreamDesc,
    "wprim_reduce_desc": ReduceDesc,
    "wprim_binding": Binding,
}

# Host callbacks: wprim_host_fn and wprim_log_fn.
HostFn = ctypes.CFUNCTYPE(c_int32, c_void_p)
LogFn = ctypes.CFUNCTYPE(None, c_int32, c_char_p, c_void_p)

# Every function: what it returns, then its arguments. Enums are i32; pointers, handles and callbacks are ptr.
_i32, _u32, _u64, _ptr, _text, _size = c_int32, c_uint32, c_uint64, c_void_p, c_char_p, c_size_t
FUNCTIONS: dict[str, tuple[Any, ...]] = {
    "wprim_status_name": (_text, _i32),
    "wprim_last_error": (_text,),
    "wprim_version": (_u32,),
    "wprim_build_info": (_text,),
    "wprim_set_log": (_i32, _i32, _ptr, _ptr),
    "wprim_device_count": (_i32, _i32, _ptr),
    "wprim_context_create": (_i32, _i32, _i32, _ptr),
    "wprim_context_info": (_i32, _ptr, _ptr),
    "wprim_context_destroy": (_i32, _ptr),
    "wprim_stream_create": (_i32, _ptr, _ptr, _ptr),
    "wprim_stream_wrap": (_i32, _ptr, _ptr, _ptr),
    "wprim_stream_synchronize": (_i32, _ptr),
    "wprim_stream_query": (_i32, _ptr),
    "wprim_stream_wait": (_i32, _ptr, _ptr),
    "wprim_stream_call": (_i32, _ptr, _ptr, _ptr),
    "wprim_stream_destroy": (_i32, _ptr),
    "wprim_event_create": (_i32, _ptr, _ptr),
    "wprim_event_record": (_i32, _ptr, _ptr),
    "wprim_event_synchronize": (_i32, _ptr),
    "wprim_event_query": (_i32, _ptr),
    "wprim_event_elapsed": (_i32, _ptr, _ptr, _ptr),
    "wprim_event_destroy": (_i32, _ptr),
    "wprim_dtype_size": (_size, _i32),
    "wprim_malloc": (_i32, _ptr, _u64, _ptr),
    "wprim_free": (_i32, _ptr, _ptr),
    "wprim_malloc_host": (_i32, _ptr, _u64, _ptr),
    "wprim_free_host": (_i32, _ptr, _ptr),
    "wprim_copy": (_i32, _ptr, _ptr, _ptr, _u64),
    "wprim_fill": (_i32, _ptr, _i32, _ptr, _u64, _ptr),
    "wprim_reduce": (_i32, _ptr, _i32, _i32, _ptr, _u64, _ptr),
    "wprim_reduce_ex": (_i32, _ptr, _ptr),
    "wprim_plan_reduce": (_i32, _ptr, _ptr, _ptr),
    "wprim_plan_launch": (_i32, _ptr, _ptr),
    "wprim_plan_rebind": (_i32, _ptr, _i32, _ptr),
    "wprim_plan_rebind_many": (_i32, _ptr, _ptr, _u32),
    "wprim_plan_describe": (_i32, _ptr, _i32, _ptr, _u64, _ptr),
    "wprim_plan_destroy": (_i32, _ptr),
    "wprim_graph_begin": (_i32, _ptr),
    "wprim_graph_end": (_i32, _ptr, _ptr),
    "wprim_graph_launch": (_i32, _ptr, _ptr),
    "wprim_graph_rebind": (_i32, _ptr, _u64, _i32, _ptr),
    "wprim_graph_rebind_many": (_i32, _ptr, _ptr, _u32),
    "wprim_graph_describe": (_i32, _ptr, _i32, _ptr, _u64, _ptr),
    "wprim_graph_destroy": (_i32, _ptr),
}

library = _library.load()


def __getattr__(name: str) -> Any:  # for type checkers: the functions below are set by name
    raise AttributeError(f"warpprim.raw has no {name}")


for _name, (_result, *_arguments) in FUNCTIONS.items():
    _function = getattr(library, _name)
    _function.restype, _function.argtypes = _result, _arguments
    globals()[_name] = _function

if globals()["wprim_version"]() // 100 != VERSION // 100:
    raise ImportError(
        f"{library._name} is version {globals()['wprim_version']()}, this package is made for {VERSION}: "
        "install the two together"
    )
