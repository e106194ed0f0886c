"""Graphs: what is recorded, forks and joins, other memory, who keeps what, and how a recording ends."""

from __future__ import annotations

import gc
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import warpprim as wp
from test_streams import run

N = 1 << 18


def test_everything_is_recorded_and_nothing_done() -> None:
    stream = wp.Stream()
    x, copied, calls = np.ones((4, 250)), np.zeros((4, 250)), [0]
    rows = np.zeros(4)
    planned = wp.plan(x, "max")

    def count() -> None:
        calls[0] += 1

    with wp.graph(stream) as g:
        stream.fill(x, 3)
        stream.copy(copied, x)
        total = wp.sum(copied, stream=stream)
        assert wp.mean(x, -1, out=rows, stream=stream) is rows
        assert planned.launch(stream) is planned.out
        stream.call(count)
        assert len(g.nodes) == 6
        with pytest.raises(ValueError, match="being recorded"):
            g.launch()
    assert g.nodes == ("fill", "copy", "reduce", "reduce", "reduce", "call")
    assert x[0, 0] == 1 and calls == [0] and stream.query()
    for i in range(3):
        copied.fill(0)
        rows.fill(0)
        planned.out.fill(0)
        g.launch() if i else g()
        stream.synchronize()
        assert (total, rows.tolist(), planned.out, calls) == (3000, [3] * 4, 3, [i + 1])
    told = g.describe(json=True)["nodes"]
    assert [node["node"] for node in told] == list(range(6)) and told[1]["after"] == [0]
    assert g.describe().count("\n\n") == 5 and repr(g) == "<warpprim.Graph of 6 nodes>"


def test_rebinding_by_node() -> None:
    stream, gate = wp.Stream(), threading.Event()
    x, y, out, other = np.ones(N), np.full(N, 2.0), np.zeros(()), np.zeros(())
    host, there = np.zeros(N), np.zeros(N)
    count, fewer = np.array(10, np.uint64), np.array(5, np.uint64)
    seen: list[int] = []
    with wp.graph(stream) as g:
        wp.sum(x, out=out, stream=stream)
        stream.copy(host, x)
        stream.fill(x, 7)
        stream.call(lambda: seen.append(1))
        counted = wp.reduce(x, "sum", n_on_device=count, stream=stream)
    stream.call(gate.wait)
    g.launch()
    g.rebind(0, x=y, out=other)
    g.rebind(1, dst=there, src=y)
    g.rebind(2, dst=y, value=9)
    g.rebind(3, function=lambda: seen.append(2))
    g.rebind(4, x=y, n_on_device=fewer)
    g.launch()
    gate.set()
    stream.synchronize()
    assert [float(v) for v in (out, other, host[5], there[5], x[5], y[5])] == [N, 2 * N, 1, 2, 7, 9]
    assert seen == [1, 2]
    assert counted == 5 * 9


@pytest.mark.parametrize(
    ("node", "arrays", "text"),
    [
        (0, {}, "nothing to rebind.*x, out, n_on_device"),
        (0, {"dst": np.ones(3)}, "a reduce has no dst; it has x, out, n_on_device"),
        (0, {"x": np.ones(3, np.float32)}, "float32"),
        (0, {"x": None}, "NoneType"),
        (0, {"n_on_device": np.zeros((), np.uint64)}, "without n_on_device"),
        (1, {"src": np.ones(4)}, r"float64\[4\].*float64\[3\]"),
        (1, {"dst": np.broadcast_to(np.ones(1), (3,))}, "gaps"),
        (2, {"value": "x"}, "value = 'x'"),
        (2, {"value": [1, 2]}, "single"),
        (2, {"dst": np.ones(3, np.int8)}, "int8"),
        (3, {"function": 3}, "called"),
        (4, {"x": np.ones(3)}, "node = 4: the graph has 4"),
        (-1, {"x": np.ones(3)}, "node = -1"),
        ("x", {"x": np.ones(3)}, "node = 'x'"),
    ],
)
def test_what_does_not_fit_changes_nothing(node: Any, arrays: dict[str, Any], text: str) -> None:
    stream, x, y = wp.Stream(), np.ones(3), np.zeros(3)
    with wp.graph(stream) as g:
        total = wp.sum(x, stream=stream)
        stream.copy(y, x)
        stream.fill(x, 5)
        stream.call(lambda: None)
    with pytest.raises((TypeError, ValueError), match=text):
        g.rebind(node, **arrays)
    g.launch()
    stream.synchronize()
    assert (total, y.tolist(), x.tolist()) == (3, [1] * 3, [5] * 3)


