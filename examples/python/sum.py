"""The shortest whole program: the sum of an array, on the CPU."""

import numpy as np
import warpprim as wp

x = np.full(1000, 0.5, np.float32)

total = wp.sum(x)
print(f"the sum of 1000 halves is {total:g}")

assert total == 500
