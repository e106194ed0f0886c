"""Which reduce cases there are.

Values come from reference.py; this file only chooses, and chooses without chance.

A full product of ops, types, sizes and patterns would be a million cases. So each group below walks one
product in full and lets the other choices rotate: over a group, every choice meets every op.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from typing import Any

from dtypes import DTYPES, FLOATS
from recipe import ARGS, PATTERNS
from reference import BITWISE, MEANS, OPS, SUMS, out_dtypes

Case = dict[str, Any]
Pattern = tuple[str, tuple[int, ...]]

ROUNDING = SUMS + MEANS
FILES = {
    "reduce_sum": ("sum", "prod", "l1", "l2", "mean"),
    "reduce_variance": ("var", "std"),
    "reduce_logsumexp": ("logsumexp",),
    "reduce_extrema": ("min", "max", "minmax", "amax", "argmin", "argmax"),
    "reduce_logic": (*BITWISE, "any", "all", "count_nonzero"),
}

PLAIN: list[Pattern] = [(p, ()) for p in PATTERNS if ARGS[p] == 0]
FLOAT_PATTERNS: list[Pattern] = [
    *PLAIN,
    *(("inf", (97,)), ("inf_pos", (61,)), ("inf_neg", (61,)), ("inf_neg", (1,)), ("sparse", (37,))),
    *(("nan", (211,)), ("nan", (3,)), ("nan", (1,)), ("nan_at", (0,)), ("nan_at", (290,))),
]
INTEGER_PATTERNS: list[Pattern] = [*PLAIN, ("sparse", (37,)), ("inf", (5,))]


class Rotation:
    """An endless walk over `items`; take(k) gives the next k."""

    def __init__(self, items: Sequence[Any]) -> None:
        self._walk = cycle(items)

    def take(self, k: int) -> list[Any]:
        return list(islice(self._walk, k))

    def next(self) -> Any:
        return next(self._walk)


def case(op: str, dtype: str, pattern: Pattern, cols: int, rows: int = 1, **more: Any) -> Case:
    return dict(op=op, dtype=dtype, pattern=pattern[0], args=list(pattern[1]), rows=rows, cols=cols, **more)


def pairs(ops: Sequence[str] = OPS) -> Iterator[tuple[str, str]]:
    """Every op with every type it has a meaning for."""
    for op in ops:
        for dtype in DTYPES:
            if out_dtypes(op, dtype):
                yield op, dtype


def vector(dtype: str) -> int:
    return 16 // DTYPES[dtype].size


def chunk(dtype: str) -> int:
    return 4 * 256 * vector(dtype)


def sizes(dtype: str) -> list[int]:
    """Both sides of every edge that an implementation can have: vectors, warps, blocks, rounds, chunks."""
    v, c = vector(dtype), chunk(dtype)
    fixed = [1, 2, 3, 5, 31, 32, 33, 255, 256, 257, 1023, 1024, 1025]
    edges = [v - 1, v, v + 1, 256 * v - 1, 256 * v + 1, c - 1, c, c + 1, 3 * c + 7, 9 * c + v + 1]
    return list(dict.fromkeys(fixed + edges))  # in this order, each once


def by_size() -> Iterator[Case]:
    """Rows of every length. Types other than f32 share the lengths out among them."""
    gentle = Rotation([("uniform", ()), ("mixed", ()), ("cancel", ())])
    turn = 0
    for op, dtype in pairs():
        every = sizes(dtype)
        some = 7 if op in ROUNDING else 3
        chosen = (
            every
            if dtype == "f32" and op in ROUNDING
            else [every[(turn + i) % len(every)] for i in range(some)]
        )
        turn += some
        for n in chosen:
            pattern = ("near_one", ()) if op == "prod" else gentle.next()
            yield case(op, dtype, pattern, n)


def by_pattern() -> Iterator[Case]:
    """Values that bite: f32 meets every pattern, the other types take turns.

    A NaN pattern is run with both policies.
    """
    floats, integers = Rotation(FLOAT_PATTERNS), Rotation(INTEGER_PATTERNS)
    lengths = Rotation([300, 1000, 777])
    for op, dtype in pairs():
        if dtype == "f32":
            chosen = FLOAT_PATTERNS
        elif dtype in FLOATS:
            chosen = floats.take(7)
        else:
            chosen = integers.take(3)
        for pattern in chosen:
            n = lengths.next()
            yield case(op, dtype, pattern, n)
            if pattern[0].startswith("nan") or pattern[0] == "raw":
                yield case(op, dtype, pattern, n, nan="ignore")


def by_output() -> Iterator[Case]:
    """Every output type; sum of every input type to all of them, the other ops by turns."""
    turn = 0
    for op, dtype in pairs():
        others = out_dtypes(op, dtype)[1:]
        for i, out in enumerate(others):
            if op != "sum" and len(others) > 3 and (turn + i) % 3:
                continue
            pattern = ("near_one", ()) if op == "prod" else ("uniform", ())
            wide = DTYPES[dtype].kind in "iu" and DTYPES[dtype].size == 8 and op != "logsumexp"
            yield case(op, dtype, ("wide", ()) if wide else pattern, 300 + 7 * i, out_dtype=out)
        turn += 1


def empty() -> Iterator[Case]:
    """No elements: the op's empty value for each row.

    All elements ignored: the same. No rows: nothing is written.
    """
    for op, dtype in pairs():
        yield case(op, dtype, ("ones", ()), 0, rows=3)
        if dtype in FLOATS:
            yield case(op, dtype, ("nan", (1,)), 5, nan="ignore")
    for i, op in enumerate(OPS):
        dtype = ("i32", "bool", "u8", "i64")[i % 4]
        yield case(op, dtype, ("ones", ()), 0, null_in=True)
        yield case(op, dtype, ("ones", ()), 5, rows=0, null_in=True, null_out=True)
        yield case(op, dtype, ("ones", ()), 5, rows=0)
    for out in ("i32", "u32", "u64"):
        yield case("argmin", "f32", ("ones", ()), 0, out_dtype=out)
    for out in ("f16", "bf16", "f64"):
        for op in ROUNDING:
            yield case(op, "f32", ("ones", ()), 0, rows=2, out_dtype=out)


def by_ddof() -> Iterator[Case]:
    for op in FILES["reduce_variance"]:
        for dtype in ("f32", "f64", "bf16", "f16", "i8", "u64", "bool"):
            for ddof in (1, 2, 99, 100, 101, 4294967295):
                yield case(op, dtype, ("uniform", ()), 100, ddof=ddof)
        for dtype in FLOATS:  # the NaNs that do not take part are not in the divisor
            yield case(op, dtype, ("nan", (2,)), 20, rows=10, ddof=8, nan="ignore")
            yield case(op, dtype, ("uniform", ()), 1, rows=3, ddof=1)


# rows, cols, stride, offset
# fmt: off
SHAPES: list[tuple[int, int, int, int]] = [
    (1000, 7, 0, 0), (1000, 33, 0, 0), (1000, 100, 0, 0),
    (1000, 129, 0, 0), (300, 1000, 0, 0), (60, 4097, 0, 0),
    (1000, 1, 0, 0), (333, 2, 0, 1), (2, 1, 0, 0),
    (17, 31, 0, 0), (129, 32, 0, 0), (5, 20000, 0, 3),
    (1000, 7, 8, 0), (17, 33, 40, 0), (9, 1000, 1003, 0),
    (4, 4097, 5000, 0), (100, 1, 2, 0), (3, 16384, 16400, 0),
    (1000, 7, 9, 1), (17, 33, 47, 3), (9, 1000, 1001, 5),
    (64, 256, 257, 1), (3, 5, 7, 7), (2, 40000, 40001, 1),
    (1, 1000, 0, 1), (1, 4097, 0, 3), (1, 70001, 0, 1),
    (1, 33, 0, 7), (1, 100, 200, 0), (3, 100, 100, 0),
]
# fmt: on


def by_shape() -> Iterator[Case]:
    """Rows short and long, packed, strided, starting where no vector load can."""
    shapes = Rotation(SHAPES)
    patterns = Rotation([("uniform", ()), ("mixed", ()), ("cancel", ()), ("few", ())])
    types = Rotation(["f64", "f16", "bf16", "i8", "i32", "i64", "u8", "u16", "bool", "i16", "u32", "u64"])
    for op in OPS:
        whole = op in ("sum", "argmax", "var", "logsumexp")
        first = "i32" if op in BITWISE else "f32"
        every = [(first, s) for s in (SHAPES if whole else shapes.take(9))]
        for dtype in types.take(8):
            every += [(dtype, s) for s in shapes.take(2) if out_dtypes(op, dtype)]
        for dtype, (rows, cols, stride, offset) in every:
            pattern = ("near_one", ()) if op == "prod" else patterns.next()
            yield case(op, dtype, pattern, cols, rows=rows, row_stride=stride, offset=offset)
    for op, dtype in pairs((*ROUNDING, "argmin", "max")):
        if dtype in FLOATS:  # some rows with a NaN, some without
            yield case(op, dtype, ("nan", (101,)), 33, rows=50)
            yield case(op, dtype, ("nan", (9,)), 33, rows=50, row_stride=35, nan="ignore")


def by_level() -> Iterator[Case]:
    """Enough chunks that their partials fill more than one round, and more than one chunk of partials."""
    yield case("sum", "f64", ("mixed", ()), 520 * chunk("f64") + 5)
    yield case("var", "f64", ("uniform", ()), 520 * chunk("f64") + 5)
    yield case("logsumexp", "f32", ("uniform", ()), 263 * chunk("f32") + 3)
    yield case("mean", "bf16", ("mixed", ()), 130 * chunk("bf16") + 9)
    yield case("l2", "i8", ("raw", ()), 33 * chunk("i8") + 1)
    yield case("argmax", "u8", ("sparse", (100003,)), 40 * chunk("u8"))
    yield case("sum", "f64", ("mixed", ()), 2048 * chunk("f64") + 4099, large=True)
    yield case("sum", "f32", ("mixed", ()), 4096 * chunk("f32") + 12345, large=True)
    yield case("logsumexp", "f32", ("uniform", ()), 4097, rows=1000, large=True)
    yield case("var", "f16", ("uniform", ()), 4097, rows=1000, large=True)
    yield case("argmin", "i8", ("wide", ()), 4097, rows=1000, large=True)


def by_desc() -> Iterator[Case]:
    """Descs of older and newer headers. 56 bytes end before `nan`: what is missing takes its default."""
    for op, dtype in (("sum", "f32"), ("max", "i16"), ("var", "f64")):
        yield case(op, dtype, ("uniform", ()), 50, struct_size=56)
        yield case(op, dtype, ("uniform", ()), 50, rows=4, struct_size=56)
        yield case(op, dtype, ("uniform", ()), 50, extra=8)
        yield case(op, dtype, ("uniform", ()), 50, rows=4, extra=64)


def by_count() -> Iterator[Case]:
    """A number of elements that is found on the device: smaller than cols, the same, larger, none."""
    lengths = Rotation([300, 1000, 33, 4097])
    for op, dtype in pairs():
        pattern = ("near_one", ()) if op == "prod" else ("uniform", ())
        n = lengths.next()
        numbers = Rotation([0, 1, n - 1, n, n + 1, 2**64 - 1, n // 2])
        if dtype in ("f32", "i32"):
            for number in numbers.take(7):
                yield case(op, dtype, pattern, n, n_on_device=number)
        else:
            yield case(op, dtype, pattern, n, n_on_device=n * 2 // 3)
    several = (("sum", "f32"), ("logsumexp", "f16"), ("var", "f64"), ("argmax", "i8"), ("any", "bool"))
    for op, dtype in several:
        for number in (chunk(dtype) - 1, chunk(dtype), chunk(dtype) + 1, 5 * chunk(dtype) + 3):
            yield case(op, dtype, ("uniform", ()), 40 * chunk(dtype), n_on_device=number)
        yield case(op, dtype, ("uniform", ()), 40 * chunk(dtype), n_on_device=0)
        yield case(op, dtype, ("ones", ()), 0, n_on_device=7, null_in=True)
        yield case(op, dtype, ("uniform", ()), 777, n_on_device=500, offset=1)
    for op in FILES["reduce_variance"]:  # the divisor is of those that count
        for number in (3, 4, 5, 50):
            yield case(op, "f32", ("uniform", ()), 50, n_on_device=number, ddof=4)
    yield case("sum", "f16", ("mixed", ()), 1000, n_on_device=600, out_dtype="f64")
    yield case("argmin", "f32", ("nan_at", (290,)), 1000, n_on_device=290)
    yield case("argmin", "f32", ("nan_at", (290,)), 1000, n_on_device=291)
    yield case("mean", "bf16", ("nan", (3,)), 1000, n_on_device=100, nan="ignore")


GROUPS = (by_size, by_pattern, by_output, empty, by_ddof, by_shape, by_level, by_desc, by_count)


def files() -> Iterator[tuple[str, list[Case]]]:
    """File name and its cases, none twice."""
    seen = set()
    sorted_out: dict[str, list[Case]] = {name: [] for name in FILES}
    home = {op: name for name, ops in FILES.items() for op in ops}
    for group in GROUPS:
        for c in group():
            key = tuple((k, str(v)) for k, v in sorted(c.items()) if v or k == "n_on_device")
            if key not in seen:
                seen.add(key)
                sorted_out[home[c["op"]]].append(c)
    yield from sorted_out.items()
