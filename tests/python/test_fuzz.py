"""Whatever is passed, the answer is a result or an exception of the right kind; a crash would end the tests.

Producers here may say anything about an array but that its memory is longer than it is: that nobody can find
out.
"""

from __future__ import annotations

import ctypes
import functools
import gc
import operator
from typing import Any

import numpy as np
import warpprim as wp
from hypothesis import given
from hypothesis import strategies as st
from warpprim import _dlpack, errors
from warpprim.raw import Op

ROOM = np.zeros(1 << 16, np.uint8)
ADDRESS: int = ROOM.__array_interface__["data"][0] + 1024
MAY_RAISE = (TypeError, ValueError, MemoryError, errors.Error)
NAMES = [n for n in wp.__all__ if callable(getattr(wp, n)) and n[0].islower() and n not in ("set_log",)]

numbers = st.integers() | st.integers(-3, 8) | st.floats() | st.booleans()
junk = st.recursive(
    st.none() | numbers | st.text(max_size=5) | st.binary(max_size=5) | st.just(object()) | st.just(int),
    lambda inner: (
        st.lists(inner, max_size=3) | st.tuples(inner, inner) | st.dictionaries(st.text(), inner, max_size=2)
    ),
    max_leaves=5,
)
arrays = st.sampled_from(
    [
        np.ones(5, np.float32),
        np.ones((3, 4), np.int8),
        np.ones((2, 3, 4), np.float16)[:, ::2],
        np.empty((0, 3)),
        np.array(3.0),
        np.array(["text"]),
        np.array([object()]),
        np.zeros(3, "M8[s]"),
        np.zeros(2, "f4,i2"),
        np.float64(3),
        wp.Stream(),
        np.ndarray,
        np,
    ]
)
anything = junk | arrays


@given(data=st.data())
def test_arguments(data: st.DataObject) -> None:
    function = getattr(wp, data.draw(st.sampled_from(NAMES)))
    keywords = ["out", "dtype", "nan", "keepdims", "stream", "ddof", "axis", "op", "n_on_device", "context"]
    options = data.draw(st.dictionaries(st.sampled_from(keywords), anything, max_size=2))
    arguments = [data.draw(arrays), *data.draw(st.lists(anything, max_size=2))]
    try:
        function(*arguments, **options)
    except MAY_RAISE as error:
        assert str(error)


@given(data=st.data())
def test_objects(data: st.DataObject) -> None:
    with wp.Stream() as stream, wp.Event() as event, wp.Context("cpu") as context:
        with wp.graph(stream) as graph:
            stream.fill(np.zeros(3), 1)
            wp.sum(np.ones(3), stream=stream)
        things = [stream, event, context, graph, wp.plan(np.ones(5, np.float32), "sum")]
        for _ in range(4):
            thing = data.draw(st.sampled_from(things))
            methods = [m for m in dir(thing) if not m.startswith("_")]
            method = getattr(type(thing), data.draw(st.sampled_from(methods)), None)
            try:
                if callable(method):
                    method(thing, *data.draw(st.lists(anything | st.sampled_from(things), max_size=2)))
            except MAY_RAISE as error:
                assert str(error)


@given(data=st.data())
def test_rebinding(data: st.DataObject) -> None:
    stream = wp.Stream()
    x, count, room = np.ones((3, 4), np.int8), np.array(3, np.uint64), np.ones(5, np.float32)
    plan = wp.plan(np.ones(5, np.float32), "sum", n_on_device=count)
    with wp.graph(stream) as graph:
        wp.max(x, -1, stream=stream)
        stream.copy(np.zeros((3, 4), np.int8), x)
        stream.fill(room, 2)
        stream.call(gc.isenabled)
        plan.launch(stream)
    names = ["x", "out", "n_on_device", "dst", "src", "value", "function"]
    given = data.draw(st.dictionaries(st.sampled_from(names), anything, max_size=3))
    node: Any = data.draw(numbers | st.integers(0, 4))
    for rebind in (plan.rebind, functools.partial(graph.rebind, node)):
        try:
            rebind(**given)
        except MAY_RAISE as error:
            assert str(error)
    plan()
    graph.launch()
    stream.synchronize()


