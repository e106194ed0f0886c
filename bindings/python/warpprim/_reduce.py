"""A reduce, checked: its arguments as a desc, and what must live while it may run."""

from __future__ import annotations

import copy
import ctypes
import operator
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np

from . import raw
from ._interface import LEGACY
from ._libraries import Library, library_of
from ._recording import Node, Pointers
from ._view import BY_NAME, NAMES, SIZES, Rows, View, product, reduced_axes, rows_of
from .errors import InvalidArgument, Unsupported
from .raw import Dtype, Nan, Op, Slot

OPS = {op.name.lower(): op for op in Op}
DESC_SIZE = ctypes.sizeof(raw.ReduceDesc)
NANS = {"propagate": Nan.NAN_PROPAGATE, "ignore": Nan.NAN_IGNORE}


def op_number(op: object) -> int:
    if isinstance(op, str) and op in OPS:
        return OPS[op]
    if isinstance(op, Op):
        return op
    raise InvalidArgument(f"op = {op!r} is none of {', '.join(OPS)}")


def output_number(dtype: object) -> int:
    """An element type however it is said: "float32", numpy.float32, torch.float32, Dtype.F32."""
    if isinstance(dtype, Dtype) and dtype:
        return dtype
    name = dtype if isinstance(dtype, str) else str(dtype)
    if not isinstance(dtype, str) and not name.startswith("torch."):
        try:
            name = np.dtype(dtype).name  # type: ignore[call-overload]
        except Exception:
            name = "unknown to numpy"
    number = BY_NAME.get(name.replace("torch.", ""))
    if number is None:
        raise Unsupported(f"dtype = {dtype!r} is no element type; there are {', '.join(NAMES[1:])}")
    return number


def divisor(ddof: Any) -> int:
    try:
        number = operator.index(ddof)
    except TypeError:
        number = -1
    if not 0 <= number < 2**32:
        raise InvalidArgument(f"ddof = {ddof!r} is no integer from 0 to 2^32 - 1")
    return number


def shape_of(view: View, axes: frozenset[int], op: int, keepdims: bool) -> tuple[int, ...]:
    """The shape of the result."""
    if keepdims:
        shape = tuple(1 if i in axes else n for i, n in enumerate(view.shape))
    else:
        shape = tuple(n for i, n in enumerate(view.shape) if i not in axes)
    return (*shape, 2) if op == Op.MINMAX else shape


def check_view(view: View, name: str) -> None:
    """What an exchange protocol might say that no array is."""
    if any(n < 0 for n in view.shape) or product(view.shape) >= 2**62:
        raise InvalidArgument(f"{name} has the shape {view.shape}, which no memory holds")
    if not 0 <= view.pointer < 2**64:
        raise InvalidArgument(f"{name} has the address {view.pointer}")


def view_of_out(out: Any, x: View, dtype: int | None, shape: tuple[int, ...], native: int) -> View:
    """The caller's output: right in every way, or refused."""
    view = library_of(out, "out").view(out, native)
    check_view(view, "out")
    if not view.writable:
        raise InvalidArgument("out cannot be written: it is read-only, or does not say that it is not")
    if view.device != x.device:
        raise InvalidArgument(f"out is on {view.device}, x on {x.device}: pass an out on {x.device}")
    if view.shape != shape:
        raise InvalidArgument(f"out has the shape {view.shape}; the result has {shape}")
    if dtype is not None and view.dtype != dtype:
        raise Unsupported(f"out is of {NAMES[view.dtype]}, dtype says {NAMES[dtype]}: pass one of the two")
    rows_of(view, frozenset(range(len(shape))), "out", "an array without gaps")
    return view


def view_of_count(count: Any, x: View, native: int) -> View:
    """The number that an op finds when it runs."""
    view = library_of(count, "n_on_device").view(count, native)
    check_view(view, "n_on_device")
    if view.device != x.device:
        raise InvalidArgument(f"n_on_device is on {view.device}, x on {x.device}: pass one on {x.device}")
    if view.dtype != Dtype.U64 or product(view.shape) != 1:
        raise Unsupported(f"n_on_device is {view}: pass a single uint64")
    return view


class Form(NamedTuple):
    """What a call says, but for its memory."""

    axes: frozenset[int]
    rows: Rows
    shape: tuple[int, ...]  # of the result
    dtype: int | None  # of the result, if it was asked for
    nan: int
    ddof: int


def make_form(
    library: Library, view: View, op: int, axis: Any, dtype: Any, nan: Any, ddof: Any, keepdims: Any
) -> Form:
    check_view(view, "x")
    axes = reduced_axes(axis, len(view.shape))
    rows = rows_of(view, axes, "x", library.how_to_copy)
    shape = shape_of(view, axes, op, keepdims)
    if not isinstance(nan, str) or nan not in NANS:
        raise InvalidArgument(f"nan = {nan!r} is none of {', '.join(map(repr, NANS))}")
    number = None if dtype is None else output_number(dtype)
    return Form(axes, rows, shape, number, NANS[nan], divisor(ddof))


