"""A double of a GPU, for machines without one: the package believes in a CUDA device whose memory is that of
the CPU.

Contexts of CUDA become contexts of the CPU, a wrapped native stream becomes an own one, and every call is
written down, so that a test sees on which stream work went and what waited for what. What it cannot show is a
GPU; those tests are in tests/python/gpu.
"""

from __future__ import annotations

import ctypes
import sys
import types
from typing import Any

import numpy as np
import pytest
from warpprim import (
    _context,
    _device_array,
    _dlpack,
    _fast,
    _interface,
    _libraries,
    _plan,
    _prepared,
    _shared,
    raw,
)

CALLS = (
    "wprim_event_record",
    "wprim_event_query",
    "wprim_event_synchronize",
    "wprim_stream_wait",
    "wprim_stream_query",
    "wprim_stream_synchronize",
    "wprim_stream_destroy",
    "wprim_malloc",
    "wprim_free",
)


class Double:
    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.log: list[tuple[Any, ...]] = []
        self.natives: dict[int, int] = {}  # handle -> native stream
        create, wrap, reduce_ex = raw.wprim_context_create, raw.wprim_stream_create, raw.wprim_reduce_ex
        plan_launch = raw.wprim_plan_launch

        def context_create(kind: int, ordinal: int, out: Any) -> int:
            return int(create(raw.DeviceKind.CPU, 0, out))

        def stream_wrap(context: int, native: int, out: Any) -> int:
            status = int(wrap(context, None, out))
            handle = out._obj.value
            self.natives[handle] = native
            self.log.append(("wrap", native))
            return status

        def reduce(stream: Any, desc: Any) -> int:
            handle: Any = stream.value if isinstance(stream, ctypes.c_void_p) else stream
            self.log.append(("reduce", self.natives.get(handle, "own")))
            return int(reduce_ex(stream, desc))

        def launch(plan: Any, stream: Any) -> int:
            handle: Any = stream.value if isinstance(stream, ctypes.c_void_p) else stream
            self.log.append(("launch", self.natives.get(handle, "own")))
            return int(plan_launch(plan, stream))

        def written(name: str) -> Any:
            real = getattr(raw, name)

            def call(*arguments: Any) -> int:
                self.log.append((name[6:], *(self.natives.get(a, "own") for a in arguments)))
                return int(real(*arguments))

            return call

        patch.setattr(raw, "wprim_context_create", context_create)
        patch.setattr(raw, "wprim_stream_wrap", stream_wrap)
        patch.setattr(raw, "wprim_reduce_ex", reduce)
        patch.setattr(_fast, "reduce", reduce)
        patch.setattr(raw, "wprim_plan_launch", launch)
        patch.setattr(_plan, "launch", launch)
        patch.setattr(_prepared, "plans_pool", {_prepared.CPU_KEY: []})
        for name in CALLS:
            patch.setattr(raw, name, written(name))
        patch.setattr(_context, "_contexts", {})
        patch.setattr(_shared, "_shared", {})
        patch.setattr(_prepared, "_pools", [])
        patch.setattr(_libraries, "_libraries", {np.ndarray: _libraries.NUMPY})
        patch.setattr(_fast, "ways", {np.ndarray: _fast.numpy_way})
        patch.setattr(_interface, "ordinal_of", lambda pointer: 0)
        # What numpy exports as memory of the CPU is taken for a GPU's.
        patch.setattr(_dlpack, "CPU_CODE", -1)
        patch.setitem(_dlpack.__dict__, "CUDA_CODE", 1)
        patch.setattr(_device_array, "CUDA_CODE", 1)

    def reduces(self) -> list[Any]:
        return [entry[1] for entry in self.log if entry[0] == "reduce"]

    def launches(self) -> list[Any]:
        return [entry[1] for entry in self.log if entry[0] == "launch"]

class CudaArray:
    """An array that has __cuda_array_interface__ and nothing else."""

    def __init__(self, x: np.ndarray[Any, Any], **changes: Any) -> None:
        self.x = x
        interface = {**x.__array_interface__, "version": 3, "stream": None, **changes}
        self.__cuda_array_interface__ = interface


class Producer:
    """An array on a GPU that has DLPack, and remembers the stream that it was asked to make wait."""

    def __init__(self, x: np.ndarray[Any, Any]) -> None:
        self.x = x
        self.asked: list[Any] = []

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0

    def __dlpack__(self, *, stream: Any = None, **options: Any) -> Any:
        capsule = self.x.__dlpack__(**options)
        self.asked.append(stream)
        return capsule


def fake_cupy(patch: pytest.MonkeyPatch) -> Any:
    """As much of CuPy as the package uses."""
    cupy: Any = types.ModuleType("cupy")

    class Stream:
        def __init__(self, ptr: int) -> None:
            self.ptr = ptr

    class Memory:
        device_id = 0

        def __init__(self, x: np.ndarray[Any, Any]) -> None:
            self.ptr = x.__array_interface__["data"][0]

    class Device:
        id = 0

        def __init__(self, ordinal: int = 0) -> None:
            pass

        def __enter__(self) -> None:
            pass

        def __exit__(self, *_: object) -> None:
            pass

    class Array:
        def __init__(self, shape: Any, dtype: Any, x: Any = None) -> None:
            self.x: Any = np.empty(shape, dtype) if x is None else x
            self.data, self.device = Memory(self.x), Device()

        def __getattr__(self, name: str) -> Any:
            return getattr(self.x, name)

    cupy.current = Stream(7)
    cupy.ndarray = Array
    cupy.empty = Array
    cupy.cuda = types.SimpleNamespace(
        Device=Device,
        Stream=Stream,
        get_current_stream=lambda ordinal=None: cupy.current,
        runtime=types.SimpleNamespace(getDevice=lambda: 0),
    )
    patch.setitem(sys.modules, "cupy", cupy)
    return cupy