def test_fork_and_join() -> None:
    first, second, fork, join = wp.Stream(), wp.Stream(), wp.Event(), wp.Event()
    x, y = np.zeros(1000), np.zeros(1000)
    with wp.graph(first) as g:
        first.fill(x, 1)
        fork.record(first)
        second.wait(fork)
        second.copy(y, x)
        right = wp.sum(y, stream=second)
        left = wp.max(x, stream=first)
        join.record(second)
        first.wait(join)
        both = wp.sum(x, stream=first)
        with pytest.raises(TypeError):
            join.synchronize()
        with pytest.raises(TypeError):
            second.synchronize()
    second.fill(y, 3)  # the recording is over for both
    second.synchronize()
    assert y[0] == 3 and g.nodes == ("fill", "copy", "reduce", "reduce", "reduce")
    g.launch(second)
    second.synchronize()
    assert (right, left, both) == (1000, 1, 1000)
    after = [node["after"] for node in g.describe(json=True)["nodes"]]
    assert after == [[], [0], [1], [0], [2, 3]]


@pytest.mark.parametrize("joins", ["not", "closed", "dropped"])
def test_work_that_has_not_come_back(joins: str) -> None:
    first, second, fork = wp.Stream(), wp.Stream(), wp.Event()
    x = np.ones(10)
    with pytest.raises(ValueError, match="come back"), wp.graph(first) as g:
        fork.record(first)
        second.wait(fork)
        wp.sum(x, stream=second)
        if joins == "closed":
            second.close()
        if joins == "dropped":
            del second
            gc.collect()
    with pytest.raises(ValueError, match="closed"):
        g.launch()
    total = wp.sum(x, stream=first)
    first.synchronize()
    assert total == 10


def test_an_exception_gives_the_recording_up() -> None:
    stream, x = wp.Stream(), np.ones(10)
    with pytest.raises(ZeroDivisionError), wp.graph(stream) as g:
        wp.sum(x, stream=stream)
        1 / 0  # noqa: B018
    total = wp.sum(x, stream=stream)
    stream.synchronize()
    assert total == 10
    with pytest.raises(ValueError, match="closed"):
        g.launch()
    # And one from a call that is refused, which leaves the recording as it was if it is caught.
    with wp.graph(stream) as g:
        with pytest.raises(TypeError, match="xor"):
            wp.bitwise_xor(x, stream=stream)
        with pytest.raises(TypeError, match="recorded"):
            stream.synchronize()
        with pytest.raises(ValueError, match="already"), wp.graph(stream):
            pass
        again = wp.sum(x, stream=stream)
    assert g.nodes == ("reduce",)
    g.launch()
    stream.synchronize()
    assert again == 10


def test_a_stream_closed_while_it_is_recorded() -> None:
    stream, x = wp.Stream(), np.ones(10)
    with pytest.raises(ValueError, match="closed"), wp.graph(stream):
        wp.sum(x, stream=stream)
        stream.close()
    for wrong in (stream, None, 3, "x"):
        with pytest.raises(ValueError), wp.graph(wrong):  # type: ignore[arg-type]
            pass


def test_calls_that_are_not_recorded() -> None:
    stream, other, x = wp.Stream(), wp.Stream(), np.ones(10)
    with wp.graph(stream) as g:
        assert wp.sum(x) == 10 and wp.sum(x, keepdims=True) == 10 and wp.plan(x, "sum")() == 10
        total = wp.sum(x, stream=other)
        other.synchronize()
    assert total == 10 and g.nodes == ()
    g.launch()
    stream.synchronize()


