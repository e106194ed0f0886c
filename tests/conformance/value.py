"""Cases of kind `reduce`: values, in each mode."""

from __future__ import annotations

import ctypes
from typing import Any, Callable

import numpy as np
import warpprim as wp
from dtypes import DTYPES
from session import (
    ALIGNMENT,
    PASS,
    POISON,
    Block,
    Case,
    Result,
    Session,
    compare,
    desc_of,
    failed,
    input_bits,
    name_in_libraries,
    place,
)
from warpprim import raw

NAMES = {"and": "bitwise_and", "or": "bitwise_or", "xor": "bitwise_xor", "amax": "max_abs"}


class Memory:
    """What an op reads and writes. Modes that exchange memory have it twice; the second begins an element
    later, so that not even the alignment is the same."""

    def __init__(self, session: Session, case: Case, shift: int) -> None:
        self.case, self.size = case, DTYPES[case["result"]].size
        self.rows, self.cols = case.get("rows", 1), case["cols"]
        self.stride = case.get("row_stride", 0)
        elements = input_bits(case, self.rows * (self.stride or self.cols))
        offset = case.get("offset", 0) + shift
        self.in_at, self.out_at = offset * DTYPES[case["dtype"]].size, ALIGNMENT + offset * self.size
        self.bytes = self.rows * (2 if case["op"] == "minmax" else 1) * self.size
        self.input = Block(session, self.in_at + len(elements))
        self.input.image[self.in_at :] = elements
        self.output = Block(session, self.out_at + self.bytes + ALIGNMENT)
        self.number = Block(session, 8)
        self.number.image.view(np.uint64)[:] = case.get("n_on_device", 0)
        self.input.put()
        self.number.put()

    def x(self) -> Any:
        if self.rows == 1:
            return self.input.array(self.in_at, self.case["dtype"], (self.cols,))
        return self.input.array(self.in_at, self.case["dtype"], (self.rows, self.cols), self.stride)

    def arrays(self) -> dict[str, Any]:
        """By the names of the arguments."""
        shape: tuple[int, ...] = (self.rows,) if self.rows != 1 else ()
        if self.case["op"] == "minmax":
            shape = (*shape, 2)
        found = {"x": self.x(), "out": self.output.array(self.out_at, self.case["result"], shape)}
        if "n_on_device" in self.case:
            found["n_on_device"] = self.number.array(0, "u64", ())
        return found

    def pointers(self) -> list[tuple[raw.Slot, int | None]]:
        null_in, null_out = self.case.get("null_in"), self.case.get("null_out")
        found: list[tuple[raw.Slot, int | None]] = [
            (raw.Slot.SLOT_IN, None if null_in else self.input.address + self.in_at),
            (raw.Slot.SLOT_OUT, None if null_out else self.output.address + self.out_at),
        ]
        if "n_on_device" in self.case:
            found.append((raw.Slot.SLOT_COUNT, self.number.address))
        return found

    def poison(self) -> None:
        self.output.image[:] = np.uint8(POISON)
        self.output.put()

    def check(self) -> Result:
        """Whether the output is what the case says, and nothing else changed."""
        part = slice(self.out_at, self.out_at + self.bytes)
        now = self.output.get()[part]
        self.output.image[part] = now
        result = compare(self.case, now.tobytes(), self.size)
        blocks = (self.output, "memory around out"), (self.input, "in"), (self.number, "n_on_device")
        for block, what in blocks:
            if result is PASS:
                result = block.changed(what)
        return result


class Reduce:
    """One case, with its memory."""

    def __init__(self, session: Session, case: Case) -> None:
        self.session, self.case = session, case
        self.sets = [Memory(session, case, shift) for shift in range(2 if session.rebinds else 1)]

    def sayable(self) -> bool:
        """Whether the package's functions can make the call."""
        return not any(key in self.case for key in ("null_in", "null_out", "struct_size", "extra"))

    def simple(self) -> bool:
        others = ("out_dtype", "nan", "ddof", "n_on_device")
        return self.sets[0].rows == 1 and not any(key in self.case for key in others)

    def options(self) -> dict[str, Any]:
        """What the package's functions are given, but for the arrays."""
        found = {key: self.case[key] for key in ("nan", "ddof") if key in self.case}
        if "out_dtype" in self.case:
            found["dtype"] = name_in_libraries(self.case["out_dtype"])
        return {**found, "op": self.case["op"], "axis": None if self.sets[0].rows == 1 else -1}

    def run(self, call: Callable[[Reduce], None]) -> Result:
        for memory in self.sets:
            memory.poison()
        call(self)
        for i, memory in enumerate(self.sets):
            result = memory.check()
            if result is not PASS:
                return failed(f"after rebinding: {result.why}") if i else result
        return PASS

    def run_simple(self) -> Result:
        """The function of the op, which makes its own output."""
        session, first, second = self.session, self.sets[0], self.sets[-1]
        op: str = self.case["op"]
        function = getattr(wp, NAMES.get(op, op))
        second.poison()
        if session.mode == "eager":
            result = function(first.x())
        elif session.mode == "resident":
            result = function(first.x(), stream=session.stream)
        else:
            with wp.graph(session.stream) as graph:
                result = function(first.x(), stream=session.stream)
            replay(self, graph)
        session.stream.synchronize()
        compared = compare(self.case, session.bytes_of(result), first.size)
        if compared is PASS:
            compared = first.input.changed("in")
        return second.check() if compared is PASS and session.rebinds else compared


