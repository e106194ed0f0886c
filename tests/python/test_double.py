"""What the package does with arrays on a GPU, seen on a double: which stream, what waits, what lives how
long."""

from __future__ import annotations

import gc
import sys
import types
import weakref
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
import warpprim as wp
from double import CudaArray, Double, Producer, fake_cupy
from warpprim import _keeping, _prepared, _shared

X = np.arange(12, dtype=np.float32).reshape(3, 4)


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> Iterator[Double]:
    yield Double(monkeypatch)
    for event in _keeping.kept:
        event.synchronize()
    _keeping.sweep()


def values(result: Any) -> Any:
    """What a result on the double's GPU holds."""
    for stream in list(_shared._shared.values()):
        stream.synchronize()
    return np.from_dlpack(result).tolist()


@pytest.mark.parametrize("stream", [None, 1, 2, 4096])
def test_cuda_array_interface_runs_on_its_stream(gpu: Double, stream: int | None) -> None:
    x = CudaArray(X, stream=stream)
    total = wp.sum(x)
    assert (
        isinstance(total, wp.DeviceArray) and total.item() == 66 and float(total) == 66 and int(total) == 66
    )
    assert gpu.reduces() == [stream or 1]
    assert not [e for e in gpu.log if e[0] == "stream_wait"]
    rows = wp.argmax(x, -1)
    assert rows.shape == (3,) and rows.dtype == "int64" and rows.ndim == 1 and rows.device == ("cuda", 0)
    assert rows.__cuda_array_interface__["stream"] == (stream or 1)
    with pytest.raises(ValueError, match="single"):
        rows.item()


def test_dlpack_asks_the_producer_to_be_ordered(gpu: Double) -> None:
    x = Producer(X)
    assert values(wp.sum(x, -1)) == [6, 22, 38]
    assert x.asked == [1] and gpu.reduces() == [1]
    wp.sum(x, stream=4096)
    assert x.asked == [1, 4096] and gpu.reduces() == [1, 4096]


def test_another_stream_waits_for_the_producers(gpu: Double) -> None:
    x = CudaArray(X, stream=5)
    wp.sum(x, stream=9)
    waits = [e for e in gpu.log if e[0] in ("event_record", "stream_wait")]
    assert waits[:2] == [("event_record", "own", 5), ("stream_wait", 9, "own")]
    assert gpu.log.index(("reduce", 9)) > gpu.log.index(waits[1])


class WithProtocol:
    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, 77


class WithTuple:
    __cuda_stream__ = (0, 78)


class OfTorch:
    cuda_stream = 79


class OfCupy:
    ptr = 80


@pytest.mark.parametrize(
    ("stream", "native"), [(76, 76), (WithProtocol(), 77), (WithTuple(), 78), (OfTorch(), 79), (OfCupy(), 80)]
)
def test_streams_of_every_kind(gpu: Double, stream: Any, native: int) -> None:
    wp.sum(CudaArray(X, stream=native), stream=stream)
    assert gpu.reduces() == [native]
    wp.sum(CudaArray(X, stream=native), stream=stream)
    wraps = [e for e in gpu.log if e == ("wrap", native)]
    # One that an object keeps alive is wrapped once, and once more for the first result, which came before. A
    # bare number may be another stream the next time.
    assert len(wraps) == (4 if isinstance(stream, int) else 2)


def test_an_own_stream_of_the_gpu(gpu: Double) -> None:
    context = wp.Context("cuda")
    stream = wp.Stream(context)
    wp.sum(CudaArray(X), stream=stream)
    assert gpu.reduces() == ["own"] and ("stream_wait", "own", "own") in gpu.log
    with pytest.raises(ValueError, match="x is on cpu:0, stream on cuda:0"):
        wp.sum(X, stream=stream)
    with pytest.raises(ValueError, match="x is on cuda:0, stream on cpu:0"):
        wp.sum(CudaArray(X), stream=wp.Stream())
    native = wp.Stream(context, native=WithProtocol())
    assert native.__cuda_stream__() == (0, 77)


def test_out_on_the_gpu(gpu: Double) -> None:
    out = np.zeros(3, np.float32)
    given = CudaArray(out, stream=6)
    assert wp.sum(CudaArray(X, stream=5), -1, out=given) is given
    assert ("event_record", "own", 6) in gpu.log and gpu.reduces() == [5]
    gc.collect()
    values(wp.sum(CudaArray(X)))
    assert out.tolist() == [6, 22, 38]
    with pytest.raises(ValueError, match="out is on cpu:0, x on cuda:0: pass an out on cuda:0"):
        wp.sum(CudaArray(X), -1, out=out)
    with pytest.raises(ValueError, match="cannot be written"):
        wp.sum(CudaArray(X), -1, out=CudaArray(out, data=(given.x.ctypes.data, True)))


def test_inputs_live_until_the_work_is_done(gpu: Double) -> None:
    x = CudaArray(X.copy())
    seen = weakref.ref(x)
    wp.sum(x)
    del x
    assert seen() is not None or not _keeping.kept
    for stream in list(_shared._shared.values()):
        stream.synchronize()
    gc.collect()
    assert seen() is None


