"""Copies and fills."""

from __future__ import annotations

import copy as copies
from collections.abc import Mapping
from typing import Any, Callable, ClassVar

import numpy as np

from . import raw
from ._general import ordered
from ._interface import LEGACY
from ._libraries import library_of
from ._numpy import address, numpy_dtype
from ._recording import Node, Pointers
from ._reduce import check_view
from ._streams import Stream
from ._view import CPU, SIZES, View, product, rows_of
from .errors import InvalidArgument
from .raw import Slot


class Operand:
    """An array without gaps that a copy or a fill can reach, as `name`."""

    def __init__(self, name: str, array: Any, stream: Stream, device: bool) -> None:
        view = library_of(array, name).view(array, stream.native or LEGACY)
        check_view(view, name)
        rows_of(view, frozenset(range(len(view.shape))), name, "an array without gaps")
        here = (stream.context.kind, stream.context.ordinal)
        if view.device != here and (device or view.device != CPU):
            raise InvalidArgument(f"{name} is on {view.device}, stream on {here[0]}:{here[1]}")
        if name == "dst" and not view.writable:
            raise InvalidArgument("dst cannot be written: it is read-only, or does not say that it is not")
        self.name, self.array, self.view = name, array, view
        self.bytes = product(view.shape) * SIZES[view.dtype]

    def check_fits(self, other: Operand) -> None:
        if (other.view.dtype, other.view.shape) != (self.view.dtype, self.view.shape):
            raise InvalidArgument(f"{other.name} is {other.view}, {self.name} is {self.view}: pass two alike")


class Memory(Node):
    """A copy, which has a source, or a fill, which has a value."""

    def __init__(self, stream: Stream, dst: Any) -> None:
        self.stream = stream
        self.dst = Operand("dst", dst, stream, device=self.name == "fill")

    def views(self) -> list[View]:
        return [self.dst.view]

    def used(self) -> tuple[object, ...]:
        return (self.dst.array, *(view.owner for view in self.views()))

    def bytes(self) -> int:
        return self.dst.bytes

    def enqueue(self, function: Callable[..., int], *arguments: Any) -> None:
        ordered(self.stream, self, self.views(), function, *arguments)

    def rebound_dst(self, given: dict[str, Any]) -> tuple[Any, Pointers]:
        self.check_names(given)
        new, pointers = copies.copy(self), []
        if "dst" in given:
            new.dst = Operand("dst", given["dst"], self.stream, device=self.name == "fill")
            self.dst.check_fits(new.dst)
            pointers.append((Slot.SLOT_OUT, new.dst.view.pointer))
        return new, pointers


class Copy(Memory):
    name = "copy"
    slots: ClassVar[Mapping[str, Slot]] = {"dst": Slot.SLOT_OUT, "src": Slot.SLOT_IN}

    def __init__(self, stream: Stream, dst: Any, src: Any) -> None:
        super().__init__(stream, dst)
        self.src = Operand("src", src, stream, device=False)
        self.dst.check_fits(self.src)

    def views(self) -> list[View]:
        return [self.dst.view, self.src.view]

    def rebound(self, given: dict[str, Any]) -> tuple[Copy, Pointers]:
        new, pointers = self.rebound_dst(given)
        if "src" in given:
            new.src = Operand("src", given["src"], self.stream, device=False)
            self.src.check_fits(new.src)
            pointers.append((Slot.SLOT_IN, new.src.view.pointer))
        return new, pointers


class Fill(Memory):
    name = "fill"
    slots: ClassVar[Mapping[str, Slot]] = {"dst": Slot.SLOT_OUT, "value": Slot.SLOT_VALUE}

    def __init__(self, stream: Stream, dst: Any, value: Any) -> None:
        super().__init__(stream, dst)
        self.value = self.element(value)

    def element(self, value: Any) -> np.ndarray[Any, Any]:
        """One element, as the library reads it."""
        dtype = numpy_dtype(self.dst.view.dtype)
        try:
            with np.errstate(over="ignore"):
                element = np.array(value, dtype)
        except (TypeError, ValueError, OverflowError) as error:
            raise InvalidArgument(f"value = {value!r} is no {dtype.name}: {error}") from None
        if element.shape:
            raise InvalidArgument(f"value has the shape {element.shape}: pass a single number")
        return element

    def rebound(self, given: dict[str, Any]) -> tuple[Fill, Pointers]:
        new, pointers = self.rebound_dst(given)
        if "value" in given:
            new.value = self.element(given["value"])
            pointers.append((Slot.SLOT_VALUE, address(new.value)))
        return new, pointers


def copy(stream: Stream, dst: Any, src: Any) -> None:
    node = Copy(stream, dst, src)
    node.enqueue(raw.wprim_copy, stream.handle, node.dst.view.pointer, node.src.view.pointer, node.dst.bytes)


def fill(stream: Stream, dst: Any, value: Any) -> None:
    node = Fill(stream, dst, value)
    view = node.dst.view
    arguments = view.dtype, view.pointer, product(view.shape), address(node.value)
    node.enqueue(raw.wprim_fill, stream.handle, *arguments)
