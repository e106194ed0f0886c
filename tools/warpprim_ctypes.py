"""The C library through ctypes, for the demo and the benchmarks. Not a binding: only what they need."""

from __future__ import annotations

import ctypes
import os
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parent.parent

DTYPES = [
    "default",
    "f32",
    "f64",
    "f16",
    "bf16",
    "i8",
    "i16",
    "i32",
    "i64",
    "u8",
    "u16",
    "u32",
    "u64",
    "bool",
]
OPS = [
    *["sum", "prod", "min", "max", "argmin", "argmax", "minmax", "and", "or", "xor", "any", "all"],
    *["count_nonzero", "mean", "var", "std", "l1", "l2", "amax", "logsumexp"],
]
# How numpy holds each type; bf16 as its bits, bool as bytes.
NUMPY: dict[str, np.dtype[Any]] = {
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(np.uint16),
    "bool": np.dtype(np.uint8),
    **{f"i{8 * n}": np.dtype(f"i{n}") for n in (1, 2, 4, 8)},
    **{f"u{8 * n}": np.dtype(f"u{n}") for n in (1, 2, 4, 8)},
}


class ReduceDesc(ctypes.Structure):
    """wprim_reduce_desc."""

    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("op", ctypes.c_int32),
        ("dtype", ctypes.c_int32),
        ("out_dtype", ctypes.c_int32),
        ("input", ctypes.c_void_p),
        ("out", ctypes.c_void_p),
        ("rows", ctypes.c_uint64),
        ("cols", ctypes.c_uint64),
        ("row_stride", ctypes.c_uint64),
        ("nan", ctypes.c_int32),
        ("ddof", ctypes.c_uint32),
    ]


class ContextInfo(ctypes.Structure):
    """wprim_context_info_desc."""

    _fields_ = [
        ("struct_size", ctypes.c_uint32),
        ("kind", ctypes.c_int32),
        ("ordinal", ctypes.c_int32),
        ("parallelism", ctypes.c_int32),
        ("memory", ctypes.c_uint64),
        ("name", ctypes.c_char * 128),
        ("detail", ctypes.c_char * 128),
    ]


def default_out(op: str, dtype: str) -> str:
    """The output type that an op gives by itself: the header's table."""
    is_float, signed = dtype in ("f32", "f64", "f16", "bf16"), dtype[0] == "i"
    if op in ("sum", "prod", "l1"):
        return dtype if is_float else "i64" if signed and op != "l1" else "u64"
    if op in ("l2", "mean", "var", "std", "logsumexp"):
        return dtype if is_float else "f64"
    if op in ("argmin", "argmax"):
        return "i64"
    if op in ("any", "all"):
        return "bool"
    if op == "count_nonzero":
        return "u64"
    return "u" + dtype[1:] if op == "amax" and signed else dtype


class Stream:
    """A stream on a context of its own, so that each can have its number of threads."""

    def __init__(self, library: Library, threads: int | None) -> None:
        self.library = library
        c = library.c
        former = os.environ.get("WARPPRIM_NUM_THREADS")
        if threads:
            os.environ["WARPPRIM_NUM_THREADS"] = str(threads)
        self.context, self.handle = ctypes.c_void_p(), ctypes.c_void_p()
        library.check(c.wprim_context_create(1, 0, ctypes.byref(self.context)))
        if threads and former is None:
            del os.environ["WARPPRIM_NUM_THREADS"]
        elif threads and former:
            os.environ["WARPPRIM_NUM_THREADS"] = former
        library.check(c.wprim_stream_create(self.context, None, ctypes.byref(self.handle)))
        info = ContextInfo(struct_size=ctypes.sizeof(ContextInfo))
        library.check(c.wprim_context_info(self.context, ctypes.byref(info)))
        self.threads: int = info.parallelism
        self.processor: str = info.name.decode()
        self.instruction_set: str = info.detail.decode()


class Library:
    """libwarpprim.so: by default that of the release build."""

    def __init__(self, path: Path | None = None) -> None:
        if not path:
            folder = ROOT / "build/release"
            found = sorted(folder.glob("**/libwarpprim.so"))
            if not found:
                raise SystemExit(
                    f"there is no libwarpprim.so under {folder}: run `make` first, or pass --library"
                )
            path = found[0]
        self.c = ctypes.CDLL(str(path))
        self.c.wprim_last_error.restype = ctypes.c_char_p
        self.c.wprim_build_info.restype = ctypes.c_char_p

    def last_error(self) -> str:
        return str(self.c.wprim_last_error().decode())

    def build_info(self) -> str:
        return str(self.c.wprim_build_info().decode())

    def check(self, status: int) -> None:
        if status:
            raise RuntimeError(self.last_error())

    def stream(self, threads: int | None = None) -> Stream:
        """A stream that may use `threads` threads; by default as many as the library chooses."""
        return Stream(self, threads)

    def describe(
        self, op: str, dtype: str, x: np.ndarray, out_dtype: str = "default", ddof: int = 0
    ) -> tuple[ReduceDesc, np.ndarray]:
        """A desc for x, whole or by rows (rows may be strided), and the array that it writes.

        Both, and x, must be kept while the desc is used."""
        rows = x.shape[0] if x.ndim == 2 else 1
        out_type = default_out(op, dtype) if out_dtype == "default" else out_dtype
        shape = x.shape[:-1] + ((2,) if op == "minmax" else ())
        out = np.full(shape, 7, NUMPY[out_type])
        desc = ReduceDesc(
            struct_size=ctypes.sizeof(ReduceDesc),
            op=101 + OPS.index(op),
            dtype=DTYPES.index(dtype),
            out_dtype=DTYPES.index(out_dtype),
            input=x.ctypes.data,
            out=out.ctypes.data,
            rows=rows,
            cols=x.shape[-1],
            row_stride=x.strides[0] // x.itemsize if x.ndim == 2 else 0,
            ddof=ddof,
        )
        return desc, out

    def reduce(self, stream: Stream, desc: ReduceDesc) -> None:
        """Runs it and waits."""
        self.check(self.c.wprim_reduce_ex(stream.handle, ctypes.byref(desc)))
        self.check(self.c.wprim_stream_synchronize(stream.handle))