@pytest.mark.parametrize(
    ("changes", "kind", "text"),
    [
        ({"typestr": "<c8"}, TypeError, "<c8"),
        ({"typestr": ">f4"}, TypeError, ">f4"),
        ({"typestr": "<f3"}, TypeError, "<f3"),
        ({"mask": X}, TypeError, "mask"),
        ({"strides": (15, 4)}, ValueError, "whole elements"),
        ({"strides": (16,)}, ValueError, "strides"),
        ({"stream": 0}, ValueError, "stream 0"),
        ({"stream": "fast"}, ValueError, "fast"),
        ({"shape": (-1, 4)}, ValueError, "no memory holds"),
        ({"shape": (2**40, 2**40)}, ValueError, "no memory holds"),
        ({"shape": None}, ValueError, "no tuple"),
        ({"shape": b"34"}, ValueError, "no tuple"),
        ({"shape": (3.0, 4)}, ValueError, "refuses"),
        ({"data": None}, ValueError, "refuses"),
        ({"data": (2**70, False)}, ValueError, "address"),
    ],
)
def test_interfaces_that_lie(gpu: Double, changes: dict[str, Any], kind: Any, text: str) -> None:
    with pytest.raises(kind, match=text):
        wp.sum(CudaArray(X, **changes), -1)
    assert gpu.reduces() == []


def test_cupy(gpu: Double, monkeypatch: pytest.MonkeyPatch) -> None:
    cupy = fake_cupy(monkeypatch)
    x = cupy.ndarray(X.shape, X.dtype, X)
    for _ in range(3):
        total = wp.sum(x)
        assert isinstance(total, cupy.ndarray) and total.x == 66
        assert wp.max(x, -1).x.tolist() == [3, 7, 11]
    assert gpu.reduces() == [7] * 6 and len([e for e in gpu.log if e[0] == "wrap"]) == 1
    cupy.current = cupy.cuda.Stream(8)
    assert wp.sum(x, dtype="float64").x == 66
    assert wp.minmax(x, -1).x.tolist() == [[0, 3], [4, 7], [8, 11]]
    assert gpu.reduces()[6:] == [8, 8]
    wp.sum(x, stream=cupy.cuda.Stream(9))
    assert gpu.reduces()[-1] == 9 and ("stream_wait", 9, "own") in gpu.log
    wp.sum(cupy.ndarray((3, 2), X.dtype, X[:, :2]), -1)
    with pytest.raises(ValueError, match=r"cupy\.ascontiguousarray"):
        wp.sum(cupy.ndarray((3, 2), X.dtype, X[:, :2]))


def test_wrapped_streams_are_few_and_outlive_their_use(gpu: Double, monkeypatch: pytest.MonkeyPatch) -> None:
    cupy = fake_cupy(monkeypatch)
    x = cupy.ndarray(X.shape, X.dtype, X)
    streams = []
    for ptr in range(100, 300):
        cupy.current = cupy.cuda.Stream(ptr)
        streams.append(weakref.ref(cupy.current))
        wp.sum(x)
    gc.collect()
    alive = [s for s in streams if s() is not None]
    assert len(alive) <= _shared.MOST_SHARED + 1
    destroyed = [e for e in gpu.log if e[0] == "stream_destroy"]
    assert len(destroyed) >= 200 - _shared.MOST_SHARED - 1


def test_numba_and_array_api_results(gpu: Double, monkeypatch: pytest.MonkeyPatch) -> None:
    numba: Any = types.ModuleType("numba")
    numba.cuda = types.SimpleNamespace(as_cuda_array=lambda result: ("numba", result))
    monkeypatch.setitem(sys.modules, "numba", numba)

    class DeviceNDArray(CudaArray):
        pass

    DeviceNDArray.__module__ = "numba.cuda.cudadrv.devicearray"
    kind, result = wp.sum(DeviceNDArray(X))
    assert kind == "numba" and result.item() == 66

    class Standard(Producer):
        def __array_namespace__(self) -> Any:
            return types.SimpleNamespace(from_dlpack=lambda result: ("standard", result))

    kind, result = wp.sum(Standard(X))
    assert kind == "standard" and result.item() == 66


def test_device_arrays_order_their_consumers(gpu: Double) -> None:
    total = wp.sum(CudaArray(X, stream=5))
    gpu.log.clear()
    total.__dlpack__(stream=5)
    total.__dlpack__(stream=-1)
    assert gpu.log == []
    total.__dlpack__(stream=6, max_version=(1, 0))
    assert gpu.log[-4:-2] == [("event_record", "own", 5), ("wrap", 6)] or ("stream_wait", 6, "own") in gpu.log
    assert repr(total) == "<warpprim.DeviceArray float32[] on cuda:0>"
    del total
    gc.collect()
    assert [e for e in gpu.log if e[0] == "free"]