PROGRAM = ["sum", "fill", "copy", "call", "plan", "record", "wait", "close", "launch", "synchronize", "raise"]


@given(st.lists(st.tuples(st.sampled_from(PROGRAM), st.integers(0, 2)), max_size=12))
def test_recordings(program: list[tuple[str, int]]) -> None:
    """Whatever is done while a graph is recorded, its streams work afterwards."""
    streams, event = [wp.Stream(), wp.Stream(), wp.Stream(resident=True)], wp.Event()
    x, y = np.ones(10), np.zeros(10)
    plan = wp.plan(x, "sum")

    def step(name: str, stream: wp.Stream, graph: wp.Graph) -> None:
        if name == "sum":
            wp.sum(x, stream=stream)
        elif name == "raise":
            raise ValueError("is told")
        else:
            calls: dict[str, Any] = {
                "fill": lambda: stream.fill(y, 1),
                "copy": lambda: stream.copy(y, x),
                "call": lambda: stream.call(gc.isenabled),
                "plan": lambda: plan.launch(stream),
                "record": lambda: event.record(stream),
                "wait": lambda: stream.wait(event),
                "close": stream.close,
                "launch": lambda: graph.launch(stream),
                "synchronize": stream.synchronize,
            }
            calls[name]()

    try:
        with wp.graph(streams[0]) as graph:
            for name, i in program:
                try:
                    step(name, streams[i], graph)
                except MAY_RAISE as error:
                    assert str(error)
                    if name == "raise":
                        raise
        graph.launch()
    except MAY_RAISE as error:
        assert str(error)
    for stream in streams:
        if stream._handle:
            total = wp.sum(x, stream=stream)
            stream.synchronize()
            assert total == 10


def usually(good: Any, bad: Any) -> Any:
    return st.integers(0, 15).flatmap(lambda n: bad if n == 15 else good)


class Liar:
    """Says what it is told to say."""

    def __init__(self, **said: Any) -> None:
        self.__dict__.update(said)


@given(
    shape=usually(
        st.lists(st.integers(0, 8), max_size=3).map(tuple), st.lists(numbers, max_size=3).map(tuple) | junk
    ),
    strides=usually(st.none(), st.lists(numbers, max_size=3).map(tuple) | junk),
    typestr=usually(
        st.sampled_from(["<f4", "|u1", "|b1", "<i8"]), st.sampled_from([">f4", "|O", "<V2"]) | junk
    ),
    data=usually(st.tuples(st.just(ADDRESS), st.booleans()), st.tuples(junk, junk) | junk),
    version=usually(st.just(3), junk),
    key=st.sampled_from(["__array_interface__", "__cuda_array_interface__"]),
)
def test_interfaces(key: str, **said: Any) -> None:
    shape = said["shape"]
    if isinstance(shape, tuple) and all(isinstance(n, int) for n in shape):
        said["shape"] = tuple(n if abs(n) < 9 else n | 1 << 62 for n in shape)
    pointer = said["data"][0] if isinstance(said["data"], tuple) and said["data"] else None
    if key == "__array_interface__" and isinstance(pointer, int) and pointer != ADDRESS:
        said["data"] = None
    strides = said["strides"]
    if isinstance(strides, tuple):
        said["strides"] = tuple(n % 128 if isinstance(n, int) else n for n in strides)
    for x in (Liar(**{key: said}), Liar(**{key: dict(list(said.items())[:3])}), Liar(**{key: said["data"]})):
        for axis in (None, -1):
            try:
                wp.sum(x, axis)
            except (*MAY_RAISE, RuntimeError) as error:
                assert str(error)


