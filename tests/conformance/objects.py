"""Cases of kind `object_call`, through warpprim.raw: other calls that must fail, and what their arguments
stand for."""

from __future__ import annotations

import ctypes
from typing import Any, Callable

from refusal import arena_of, query
from session import PASS, POISON, Case, Result, Session, check_refusal, failed
from warpprim import raw
from warpprim.errors import check


def succeed(_user: Any) -> int:
    return 0


callback = raw.HostFn(succeed)
GONE = {"destroyed_ctx": "other_ctx", "destroyed_stream": "launched"}


class Stage:
    """What the arguments of a call stand for."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.arena = arena_of(session, 256)
        self.out = (ctypes.c_ubyte * 64)(*[POISON] * 64)
        self.reduce_desc = raw.ReduceDesc(
            struct_size=ctypes.sizeof(raw.ReduceDesc),
            op=raw.Op.SUM,
            dtype=raw.Dtype.F32,
            in_=self.arena.address,
            out=self.arena.address + 192,
            rows=1,
            cols=4,
        )
        self.made: list[tuple[str, int]] = []  # objects, to be destroyed after the case
        self.kept: list[Any] = []

    def create(self, kind: str, create: Any, *arguments: Any) -> int:
        handle = ctypes.c_void_p()
        check(create(*arguments, ctypes.byref(handle)))
        self.made.append((kind, handle.value or 0))
        return self.made[-1][1]

    def destroy_last(self) -> int:
        kind, handle = self.made.pop()
        getattr(raw, f"wprim_{kind}_destroy")(handle)
        return handle

    def context(self) -> int:
        kind = raw.DeviceKind[self.session.backend.upper()]
        return self.create("context", raw.wprim_context_create, kind, 0)

    def stream(self, context: int, kind: int = raw.StreamKind.STREAM_LAUNCHED) -> int:
        desc = raw.StreamDesc(ctypes.sizeof(raw.StreamDesc), 0, kind)
        return self.create("stream", raw.wprim_stream_create, context, ctypes.byref(desc))

    def recording(self) -> int:
        stream = self.stream(self.session.context.handle)
        check(raw.wprim_graph_begin(stream))
        return stream

    def event(self, recorded_on: int = 0) -> int:
        event = self.create("event", raw.wprim_event_create, self.session.context.handle)
        if recorded_on:
            check(raw.wprim_event_record(event, recorded_on))
        return event

    def graph(self) -> int:
        """Four nodes: a copy, a fill, a reduce, a host callback."""
        stream, arena, value = self.recording(), self.arena.address, ctypes.c_float()
        check(raw.wprim_copy(stream, arena + 64, arena, 16))
        check(raw.wprim_fill(stream, raw.Dtype.F32, arena + 128, 4, ctypes.byref(value)))
        check(raw.wprim_reduce_ex(stream, ctypes.byref(self.reduce_desc)))
        check(raw.wprim_stream_call(stream, callback, None))
        return self.create("graph", raw.wprim_graph_end, stream)

    def named(self, name: str) -> Any:
        session, context = self.session, self.session.context.handle
        stream = session.stream.handle
        if name.startswith("destroyed_"):
            self.named(GONE.get(name, name[len("destroyed_") :]))
            return self.destroy_last()
        if name == "recorded":
            event = self.event(stream)
            session.stream.synchronize()
            return event
        desc = ctypes.byref(self.reduce_desc)
        arguments: dict[str, Callable[[], Any]] = {
            "ctx": lambda: context,
            "stream": lambda: stream,
            "out": lambda: ctypes.addressof(self.out),
            "callback": lambda: ctypes.cast(callback, ctypes.c_void_p).value,
            "reduce_desc": lambda: ctypes.addressof(self.reduce_desc),
            "other_ctx": self.context,
            "other_stream": lambda: self.stream(self.context()),
            "launched": lambda: self.stream(context),
            "resident": lambda: self.stream(context, raw.StreamKind.STREAM_RESIDENT),
            "recording": self.recording,
            "event": self.event,
            "graph_event": lambda: self.event(self.recording()),
            "plan": lambda: self.create("plan", raw.wprim_plan_reduce, context, desc),
            "graph": self.graph,
        }
        return arguments[name]()

    def argument(self, spelled: Any) -> Any:
        if spelled is None or isinstance(spelled, int):
            return spelled
        return self.spelled(spelled) if isinstance(spelled, dict) else self.named(spelled)

    def spelled(self, spelled: dict[str, Any]) -> int:
        if "arena" in spelled:
            return int(self.arena.address + spelled["arena"])
        if "bindings" in spelled:
            listed = [raw.Binding(node, slot, self.argument(p)) for node, slot, p in spelled["bindings"]]
            bindings = (raw.Binding * 4)(*listed)
            self.kept.append(bindings)
            return ctypes.addressof(bindings)
        desc = (ctypes.c_ubyte * 512)()
        self.kept.append(desc)
        ctypes.c_uint32.from_buffer(desc).value = size = spelled["struct_size"] % 2**32
        if "last" in spelled and size <= len(desc):
            desc[size - 1] = spelled["last"]
        return ctypes.addressof(desc)

    def checked(self, case: Case, status: int) -> Result:
        result = check_refusal(case, status)
        if result is not PASS:
            return result
        out = bytes(self.out)
        if case.get("out") == "null" and any(out[:8]):
            return failed("the object was not set to NULL")
        if case.get("out") == "kept" and set(out) != {POISON}:
            return failed("the output was written")
        result = self.arena.changed("memory")
        if result is not PASS:
            return result
        # A call that was allowed may have enqueued something.
        return query(self.session, waits=status == raw.Status.OK)


def run_object_call(session: Session, case: Case) -> Result:
    stage = Stage(session)
    function = case["function"]
    status = getattr(raw, function)(*[stage.argument(a) for a in case["args"]])
    try:
        return stage.checked(case, status)
    finally:
        if status == raw.Status.OK and function == "wprim_stream_create":
            raw.wprim_stream_destroy(ctypes.c_void_p.from_buffer(stage.out))
        while stage.made:
            stage.destroy_last()
