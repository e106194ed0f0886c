"""The same sums in four ways: called, prepared once (a plan), recorded and launched as one (a graph), and
posted (a resident stream). Each time with other memory. The results have the same bits."""

import numpy as np
import warpprim as wp

N, TIMES = 1000, 3
x = np.zeros((TIMES, N), np.float32)
eager, planned, replayed, posted = sums = np.zeros((4, TIMES), np.float32)

stream, resident = wp.Stream(), wp.Stream(resident=True)
plan = wp.plan(x[0], "sum", out=planned[0, ...])
with wp.graph(stream) as graph:  # what is called now is a node each, and runs later
    stream.fill(x[0], 0)
    wp.sum(x[0], out=replayed[0, ...], stream=stream)

for i in range(TIMES):
    value = np.float32(0.1) * np.float32(i + 1)
    stream.fill(x[i], value)
    wp.sum(x[i], out=eager[i, ...], stream=stream)
    plan.rebind(x[i], out=planned[i, ...])
    plan.launch(stream)
    graph.rebind(0, dst=x[i], value=value)
    graph.rebind(1, x=x[i], out=replayed[i, ...])
    graph.launch()
    stream.synchronize()  # before another stream uses the memory
    wp.sum(x[i], out=posted[i, ...], stream=resident)
    resident.synchronize()

for name, row in zip(("eager", "plan", "graph", "resident"), sums):
    print(f"{name:8} {row[0]:g} {row[1]:g} {row[2]:g}")
assert (sums == sums[0]).all()
