"""How the benchmarks in Python measure: contenders in turns, medians, and how much others disturbed."""

from __future__ import annotations

import os
import statistics
import subprocess
import time
from pathlib import Path
from typing import Any, Callable

ROOT = Path(__file__).resolve().parent.parent


def timed_python(call: Callable[[], Any]) -> Callable[[int], float]:
    def timed(calls: int) -> float:
        start = time.perf_counter_ns()
        for _ in range(calls):
            call()
        return (time.perf_counter_ns() - start) / calls

    return timed


def foreign_seconds() -> float:
    """Processor time used so far, but not by this process: by others, and by other machines on this host."""
    fields = Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]
    user, nice, system, _idle, _iowait, irq, softirq, steal = map(int, fields)
    mine = os.times()
    busy = (user + nice + system + irq + softirq + steal) / os.sysconf("SC_CLK_TCK")
    return busy - mine.user - mine.system


def undisturbed(
    contenders: dict[str, Callable[[int], float]], seconds: float, retries: int
) -> tuple[dict[str, float], float]:
    """The measurement during which others used the least of the machine, and this share of one processor."""
    best: tuple[float, dict[str, float]] | None = None
    for attempt in range(retries + 1):
        if attempt:
            time.sleep(min(attempt, 10))
        before, start = foreign_seconds(), time.monotonic()
        ns = measure(contenders, seconds)
        share = max(0.0, (foreign_seconds() - before) / (time.monotonic() - start))
        if best is None or share < best[0]:
            best = share, ns
        if share <= 0.05:
            break
    assert best
    return best[1], best[0]


def measure(contenders: dict[str, Callable[[int], float]], seconds: float) -> dict[str, float]:
    """Median nanoseconds of each, in turns. A repetition is as many calls as last 200 us."""
    calls = {}
    for name, timed in contenders.items():
        timed(1)
        calls[name] = max(1, round(2e5 / timed(1)))
        calls[name] = max(1, round(2e5 / timed(calls[name])))
    times: dict[str, list[float]] = {name: [] for name in contenders}
    end = time.monotonic() + seconds
    while len(next(iter(times.values()))) < 5 or time.monotonic() < end:
        for name, timed in contenders.items():
            times[name].append(timed(calls[name]))
    return {name: statistics.median(values) for name, values in times.items()}


def git(*command: str) -> str:
    done = subprocess.run(["git", "-C", str(ROOT), *command], capture_output=True, text=True)
    return done.stdout.strip()
