"""The reference is checked against other ways to the same numbers.

These are fractions, math.fsum, numpy's f16 and mpmath.
"""

from __future__ import annotations

import importlib
import importlib.util
import math
import unittest
from fractions import Fraction
from typing import Any

import exact
import numpy as np
import order
from dtypes import DTYPES, FLOATS, Array, decode, narrow
from recipe import make
from reference import OPS, out_dtypes, reduce

# Wanted, not needed: without it the tests of exp and log are skipped, and say so.
mpmath: Any = importlib.import_module("mpmath") if importlib.util.find_spec("mpmath") else None


def one(op: str, dtype: str, bits: Array, **settings: Any) -> float:
    """The only value of a reduce over the whole of `bits`, as a number."""
    out = settings.get("out_dtype") or out_dtypes(op, dtype)[0]
    return float(decode(reduce(op, dtype, bits.reshape(1, -1), bits.size, **settings), DTYPES[out])[0])


def random_values(rng: np.random.Generator, n: int, low: int, high: int) -> Array:
    return (
        rng.choice([-1.0, 1.0], n)
        * (1 + rng.random(n))
        * np.exp2(rng.integers(low, high, n).astype(np.float64))
    )


def round_fraction(x: Fraction) -> float:
    try:
        return x.numerator / x.denominator
    except OverflowError:
        return math.inf if x > 0 else -math.inf


class Fma(unittest.TestCase):
    def test_f64_against_fractions(self) -> None:
        rng = np.random.default_rng(1)
        for low, high in ((-5, 5), (-500, 500), (-1021, 1023), (-560, -480)):
            a, b, c = (random_values(rng, 2000, low, high) for _ in range(3))
            with np.errstate(all="ignore"):
                near = -(a * b) * (
                    1 + rng.integers(-3, 4, a.size) * 2.0**-52
                )  # cancels all but the last bits
            c = np.where((rng.random(a.size) < 0.5) & np.isfinite(near), near, c)
            got = exact.fma(a, b, c)
            for x, y, z, w in zip(a.tolist(), b.tolist(), c.tolist(), got.tolist()):
                self.assertEqual(w, round_fraction(Fraction(x) * Fraction(y) + Fraction(z)), (x, y, z))

    def test_f32_against_f64_and_fractions(self) -> None:
        rng = np.random.default_rng(2)
        for low, high in ((-5, 5), (-60, 60), (-126, -20)):
            a, b, c = (random_values(rng, 2000, low, high).astype(np.float32) for _ in range(3))
            near = (-(a.astype(np.float64) * b)).astype(np.float32)
            c = np.where(rng.random(a.size) < 0.5, near, c)
            got = exact.fma(a, b, c)
            for x, y, z, w in zip(a.tolist(), b.tolist(), c.tolist(), got.tolist()):
                true = Fraction(x) * Fraction(y) + Fraction(z)
                down, up = (
                    np.nextafter(np.float32(w), np.float32(-np.inf)),
                    np.nextafter(np.float32(w), np.float32(np.inf)),
                )
                error = abs(Fraction(w) - true)
                for neighbour in (down, up):
                    other = abs(Fraction(float(neighbour)) - true)
                    even = int(np.float32(w).view(np.uint32)) % 2 == 0
                    self.assertTrue(error < other or (error == other and even), (x, y, z, w))

    def test_specials(self) -> None:
        inf, nan = math.inf, math.nan
        for real in (np.float32, np.float64):
            for x, y, z, want in (
                (inf, 0.0, 1.0, nan),
                (inf, 1.0, -inf, nan),
                (2.0, 3.0, -inf, -inf),
                (0.0, 5.0, -0.0, 0.0),
                (-0.0, 5.0, -0.0, -0.0),
                (1.0, 1.0, -1.0, 0.0),
            ):
                (got,) = exact.fma(*(np.array([v], real) for v in (x, y, z))).tolist()
                self.assertEqual((str(got)), str(want), (x, y, z))


