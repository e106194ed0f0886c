"""What each reduce gives, to the bit.

Written from docs/numerics.md alone, slow and obvious, with no use of the library.

reduce() works on the bits of the input and gives the bits of the output. The ops that round are in
rounding(), the exact ones below it.
"""

from __future__ import annotations

from typing import Any

import exact
import numpy as np
from dtypes import DTYPES, FLOATS, INTEGERS, Array, Dtype, carrier, decode, narrow
from order import State, fold_chunks, fold_partials, pad

SUMS = ("sum", "prod", "l1")  # exact on integers with an integer output, else rounding
MEANS = ("l2", "mean", "var", "std", "logsumexp")
BITWISE = ("and", "or", "xor")
OPS = (
    SUMS
    + MEANS
    + ("min", "max", "minmax", "argmin", "argmax", "amax")
    + BITWISE
    + ("any", "all", "count_nonzero")
)


def out_dtypes(op: str, dtype: str) -> list[str]:
    """The output types that an op has for an input type, the default first.

    The list is empty if the op has no meaning for the type.
    """
    kind = DTYPES[dtype].kind
    if op in SUMS + MEANS and kind == "f":
        return [dtype] + [f for f in FLOATS if f != dtype]
    if op in SUMS:
        default = "i64" if kind == "i" and op != "l1" else "u64"
        return [default] + [t for t in INTEGERS + FLOATS if t != default]
    if op in MEANS:
        return ["f64"] + [f for f in FLOATS if f != "f64"]
    if op in ("argmin", "argmax"):
        return ["i64", "i32", "u32", "u64"]
    if op in ("any", "all"):
        return ["bool"]
    if op == "count_nonzero":
        return ["u64", "i64", "i32", "u32"]
    if op == "amax" and kind == "i":
        return ["u" + dtype[1:]]
    if op in BITWISE and kind == "f":
        return []
    return [dtype]


@np.errstate(all="ignore")  # overflow, inf - inf and the like are results here, not mistakes
def reduce(
    op: str,
    dtype: str,
    bits: Array,
    cols: int,
    out_dtype: str = "default",
    nan: str = "propagate",
    ddof: int = 0,
) -> Array:
    """`bits` are (rows, cols); the result is one value a row, or two, as bits of the output type."""
    d = DTYPES[dtype]
    o = DTYPES[out_dtypes(op, dtype)[0] if out_dtype == "default" else out_dtype]
    assert o.name in out_dtypes(op, dtype), (op, dtype, o.name)
    assert bits.shape[1] == cols
    x = decode(bits, d).reshape(bits.shape)
    is_nan = np.isnan(x) if d.is_float else np.zeros(x.shape, bool)
    if op in SUMS and not o.is_float:
        return integer_sum(op, x, d).astype(carrier(o))
    if op in SUMS + MEANS:
        y = rounding(op, x, is_nan & (nan == "ignore"), d, o, ddof)
        if nan == "propagate":
            y = np.where(is_nan.any(axis=1), np.nan, y)
        return narrow(y, o)
    if op in BITWISE:
        return bitwise(op, bits if d.kind != "b" else x, d)
    if op in ("any", "all", "count_nonzero"):
        return counting(op, x, is_nan & (nan == "ignore")).astype(carrier(o))
    if op == "amax":
        return amax(x, is_nan, nan, d, o)
    return extrema(op, bits if d.kind != "b" else x, is_nan, nan, d, o)


# ------------------------------------------------------------------------------------------------------------
# Ops that round: section 3.


