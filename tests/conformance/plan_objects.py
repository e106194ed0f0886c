"""Calls on contexts, streams, events and memory that must fail, and a few beside them that must not.

Arguments are in the order of the C signature; README.md lists what the strings stand for.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

Case = dict[str, Any]
ARGUMENT, HANDLE, UNSUPPORTED = (
    "WPRIM_ERROR_INVALID_ARGUMENT",
    "WPRIM_ERROR_INVALID_HANDLE",
    "WPRIM_ERROR_UNSUPPORTED",
)
NO_DEVICE, MEMORY, OK = "WPRIM_ERROR_NO_DEVICE", "WPRIM_ERROR_OUT_OF_MEMORY", "WPRIM_OK"


def call(
    function: str, why: str, args: Sequence[Any], status: str, words: Sequence[str] = (), **more: Any
) -> Case:
    name = f"object_errors/{function}/{why}"
    return dict(
        name=name,
        kind="object_call",
        function="wprim_" + function,
        args=list(args),
        status=status,
        words=["wprim_" + function, *words] if status != OK else [],
        **more,
    )


def handles() -> Iterator[Case]:
    """Every handle argument of every call: NULL, another kind, destroyed. Destroying NULL is fine."""
    desc = {"struct_size": 8}
    for function, args, handle in (
        ("context_info", ["ctx", {"struct_size": 288}], "ctx"),
        ("context_destroy", ["ctx"], "ctx"),
        ("stream_create", ["ctx", desc, "out"], "ctx"),
        ("event_create", ["ctx", "out"], "ctx"),
        ("malloc_host", ["ctx", 64, "out"], "ctx"),
        ("stream_synchronize", ["stream"], "stream"),
        ("stream_query", ["stream"], "stream"),
        ("stream_wait", ["stream", "event"], "stream"),
        ("stream_wait", ["stream", "event"], "event"),
        ("stream_call", ["stream", "callback", None], "stream"),
        ("stream_destroy", ["stream"], "stream"),
        ("event_record", ["event", "stream"], "event"),
        ("event_record", ["event", "stream"], "stream"),
        ("event_synchronize", ["event"], "event"),
        ("event_query", ["event"], "event"),
        ("event_destroy", ["event"], "event"),
        ("malloc", ["stream", 64, "out"], "stream"),
        ("copy", ["stream", {"arena": 0}, {"arena": 64}, 16], "stream"),
        ("fill", ["stream", 1, {"arena": 0}, 4, "out"], "stream"),
    ):
        wrong = {"ctx": "stream", "stream": "event", "event": "ctx"}[handle]
        for value in (None, wrong, "destroyed_" + handle, {"arena": 0}):
            if value is None and function.endswith("_destroy"):
                yield call(function, "null", [None], OK)
                continue
            label = "null" if value is None else value if isinstance(value, str) else "no-object"
            more = {"out": "null"} if function.endswith("_create") else {}
            swapped = [value if a == handle else a for a in args]
            yield call(function, f"{handle}-is-{label}", swapped, HANDLE, [handle], **more)


def creation() -> Iterator[Case]:
    for kind in (0, 3, -1):
        yield call("device_count", f"kind-{kind}", [kind, "out"], ARGUMENT, ["kind"], out="kept")
        yield call("context_create", f"kind-{kind}", [kind, 0, "out"], ARGUMENT, ["kind"], out="null")
    yield call("device_count", "null-out", [1, None], ARGUMENT, ["count"])
    yield call("context_create", "null-out", [1, 0, None], ARGUMENT, ["ctx"])
    for ordinal in (1, -1):
        yield call(
            "context_create", f"cpu-{ordinal}", [1, ordinal, "out"], NO_DEVICE, ["ordinal"], out="null"
        )
    yield call("context_info", "null-out", ["ctx", None], ARGUMENT, ["info"])
    yield call("context_info", "struct_size-0", ["ctx", {"struct_size": 0}], ARGUMENT, ["struct_size"])
    yield call("stream_create", "null-out", ["ctx", None, None], ARGUMENT, ["stream"])
    yield call(
        "stream_create",
        "struct_size-0",
        ["ctx", {"struct_size": 0}, "out"],
        ARGUMENT,
        ["struct_size"],
        out="null",
    )
    newer = {"struct_size": 16, "last": 1}
    yield call(
        "stream_create", "newer-not-zero", ["ctx", newer, "out"], ARGUMENT, ["struct_size"], out="null"
    )
    yield call("stream_create", "newer-zero", ["ctx", {"struct_size": 16}, "out"], OK)
    yield call("stream_create", "defaults", ["ctx", None, "out"], OK)
    yield call("event_create", "null-out", ["ctx", None], ARGUMENT, ["event"])
    yield call("stream_wrap", "cpu", ["ctx", None, "out"], UNSUPPORTED, [], out="null", backends=["cpu"])
    yield call("set_log", "level-4", [4, None, None], ARGUMENT, ["level"])
    yield call("set_log", "level--1", [-1, None, None], ARGUMENT, ["level"])


def work() -> Iterator[Case]:
    yield call("stream_call", "null-fn", ["stream", None, None], ARGUMENT, ["fn"])
    yield call(
        "event_elapsed", "never-recorded-start", ["event", "recorded", "out"], ARGUMENT, ["start"], out="kept"
    )
    yield call(
        "event_elapsed", "never-recorded-end", ["recorded", "event", "out"], ARGUMENT, ["end"], out="kept"
    )
    yield call("event_elapsed", "null-out", ["recorded", "recorded", None], ARGUMENT, ["milliseconds"])
    yield call("event_elapsed", "start-is-null", [None, "recorded", "out"], HANDLE, ["start"], out="kept")
    yield call("event_elapsed", "end-is-stream", ["recorded", "stream", "out"], HANDLE, ["end"], out="kept")
    yield call("event_elapsed", "same", ["recorded", "recorded", "out"], OK)


def memory() -> Iterator[Case]:
    a, b = {"arena": 0}, {"arena": 64}
    yield call("malloc", "null-out", ["stream", 64, None], ARGUMENT, ["ptr"])
    yield call("malloc", "endless", ["stream", 2**64 - 1, "out"], MEMORY, ["bytes"])
    yield call("malloc_host", "null-out", ["ctx", 64, None], ARGUMENT, ["ptr"])
    yield call("malloc_host", "endless", ["ctx", 2**64 - 1, "out"], MEMORY, ["bytes"])
    yield call("free", "not-ours", ["stream", {"arena": 16}], ARGUMENT, ["ptr"])
    yield call("free", "null", ["stream", None], OK)
    yield call("free", "stream-is-null", [None, a], HANDLE, ["stream"])
    yield call("free_host", "not-ours", ["ctx", {"arena": 16}], ARGUMENT, ["ptr"])
    yield call("free_host", "null", ["ctx", None], OK)
    yield call("free_host", "ctx-is-stream", ["stream", a], HANDLE, ["ctx"])
    yield call("copy", "null-dst", ["stream", None, a, 16], ARGUMENT, ["dst"])
    yield call("copy", "null-src", ["stream", a, None, 16], ARGUMENT, ["src"])
    yield call("copy", "nothing", ["stream", None, None, 0], OK)
    yield call("copy", "overlap", ["stream", a, {"arena": 15}, 16], ARGUMENT, ["dst", "src"])
    yield call("copy", "overlap-same", ["stream", a, a, 16], ARGUMENT, ["dst", "src"])
    yield call("copy", "wraps", ["stream", a, b, 2**64 - 1], ARGUMENT, ["bytes"])
    for dtype in (0, 14, 101, -1):
        yield call("fill", f"dtype-{dtype}", ["stream", dtype, a, 4, "out"], ARGUMENT, ["dtype"])
    yield call("fill", "null-value", ["stream", 1, a, 4, None], ARGUMENT, ["value"])
    yield call("fill", "null-dst", ["stream", 1, None, 4, "out"], ARGUMENT, ["dst"])
    yield call("fill", "misaligned", ["stream", 2, {"arena": 4}, 4, "out"], ARGUMENT, ["dst"])
    yield call("fill", "too-many", ["stream", 2, a, 2**61, "out"], ARGUMENT, ["n"])
    yield call("fill", "nothing", ["stream", 1, None, 0, "out"], OK)


def object_errors() -> list[Case]:
    return [c for group in (handles, creation, work, memory) for c in group()]
