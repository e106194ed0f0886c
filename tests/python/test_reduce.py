"""The functions on numpy arrays: beside numpy where it computes the same, beside the reference to the bit."""

from __future__ import annotations

import operator
from typing import Any

import dtypes
import hypothesis.extra.numpy as hnp
import numpy as np
import pytest
import reference
import warpprim as wp
from hypothesis import given
from hypothesis import strategies as st
from warpprim._view import NAMES, default_result
from warpprim.raw import Dtype, Op

FUNCTIONS = {"and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor", "amax": "max_abs"}
EXACT = ["sum", "min", "max", "argmin", "argmax", "any", "all", "count_nonzero", "mean"]


def function(op: str) -> Any:
    return getattr(wp, FUNCTIONS.get(op, op))


@pytest.mark.parametrize("name", EXACT)
@pytest.mark.parametrize("shape", [(1,), (7,), (1000,), (3, 5), (2, 3, 4), (40000,)])
@pytest.mark.parametrize("dtype", ["int32", "uint8", "bool"])
def test_as_numpy(name: str, shape: tuple[int, ...], dtype: str) -> None:
    x = np.random.default_rng(1).integers(0, 100, shape).astype(dtype)
    ours, theirs = getattr(wp, name), getattr(np, name)
    for axis in (None, -1):
        got, want = ours(x, axis), theirs(x, axis=axis)
        np.testing.assert_array_equal(got, want)
        assert np.shape(got) == np.shape(want)
    assert isinstance(ours(x), np.generic)


def test_result_types() -> None:
    assert wp.sum(np.ones(3, np.int8)).dtype == np.int64
    assert wp.sum(np.ones(3, np.float16)).dtype == np.float16
    assert wp.any(np.ones(3)).dtype == np.bool_
    assert wp.max_abs(np.array([-128], np.int8)) == np.uint8(128)
    assert wp.sum(np.ones(3, np.int8), dtype=np.float32).dtype == np.float32
    assert wp.sum(np.ones(3, np.float32), dtype="float64").dtype == np.float64
    assert wp.sum(np.ones(3, np.float32), dtype=Dtype.F64).dtype == np.float64


@pytest.mark.parametrize("op", list(Op))
def test_default_results_are_those_of_the_library(op: Op) -> None:
    for dtype in dtypes.DTYPES:
        outs = reference.out_dtypes(op.name.lower(), dtype)
        if outs:
            number = Dtype[dtype.upper()]
            assert NAMES[default_result(op, number)] == NAMES[Dtype[outs[0].upper()]]


def test_axes() -> None:
    x = np.arange(2 * 3 * 4).reshape(2, 3, 4)
    axes: list[Any] = [-1, 2, (1, 2), (2, 1), (-1, -2), (0, 1, 2), np.int64(2), ()]
    for axis in axes:
        np.testing.assert_array_equal(wp.sum(x, axis), np.sum(x, axis=axis))
        want = np.sum(x, axis=axis, keepdims=True)
        np.testing.assert_array_equal(wp.sum(x, axis, keepdims=True), want)
    flat = x[0].T
    np.testing.assert_array_equal(
        wp.sum(flat, 0), np.sum(flat, axis=0)
    )  # lies packed, though it is the first
    np.testing.assert_array_equal(wp.sum(x[:, :, 1:3], -1), np.sum(x[:, :, 1:3], axis=-1))
    np.testing.assert_array_equal(wp.minmax(x, -1)[..., 1], x.max(axis=-1))
    assert wp.sum(np.float64(3)) == 3 and wp.sum(np.array(3)) == 3
    assert wp.minmax(x).tolist() == [0, 23]


def test_empty() -> None:
    assert wp.sum(np.empty(0)) == 0 and wp.prod(np.empty(0)) == 1 and wp.argmax(np.empty(0)) == -1
    assert wp.sum(np.empty((3, 0)), -1).tolist() == [0, 0, 0]
    assert wp.sum(np.empty((0, 3)), -1).tolist() == []


def test_out_nan_ddof() -> None:
    x = np.array([[1, np.nan, 3], [4, 6, 8]], np.float32)
    out = np.empty(2, np.float64)
    assert wp.sum(x, -1, out=out, nan="ignore") is out and out.tolist() == [4, 18]
    assert np.isnan(wp.max(x)) and wp.max(x, nan="ignore") == 8
    assert wp.var(x[1], ddof=1) == 4 and wp.std(x[1], ddof=np.int32(1)) == 2  # type: ignore[arg-type]
    assert wp.reduce(x[1], "var", ddof=1) == 4
    assert wp.reduce(x[1], "amax") == 8 and wp.reduce(x, Op.MAX, -1, nan="ignore").tolist() == [3, 8]  # type: ignore[arg-type]


