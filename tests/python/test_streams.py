"""Streams, events and callbacks; what keeps what alive; threads, signals, forks, and the end of the
process."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
import weakref
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import warpprim as wp

N = 1 << 18  # 1 MiB of float32: long enough to be enqueued


def run(code: str) -> subprocess.CompletedProcess[str]:
    """A program of its own, with this package."""
    env = {**os.environ, "PYTHONPATH": str(Path(wp.__file__).parents[1])}
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)], env=env, capture_output=True, text=True, timeout=60
    )


def test_a_stream_only_enqueues() -> None:
    stream, gate = wp.Stream(), threading.Event()
    x = np.ones(N, np.float32)
    stream.call(gate.wait)
    total = wp.sum(x, stream=stream)
    rows = wp.sum(x.reshape(2, -1), -1, out=np.zeros(2, np.float32), stream=stream)
    assert isinstance(total, np.ndarray) and not stream.query()
    gate.set()
    stream.synchronize()
    assert total == N and rows.tolist() == [N / 2, N / 2] and stream.query()


def test_events_order_streams() -> None:
    producer, consumer, ready = wp.Stream(), wp.Stream(), wp.Event()
    data = np.zeros(1000, np.int32)

    def produce() -> None:
        time.sleep(0.02)
        data[:] = 3

    producer.call(produce)
    ready.record(producer)
    assert not ready.query()
    consumer.wait(ready)
    total = wp.sum(data, stream=consumer)
    consumer.synchronize()
    assert total == 3000
    ready.synchronize()
    assert ready.query()
    later = wp.Event()
    later.record(consumer)
    consumer.synchronize()
    assert later.since(ready) >= 0
    with pytest.raises(ValueError, match="recorded"):
        wp.Event().since(ready)


def test_a_callback_that_raises_is_a_late_error_with_its_cause() -> None:
    stream = wp.Stream()
    stream.call(lambda: 1 / 0)
    with pytest.raises(wp.errors.CallbackError) as caught:
        stream.synchronize()
    assert isinstance(caught.value.__cause__, ZeroDivisionError)
    assert isinstance(caught.value, RuntimeError)
    stream.synchronize()


def test_work_in_flight_keeps_its_arrays() -> None:
    stream, gate = wp.Stream(), threading.Event()
    stream.call(gate.wait)
    x = np.ones(N, np.float32)
    seen = weakref.ref(x)
    total = wp.sum(x, stream=stream)
    del x
    gc.collect()
    assert seen() is not None
    gate.set()
    stream.synchronize()
    assert total == N and seen() is None


def test_a_dropped_stream_finishes_its_work() -> None:
    x, out, done = np.ones(N, np.float32), np.zeros((), np.float32), threading.Event()
    stream = wp.Stream()
    wp.sum(x, out=out, stream=stream)
    stream.call(done.set)
    del stream
    assert done.wait(30) and out == N


def test_a_stream_outlives_its_context() -> None:
    context, gate = wp.Context("cpu"), threading.Event()
    stream, x = wp.Stream(context), np.ones(N, np.float32)
    plan, out = wp.plan(x, "sum", context=context), np.zeros((), np.float32)
    context.close()
    stream.call(gate.wait)
    threading.Timer(0.05, gate.set).start()
    plan.launch(stream)
    wp.sum(x[:100], out=out, stream=stream)
    del x, stream  # with no context there is no event to wait for: this waits
    gc.collect()
    assert plan.out == N and out == 100


def test_handles_do_not_pile_up() -> None:
    for _ in range(2000):
        with wp.Stream() as stream:
            wp.Event().record(stream)
    x = np.ones(10)
    for _ in range(2000):
        wp.sum(x, dtype="float32")
        wp.sum(x[::-1][::-1])


def test_contexts_and_wrong_objects() -> None:
    with wp.Context("cpu") as context, wp.Stream(context) as stream:
        assert context.info.kind == "cpu" and context.info.parallelism >= 1 and context.info.memory > 1 << 20
        assert wp.sum(np.ones(5), stream=stream).shape == ()
        stream.synchronize()
        assert "cpu:0" in repr(stream) + repr(context)
    with pytest.raises(ValueError):
        context.info  # noqa: B018
    for wrong in (None, 3, "x", object()):
        with pytest.raises(ValueError):
            stream.wait(wrong)  # type: ignore[arg-type]
        with pytest.raises(ValueError):
            wp.Event().record(wrong)  # type: ignore[arg-type]
        with pytest.raises(ValueError):
            stream.call(wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        stream.__cuda_stream__()


def test_threads_share_everything() -> None:
    arrays = [np.full(n, i, np.float64) for i, n in enumerate((1, 100, 5000, 200_000))]
    matrix = np.arange(4000.0).reshape(4, 1000)
    stream = wp.Stream()
    out = np.empty((), np.float64)

    def work(seed: int) -> None:
        rng = np.random.default_rng(seed)
        for _ in range(300):
            i = int(rng.integers(len(arrays)))
            assert wp.sum(arrays[i]) == i * len(arrays[i])
            assert wp.max(matrix, -1).tolist() == [999, 1999, 2999, 3999]
            wp.sum(arrays[1], out=out, stream=stream)  # one stream, used by all
            if rng.random() < 0.05:
                stream.synchronize()

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    stream.synchronize()
    assert out == 100


def test_a_signal_between_two_steps_of_a_call_does_no_harm() -> None:
    x, y = np.ones(1000), np.full(500, 2.0)
    seen = []
    former = signal.signal(signal.SIGALRM, lambda *_: seen.append(wp.sum(y)))
    signal.setitimer(signal.ITIMER_REAL, 1e-4, 1e-4)
    try:
        end = time.monotonic() + 0.5
        while time.monotonic() < end:
            assert wp.sum(x) == 1000
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)
    assert set(seen) == {1000.0} and len(seen) > 10


def test_after_a_fork() -> None:
    code = """
        import os, numpy as np, warpprim as wp
        x = np.ones(1 << 21, np.float32)
        stream = wp.Stream()
        assert wp.sum(x) == wp.sum(x[None], -1)[0] == 1 << 21
        child = os.fork()
        if not child:
            assert wp.sum(x[:1000]) == 1000 and wp.sum(x, dtype="float64") == 1 << 21
            print("child", flush=True)
            os._exit(0)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert wp.sum(x) == 1 << 21
        print("parent")
    """
    done = run(code)
    assert (done.returncode, done.stdout) == (0, "child\nparent\n"), done.stderr


@pytest.mark.parametrize("end", ["", "import os; os.close(1)", "raise SystemExit(3)"])
def test_the_process_may_end_with_work_in_flight(end: str) -> None:
    code = f"""
        import numpy as np, time, warpprim as wp
        stream = wp.Stream()
        stream.call(lambda: time.sleep(0.1))
        for _ in range(20):
            wp.sum(np.ones(1 << 22, np.float32), stream=stream)
        stream.call(lambda: None)
        {end}
    """
    done = run(code)
    assert done.returncode == (3 if "3" in end else 0) and "Error" not in done.stderr, done.stderr


def test_log() -> None:
    lines: list[tuple[str, str]] = []

    def receive(level: str, line: str) -> None:
        lines.append((level, line))
        raise KeyError("is told on stderr, and nothing else")

    wp.set_log("debug", receive)
    try:
        wp.sum(np.ones(3))
        wp.Context("cpu").close()
    finally:
        wp.set_log("off")
    assert lines and {level for level, _ in lines} <= {"info", "debug", "warn"}
    count = len(lines)
    wp.Context("cpu").close()
    assert len(lines) == count


def test_module() -> None:
    assert wp.version() == wp.__version__ and wp.version() in wp.build_info()
    assert Path(wp.library_path()).name.startswith("libwarpprim.so")
    assert wp.device_count("cpu") == 1 and wp.device_count("cuda") >= 0


def test_bindings_hold_no_lock_while_they_compute() -> None:
    """A long reduce lets other threads run."""
    x = np.ones(1 << 25, np.float32)
    ticks: list[float] = []
    stop = threading.Event()

    def tick() -> None:
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.0005)

    thread: Any = threading.Thread(target=tick)
    thread.start()
    for _ in range(5):
        wp.sum(x)
    stop.set()
    thread.join()
    assert len(ticks) > 5
