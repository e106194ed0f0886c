"""The recipe is what README.md says, and its patterns hold what their names promise."""

from __future__ import annotations

import unittest
from collections.abc import Sequence

import numpy as np
from dtypes import DTYPES, FLOATS, INTEGERS, Array, decode
from recipe import ARGS, PATTERNS, fnv1a, make, mix


def values(dtype: str, pattern: str, args: Sequence[int] = (), count: int = 1000) -> Array:
    return decode(make(dtype, pattern, 7, count, args), DTYPES[dtype])


class Basics(unittest.TestCase):
    def test_fnv1a_vectors_of_its_authors(self) -> None:
        self.assertEqual(fnv1a(b""), 0xCBF29CE484222325)
        self.assertEqual(fnv1a(b"a"), 0xAF63DC4C8601EC8C)
        self.assertEqual(fnv1a(b"foobar"), 0x85944171F73967E8)

    def test_splitmix64_vectors(self) -> None:
        # The sequence of seed 1234567 that implementations of splitmix64 are commonly checked against.
        got = [int(x) for x in mix(1234567, np.arange(3, dtype=np.uint64))]
        self.assertEqual(got, [6457827717110365317, 3203168211198807973, 9817491932198370423])

    def test_an_element_depends_on_its_index_alone(self) -> None:
        for dtype in DTYPES:
            for pattern in PATTERNS:
                args = [5] * ARGS[pattern]
                long = make(dtype, pattern, 3, 100, args)
                np.testing.assert_array_equal(long[:37], make(dtype, pattern, 3, 37, args))

    def test_gaps_are_raw(self) -> None:
        rows = make("f32", "ones", 3, 4 * 10, (), 7, 10).reshape(4, 10)
        raw = make("f32", "raw", 3, 4 * 10).reshape(4, 10)
        self.assertTrue((rows[:, :7] == 0x3F800000).all())
        np.testing.assert_array_equal(rows[:, 7:], raw[:, 7:])


class Patterns(unittest.TestCase):
    def test_uniform_is_moderate(self) -> None:
        for dtype in FLOATS:
            x = np.abs(values(dtype, "uniform"))
            self.assertTrue(((x >= 1 / 16) & (x < 16)).all(), dtype)
        for dtype in INTEGERS:
            x = values(dtype, "uniform").astype(np.int64)
            self.assertTrue(((x >= -64) & (x <= 127)).all(), dtype)

    def test_ones_equal_few(self) -> None:
        for dtype in DTYPES:
            self.assertTrue((values(dtype, "ones") == 1).all(), dtype)
            self.assertEqual(len(set(values(dtype, "equal").tolist())), 1, dtype)
            self.assertEqual(len(set(values(dtype, "few").tolist())), 2 if dtype == "bool" else 4, dtype)

    def test_cancel_cancels(self) -> None:
        for dtype in FLOATS + INTEGERS:
            x = values(dtype, "cancel")
            with np.errstate(all="ignore"):
                self.assertTrue((x[0::4] + x[2::4] == 0).all(), dtype)

    def test_specials(self) -> None:
        for dtype in FLOATS:
            raw = make(dtype, "nan", 7, 1000, (3,))
            nan = np.isnan(decode(raw, DTYPES[dtype]))
            self.assertTrue(200 < nan.sum() < 500, dtype)
            self.assertEqual(
                len({int(b) >> (DTYPES[dtype].bits - 1) for b in raw[nan]}), 2, dtype
            )  # both signs
            self.assertGreater(len(set(raw[nan].tolist())), 50, dtype)  # payloads
            self.assertEqual(np.flatnonzero(np.isnan(values(dtype, "nan_at", (17,)))).tolist(), [17])
            self.assertTrue((values(dtype, "inf_pos", (1,)) == np.inf).all())
            self.assertTrue((values(dtype, "inf_neg", (1,)) == -np.inf).all())
            self.assertEqual(len(set(values(dtype, "inf", (1,)).tolist())), 2)
            self.assertTrue(np.isfinite(values(dtype, "wide")).all())
            tiny = values(dtype, "subnormal").astype(np.float64)
            self.assertTrue((np.abs(tiny) < 4 * 2.0 ** (1 - DTYPES[dtype].bias)).all())

    def test_integers_reach_their_extremes(self) -> None:
        for dtype in INTEGERS:
            info = np.iinfo(dtype.replace("i", "int").replace("u", "uint"))
            x = values(dtype, "extremes").tolist()
            self.assertIn(info.min, x)
            self.assertIn(info.max, x)

    def test_order(self) -> None:
        for dtype in DTYPES:
            up, down = values(dtype, "ascending", count=70000), values(dtype, "descending", count=70000)
            self.assertTrue((up[1:] >= up[:-1]).all(), dtype)
            self.assertTrue((down[1:] <= down[:-1]).all(), dtype)
            self.assertNotEqual(up[0], up[1], dtype)

    def test_mostly_zero_and_never_zero(self) -> None:
        for dtype in DTYPES:
            self.assertTrue(0 < (values(dtype, "sparse", (37,)) != 0).sum() < 100, dtype)
            self.assertTrue((values(dtype, "truthy") != 0).all(), dtype)
            self.assertTrue((values(dtype, "zeros") == 0).all(), dtype)
        self.assertGreater(len(set(make("bool", "truthy", 7, 1000).tolist())), 100)  # any byte but 0 is true


if __name__ == "__main__":
    unittest.main()