def test_read_only_and_subclasses() -> None:
    x = np.arange(10.0)
    x.flags.writeable = False
    assert wp.sum(x) == 45
    assert wp.sum(np.arange(6.0).view(np.recarray)) == 15
    assert wp.sum(np.broadcast_to(np.float64(2), (1,))) == 2


@st.composite
def views(draw: st.DrawFn) -> np.ndarray[Any, Any]:
    """Arrays that lie in memory in every way that numpy knows."""
    shape = draw(hnp.array_shapes(min_dims=1, max_dims=4, min_side=0, max_side=6))
    x = np.arange(int(np.prod(shape)), dtype=draw(st.sampled_from(["i4", "u1", "f8"]))).reshape(shape)
    x = x.transpose(draw(st.permutations(range(x.ndim))))
    view: np.ndarray[Any, Any] = x[draw(hnp.basic_indices(x.shape, min_dims=0))]
    return view


@given(x=views(), data=st.data())
def test_views_give_what_a_copy_gives_or_are_refused(x: np.ndarray[Any, Any], data: st.DataObject) -> None:
    axes = st.none() | st.sets(st.integers(0, max(0, x.ndim - 1))).map(tuple)
    axis = data.draw(axes if x.ndim else st.none())
    for name in ("sum", "max", "argmax") if axis is None or len(axis) <= 1 else ("sum",):
        try:
            got = getattr(wp, name)(x, axis)
        except ValueError as error:
            assert "Pass a copy" in str(error)
            continue
        if x.size:
            moved = axis[0] if axis and name == "argmax" else axis
            if axis == () and name == "argmax":
                continue
            np.testing.assert_array_equal(got, getattr(np, name)(x, axis=moved))


@given(x=hnp.arrays(np.float32, hnp.array_shapes(max_dims=3, max_side=5)))
def test_packed_arrays_are_never_refused(x: np.ndarray[Any, Any]) -> None:
    for axis in [None, *(tuple(range(i, x.ndim)) for i in range(x.ndim))]:
        wp.sum(x, axis)


@given(data=st.data())
def test_bits_of_the_reference(data: st.DataObject) -> None:
    """Any values, with NaNs of every kind: the bits that the reference computes."""
    dtype = data.draw(st.sampled_from([d for d in dtypes.DTYPES if d != "bf16"]))
    op = data.draw(st.sampled_from([op for op in reference.OPS if reference.out_dtypes(op, dtype)]))
    out = data.draw(st.sampled_from([o for o in reference.out_dtypes(op, dtype) if o != "bf16"]))
    nan = data.draw(st.sampled_from(["propagate", "ignore"]))
    rows, cols = data.draw(st.integers(1, 3)), data.draw(st.integers(0, 200))
    d = dtypes.DTYPES[dtype]
    bits = data.draw(hnp.arrays(dtypes.carrier(d), (rows, cols)))
    named = NAMES[Dtype[dtype.upper()]]
    want = reference.reduce(op, dtype, bits, cols, out, nan)
    got = wp.reduce(bits.view(named), op, -1, dtype=NAMES[Dtype[out.upper()]], nan=nan)
    assert got.tobytes() == np.ascontiguousarray(want).tobytes()
    if out == reference.out_dtypes(op, dtype)[0] and nan == "propagate":
        row = reference.reduce(op, dtype, bits[:1], cols)
        assert np.asarray(function(op)(bits[0].view(named))).tobytes() == np.ascontiguousarray(row).tobytes()


def test_large_arrays_on_several_threads_give_the_same_bits() -> None:
    x = np.random.default_rng(0).standard_normal(1 << 21, dtype=np.float32)
    whole, part = wp.sum(x), wp.sum(x[None], -1)[0]
    assert whole.tobytes() == part.tobytes()


def test_every_op_has_a_function() -> None:
    for op in Op:
        name = op.name.lower()
        x = np.ones((2, 3), np.int32)
        np.testing.assert_array_equal(wp.reduce(x, name, -1), function(name)(x, -1))
        assert FUNCTIONS.get(name, name) in wp.__all__
    assert operator.attrgetter("__doc__")(wp.sum).startswith("The sum.")
