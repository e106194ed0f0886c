"""Test inputs from a recipe of integers: pattern, seed, args, dtype and an element's index give its bits.

README.md says the same in words; recipe.c in C. Only integer operations modulo 2^64 are used, so every
language agrees.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from dtypes import DTYPES, Array, Dtype, carrier

U = np.uint64
GOLDEN = U(0x9E3779B97F4A7C15)
BLOCK = 1 << 18  # elements made at a time, so that large inputs need little memory


def mix(seed: int, index: Array) -> Array:
    """Output number `index` of splitmix64 started at `seed`."""
    z = (index + U(1)) * GOLDEN + U(seed)
    z = (z ^ (z >> U(30))) * U(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> U(27))) * U(0x94D049BB133111EB)
    return z ^ (z >> U(31))


class Elements:
    """The elements `index` of one recipe, and what patterns are built from.

    Bits are uint64; make() cuts them to the width.
    """

    def __init__(self, d: Dtype, seed: int, args: Sequence[int], index: Array) -> None:
        self.d, self.seed, self.args, self.index = d, seed, args, index
        self.word = mix(seed, index)
        self.choice = (self.word >> U(52)) & U(0x7FF)
        self.negative = self.word >> U(63) == 1

    def const(self, value: int) -> Array:
        return np.full(self.index.shape, value % 2**64, np.uint64)

    def real(self, exponent: Array) -> Array:
        """A float with the exponent field `exponent` and the word's sign and low bits."""
        d = self.d
        sign = (self.word >> U(63)) << U(d.bits - 1)
        bits: Array = sign | exponent << U(d.mantissa) | self.word & U((1 << d.mantissa) - 1)
        return bits

    def one(self) -> int:
        return self.d.bias << self.d.mantissa if self.d.is_float else 1

    def sign(self) -> int:
        return 1 << (self.d.bits - 1)

    def pick(self, table: Sequence[int]) -> Array:
        return np.array([t % 2**64 for t in table], np.uint64)[(self.choice % U(len(table))).astype(np.intp)]

    def special(self) -> Array:
        """Where sprinkled values go: one place in args[0], by a second word."""
        there: Array = mix(self.seed, ~self.index) % U(self.args[0]) == 0
        return there

    def a_nan(self) -> Array:
        """Any sign, any payload, quiet or signalling. Integers: any bits."""
        return self.real(self.const(2 * self.d.bias + 1)) | U(1) if self.d.is_float else self.word

    def top(self) -> int:
        """The most steps that `ascending` can climb."""
        d = self.d
        if d.is_float:
            return d.inf - 1 - self.one()
        if d.kind == "b":
            return 1
        return self.sign() - 1 if d.kind == "i" else 2**d.bits - 1