# Those of the last calls: programs make few kinds of calls, and make them often.
_forms: dict[tuple[Any, ...], Form] = {}
MOST_FORMS = 1024


def form_of(
    library: Library, view: View, op: int, axis: Any, dtype: Any, nan: Any, ddof: Any, keepdims: Any
) -> Form:
    plain = (
        (axis is None or axis.__class__ is int)
        and ddof.__class__ is int
        and keepdims.__class__ is bool
        and nan.__class__ is str
        and (dtype is None or dtype.__class__ is str or dtype.__class__ is type)
        and 0 <= view.pointer < 2**64
    )
    if not plain:  # equal, maybe, but not the same: 1.0 is no axis
        return make_form(library, view, op, axis, dtype, nan, ddof, keepdims)
    key = op, view.dtype, view.shape, view.strides, axis, dtype, nan, ddof, keepdims
    form = _forms.get(key)
    if form is None:
        form = make_form(library, view, op, axis, dtype, nan, ddof, keepdims)
        if len(_forms) >= MOST_FORMS:
            _forms.clear()
        _forms[key] = form
    return form


class Reduce(Node):
    """A reduce that passed the package's checks, with the memory that it uses."""

    name = "reduce"
    slots: ClassVar[Mapping[str, Slot]] = {
        "x": Slot.SLOT_IN,
        "out": Slot.SLOT_OUT,
        "n_on_device": Slot.SLOT_COUNT,
    }

    def __init__(
        self,
        x: Any,
        op: int,
        axis: Any,
        out: Any,
        dtype: Any,
        nan: Any,
        ddof: Any,
        keepdims: Any,
        n_on_device: Any,
        native: int,
    ) -> None:
        library = self.library = library_of(x, "x")
        view = self.x = library.view(x, native)
        form = self.form = form_of(library, view, op, axis, dtype, nan, ddof, keepdims)
        self.count = None if n_on_device is None else view_of_count(n_on_device, view, native)
        self.out = None
        if out is None:
            number = library.default_result(op, view.dtype) if form.dtype is None else form.dtype
            self.result, pointer = library.empty(view, number, form.shape)
        else:
            self.out = view_of_out(out, view, form.dtype, form.shape, native)
            self.result, pointer, number = out, self.out.pointer, self.out.dtype
        rows = form.rows
        self.desc = raw.ReduceDesc(
            DESC_SIZE,
            op,
            view.dtype,
            number,
            view.pointer,
            pointer,
            rows.rows,
            rows.cols,
            rows.row_stride,
            form.nan,
            form.ddof,
            None if self.count is None else self.count.pointer,
        )

    def views(self) -> list[View]:
        return [view for view in (self.x, self.out, self.count) if view is not None]

    def used(self) -> tuple[object, ...]:
        return (self.result, *(view.owner for view in self.views()))

    def bytes(self) -> int:
        result: int = product(self.form.shape) * SIZES[self.desc.out_dtype]
        return product(self.x.shape) * SIZES[self.x.dtype] + result

    def rebound(self, given: dict[str, Any]) -> tuple[Reduce, Pointers]:
        self.check_names(given)
        new, pointers, native = copy.copy(self), [], self.x.native or LEGACY
        if "x" in given:
            new.x = library_of(given["x"], "x").view(given["x"], native)
            self.check_fits(new.x)
            pointers.append((Slot.SLOT_IN, new.x.pointer))
        if "out" in given:
            new.out = view_of_out(given["out"], self.x, self.desc.out_dtype, self.form.shape, native)
            new.result = given["out"]
            pointers.append((Slot.SLOT_OUT, new.out.pointer))
        if "n_on_device" in given:
            if self.count is None:
                raise InvalidArgument("the op was made without n_on_device, so there is none to rebind")
            new.count = view_of_count(given["n_on_device"], self.x, native)
            pointers.append((Slot.SLOT_COUNT, new.count.pointer))
        return new, pointers

    def check_fits(self, view: View) -> None:
        """Another x must lie as the first one does."""
        check_view(view, "x")
        if (view.device, view.dtype, view.shape) != (self.x.device, self.x.dtype, self.x.shape):
            raise InvalidArgument(f"x is {view}, but the op was made for {self.x}: make another for it")
        rows = rows_of(view, self.form.axes, "x", self.library.how_to_copy)
        if rows.rows > 1 and rows.row_stride != self.form.rows.row_stride:
            raise InvalidArgument(
                f"the rows of x lie {rows.row_stride} elements apart, but the op was made for "
                f"{self.form.rows.row_stride}: make another for it"
            )
