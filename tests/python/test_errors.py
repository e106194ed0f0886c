"""What is refused, and that the text says what was given and what would do."""

from __future__ import annotations

import ctypes
import re
import subprocess
import sys
from typing import Any

import numpy as np
import pytest
import warpprim as wp
from warpprim import errors, raw

X = np.ones((3, 4), np.float32)


def read_only(x: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    x.flags.writeable = False
    return x


class Refusing:
    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def __dlpack__(self, **_: Any) -> Any:
        raise BufferError("not today")


# fmt: off
REFUSALS: list[tuple[type[Exception], str, Any]] = [
    (TypeError, "list.*numpy.asarray", lambda: wp.sum([1, 2])),
    (TypeError, "type type", lambda: wp.sum(np.ndarray)),
    (TypeError, "complex64.*takes float32", lambda: wp.sum(X.astype(np.complex64))),
    (TypeError, "object", lambda: wp.sum(np.array([None]))),
    (TypeError, "byte order.*astype", lambda: wp.sum(X.astype(">f4"))),
    (TypeError, "masked.*compressed", lambda: wp.sum(np.ma.masked_array([1, 2], [False, True]))),
    (TypeError, "xor.*f32.*takes i8", lambda: wp.bitwise_xor(X)),
    (TypeError, "out_dtype = i32", lambda: wp.sum(X, dtype="int32")),
    (TypeError, "dtype = 'i8' is no element type", lambda: wp.sum(X, dtype="i8")),
    (TypeError, "dtype = <object", lambda: wp.sum(X, dtype=object())),
    (TypeError, "axis = 1.5", lambda: wp.sum(X, 1.5)),  # type: ignore[arg-type]
    (ValueError, "axis = 2 is out of range", lambda: wp.sum(X, 2)),
    (ValueError, "names an axis twice", lambda: wp.sum(X, (0, -2))),
    (ValueError, "axis 0.*moveaxis", lambda: wp.sum(X, 0)),
    (ValueError, "all axes.*ascontiguousarray", lambda: wp.sum(X[:, :2])),
    (ValueError, "without overlap", lambda: wp.sum(np.broadcast_to(X[0], (3, 4)), -1)),
    (ValueError, "out has the shape", lambda: wp.sum(X, -1, out=np.empty(4, np.float32))),
    (ValueError, "out cannot be written", lambda: wp.sum(X, -1, out=read_only(np.empty(3, np.float32)))),
    (ValueError, "out of shape.*gaps", lambda: wp.sum(X, -1, out=np.empty(6, np.float32)[::2])),
    (TypeError, "out is of type list", lambda: wp.sum(X, -1, out=[0, 0, 0])),
    (TypeError, "out is of float32, dtype says float64",
     lambda: wp.sum(X, -1, out=np.empty(3, np.float32), dtype="float64")),
    (ValueError, "overlaps", lambda: wp.sum(X, -1, out=X[0, :3])),
    (ValueError, "nan = 'maybe'", lambda: wp.sum(X, nan="maybe")),
    (ValueError, "ddof = -1", lambda: wp.var(X, ddof=-1)),
    (ValueError, "ddof = None", lambda: wp.var(X, ddof=None)),  # type: ignore[arg-type]
    (ValueError, "op = 'median' is none of sum", lambda: wp.reduce(X, "median")),
    (ValueError, "ddof", lambda: wp.reduce(X, "sum", ddof=1)),
    (ValueError, "stream = 'fast'", lambda: wp.sum(X, stream="fast")),
    (ValueError, "x is on the CPU, stream", lambda: wp.sum(X, stream=1)),
    (ValueError, "not today", lambda: wp.sum(Refusing())),
    (ValueError, "whole elements", lambda: wp.sum(np.zeros(3, "u1,f4")["f1"])),
    (ValueError, "aligned", lambda: wp.sum(np.zeros(9, np.uint8)[1:].view(np.float64))),
    (ValueError, "kind = 'tpu'", lambda: wp.Context("tpu")),
    (ValueError, "ordinal = 4294967296", lambda: wp.Context("cpu", 1 << 32)),
    (RuntimeError, "ordinal", lambda: wp.Context("cpu", 1)),
    (ValueError, "closed", lambda: closed_stream().synchronize()),
    (ValueError, "context = 3", lambda: wp.Stream(3)),  # type: ignore[arg-type]
    (ValueError, "level = 'loud'", lambda: wp.set_log("loud")),
]
# fmt: on


def closed_stream() -> wp.Stream:
    stream = wp.Stream()
    stream.close()
    stream.close()
    return stream


@pytest.mark.parametrize(("kind", "text", "call"), REFUSALS, ids=[text for _, text, _ in REFUSALS])
def test_refusal(kind: type[Exception], text: str, call: Any) -> None:
    with pytest.raises(kind) as caught:
        call()
    assert isinstance(caught.value, errors.Error)
    assert re.search(text, str(caught.value)), caught.value
    assert wp.sum(X) == 12


def test_every_status_has_an_exception_with_the_fitting_base() -> None:
    failures = [status for status in raw.Status if status > raw.Status.NOT_READY]
    assert set(errors.BY_STATUS) == set(failures)
    assert issubclass(errors.OutOfMemory, MemoryError) and issubclass(errors.Unsupported, TypeError)


def test_out_of_memory() -> None:
    stream, pointer = wp.Stream(), ctypes.c_void_p()
    with pytest.raises(MemoryError):
        errors.check(raw.wprim_malloc(stream.handle, 1 << 60, ctypes.byref(pointer)))


def test_wrong_library_is_an_import_error() -> None:
    code = "import warpprim"
    env = {"PYTHONPATH": ":".join(sys.path), "WARPPRIM_LIBRARY": "/nowhere/libwarpprim.so"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True)
    assert done.returncode == 1
    assert "ImportError: warpprim cannot load its library /nowhere/libwarpprim.so" in done.stderr