def test_a_graph_keeps_what_it_uses_and_so_do_its_launches() -> None:
    stream, other, gate = wp.Stream(), wp.Stream(), threading.Event()
    x, y = np.ones(N), np.zeros(N)
    seen = weakref.ref(x), weakref.ref(y)
    with wp.graph(stream) as g:
        stream.call(gate.wait)
        stream.copy(y, x)
        total = wp.sum(y, stream=stream)
    del x, y
    gc.collect()
    g.launch(other)
    del g, stream
    gc.collect()
    assert all(one() is not None for one in seen)
    gate.set()
    other.synchronize()
    assert total == N
    gc.collect()
    assert all(one() is None for one in seen)


def test_callbacks_that_raise() -> None:
    stream, other = wp.Stream(), wp.Stream()
    with wp.graph(stream) as g:
        stream.call(lambda: 1 / 0)
        total = wp.sum(np.ones(10), stream=stream)
    for one in (stream, other, stream):
        g.launch(one)
        with pytest.raises(wp.errors.CallbackError) as caught:
            one.synchronize()
        assert isinstance(caught.value.__cause__, ZeroDivisionError) and total == 10
        one.synchronize()


def test_refusals() -> None:
    stream, context = wp.Stream(), wp.Context("cpu")
    with wp.graph(stream) as g:
        pass
    with pytest.raises(ValueError, match="another context"):
        g.launch(wp.Stream(context))
    for wrong in (7, "x"):
        with pytest.raises(ValueError, match="stream"):
            g.launch(wrong)
    with pytest.raises(TypeError, match="graph"), wp.graph(stream):
        g.launch(stream)
    g.close()
    for use in (g.launch, g.describe, lambda: g.rebind(0, x=np.ones(3))):
        with pytest.raises(ValueError, match="closed"):
            use()
    for bad in (np.ones(3, np.complex64), np.ones((3, 3)).T, np.broadcast_to(np.ones(1), (3,)), None):
        with pytest.raises((TypeError, ValueError)):
            stream.copy(bad, bad)
        with pytest.raises((TypeError, ValueError)):
            stream.fill(bad, 0)
    read_only = np.ones(3)
    read_only.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        stream.fill(read_only, 0)
    room = np.ones(4)
    with pytest.raises(ValueError, match="overlap"):
        stream.copy(room[:3], room[1:])


def test_threads_share_a_graph() -> None:
    stream = wp.Stream()
    data = np.ones(1000)
    total = np.zeros(())
    with wp.graph(stream) as g:
        stream.fill(data, 2)
        wp.sum(data, out=total, stream=stream)

    def work(seed: int) -> None:
        mine = wp.Stream()
        for i in range(100):
            if seed == 0:
                g.rebind(0, value=2)
            else:
                g.launch(mine if seed % 2 else None)
            if i % 10 == 0:
                mine.synchronize()
        mine.synchronize()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))
    stream.synchronize()
    assert total == 2000


def test_threads_record_side_by_side() -> None:
    def work(value: int) -> None:
        stream, x = wp.Stream(), np.zeros(100)
        for _ in range(30):
            with wp.graph(stream) as g:
                stream.fill(x, value)
                total = wp.sum(x, stream=stream)
            g.launch()
            stream.synchronize()
            assert total == 100 * value

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))


def test_the_process_may_end_with_everything_in_flight() -> None:
    done = run(
        """
        import numpy as np, time, warpprim as wp
        x, stream, resident = np.ones(1 << 22, np.float32), wp.Stream(), wp.Stream(resident=True)
        plan = wp.plan(x, "sum")
        with wp.graph(stream) as g:
            stream.call(lambda: time.sleep(0.02))
            wp.sum(x, stream=stream)
        for _ in range(5):
            plan.launch(stream)
            g.launch()
        plan.launch(resident)
        begun = wp.graph(wp.Stream())
        begun.__enter__()
        """
    )
    assert done.returncode == 0 and not done.stderr, done.stderr
