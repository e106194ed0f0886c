"""Plans, graphs and resident streams on a GPU: the bits of the eager call, torch's and CuPy's streams, their
captures, other memory, and who keeps what."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import warpprim as wp

SLEEP = 200_000_000  # cycles: some 100 ms
N = 1 << 20
torch: Any = pytest.importorskip("torch", reason="torch is not installed")


def bits(x: Any) -> bytes:
    return bytes(x.reshape(-1).contiguous().view(torch.uint8).cpu().numpy().tobytes())


@pytest.fixture
def context() -> Iterator[wp.Context]:
    yield wp.Context("cuda")
    torch.cuda.synchronize()


OPS = ["sum", "argmax", "minmax", "any", "std", "logsumexp", "count_nonzero"]


@pytest.mark.parametrize("op", OPS)
@pytest.mark.parametrize("axis", [None, -1])
@pytest.mark.parametrize("shape", [(1000,), (100, 999), (1 << 10, 1 << 12)])
def test_same_bits_in_every_mode(op: str, axis: Any, shape: tuple[int, ...]) -> None:
    x = torch.randn(shape, device="cuda")
    want = bits(wp.reduce(x, op, axis))
    context = wp.Context("cuda")
    plan = wp.plan(x, op, axis, context=context)
    assert bits(plan()) == want and plan.out.is_cuda
    for resident in (False, True):
        stream = wp.Stream(context, resident=resident)
        plan.out.zero_()
        eager = wp.reduce(x, op, axis, stream=stream)
        torch.cuda.synchronize()  # the plan is in the order of its stream alone
        plan.launch(stream)
        stream.synchronize()
        assert bits(plan.out) == want and bits(eager) == want, resident
    stream = wp.Stream(context)
    with wp.graph(stream) as g:
        recorded = wp.reduce(x, op, axis, stream=stream)
        plan.launch(stream)
    torch.cuda.synchronize()
    for one in (stream, wp.Stream(context), wp.Stream(context, resident=True)):
        recorded.zero_(), plan.out.zero_()
        torch.cuda.synchronize()
        g.launch(one)
        one.synchronize()
        assert bits(recorded) == want and bits(plan.out) == want


def test_a_plan_on_the_current_stream() -> None:
    x = torch.zeros(N, device="cuda")
    plan = wp.plan(x, "sum")
    plan()
    torch.cuda.synchronize()
    for value in range(1, 6):
        with torch.cuda.stream(torch.cuda.Stream()):
            torch.cuda._sleep(SLEEP // 10)
            x.fill_(value)
            plan()
            assert not torch.cuda.current_stream().query()
            torch.cuda.current_stream().synchronize()
        assert float(plan.out) == value * N


def test_rebinding_does_not_touch_launches_before() -> None:
    first, second = torch.full((N,), 1.0, device="cuda"), torch.full((N,), 2.0, device="cuda")
    plan = wp.plan(first, "sum")
    plan()
    torch.cuda.synchronize()
    torch.cuda._sleep(SLEEP)
    before = plan()
    plan.rebind(second, out=torch.zeros((), device="cuda"))
    after = plan()
    assert not torch.cuda.current_stream().query()
    assert (float(before), float(after)) == (N, 2 * N)
    with pytest.raises(ValueError, match=r"cpu:0.*cuda:0"):
        plan.rebind(second.cpu())
    with pytest.raises(ValueError, match="out is on cpu:0"):
        plan.rebind(out=torch.zeros(()))


def test_a_graph_of_everything(context: wp.Context) -> None:
    stream, other = wp.Stream(context), wp.Stream(context)
    fork, join = wp.Event(context), wp.Event(context)
    x, y = torch.zeros(N, device="cuda"), torch.zeros(N, device="cuda")
    host, seen = np.zeros((), np.float32), []
    torch.cuda.synchronize()
    with wp.graph(stream) as g:
        stream.fill(x, 3)
        fork.record(stream)
        other.wait(fork)
        other.copy(y, x)
        right = wp.sum(y, stream=other)
        left = wp.max(x, stream=stream)
        join.record(other)
        stream.wait(join)
        stream.copy(host, right)
        stream.call(lambda: seen.append(float(host)))
    assert g.nodes == ("fill", "copy", "reduce", "reduce", "copy", "call") and not seen
    for value in (3, 5):
        g.rebind(0, value=value)
        g.launch()
        stream.synchronize()
        assert seen[-1] == value * N and float(left) == value
    z = torch.full((N,), 7.0, device="cuda")
    torch.cuda.synchronize()
    g.rebind(2, x=z)
    g.launch(other)
    other.synchronize()
    assert seen == [3 * N, 5 * N, 7 * N] and float(y[0]) == 5
    del x, y, z, left, right
    gc.collect()
    torch.full((4 * N,), 9.0, device="cuda")  # would take their memory
    torch.cuda.synchronize()
    g.launch()
    stream.synchronize()
    assert seen[-1] == 7 * N


def test_a_count_that_the_op_before_finds(context: wp.Context) -> None:
    flags = (torch.arange(N, device="cuda") % 4 == 0).float()
    ones, count = torch.ones(N, device="cuda"), torch.zeros((), dtype=torch.uint64, device="cuda")
    wp.count_nonzero(flags, out=count)
    assert float(wp.reduce(ones, "sum", n_on_device=count)) == N // 4
    plan = wp.plan(ones, "sum", n_on_device=count)
    flags.zero_()
    flags[:10] = 1
    wp.count_nonzero(flags, out=count)
    assert float(plan()) == 10
    with pytest.raises(ValueError, match="n_on_device is on cpu:0"):
        wp.reduce(ones, "sum", n_on_device=np.array(3, np.uint64))


def test_a_resident_stream_answers_often(context: wp.Context) -> None:
    stream = wp.Stream(context, resident=True)
    x = torch.ones(1000, device="cuda")
    torch.cuda.synchronize()
    plan = wp.plan(x, "sum", context=context)
    for i in range(2000):
        plan.launch(stream)
        stream.synchronize()
        assert i % 100 or float(plan.out) == 1000
        if i % 500 == 0:  # whoever waits for the whole device is not held up for ever
            x.fill_(1)
            torch.cuda.synchronize()
            torch.cuda.empty_cache()


@pytest.mark.parametrize("resident", [False, True])
def test_threads_share_plans_and_graphs(context: wp.Context, resident: bool) -> None:
    x = torch.full((5000,), 2.0, device="cuda")
    record = wp.Stream(context)
    plan = wp.plan(x, "sum", context=context)
    with wp.graph(record) as g:
        total = wp.sum(x, stream=record)
    torch.cuda.synchronize()

    def work(_: int) -> None:
        stream = wp.Stream(context, resident=resident)
        for i in range(200):
            plan.launch(stream)
            g.launch(stream)
            if i % 20 == 0:
                stream.synchronize()
        stream.synchronize()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))
    assert float(plan.out) == float(total) == 10_000


OPTIONS: list[dict[str, Any]] = [{}, {"dtype": "float64"}, {"nan": "ignore"}, {"keepdims": True}]


@pytest.mark.parametrize("options", OPTIONS)
def test_the_first_call_may_be_captured_by_torch(options: Any) -> None:
    """On a stream that this package has never seen, with options that take the long way, and from a plan."""
    x = torch.ones(1 << 16, device="cuda")
    out, plan = torch.zeros((), device="cuda"), wp.plan(x, "max")
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph, stream=torch.cuda.Stream()):
        total = wp.sum(x, **options)
        wp.sum(x, out=out)
        plan()
    for value in (2.0, 5.0):
        x.fill_(value)
        graph.replay()
        torch.cuda.synchronize()
        assert float(total) == float(out) == value * x.numel() and float(plan.out) == value


class TestCupy:
    @pytest.fixture
    def cupy(self) -> Any:
        return pytest.importorskip("cupy", reason="CuPy is not installed")

    def test_plans_and_graphs(self, cupy: Any, context: wp.Context) -> None:
        x = cupy.arange(N, dtype="i8")
        plan = wp.plan(x, "sum")
        assert isinstance(plan.out, cupy.ndarray) and int(plan()) == N * (N - 1) // 2
        plan.rebind(x * 2, out=cupy.empty((), "i8"))
        with cupy.cuda.Stream(non_blocking=True) as stream:
            out = plan()
            stream.synchronize()
            assert int(out) == N * (N - 1)
        mine = wp.Stream(context)
        with wp.graph(mine) as g:
            best = wp.argmax(x, stream=mine)
        cupy.cuda.Device().synchronize()
        g.launch()
        mine.synchronize()
        assert int(best) == N - 1

    def test_capture_by_cupy(self, cupy: Any) -> None:
        x, out = cupy.ones(N, "f4"), cupy.empty((), "f4")
        plan = wp.plan(x, "max")
        cupy.cuda.Device().synchronize()
        with cupy.cuda.Stream(non_blocking=True) as stream:
            stream.begin_capture()
            wp.sum(x, out=out)
            plan()
            graph = stream.end_capture()
            for value in (2, 5):
                x.fill(value)
                graph.launch(stream)
                stream.synchronize()
                assert float(out) == value * N and float(plan.out) == value

    def test_an_array_of_another_device(self, cupy: Any) -> None:
        if cupy.cuda.runtime.getDeviceCount() < 2:
            pytest.skip("needs two GPUs")
        with cupy.cuda.Device(1):
            x = cupy.ones(1000, "f4")
        total = wp.sum(x)  # device 0 is current
        assert total.device.id == 1 and float(total) == 1000
        assert float(wp.plan(x, "sum")()) == 1000
