"""fma, exp and log to the bit, on numpy arrays of float32 or float64; nothing here comes from a math library.

numpy has no fma. For f32 it is built from f64 arithmetic, for f64 from error-free sums and products, with
Python integers where those would overflow or underflow. test_reference.py compares both with fractions.
"""

from __future__ import annotations

from fractions import Fraction
from math import factorial
from typing import Any

import numpy as np
from dtypes import Array

F32 = np.float32
F64 = np.float64


def two_sum(a: Array, b: Array) -> tuple[Array, Array]:
    """s + e = a + b exactly, s rounded to nearest (Knuth)."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def split(a: Array) -> tuple[Array, Array]:
    """a = high + low with at most 26 bits in each (Veltkamp)."""
    c = a * 134217729.0
    high = c - (c - a)
    return high, a - high


def two_product(a: Array, b: Array) -> tuple[Array, Array]:
    """p + e = a * b exactly, p rounded to nearest (Dekker)."""
    p = a * b
    ah, al = split(a)
    bh, bl = split(b)
    return p, ((ah * bh - p) + ah * bl + al * bh) + al * bl


def add_to_odd(a: Array, b: Array) -> Array:
    """a + b in f64, an inexact sum going to the neighbour with an odd last bit.

    That way a later rounding is not a second one.
    """
    s, e = two_sum(a, b)
    even = (s.view(np.uint64) & np.uint64(1)) == 0
    move = np.isfinite(s) & (e != 0) & even
    toward = np.where(e > 0, np.inf, -np.inf)
    return np.where(move, np.nextafter(s, toward), s)


def fma32(a: Array, b: Array, c: Array) -> Array:
    # The product of two f32 is exact in f64, and f64 has more than twice the bits of f32 and a wider
    # exponent: the sum rounded to odd, then to f32, is the sum rounded once.
    return add_to_odd(a.astype(F64) * b.astype(F64), c.astype(F64)).astype(F32)


def fma64_one(a: float, b: float, c: float) -> float:
    """By exact fractions. All finite, and the exact result is not zero."""
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    try:
        return exact.numerator / exact.denominator  # int / int is correctly rounded, subnormals too
    except OverflowError:
        return float("inf") if exact > 0 else float("-inf")


def fma64(a: Array, b: Array, c: Array) -> Array:
    # Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008; holds away from overflow and
    # underflow.
    uh, ul = two_product(a, b)
    th, tl = two_sum(c, ul)
    vh, vl = two_sum(uh, th)
    out = vh + add_to_odd(tl, vl)

    def between(x: Array, low: float, high: float) -> Array:
        return (np.abs(x) > low) & (np.abs(x) < high)

    safe = (
        between(a, 2.0**-480, 2.0**480)
        & between(b, 2.0**-480, 2.0**480)
        & between(a * b, 2.0**-800, 2.0**900)
    )
    safe &= between(c, 2.0**-800, 2.0**900) | (c == 0)
    # Not a number of the ordinary kind: a zero product is exact, and infinities and NaNs do not round.
    plain = (a == 0) | (b == 0) | ~np.isfinite(a) | ~np.isfinite(b) | np.isnan(c)
    out = np.where(plain, a * b + c, np.where(np.isinf(c), c, out))
    for i in np.flatnonzero(~(safe | plain | np.isinf(c))):
        x, y, z = float(a.flat[i]), float(b.flat[i]), float(c.flat[i])
        # An exact zero is +0 to nearest: the operands are not zero, so they cancelled.
        out.flat[i] = 0.0 if Fraction(x) * Fraction(y) + Fraction(z) == 0 else fma64_one(x, y, z)
    return out


def fma(a: Any, b: Any, c: Any) -> Array:
    """a * b + c rounded once, in the type of the arguments: arrays, or numpy scalars of the same type."""
    a, b, c = np.broadcast_arrays(a, b, c)
    assert a.dtype == b.dtype == c.dtype, (a.dtype, b.dtype, c.dtype)
    with np.errstate(all="ignore"):
        if a.dtype == F32:
            return fma32(a, b, c)
        return fma64(np.array(a), np.array(b), np.array(c))


def h(text: str) -> float:
    return float.fromhex(text)


LN2_HI, LN2_LO = h("0x1.62e42p-1"), h("0x1.fdf473de6af28p-22")
EXP = {
    np.dtype(F32): {
        "cut": -87.0,
        "log2e": h("0x1.715476p+0"),
        "magic": h("0x1.8p+23"),
        "ln2_hi": h("0x1.62p-1"),
        "ln2_lo": h("0x1.c85fep-10"),
    },
    np.dtype(F64): {
        "cut": -708.0,
        "log2e": h("0x1.71547652b82fep+0"),
        "magic": h("0x1.8p+52"),
        "ln2_hi": LN2_HI,
        "ln2_lo": LN2_LO,
    },
}
EXP_C = {
    np.dtype(F32): [1.0, 1.0, 0.5]
    + [h(c) for c in ("0x1.5554dcp-3", "0x1.555518p-5", "0x1.120be2p-7", "0x1.6d117cp-10")],
    np.dtype(F64): [1 / factorial(k) for k in range(14)],  # int / int rounds to nearest
}
LOG_L = [2 / (2 * i + 3) for i in range(10)]
SQRT2 = h("0x1.6a09e667f3bcdp+0")


def exp(d: Array) -> Array:
    """exp(d) for d <= 0, in the type of d. Section 4."""
    real = d.dtype.type
    k = {name: real(value) for name, value in EXP[d.dtype].items()}
    with np.errstate(all="ignore"):
        inside = np.where(d >= k["cut"], d, real(0))  # below the cut, and NaN: settled at the end
        n = fma(inside, k["log2e"], k["magic"]) - k["magic"]
        r = fma(-n, k["ln2_hi"], inside)
        r = fma(-n, k["ln2_lo"], r)
        coefficients = [real(c) for c in EXP_C[d.dtype]]
        p = np.broadcast_to(coefficients[-1], d.shape)
        for c in reversed(coefficients[:-1]):
            p = fma(p, r, c)
        p = np.ldexp(p, n.astype(np.int32))
        return np.where(np.isnan(d), d, np.where(d < k["cut"], real(0), p))


def log(x: Array) -> Array:
    """log(x) for finite f64 x >= 1. Section 4."""
    z, k = np.frexp(x)  # 0.5 <= z < 1
    z, k = z * 2, k - 1
    high = z > SQRT2
    z, kf = np.where(high, z / 2, z), np.where(high, k + 1, k).astype(F64)
    f = z - 1
    s = f / (2 + f)
    w = s * s
    p = np.broadcast_to(F64(LOG_L[9]), x.shape)
    for c in reversed(LOG_L[:9]):
        p = fma(p, w, F64(c))
    r = w * p
    u = fma(kf, F64(LN2_LO), -(s * (f - r)))
    return fma(kf, F64(LN2_HI), f + u)
