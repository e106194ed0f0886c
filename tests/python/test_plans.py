"""Plans: the bits of the eager call, other memory, who keeps what, and what is refused."""

from __future__ import annotations

import gc
import json
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest
import warpprim as wp

X = np.random.default_rng(5).standard_normal((40, 1000), np.float32)
N = 1 << 18


@pytest.mark.parametrize("op", ["sum", "argmax", "minmax", "any", "std", "logsumexp", "count_nonzero"])
@pytest.mark.parametrize("axis", [None, -1])
def test_same_bits_as_the_function(op: str, axis: Any) -> None:
    plan, stream = wp.plan(X, op, axis), wp.Stream()
    want = wp.reduce(X, op, axis)
    assert plan().tobytes() == want.tobytes() and plan.out.dtype == want.dtype and plan() is plan.out
    plan.out.fill(0)
    assert plan.launch(stream) is plan.out
    stream.synchronize()
    assert plan.out.tobytes() == want.tobytes() and plan.out.shape == np.shape(want)


def test_options_and_out() -> None:
    out = np.zeros((40, 1))
    plan = wp.plan(X, "var", -1, out=out, ddof=1, keepdims=True, nan="ignore")
    assert plan() is out
    assert out.tobytes() == wp.var(X, -1, dtype="float64", ddof=1, keepdims=True).tobytes()
    assert wp.plan(X[0], "sum", dtype="float64")().dtype == np.float64


