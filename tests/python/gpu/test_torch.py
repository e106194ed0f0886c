"""torch on a GPU: the CPU's bits, torch's streams, nothing waited for, nothing freed too early."""

from __future__ import annotations

import gc
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import warpprim as wp
from warpprim._view import NAMES

torch: Any = pytest.importorskip("torch", reason="torch is not installed")

OPS = ["sum", "prod", "min", "max", "argmin", "argmax", "minmax", "any", "all", "count_nonzero", "mean"]
OPS += ["var", "std", "l1", "l2", "max_abs", "logsumexp"]
SLEEP = 200_000_000  # cycles: some 100 ms


def bits(x: Any) -> bytes:
    flat = x.detach().reshape(-1).contiguous().view(torch.uint8).cpu().numpy()
    return bytes(flat.tobytes())


@pytest.mark.parametrize("name", NAMES[1:])
def test_same_bits_as_on_the_cpu(name: str) -> None:
    rng = np.random.default_rng(7)
    for shape in [(1000,), (3, 50), (100, 999), (1 << 20,)]:
        if "float" in name:
            x = torch.from_numpy(rng.standard_normal(shape)).to(getattr(torch, name))
        else:
            x = torch.from_numpy(rng.integers(0, 100, shape)).to(getattr(torch, name))
        on_gpu = x.cuda()
        for op in OPS:
            for axis in (None, -1):
                here, there = getattr(wp, op)(x, axis), getattr(wp, op)(on_gpu, axis)
                assert there.is_cuda and there.dtype == here.dtype and there.shape == here.shape
                assert bits(here) == bits(there), (op, shape, axis)


def test_strided_rows_out_and_options() -> None:
    x = torch.randn(64, 1024, device="cuda")
    part = x[:, :1000]
    out = torch.empty(64, dtype=torch.float64, device="cuda")
    assert wp.sum(part, -1, out=out) is out
    assert bits(out) == bits(wp.sum(part.cpu().contiguous(), -1, dtype=torch.float64))
    assert bits(wp.var(part, -1, ddof=1, keepdims=True)) == bits(wp.var(part.cpu().contiguous(), -1, ddof=1))
    with pytest.raises(ValueError, match="contiguous"):
        wp.sum(part)
    with pytest.raises(ValueError, match="out is on cpu:0, x on cuda:0"):
        wp.sum(part, -1, out=torch.empty(64))
    with pytest.raises(ValueError, match="out is on cuda:0, x on cpu:0"):
        wp.sum(x.cpu(), -1, out=torch.empty(64, device="cuda"))
    with pytest.raises(ValueError, match="stream on cpu:0"):
        wp.sum(x, stream=wp.Stream())


def test_nothing_is_waited_for() -> None:
    x = torch.ones(1000, device="cuda")
    wp.sum(x), wp.sum(x, dtype="float64"), wp.max(x[None], -1)
    torch.cuda.synchronize()
    torch.cuda._sleep(SLEEP)
    results = [wp.sum(x), wp.sum(x, dtype="float64"), wp.max(x[None], -1)]
    assert not torch.cuda.current_stream().query()
    assert [float(r) for r in results] == [1000, 1000, 1]


@pytest.mark.parametrize("short_way", [True, False])
def test_the_current_stream_is_used(short_way: bool) -> None:
    options: dict[str, Any] = {} if short_way else {"nan": "ignore"}
    stream = torch.cuda.Stream()
    x = torch.zeros(1 << 20, device="cuda")
    torch.cuda.synchronize()
    for value in range(1, 6):
        with torch.cuda.stream(stream):
            torch.cuda._sleep(SLEEP // 10)
            x.fill_(value)
            total = wp.sum(x, **options)
        stream.synchronize()
        assert float(total) == value * (1 << 20)


@pytest.mark.parametrize("kind", ["torch", "integer", "wrapped", "own"])
def test_an_explicit_stream_waits_for_the_current_one(kind: str) -> None:
    theirs = torch.cuda.Stream()
    context = wp.Context("cuda")
    given: Any = {
        "torch": theirs,
        "integer": theirs.cuda_stream,
        "wrapped": wp.Stream(context, native=theirs),
        "own": wp.Stream(context),
    }[kind]
    x = torch.zeros(1 << 20, device="cuda")
    wp.sum(x, stream=given)  # the first call takes longer
    torch.cuda.synchronize()
    torch.cuda._sleep(SLEEP)
    x.fill_(3)
    total = wp.sum(x, stream=given)
    assert not torch.cuda.current_stream().query()
    del x  # the memory must not serve another before the sum has read it
    torch.full((1 << 20,), 7.0, device="cuda")
    gc.collect()
    if kind in ("wrapped", "own"):
        given.synchronize()
    else:
        theirs.synchronize()
    assert float(total) == 3 * (1 << 20)


def test_capture_by_torch() -> None:
    x = torch.ones(1 << 16, device="cuda")
    wp.sum(x), wp.argmax(x.reshape(64, -1), -1)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        total = wp.sum(x)
        best = wp.argmax(x.reshape(64, -1), -1)
    for value in (2.0, 5.0):
        x.fill_(value)
        x[5] = 100
        graph.replay()
        torch.cuda.synchronize()
        assert float(total) == value * (x.numel() - 1) + 100 and int(best[0]) == 5 and int(best[1]) == 0


def test_threads_with_streams_of_their_own() -> None:
    x = [torch.full((n,), float(i), device="cuda") for i, n in enumerate((10, 5000, 1 << 20))]
    torch.cuda.synchronize()

    def work(seed: int) -> None:
        with torch.cuda.stream(torch.cuda.Stream()):
            results = [(i % 3, wp.sum(x[i % 3])) for i in range(seed, seed + 200)]
            torch.cuda.current_stream().synchronize()
            assert all(float(total) == i * x[i].numel() for i, total in results)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))


def test_refusals() -> None:
    x = torch.ones(10, device="cuda")
    for text, bad in [("detach", x.clone().requires_grad_()), ("complex", x.to(torch.complex64))]:
        with pytest.raises(TypeError, match=text):
            wp.sum(bad)
    with pytest.raises(ValueError, match="shape"):
        wp.sum(x, out=torch.empty(3, device="cuda"))
    with pytest.raises(TypeError, match="xor"):
        wp.bitwise_xor(x)
    assert float(wp.sum(x)) == 10 and float(wp.sum(torch.empty(0, device="cuda"))) == 0


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="needs two GPUs")
def test_two_gpus() -> None:
    for ordinal in (1, 0):
        x = torch.ones(1000, device=f"cuda:{ordinal}")
        total = wp.sum(x)
        assert total.device == x.device and float(total) == 1000
    with pytest.raises(ValueError, match="out is on cuda:1"):
        wp.sum(torch.ones(3, device="cuda:0"), out=torch.empty((), device="cuda:1"))
    with pytest.raises(ValueError, match="x is on cuda:1, stream on cuda:0"):
        wp.sum(torch.ones(3, device="cuda:1"), stream=wp.Stream(wp.Context("cuda", 0)))
