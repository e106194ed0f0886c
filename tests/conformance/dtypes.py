"""The element types: sizes, float formats, and the way between bits and numbers.

Bits are always numpy arrays of the unsigned type of the element's width. Numbers are float32 (for f32, f16,
bf16), float64 or the integer type itself; a bool is the uint8 0 or 1.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


class Dtype(NamedTuple):
    name: str
    size: int  # bytes
    kind: str  # f: float, i: signed, u: unsigned, b: bool
    mantissa: int = 0  # floats: stored bits of the fraction
    bias: int = 0  # floats: what the exponent field holds for 1.0
    big: int = 0  # floats: exponent of the large values of recipe `cancel`

    @property
    def bits(self) -> int:
        return 8 * self.size

    @property
    def is_float(self) -> bool:
        return self.kind == "f"

    @property
    def inf(self) -> int:
        """Bits of +infinity: an exponent field of all ones."""
        return (2 * self.bias + 1) << self.mantissa

    @property
    def nan(self) -> int:
        """Bits of the one NaN that results use: quiet, positive, no payload."""
        return self.inf | 1 << (self.mantissa - 1)


DTYPES: dict[str, Dtype] = {
    d.name: d
    for d in (
        Dtype("f32", 4, "f", 23, 127, 30),
        Dtype("f64", 8, "f", 52, 1023, 60),
        Dtype("f16", 2, "f", 10, 15, 14),
        Dtype("bf16", 2, "f", 7, 127, 30),
        Dtype("i8", 1, "i"),
        Dtype("i16", 2, "i"),
        Dtype("i32", 4, "i"),
        Dtype("i64", 8, "i"),
        Dtype("u8", 1, "u"),
        Dtype("u16", 2, "u"),
        Dtype("u32", 4, "u"),
        Dtype("u64", 8, "u"),
        Dtype("bool", 1, "b"),
    )
}
FLOATS = tuple(d.name for d in DTYPES.values() if d.is_float)
INTEGERS = tuple(d.name for d in DTYPES.values() if d.kind in "iu")


def carrier(d: Dtype) -> np.dtype[Any]:
    """The numpy type that holds the bits of `d`."""
    return np.dtype(f"u{d.size}")


def decode(bits: Array, d: Dtype) -> Array:
    """Bits to numbers; exact."""
    if d.name == "bf16":
        return (bits.astype(np.uint32) << np.uint32(16)).view(np.float32)
    if d.kind == "b":
        true: Array = bits != 0
        return true.astype(np.uint8)
    numbers = bits.view(np.dtype(f"{d.kind}{d.size}"))
    return numbers.astype(np.float32) if d.name == "f16" else numbers


def narrow(x: Array, d: Dtype) -> Array:
    """Rounds f64 values to the float type `d` once, to nearest even, and gives the bits.

    Any NaN becomes the type's one NaN.
    """
    with np.errstate(all="ignore"):
        if d.name == "f64":
            y = x.astype(np.float64)
        elif d.name == "f32":
            y = x.astype(np.float32)
        else:
            y = round_to(x.astype(np.float64), d.mantissa, 1 - d.bias, d.bias)
            y = y.astype(np.float16 if d.name == "f16" else np.float32)  # exact: y is a value of `d`
        bits = y.view(np.dtype(f"u{y.itemsize}"))
        if d.name == "bf16":
            bits = bits >> np.uint32(16)
    return np.where(np.isnan(x), carrier(d).type(d.nan), bits.astype(carrier(d)))


def round_to(x: Array, mantissa: int, emin: int, emax: int) -> Array:
    """f64 values rounded to the nearest multiple of the target's last place, ties to even, as f64.

    Dividing by a power of two and multiplying by it are exact here, so rint is the only rounding.
    """
    _, exponent = np.frexp(np.where(np.isfinite(x), x, 0.0))  # |x| = f * 2^exponent with 0.5 <= f < 1
    place = np.ldexp(np.ones_like(x), np.maximum(exponent - 1, emin) - mantissa)
    y = np.rint(x / place) * place
    rounded: Array = np.where(np.abs(y) >= 2.0 ** (emax + 1), np.copysign(np.inf, y), y)
    return rounded