def test_rebinding() -> None:
    stream, gate = wp.Stream(), threading.Event()
    first, second = np.ones(N, np.float32), np.full(N, 2, np.float32)
    plan = wp.plan(first, "sum")
    stream.call(gate.wait)
    before = plan.launch(stream)
    plan.rebind(second, out=np.empty((), np.float32))
    after = plan.launch(stream)
    gate.set()
    stream.synchronize()
    assert (before, after) == (N, 2 * N)
    plan.rebind(out=before)
    assert plan() is before and before == 2 * N
    half = first[: N // 2]
    rows = wp.plan(half.reshape(4, -1)[:, :10], "sum", -1)
    rows.rebind(half.reshape(4, -1)[:, 10:20])
    assert rows().tolist() == [10] * 4


@pytest.mark.parametrize(
    ("arrays", "text"),
    [
        ({}, "nothing to rebind"),
        ({"x": np.ones((40, 1000))}, r"float64\[40, 1000\].*float32\[40, 1000\]"),
        ({"x": X[:, 1:]}, r"float32\[40, 999\]"),
        ({"x": np.ones((40, 2000), np.float32)[:, ::2]}, "ascontiguousarray"),
        ({"x": np.ones((40, 2000), np.float32)[:, :1000]}, "2000 elements apart"),
        ({"x": 3}, "array"),
        ({"out": np.ones(40)}, "float64"),
        ({"out": np.ones(41, np.float32)}, "shape"),
        ({"out": X[:, 0]}, "gaps"),
        ({"out": X[0, :40]}, "overlap"),
        ({"n_on_device": np.zeros((), np.uint64)}, "without n_on_device"),
    ],
)
def test_what_does_not_fit_changes_nothing(arrays: dict[str, Any], text: str) -> None:
    plan = wp.plan(X, "sum", -1)
    with pytest.raises((TypeError, ValueError), match=text):
        plan.rebind(**arrays)
    assert plan().tobytes() == wp.sum(X, -1).tobytes()


def test_counts_on_the_device() -> None:
    x, count = np.ones(1000), np.array(7, np.uint64)
    assert wp.reduce(x, "sum", n_on_device=count) == 7
    assert wp.reduce(x, "sum", n_on_device=np.uint64(8)) == 8
    stream = wp.Stream()
    # A count that the op before it in the stream finds.
    found = wp.count_nonzero(np.arange(5), stream=stream)
    total = wp.reduce(x, "sum", n_on_device=found, stream=stream)
    stream.synchronize()
    assert (found, total) == (4, 4)
    plan = wp.plan(x, "sum", n_on_device=count)
    assert plan() == 7
    count[...] = 5000
    assert plan() == 1000
    plan.rebind(n_on_device=np.array([3], np.uint64))
    assert plan() == 3
    for wrong, text in [
        (np.array(7), "int64"),
        (np.zeros(2, np.uint64), "single"),
        (np.zeros((), np.float64), "uint64"),
        (7, "array"),
    ]:
        with pytest.raises(TypeError, match=text):
            wp.reduce(x, "sum", n_on_device=wrong)
    with pytest.raises(ValueError, match="n_on_device"):
        wp.reduce(X, "sum", -1, n_on_device=count)


def test_a_plan_keeps_its_arrays_and_so_do_its_launches() -> None:
    x, other = np.ones(N, np.float32), np.zeros(N, np.float32)
    seen = weakref.ref(x)
    plan, stream, gate = wp.plan(x, "sum"), wp.Stream(), threading.Event()
    del x
    gc.collect()
    assert seen() is not None
    stream.call(gate.wait)
    out = plan.launch(stream)
    plan.rebind(other)
    plan.close()
    del plan
    gc.collect()
    assert seen() is not None
    gate.set()
    stream.synchronize()
    assert out == N and seen() is None


def test_what_a_closed_stream_was_given_lives_until_it_is_done() -> None:
    x, gate, done = np.ones(N, np.float32), threading.Event(), threading.Event()
    seen, stream = weakref.ref(x), wp.Stream()
    stream.call(gate.wait)
    out = wp.plan(x, "sum").launch(stream)
    stream.call(done.set)
    del x, stream
    gc.collect()
    assert seen() is not None
    gate.set()
    assert done.wait(30) and out == N


def test_rebinding_for_ever_keeps_little() -> None:
    stream = wp.Stream()
    plan = wp.plan(np.ones(N, np.float32), "sum")
    seen = []
    for i in range(200):
        x = np.full(N, i, np.float32)
        seen.append(weakref.ref(x))
        plan.rebind(x)
        plan.launch(stream)
        if i % 10 == 0:  # the work is done, and nobody synchronizes with the stream
            event = wp.Event()
            event.record(stream)
            event.synchronize()
    assert sum(one() is not None for one in seen) < 40
    stream.synchronize()
    assert plan.out == 199 * N


def test_streams() -> None:
    context = wp.Context("cpu")
    own, plan = wp.Stream(context), wp.plan(X, "max")
    with pytest.raises(ValueError, match="another context"):
        plan.launch(own)
    theirs = wp.plan(X, "max", context=context)
    theirs.launch(own)
    own.synchronize()
    assert theirs.out == X.max() and theirs() == X.max()
    with pytest.raises(ValueError, match=r"closed|destroyed"):
        own.close()
        theirs.launch(own)
    with pytest.raises(ValueError, match="CUDA"):
        plan.launch(7)
    with pytest.raises(ValueError, match="no stream"):
        plan.launch("x")
    with pytest.raises(ValueError, match="Context"):
        wp.plan(X, "max", context=3)  # type: ignore[arg-type]


@pytest.mark.parametrize("n", [1000, N])
def test_a_resident_stream(n: int) -> None:
    stream, x = wp.Stream(resident=True), np.ones(n, np.float32)
    assert stream.resident and not wp.Stream().resident
    plan = wp.plan(x, "sum")
    for i in range(5):
        x[0] = i
        plan.launch(stream)
        total = wp.sum(x, stream=stream)
        stream.synchronize()
        assert plan.out == total == n - 1 + i
    with pytest.raises(TypeError, match="resident"), wp.graph(stream):
        pass
    for wrong in ({"resident": 1}, {"resident": "yes"}, {"resident": True, "native": 0}):
        with pytest.raises(ValueError, match="resident"):
            wp.Stream(**wrong)


def test_closed_plans() -> None:
    with wp.plan(X, "sum") as plan:
        plan()
    plan.close()
    for use in (plan, plan.describe, lambda: plan.launch(wp.Stream()), lambda: plan.rebind(X), plan.launch):
        with pytest.raises(ValueError, match=r"closed|destroyed"):
            use()


def test_describe() -> None:
    plan = wp.plan(X, "argmax", -1)
    told = plan.describe(json=True)
    assert (told["op"], told["dtype"], told["rows"], told["cols"]) == ("reduce argmax", "f32", 40, 1000)
    assert "op: reduce argmax\n" in plan.describe()
    assert json.loads(json.dumps(told)) == told and "float32[40, 1000]" in repr(plan)
    with pytest.raises(ValueError, match="json"):
        plan.describe(json="no")  # type: ignore[arg-type]


@pytest.mark.parametrize("n", [1000, N])
def test_threads_share_a_plan(n: int) -> None:
    """While others launch it, one rebinds it: each launch has all of one memory."""
    arrays = [np.full(n, i, np.float64) for i in (1, 2)]
    plan = wp.plan(arrays[0], "sum", out=np.full((), n, np.float64))
    fine: list[bool] = []

    def work(seed: int) -> None:
        stream = wp.Stream()
        for i in range(100):
            if seed == 0:
                plan.rebind(arrays[i % 2])
            elif i % 3:
                plan()
            else:
                plan.launch(stream)
            if i % 10 == 0:
                stream.synchronize()
        stream.synchronize()
        fine.append(plan.out in (n, 2 * n))

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))
    assert fine == [True] * 6


def test_other_libraries_on_the_cpu() -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed")
    x = torch.arange(12.0).reshape(3, 4)
    plan = wp.plan(x, "sum", -1)
    assert plan().tolist() == [6, 22, 38] and isinstance(plan.out, torch.Tensor)
    plan.rebind(x + 1)
    assert plan().tolist() == [10, 26, 42]
    with pytest.raises(ValueError, match="made for"):
        plan.rebind(x.double())