class Rounding(unittest.TestCase):
    def test_f16_against_numpy(self) -> None:
        rng = np.random.default_rng(3)
        every = np.arange(0x7C00, dtype=np.uint16).view(np.float16).astype(np.float64)
        halfway = (every[:-1] + every[1:]) / 2
        x = np.concatenate(
            [
                every,
                halfway,
                np.nextafter(halfway, 0),
                np.nextafter(halfway, np.inf),
                random_values(rng, 5000, -30, 20),
            ]
        )
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(narrow(x, DTYPES["f16"]), x.astype(np.float16).view(np.uint16))
            np.testing.assert_array_equal(narrow(-x, DTYPES["f16"]), (-x).astype(np.float16).view(np.uint16))

    def test_bf16_by_integers(self) -> None:
        # For a value that f32 holds, bf16 is its bits rounded at bit 16; the carry runs into the exponent
        # as it should.
        bits = make("f32", "wide", 9, 20000)
        bits[::3] = (bits[::3] & np.uint32(0xFFFF0000)) | np.uint32(0x8000)  # ties
        bits[1::9] &= np.uint32(0x807FFFFF)  # subnormals
        want = (bits.astype(np.uint64) + 0x7FFF + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint64(16)
        x = bits.view(np.float32).astype(np.float64)
        np.testing.assert_array_equal(narrow(x, DTYPES["bf16"]), want.astype(np.uint16))

    def test_rounds_once(self) -> None:
        # Just above a tie of bf16: through f32 it would become the tie, and go down to even.
        x = np.array([1 + 2.0**-8 + 2.0**-40, 1 + 2.0**-8, 1 + 3 * 2.0**-8, math.nan, math.inf, 3.4e38])
        self.assertEqual(narrow(x, DTYPES["bf16"]).tolist(), [0x3F81, 0x3F80, 0x3F82, 0x7FC0, 0x7F80, 0x7F80])

    def test_every_bit_pattern_comes_back(self) -> None:
        for dtype in ("f16", "bf16"):
            bits = np.arange(65536, dtype=np.uint16)
            with np.errstate(invalid="ignore"):  # signalling NaNs
                x = decode(bits, DTYPES[dtype]).astype(np.float64)
            want = np.where(np.isnan(x), np.uint16(DTYPES[dtype].nan), bits)
            np.testing.assert_array_equal(narrow(x, DTYPES[dtype]), want)


@unittest.skipIf(mpmath is None, "mpmath is not installed: exp and log are not compared with true values")
class Elementary(unittest.TestCase):
    def check(self, got: Array, true: Any, x: Array, bits: int) -> None:
        mpmath.mp.prec = 200
        for value, result in zip(x.tolist(), got.tolist()):
            exact_value = true(mpmath.mpf(value))
            if exact_value == 0:
                self.assertEqual(result, 0.0)
                continue
            ulp = mpmath.mpf(2) ** (math.frexp(result)[1] - bits)
            self.assertLessEqual(abs(exact_value - result) / ulp, 2, value)

    def test_exp(self) -> None:
        rng = np.random.default_rng(4)
        for real, cut, bits in ((np.float32, 87, 24), (np.float64, 708, 53)):
            x = np.concatenate(
                [-cut * rng.random(3000), -np.exp2(-30 * rng.random(500)), [0.0, -cut]]
            ).astype(real)
            self.check(exact.exp(x), mpmath.exp, x, bits)
            self.assertEqual(exact.exp(np.array([-cut - 1.0, -math.inf], real)).tolist(), [0.0, 0.0])

    def test_log(self) -> None:
        rng = np.random.default_rng(5)
        x = np.concatenate(
            [
                1 + rng.random(2000) * 3,
                np.exp2(200 * rng.random(2000)),
                1 + np.exp2(-50 * rng.random(500)),
                [1.0, 2.0],
            ]
        )
        self.check(exact.log(x), mpmath.log, x, 53)


def sum_by_rules(x: Array, v: int) -> Array:
    """Section 3 once more, one element at a time, with no padding.

    Rules 1 to 5 as dictionaries of what exists.
    """
    chunk = order.ROUNDS * order.SLOTS * v
    partials = []
    for start in range(0, len(x), chunk):
        part: dict[tuple[int, int], Any] = {}
        for i, value in enumerate(x[start : start + chunk]):
            key = (i // v % order.SLOTS, i % v)
            part[key] = part[key] + value if key in part else value
        for axis, width in ((1, v), (0, order.SLOTS)):
            w = width // 2
            while w:
                for key in [k for k in part if w <= k[axis] < 2 * w]:
                    low = (key[0], key[1] - w) if axis == 1 else (key[0] - w, key[1])
                    part[low] = part[low] + part.pop(key)
                w //= 2
        partials.append(part[0, 0])
    together = np.array(partials)
    return together if len(partials) == 1 else sum_by_rules(together, 16 // x.dtype.itemsize)


class Reduce(unittest.TestCase):
    def test_order_element_by_element(self) -> None:
        for n in (1, 2, 3, 7, 100, 1023, 1025, 3000, 4096, 4097, 20000):
            x = make("f32", "mixed", n, n)
            want = sum_by_rules(x.view(np.float32), 4)
            self.assertEqual(
                reduce("sum", "f32", x.reshape(1, -1), n).tolist(), want.view(np.uint32).tolist(), n
            )

    def test_close_to_the_truth(self) -> None:
        for dtype in FLOATS:
            bits = make(dtype, "uniform", 11, 3000)
            x = decode(bits, DTYPES[dtype]).astype(np.float64)
            mean = math.fsum(x) / x.size
            variance = math.fsum((x - mean) ** 2) / x.size
            for op, want in (
                ("sum", math.fsum(x)),
                ("l1", math.fsum(np.abs(x))),
                ("l2", math.sqrt(math.fsum(x * x))),
                ("mean", mean),
                ("var", variance),
                ("std", math.sqrt(variance)),
                ("logsumexp", math.log(math.fsum(np.exp(x)))),
            ):
                relative = 1e-12 if dtype == "f64" else 1e-4
                self.assertLess(
                    abs(one(op, dtype, bits, out_dtype="f64") - want),
                    relative * max(1, abs(want)),
                    (op, dtype),
                )

    def test_exact_ops_against_numpy(self) -> None:
        for dtype, numpy_dtype in (("f32", np.float32), ("i16", np.int16), ("u64", np.uint64)):
            bits = make(dtype, "raw", 13, 999)
            x = bits.view(numpy_dtype)
            bits = bits[np.isfinite(x)]
            x = x[np.isfinite(x)]
            for op, want in (
                ("min", x.min()),
                ("max", x.max()),
                ("argmin", x.argmin()),
                ("argmax", x.argmax()),
            ):
                self.assertEqual(one(op, dtype, bits), float(want), (op, dtype))
            self.assertEqual(one("count_nonzero", dtype, bits), np.count_nonzero(x))

    def test_signed_zeros(self) -> None:
        zeros = np.array([0x80000000, 0, 0x80000000, 0], np.uint32)
        self.assertEqual(reduce("min", "f32", zeros.reshape(1, 4), 4).tolist(), [0x80000000])
        self.assertEqual(reduce("max", "f32", zeros.reshape(1, 4), 4).tolist(), [0])
        self.assertEqual(reduce("argmax", "f32", zeros.reshape(1, 4), 4).tolist(), [1])
        self.assertEqual(reduce("sum", "f32", zeros[[0, 2]].reshape(1, 2), 2).tolist(), [0x80000000])

    def test_nan_policies(self) -> None:
        x = np.array([[1, 0x7F800001, 3, 0xFFC12345]], np.uint32)
        self.assertEqual(reduce("max", "f32", x, 4).tolist(), [0x7FC00000])
        self.assertEqual(reduce("argmin", "f32", x, 4).tolist(), [1])
        self.assertEqual(reduce("argmax", "f32", x, 4, nan="ignore").tolist(), [2])
        self.assertEqual(reduce("count_nonzero", "f32", x, 4).tolist(), [4])
        self.assertEqual(reduce("count_nonzero", "f32", x, 4, nan="ignore").tolist(), [2])

    def test_integers_wrap(self) -> None:
        x = np.array([[0x80, 0x80, 0xFF]], np.uint8)  # -128, -128, -1
        self.assertEqual(reduce("sum", "i8", x, 3).tolist(), [2**64 - 257])
        self.assertEqual(reduce("sum", "i8", x, 3, out_dtype="u8").tolist(), [0xFF])
        self.assertEqual(reduce("l1", "i8", x, 3).tolist(), [257])
        self.assertEqual(reduce("amax", "i8", x, 3).tolist(), [128])
        self.assertEqual(reduce("and", "bool", np.zeros((1, 0), np.uint8), 0).tolist(), [1])

    def test_every_op_takes_nothing(self) -> None:
        for op in OPS:
            for dtype in DTYPES:
                if out_dtypes(op, dtype):
                    none = make(dtype, "ones", 0, 0)
                    width = 2 if op == "minmax" else 1
                    self.assertEqual(reduce(op, dtype, none.reshape(3, 0), 0).size, 3 * width)
                    self.assertEqual(reduce(op, dtype, none.reshape(0, 5), 5).size, 0)


if __name__ == "__main__":
    unittest.main()
