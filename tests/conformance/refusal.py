"""Calls that must fail, through warpprim.raw: with the status and the words that the case says, and nothing
done."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import warpprim as wp
from session import (
    PASS,
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


def query(session: Session, waits: bool = False) -> Result:
    ask = raw.wprim_stream_synchronize if waits else raw.wprim_stream_query
    if ask(session.stream.handle) != raw.Status.OK:
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


def call_plan(session: Session, desc: Any) -> int:
    """A plan that comes out is launched."""
    plan = ctypes.c_void_p(session.context.handle)
    status: int = raw.wprim_plan_reduce(session.context.handle, desc, ctypes.byref(plan))
    if status == raw.Status.OK:
        status = raw.wprim_plan_launch(plan, session.stream.handle)
        raw.wprim_plan_destroy(plan)
    elif plan:
        return raw.Status.ERROR_INTERNAL
    return status


def run_reduce_call(session: Session, case: Case) -> Result:
    arena = arena_of(session, 16384)

    def address(key: str, otherwise: int) -> int | None:
        at: int | None = case.get(key, otherwise)
        return at if at is None or at >= FAR else arena.address + at

    desc = desc_of(case)
    desc.in_, desc.out = address("in", IN_AT), address("out", OUT_AT)
    if "n_on_device" in case:
        desc.n_on_device = address("n_on_device", 0)
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
        plan = case["function"] == "wprim_plan_reduce"
        status = call_plan(session, passed) if plan else raw.wprim_reduce_ex(streams[name], passed)
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