class Patterns(Elements):
    """One method a pattern, of its name."""

    def raw(self) -> Array:
        return self.word

    def zero(self) -> Array:
        return self.const(0)

    def ones(self) -> Array:
        return self.const(self.one())

    def uniform(self) -> Array:
        d = self.d
        if d.is_float:
            return self.real(U(d.bias - 4) + (self.choice & U(7)))
        if d.kind == "b":
            return self.word & U(1)
        return (self.word & U(0x7F)) - U(64 if d.kind == "i" else 0)

    def equal(self) -> Array:
        first = Patterns(self.d, self.seed, self.args, np.zeros(1, np.uint64))
        return self.const(int(first.uniform()[0]))

    def few(self) -> Array:
        one = self.one()
        if self.d.is_float:
            return self.pick([self.sign() | one, 0, one, one + (1 << self.d.mantissa)])
        return self.pick([-1, 0, 1, 2] if self.d.kind == "i" else [0, 1, 2, 3])

    def near_one(self) -> Array:
        d = self.d
        if d.is_float:  # positive: 1 to 1 + 1/16, or 1 - 1/32 to 1
            top = U(0xF << (d.mantissa - 4))
            low = self.word & U((1 << (d.mantissa - 4)) - 1)
            one = U(self.one())
            return np.where(self.negative, (one - U(1 << d.mantissa)) | top | low, one | low)
        odd = np.where(self.choice % U(16) == 0, U(3), U(1))
        return np.where(self.negative, ~odd + U(1), odd) if d.kind == "i" else odd

    def cancel(self) -> Array:
        d = self.d
        group = mix(self.seed, self.index >> U(2))  # elements 4 g and 4 g + 2 cancel, those between are small
        if d.is_float:
            big = U((d.bias + d.big) << d.mantissa) | group & U((1 << d.mantissa) - 1)
            small, minus = self.uniform(), big | U(self.sign())
        else:
            big, small, minus = group, self.uniform(), ~group + U(1)
        place = self.index & U(3)
        return np.where(place == 0, big, np.where(place == 2, minus, small))

    def mixed(self) -> Array:
        d = self.d
        if not d.is_float:
            return self.wide()
        reach = (d.bias + 1) // 4
        return self.real(U(d.bias - reach) + self.choice % U(2 * reach + 1))

    def wide(self) -> Array:
        d = self.d
        if d.is_float:
            return self.real(U(1) + self.choice % U(2 * d.bias))
        top = self.word << U(
            64 - d.bits
        )  # the element in the upper bits, so that the shift brings its sign down
        shift = self.choice % U(d.bits)
        if d.kind == "i":
            return (top.view(np.int64) >> (shift + U(64 - d.bits)).astype(np.int64)).view(np.uint64)
        return top >> (shift + U(64 - d.bits))

    def subnormal(self) -> Array:
        if self.d.is_float:
            return self.real((self.choice & U(15) == 0).astype(np.uint64))
        return self.word & U(3)

    def zeros(self) -> Array:
        return (self.word >> U(63)) * U(self.sign()) if self.d.is_float else self.const(0)

    def extremes(self) -> Array:
        d, s = self.d, self.sign()
        if d.is_float:
            largest, smallest = d.inf - 1, 1 << d.mantissa
            return self.pick([s | largest, largest, s | smallest, smallest, s, 0, s | 1, 1])
        return self.pick([s, s - 1, s + 1, s - 2, 0, 1, -1, s >> 1])

    def inf(self) -> Array:
        d = self.d
        low, high = (self.sign() | d.inf, d.inf) if d.is_float else (self.sign(), self.sign() - 1)
        return np.where(self.special(), np.where(self.negative, U(low), U(high)), self.uniform())

    def inf_pos(self) -> Array:
        high = self.d.inf if self.d.is_float else self.sign() - 1
        return np.where(self.special(), U(high), self.uniform())

    def inf_neg(self) -> Array:
        low = self.sign() | self.d.inf if self.d.is_float else self.sign()
        return np.where(self.special(), U(low), self.uniform())

    def nan(self) -> Array:
        return np.where(self.special(), self.a_nan(), self.uniform())

    def nan_at(self) -> Array:
        return np.where(self.index == U(self.args[0]), self.a_nan(), self.uniform())

    def sparse(self) -> Array:
        value = self.uniform() if self.d.is_float else self.word | U(1)
        return np.where(self.special(), value, self.zeros())

    def truthy(self) -> Array:
        return self.uniform() if self.d.is_float else self.word | U(1)

    def ascending(self) -> Array:
        step = np.minimum(self.index, U(self.top()))
        return step + U(self.one()) if self.d.is_float else step

    def descending(self) -> Array:
        step = np.minimum(self.index, U(self.top()))
        if self.d.is_float:
            return (step + U(self.one())) | U(self.sign())
        return ~step + U(1) if self.d.kind == "i" else U(self.top()) - step


PATTERNS: dict[str, Callable[[Patterns], Array]] = {
    name: method for name, method in vars(Patterns).items() if not name.startswith("_")
}
# How many integers a pattern takes in `args`.
ARGS: dict[str, int] = {
    p: int(p in ("inf", "inf_pos", "inf_neg", "nan", "nan_at", "sparse")) for p in PATTERNS
}


def make(
    dtype: str, pattern: str, seed: int, count: int, args: Sequence[int] = (), cols: int = 0, stride: int = 0
) -> Array:
    """The bits of elements 0 to count - 1.

    With stride > cols, the gaps between rows hold `raw` bits, whatever the pattern.
    """
    if len(args) != ARGS[pattern]:
        raise ValueError(f"pattern {pattern} takes {ARGS[pattern]} args, got {list(args)}")
    d = DTYPES[dtype]
    out = np.empty(count, carrier(d))
    for start in range(0, count, BLOCK):
        index = np.arange(start, min(start + BLOCK, count), dtype=np.uint64)
        elements = Patterns(d, seed, args, index)
        bits = PATTERNS[pattern](elements)
        if stride > cols:
            bits = np.where(index % U(stride) < U(cols), bits, elements.raw())
        out[start : start + BLOCK] = (bits & U(2**d.bits - 1)).astype(out.dtype)
    return out


def fnv1a(data: bytes) -> int:
    """64-bit FNV-1a, the digest of outputs that are too long to spell."""
    h = 0xCBF29CE484222325
    for byte in data:
        h = (h ^ byte) * 0x100000001B3 % 2**64
    return h
