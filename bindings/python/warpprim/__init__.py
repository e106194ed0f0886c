"""Parallel primitives on the GPU and the CPU, with the same bits everywhere.

>>> import numpy as np, warpprim as wp
>>> x = np.array([[1, 7, 2], [5, 5, 4]], np.float32)
>>> float(wp.sum(x))
24.0
>>> wp.argmax(x, axis=-1).tolist()
[1, 0]

`reduce` tells what all functions take and give. `plan` and `graph` prepare work once that is launched often;
`Context`, `Stream` and `Event` are for work that overlaps; `errors` has the exceptions, `raw` the C interface
as it is.
"""

from __future__ import annotations

from . import errors, raw
from ._context import Context, Info, device_count
from ._device_array import DeviceArray
from ._graph import Graph, graph
from ._library import find as library_path
from ._module import build_info, set_log, version
from ._ops import (
    all,
    any,
    argmax,
    argmin,
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    count_nonzero,
    l1,
    l2,
    logsumexp,
    max,
    max_abs,
    mean,
    min,
    minmax,
    prod,
    reduce,
    std,
    sum,
    var,
)
from ._plan import Plan, plan
from ._streams import Event, Stream

__version__ = "0.1.0"

__all__ = [
    "Context",
    "DeviceArray",
    "Event",
    "Graph",
    "Info",
    "Plan",
    "Stream",
    "all",
    "any",
    "argmax",
    "argmin",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "build_info",
    "count_nonzero",
    "device_count",
    "errors",
    "graph",
    "l1",
    "l2",
    "library_path",
    "logsumexp",
    "max",
    "max_abs",
    "mean",
    "min",
    "minmax",
    "plan",
    "prod",
    "raw",
    "reduce",
    "set_log",
    "std",
    "sum",
    "var",
    "version",
]