def replay(reduce: Reduce, graph: wp.Graph) -> None:
    """Before the host waits: exchanging the memory must not touch the first launch."""
    graph.launch()
    graph.rebind(0, **reduce.sets[1].arrays())
    graph.launch()
    reduce.session.stream.synchronize()


def call(reduce: Reduce) -> None:
    arrays = reduce.sets[0].arrays()
    resident = reduce.session.mode == "resident"
    given = wp.reduce(**arrays, **reduce.options(), stream=reduce.session.stream if resident else None)
    assert given is arrays["out"]
    reduce.session.stream.synchronize()


def plan(reduce: Reduce) -> None:
    first, second = (memory.arrays() for memory in reduce.sets)
    made = wp.plan(**first, **reduce.options(), context=reduce.session.context)
    assert made.launch(reduce.session.stream) is first["out"]
    made.rebind(**second)
    assert made.launch(reduce.session.stream) is second["out"]
    reduce.session.stream.synchronize()


def graph(reduce: Reduce) -> None:
    stream = reduce.session.stream
    with wp.graph(stream) as made:
        wp.reduce(**reduce.sets[0].arrays(), **reduce.options(), stream=stream)
    replay(reduce, made)


def raw_desc(reduce: Reduce) -> Any:
    desc = desc_of(reduce.case)
    pointers = dict(reduce.sets[0].pointers())
    desc.in_, desc.out = pointers[raw.Slot.SLOT_IN], pointers[raw.Slot.SLOT_OUT]
    desc.n_on_device = pointers.get(raw.Slot.SLOT_COUNT)
    return place(reduce.case, desc)


def raw_call(reduce: Reduce) -> None:
    stream = reduce.session.stream
    wp.errors.check(raw.wprim_reduce_ex(stream.handle, raw_desc(reduce)))
    stream.synchronize()


def raw_replay(reduce: Reduce, kind: str, handle: ctypes.c_void_p) -> None:
    """A plan or a graph: launch, rebind, launch."""
    check, stream = wp.errors.check, reduce.session.stream
    bindings = [raw.Binding(0, slot, pointer) for slot, pointer in reduce.sets[1].pointers()]
    array = (raw.Binding * len(bindings))(*bindings)
    check(getattr(raw, f"wprim_{kind}_launch")(handle, stream.handle))
    check(getattr(raw, f"wprim_{kind}_rebind_many")(handle, array, len(bindings)))
    check(getattr(raw, f"wprim_{kind}_launch")(handle, stream.handle))
    check(getattr(raw, f"wprim_{kind}_destroy")(handle))
    stream.synchronize()


def raw_plan(reduce: Reduce) -> None:
    handle = ctypes.c_void_p()
    context = reduce.session.context.handle
    wp.errors.check(raw.wprim_plan_reduce(context, raw_desc(reduce), ctypes.byref(handle)))
    raw_replay(reduce, "plan", handle)


def raw_graph(reduce: Reduce) -> None:
    handle, stream = ctypes.c_void_p(), reduce.session.stream.handle
    wp.errors.check(raw.wprim_graph_begin(stream))
    status = raw.wprim_reduce_ex(stream, raw_desc(reduce))
    refusal = wp.errors.failure(status) if status else None
    wp.errors.check(raw.wprim_graph_end(stream, ctypes.byref(handle)))
    if refusal:
        raise refusal
    raw_replay(reduce, "graph", handle)


MODES = {"eager": call, "resident": call, "plan": plan, "graph": graph}
RAW_MODES = {"eager": raw_call, "resident": raw_call, "plan": raw_plan, "graph": raw_graph}