class Capsule:
    """A producer of DLPack with a struct of its own making."""

    def __init__(self, versioned: bool, device: Any, major: int, flags: int, fields: dict[str, Any]) -> None:
        self.device = device
        self.shape = (ctypes.c_int64 * 8)(*fields.pop("shape"))
        strides = fields.pop("strides")
        self.strides = (ctypes.c_int64 * 8)(*strides) if strides is not None else None
        self.managed = _dlpack.LAYOUTS[b"dltensor_versioned" if versioned else b"dltensor"]()
        self.managed.tensor = _dlpack.Tensor(shape=self.shape, strides=self.strides, **fields)
        if versioned:
            self.managed.major, self.managed.flags = major, flags
        self.name = b"dltensor_versioned" if versioned else b"dltensor"

    def __dlpack_device__(self) -> Any:
        return self.device

    def __dlpack__(self, **_: Any) -> Any:
        return _dlpack._new(ctypes.addressof(self.managed), self.name, None)


TYPES = [(2, 32), (2, 64), (2, 16), (4, 16), (0, 8), (0, 64), (1, 8), (1, 32), (6, 8)]
types = usually(st.sampled_from(TYPES), st.tuples(st.integers(0, 20), st.sampled_from([1, 8, 16, 128])))
dimensions = usually(st.integers(0, 8), st.sampled_from([-3, 1 << 62, -(1 << 63)]))
steps = usually(st.sampled_from([0, 1, 2, 8, 64]), st.sampled_from([-8, 1 << 62, -(1 << 63)]))
devices = [None, (1,), ("x", 0), (0, 0), (2, 99), (8, 0)]


@given(
    versioned=st.booleans(),
    device=usually(st.just((1, 0)), st.sampled_from(devices)),
    major=usually(st.just(1), st.integers(0, 2)),
    flags=st.integers(0, 3),
    kind=types,
    fields=st.fixed_dictionaries(
        {
            "data": usually(st.just(ADDRESS), st.none()),
            "device_type": usually(st.sampled_from([1, 3]), st.integers(0, 16)),
            "device_id": usually(st.just(0), st.integers(-1, 99)),
            "ndim": usually(st.integers(0, 4), st.sampled_from([-2, 65, 2**31 - 1])),
            "lanes": usually(st.just(1), st.integers(0, 4)),
            "shape": st.lists(dimensions, min_size=4, max_size=4),
            "strides": st.none() | st.lists(steps, min_size=4, max_size=4),
            "byte_offset": usually(st.sampled_from([0, 64]), st.integers(0, 64)),
        }
    ),
    axis=st.none() | st.integers(-4, 4) | st.just(-1),
)
def test_dlpack(
    versioned: bool, device: Any, major: int, flags: int, kind: Any, fields: dict[str, Any], axis: int | None
) -> None:
    x = Capsule(versioned, device, major, flags, {**fields, "code": kind[0], "bits": kind[1]})
    try:
        wp.count_nonzero(x, axis)
    except (*MAY_RAISE, RuntimeError) as error:
        assert str(error)


@given(device=junk | st.just((1, 0)), capsule=junk)
def test_dlpack_that_gives_no_capsule(device: Any, capsule: Any) -> None:
    class Wrong:
        def __dlpack_device__(self) -> Any:
            return device

        def __dlpack__(self, **_: Any) -> Any:
            return capsule

    try:
        wp.sum(Wrong())
        raise AssertionError("no exception")
    except MAY_RAISE as error:
        assert str(error)


def test_attributes_that_raise() -> None:
    class Raising:
        def __getattr__(self, name: str) -> Any:
            raise RuntimeError(name)

    for x in (Raising(), type("Interface", (), {"__array_interface__": property(operator.neg)})()):
        try:
            wp.sum(x)
            raise AssertionError("no exception")
        except (*MAY_RAISE, RuntimeError):
            pass


def test_nothing_is_broken_afterwards() -> None:
    gc.collect()
    for op in Op:
        wp.reduce(np.ones(10, np.int32), op)  # type: ignore[arg-type]
    assert wp.sum(np.ones(10)) == 10
