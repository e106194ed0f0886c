"""Python functions that the library calls."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, Callable, ClassVar

from . import raw
from ._recording import Node, Pointers
from .errors import InvalidArgument
from .raw import Slot, Status

Function = Callable[[], object]

# Number -> the function, where its exception goes, and whether it is called once. The one function that C
# calls lives as long as the process, so no call in flight can find it gone.
_calls: dict[int, tuple[Function, list[BaseException], bool]] = {}
_numbers = itertools.count(1)


class HostCall:
    """A function with the number by which C calls it: often, for as long as this object lives."""

    def __init__(self, function: Function, raised: list[BaseException]) -> None:
        self.function = function
        self.number = register(function, raised, once=False)

    def __del__(self) -> None:
        _calls.pop(self.number, None)


def register(function: Function, raised: list[BaseException], once: bool) -> int:
    number = next(_numbers)
    _calls[number] = function, raised, once
    return number


def forget(number: int) -> None:
    _calls.pop(number, None)


def _run(number: int) -> int:
    function, raised, once = _calls[number]
    if once:
        del _calls[number]
    try:
        function()
    except BaseException as error:
        raised.append(error)
        return Status.ERROR_CALLBACK
    return Status.OK


run_in_c = raw.HostFn(_run)


class HostCallNode(Node):
    name = "call"
    slots: ClassVar[Mapping[str, Slot]] = {"function": Slot.SLOT_USER}

    def __init__(self, function: Function, raised: list[BaseException]) -> None:
        self.call, self.raised = HostCall(function, raised), raised

    def used(self) -> tuple[object, ...]:
        return (self.call,)

    def rebound(self, given: dict[str, Any]) -> tuple[HostCallNode, Pointers]:
        self.check_names(given)
        function = given["function"]
        if not callable(function):
            raise InvalidArgument(f"function = {function!r} cannot be called")
        node = HostCallNode(function, self.raised)
        return node, [(Slot.SLOT_USER, node.call.number)]