def rounding(op: str, x: Array, ignored: Array, d: Dtype, o: Dtype, ddof: int) -> Array:
    """The results in f64, before they round to the output type."""
    a = np.dtype(np.float32 if d.is_float and d.name != "f64" and o.name != "f64" else np.float64)
    x = x.astype(a)
    count = (~ignored).sum(axis=1).astype(np.int64)
    if x.shape[1] == 0:
        empty = {"prod": 1.0, "logsumexp": -np.inf, "mean": np.nan, "var": np.nan, "std": np.nan}
        return np.full(x.shape[0], empty.get(op, 0.0))
    v = 16 // d.size
    if op == "logsumexp":
        return logsumexp(np.where(ignored, a.type(-np.inf), x), v)
    if op in ("var", "std"):
        return variance(op, x, ignored, v, ddof)
    x = np.where(ignored, a.type(1 if op == "prod" else 0), x)
    state, exists = pad((x,), x.shape[1], v)
    first, add, combine = OF_SUM[op]
    (total,) = fold_partials(fold_chunks(state, exists, first, add, combine), 16 // a.itemsize, combine)
    y: Array = total.astype(np.float64)
    if op == "mean":
        y = y / count.astype(np.float64)
    return np.sqrt(y) if op == "l2" else y


def add(a: State, b: State) -> State:
    return (a[0] + b[0],)


def multiply(a: State, b: State) -> State:
    return (a[0] * b[0],)


# The state of the first element, add, combine.
OF_SUM: dict[str, Any] = {
    "sum": (lambda x: x, add, add),
    "mean": (lambda x: x, add, add),
    "prod": (lambda x: x, multiply, multiply),
    "l1": (lambda x: (np.abs(x[0]),), lambda a, x: (a[0] + np.abs(x[0]),), add),
    "l2": (lambda x: (x[0] * x[0],), lambda a, x: (exact.fma(x[0], x[0], a[0]),), add),
}


def variance(op: str, x: Array, ignored: Array, v: int, ddof: int) -> Array:
    """Section 3.1.

    An ignored or missing element is a state of count 0, so merge() alone says what happens to it.
    """
    state: State = ((~ignored).astype(np.int64), np.where(ignored, x.dtype.type(0), x), np.zeros_like(x))
    padded, exists = pad(state, x.shape[1], v)
    n, m, q = fold_partials(
        fold_chunks(padded, exists, lambda s: s, merge, merge), 16 // x.dtype.itemsize, merge
    )
    y = np.where((n > ddof) & np.isfinite(m), q.astype(np.float64) / (n - ddof).astype(np.float64), np.nan)
    return np.sqrt(y) if op == "std" else y


def merge(a: State, b: State) -> State:
    (an, am, aq), (bn, bm, bq) = a, b
    real = am.dtype
    n = an + bn
    r = bn.astype(real) / n.astype(real)
    delta = bm - am
    m = exact.fma(delta, r, am)
    q = exact.fma(delta * delta, an.astype(real) * r, aq + bq)
    b_empty, a_empty = bn == 0, an == 0
    return (
        n,
        np.where(b_empty, am, np.where(a_empty, bm, m)),
        np.where(b_empty, aq, np.where(a_empty, bq, q)),
    )


def logsumexp(x: Array, v: int) -> Array:
    """Section 3.2."""
    (padded,), exists = pad((x,), x.shape[1], v)
    m = np.where(exists, padded, x.dtype.type(-np.inf)).max(axis=(2, 3, 4))  # numpy's max propagates NaN
    terms = e(padded, m[:, :, None, None, None])
    (s,) = fold_chunks((terms,), exists, lambda t: t, add, add)
    m, s = fold_partials((m, s), 16 // x.dtype.itemsize, join)
    y = m.astype(np.float64)
    finite = np.isfinite(y)
    logs = exact.log(np.where(finite, s, 1).astype(np.float64))
    return np.where(finite, np.where(finite, y, 0.0) + logs, y)


def join(a: State, b: State) -> State:
    (am, as_), (bm, bs) = a, b
    nan = np.isnan(am) | np.isnan(bm)
    a_first = am >= bm
    m = np.where(nan, np.nan, np.where(a_first, am, bm)).astype(am.dtype)
    s = np.where(a_first, exact.fma(bs, e(bm, am), as_), exact.fma(as_, e(am, bm), bs))
    return m, np.where(nan, np.nan, s).astype(am.dtype)


def e(x: Array, y: Array) -> Array:
    x, y = np.broadcast_arrays(x, y)
    return np.where(x == y, x.dtype.type(1), exact.exp(np.minimum(x - y, x.dtype.type(0))))


# ------------------------------------------------------------------------------------------------------------
# Exact ops: any order will do.


def integer_sum(op: str, x: Array, d: Dtype) -> Array:
    """Modulo 2^64; the caller keeps the low bits."""
    wide = x.astype(np.int64).view(np.uint64) if d.kind == "i" else x.astype(np.uint64)
    if op == "l1" and d.kind == "i":
        wide = np.where(x < 0, ~wide + np.uint64(1), wide)
    fold = np.multiply if op == "prod" else np.add
    total: Array = fold.reduce(wide, axis=1, dtype=np.uint64)
    return total


def bitwise(op: str, bits: Array, d: Dtype) -> Array:
    """A bool is 0 or 1 here, and so is what all ones means for it."""
    if op == "and":
        ones = bits.dtype.type(1 if d.kind == "b" else 2**d.bits - 1)
        return np.array([np.bitwise_and.reduce(np.append(row, ones)) for row in bits], bits.dtype)
    fold = np.bitwise_or if op == "or" else np.bitwise_xor
    folded: Array = fold.reduce(bits, axis=1, dtype=bits.dtype)
    return folded


def counting(op: str, x: Array, ignored: Array) -> Array:
    true = (x != 0) & ~ignored  # NaN != 0
    result: Array = true.sum(axis=1)
    if op == "any":
        result = true.any(axis=1)
    if op == "all":
        result = (true | ignored).all(axis=1)
    return result


def amax(x: Array, is_nan: Array, nan: str, d: Dtype, o: Dtype) -> Array:
    if not d.is_float:
        # The magnitude of the most negative value fits the unsigned output; 0 is the empty result.
        size = np.abs(x).view(carrier(d)) if d.kind == "i" else x
        largest: Array = np.max(size, axis=1, initial=0)
        return largest.astype(carrier(o))
    y = np.max(np.where(is_nan, 0, np.abs(x)), axis=1, initial=0)
    if nan == "propagate":
        y = np.where(is_nan.any(axis=1), np.nan, y)
    return narrow(y.astype(np.float64), o)


def order_key(bits: Array, d: Dtype) -> Array:
    """An unsigned integer that sorts as the values do, -0 before +0."""
    if d.kind in "ub":
        return bits
    sign = bits.dtype.type(1 << (d.bits - 1))
    key: Array = np.where(bits & sign != 0, ~bits, bits | sign)
    return bits ^ sign if d.kind == "i" else key


def extrema(op: str, bits: Array, is_nan: Array, nan: str, d: Dtype, o: Dtype) -> Array:
    """min, max, minmax, argmin, argmax; row by row."""
    smallest, largest = {
        "f": (d.inf | 1 << (d.bits - 1), d.inf),
        "i": (1 << (d.bits - 1), (1 << (d.bits - 1)) - 1),
        "u": (0, 2**d.bits - 1),
        "b": (0, 1),
    }[d.kind]
    key = order_key(bits, d)
    results = []
    for row in range(bits.shape[0]):
        nans = np.flatnonzero(is_nan[row])
        part = np.flatnonzero(~is_nan[row])  # indices that take part
        if nan == "propagate" and nans.size:
            low = high = int(nans[0])
            values = [d.nan, d.nan] if d.is_float else []
        elif part.size:
            low = int(part[np.argmin(key[row, part])])  # numpy gives the lowest index of equals
            high = int(part[np.argmax(key[row, part])])
            values = [int(bits[row, low]), int(bits[row, high])]
        else:
            low = high = -1
            values = [largest, smallest]
        if op.startswith("arg"):
            results.append([(low if op == "argmin" else high) % 2**o.bits])
        else:
            results.append({"min": values[:1], "max": values[1:], "minmax": values}[op])
    return np.array(results, dtype=carrier(o)).reshape(-1)
