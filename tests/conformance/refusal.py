"""Calls that must fail, through warpprim.raw: with the status and the words that the case says, and nothing
done."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import warpprim as wp
from session import (
    PASS,
    POISON,
    Block,
    Case,
    Result,
    Session,
    check_refusal,
    desc_of,
    failed,
    last_error,
    place,
)
from warpprim import raw

IN_AT, OUT_AT, FAR = 4096, 12288, 1 << 44


def succeed(_user: Any) -> int:
    return 0


callback = raw.HostFn(succeed)


def gone(create: Any, destroy: Any, *arguments: Any) -> int:
    """A handle that was created and destroyed."""
    handle = ctypes.c_void_p()
    wp.errors.check(create(*arguments, ctypes.byref(handle)))
    wp.errors.check(destroy(handle))
    return handle.value or 0


def arena_of(session: Session, size: int) -> Block:
    arena = Block(session, size)
    arena.put()
    return arena


def query(session: Session) -> Result:
    if raw.wprim_stream_query(session.stream.handle) != raw.Status.OK:
        return failed(f"the stream is not idle and well: {last_error()}")
    return PASS


def still_works(session: Session) -> Result:
    """After the refused call the stream must be as before: idle, and good for the next call."""
    result = query(session)
    if result is not PASS:
        return result
    block = Block(session, 64)
    block.image[:16].view(np.int32)[:] = 1
    block.put()
    arguments = raw.Op.SUM, raw.Dtype.I32, block.address, 4, block.address + 32
    wp.errors.check(raw.wprim_reduce(session.stream.handle, *arguments))
    wp.errors.check(raw.wprim_stream_synchronize(session.stream.handle))
    good = int(block.get()[32:40].view(np.int64)[0]) == 4
    return PASS if good else failed("the next call on the stream gave a wrong sum")


def run_reduce_call(session: Session, case: Case) -> Result:
    arena = arena_of(session, 16384)

    def address(key: str, otherwise: int) -> int | None:
        at: int | None = case.get(key, otherwise)
        return at if at is None or at >= FAR else arena.address + at

    desc = desc_of(case)
    desc.in_, desc.out = address("in", IN_AT), address("out", OUT_AT)
    event = wp.Event(session.context)
    streams = {
        "good": session.stream.handle,
        "null": None,
        "context": session.context.handle,
        "event": event.handle,
        "arena": arena.address,
    }
    name = case.get("stream", "good")
    if name == "destroyed_stream":
        streams[name] = gone(raw.wprim_stream_create, raw.wprim_stream_destroy, session.context.handle, None)
    if case["function"] == "wprim_reduce":
        status = raw.wprim_reduce(streams[name], desc.op, desc.dtype, desc.in_, desc.cols, desc.out)
    else:
        passed = None if case.get("desc", 0) is None else place(case, desc)
        status = raw.wprim_reduce_ex(streams[name], passed)
    result = check_refusal(case, status)
    if result is not PASS:
        return result
    session.stream.synchronize()
    if "expect" in case:
        size = len(case["expect"][0]) // 2
        at = case.get("out", OUT_AT)
        for i, text in enumerate(case["expect"]):
            got = arena.get()[at + i * size : at + (i + 1) * size].tobytes()[::-1].hex()
            if got != text:
                return failed(f"[{i}]: got {got} want {text}")
            arena.image[at + i * size : at + (i + 1) * size] = list(bytes.fromhex(text)[::-1])
    result = arena.changed("memory")
    return still_works(session) if result is PASS else result


class Stage:
    """What the arguments of an object call stand for."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.arena = arena_of(session, 256)
        self.out = (ctypes.c_ubyte * 64)(*[POISON] * 64)
        self.kept: list[Any] = []

    def argument(self, spelled: Any) -> Any:
        if spelled is None or isinstance(spelled, int):
            return spelled
        if isinstance(spelled, dict):
            return self.spelled(spelled)
        session, context = self.session, self.session.context.handle
        if spelled in ("event", "recorded"):
            event = wp.Event(session.context)
            self.kept.append(event)
            if spelled == "recorded":
                event.record(session.stream)
                session.stream.synchronize()
            return event.handle
        if spelled == "destroyed_ctx":
            kind = raw.DeviceKind[session.backend.upper()]
            return gone(raw.wprim_context_create, raw.wprim_context_destroy, kind, 0)
        if spelled == "destroyed_stream":
            return gone(raw.wprim_stream_create, raw.wprim_stream_destroy, context, None)
        if spelled == "destroyed_event":
            return gone(raw.wprim_event_create, raw.wprim_event_destroy, context)
        return {
            "ctx": context,
            "stream": session.stream.handle,
            "out": ctypes.addressof(self.out),
            "callback": ctypes.cast(callback, ctypes.c_void_p).value,
        }[spelled]

    def spelled(self, spelled: dict[str, int]) -> int:
        if "arena" in spelled:
            return self.arena.address + spelled["arena"]
        desc = (ctypes.c_ubyte * 512)()
        self.kept.append(desc)
        ctypes.c_uint32.from_buffer(desc).value = size = spelled["struct_size"] % 2**32
        if "last" in spelled and size <= len(desc):
            desc[size - 1] = spelled["last"]
        return ctypes.addressof(desc)


def run_object_call(session: Session, case: Case) -> Result:
    stage = Stage(session)
    function = case["function"]
    status = getattr(raw, function)(*[stage.argument(a) for a in case["args"]])
    result = check_refusal(case, status)
    if result is not PASS:
        return result
    out = bytes(stage.out)
    if case.get("out") == "null" and any(out[:8]):
        return failed("the object was not set to NULL")
    if case.get("out") == "kept" and set(out) != {POISON}:
        return failed("the output was written")
    result = stage.arena.changed("memory")
    if status == raw.Status.OK and function == "wprim_stream_create":
        raw.wprim_stream_destroy(ctypes.c_void_p.from_buffer(stage.out))
    return query(session) if result is PASS else result