def test_plans_go_where_their_arrays_are_worked_on(gpu: Double, monkeypatch: pytest.MonkeyPatch) -> None:
    cupy = fake_cupy(monkeypatch)
    plan = wp.plan(cupy.ndarray(X.shape, X.dtype, X), "sum")
    assert isinstance(plan.out, cupy.ndarray)
    for ptr in (7, 8, 8, 7):
        cupy.current = cupy.cuda.Stream(ptr)
        assert plan().x == 66
    assert gpu.launches() == [7, 8, 8, 7] and len([e for e in gpu.log if e[0] == "wrap"]) == 2
    plan.launch(cupy.cuda.Stream(9))
    plan.launch(4096)
    own = wp.Stream(wp.Context("cuda"))
    with pytest.raises(ValueError, match="another context"):
        plan.launch(own)
    same = wp.Stream(gpu_context(), resident=True)
    plan.launch(same)
    assert gpu.launches()[4:] == [9, 4096, "own", "own"]
    assert not [e for e in gpu.log if e[0] == "stream_wait"]  # the order is the caller's
    with pytest.raises(ValueError, match="the plan is on cuda:0, stream on cpu:0"):
        plan.launch(wp.Stream())
    with pytest.raises(ValueError, match=r"cpu:0.*cuda:0"):
        plan.rebind(X)
    same.synchronize()


def gpu_context() -> wp.Context:
    from warpprim._context import default_context

    return default_context("cuda", 0)


@pytest.mark.parametrize("stream", [None, 5])
def test_plans_of_arrays_that_only_say_their_stream(gpu: Double, stream: int | None) -> None:
    x, other = CudaArray(X.copy(), stream=stream), CudaArray(X * 2, stream=stream)
    seen = weakref.ref(x)
    plan = wp.plan(x, "sum")
    del x
    assert plan() is plan.out and isinstance(plan.out, wp.DeviceArray)
    assert gpu.launches() == [stream or 1]
    plan.rebind(other)
    assert float(plan()) == 132
    plan.close()
    for one in [*_shared._shared.values(), *_prepared.plans_pool.get((0, stream or 1), [])]:
        one.synchronize()
    gc.collect()
    assert seen() is None


def test_graphs_are_in_the_order_of_their_launch(gpu: Double) -> None:
    stream = wp.Stream(gpu_context())
    x, out = CudaArray(X, stream=5), np.zeros((), np.float32)
    with wp.graph(stream) as g:
        wp.sum(x, out=CudaArray(out, stream=6), stream=stream)
        made = wp.max(x, stream=stream)
        stream.copy(np.zeros(12, np.float32).reshape(3, 4), x)
        stream.fill(CudaArray(out, stream=6), 3)
        with pytest.raises(ValueError, match="dst is on cpu:0, stream on cuda:0"):
            stream.fill(out, 3)
    assert not [e for e in gpu.log if e[0] in ("stream_wait", "event_record")]
    g.launch()
    stream.synchronize()
    assert out == 3 and made.item() == 11
    g.rebind(0, x=CudaArray(X * 2))
    g.launch(4096)
    stream.copy(CudaArray(X.copy(), stream=8), x)
    assert ("stream_wait", "own", "own") in gpu.log  # outside of a recording a stream waits
    stream.synchronize()


def test_counts_must_be_on_the_gpu_too(gpu: Double) -> None:
    count = np.array(3, np.uint64)
    assert wp.reduce(CudaArray(X), "sum", n_on_device=CudaArray(count)).item() == 3
    with pytest.raises(ValueError, match="n_on_device is on cpu:0, x on cuda:0"):
        wp.reduce(CudaArray(X), "sum", n_on_device=count)


def test_what_cannot_be_asked_is_kept_for_ever(gpu: Double, monkeypatch: pytest.MonkeyPatch) -> None:
    """An event that another's graph has captured refuses to say whether it is reached."""
    x = CudaArray(np.ones(1 << 19, np.float32), stream=8)
    seen, stream = weakref.ref(x), wp.Stream(gpu_context())
    wp.sum(x, stream=stream)
    del x
    with monkeypatch.context() as patch:
        patch.setattr(wp.raw, "wprim_event_query", lambda event: wp.raw.Status.ERROR_DEVICE)
        stream.synchronize()
    for _ in range(2):
        stream.synchronize()
        gc.collect()
    assert seen() is not None and not _keeping.kept


def test_nothing_that_a_capture_forbids(gpu: Double, monkeypatch: pytest.MonkeyPatch) -> None:
    """torch and CuPy capture their current stream: calls on it must not ask, wait or allocate."""
    cupy = fake_cupy(monkeypatch)
    x = cupy.ndarray(X.shape, X.dtype, X)
    out = cupy.ndarray((), np.float32)
    plan = wp.plan(x, "sum")
    wp.plan(x, "max")()
    for options in ({}, {"out": out}, {"dtype": "float64"}, {"keepdims": True}, {"nan": "ignore"}):
        wp.sum(x, **options)
    plan()
    names = {entry[0] for entry in gpu.log}
    assert names <= {"wrap", "reduce", "launch"}, names
