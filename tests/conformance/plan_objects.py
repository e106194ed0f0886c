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
IN, OUT, COUNT, VALUE, USER = 201, 202, 203, 204, 205  # wprim_slot
TEXT, JSON = 301, 302
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
        ("plan_reduce", ["ctx", "reduce_desc", "out"], "ctx"),
        ("plan_launch", ["plan", "stream"], "plan"),
        ("plan_launch", ["plan", "stream"], "stream"),
        ("plan_rebind", ["plan", IN, {"arena": 0}], "plan"),
        ("plan_rebind_many", ["plan", {"bindings": [[0, IN, {"arena": 0}]]}, 1], "plan"),
        ("plan_describe", ["plan", TEXT, None, 0, "out"], "plan"),
        ("plan_destroy", ["plan"], "plan"),
        ("graph_begin", ["stream"], "stream"),
        ("graph_end", ["stream", "out"], "stream"),
        ("graph_launch", ["graph", "stream"], "graph"),
        ("graph_launch", ["graph", "stream"], "stream"),
        ("graph_rebind", ["graph", 0, IN, {"arena": 0}], "graph"),
        ("graph_rebind_many", ["graph", {"bindings": [[0, IN, {"arena": 0}]]}, 1], "graph"),
        ("graph_describe", ["graph", TEXT, None, 0, "out"], "graph"),
        ("graph_destroy", ["graph"], "graph"),
    ):
        wrong = {"ctx": "stream", "stream": "event", "event": "ctx", "plan": "graph", "graph": "plan"}[handle]
        for value in (None, wrong, "destroyed_" + handle, {"arena": 0}):
            if value is None and function.endswith("_destroy"):
                yield call(function, "null", [None], OK)
                continue
            label = "null" if value is None else value if isinstance(value, str) else "no-object"
            creates = function.endswith(("_create", "plan_reduce", "graph_end"))
            more = {"out": "null"} if creates else {}
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
    unknown = {"struct_size": 12, "last": 1}  # ends with the kind
    yield call("stream_create", "kind", ["ctx", unknown, "out"], ARGUMENT, ["kind"], out="null")
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


def plans() -> Iterator[Case]:
    """The plan is a sum of four f32 at byte 0 of the arena, to byte 192."""
    yield call("plan_reduce", "null-out", ["ctx", "reduce_desc", None], ARGUMENT, ["plan"])
    yield call("plan_reduce", "null-desc", ["ctx", None, "out"], ARGUMENT, ["desc"], out="null")
    yield call("plan_launch", "other-context", ["plan", "other_stream"], HANDLE, ["stream", "context"])
    for slot in (0, 1, 200, 206, -1):
        yield call("plan_rebind", f"slot-{slot}", ["plan", slot, {"arena": 0}], ARGUMENT, ["slot"])
    for slot, name in ((COUNT, "count"), (VALUE, "value"), (USER, "user")):
        yield call("plan_rebind", f"no-{name}", ["plan", slot, {"arena": 0}], ARGUMENT, ["slot", name])
    for slot, name in ((IN, "in"), (OUT, "out")):
        yield call("plan_rebind", f"null-{name}", ["plan", slot, None], ARGUMENT, [name])
        yield call("plan_rebind", f"misaligned-{name}", ["plan", slot, {"arena": 2}], ARGUMENT, [name])
    yield call("plan_rebind", "in-on-out", ["plan", IN, {"arena": 180}], ARGUMENT, ["in", "out"])
    yield call("plan_rebind", "out-on-in", ["plan", OUT, {"arena": 12}], ARGUMENT, ["in", "out"])
    yield call("plan_rebind", "allowed", ["plan", IN, {"arena": 176}], OK)
    yield call("plan_rebind_many", "null", ["plan", None, 1], ARGUMENT, ["bindings"])
    yield call("plan_rebind_many", "none", ["plan", None, 0], OK)
    for why, status, words, list_ in (
        ("node", ARGUMENT, ["node"], [[1, IN, {"arena": 0}]]),
        ("second", ARGUMENT, ["slot"], [[0, IN, {"arena": 16}], [0, VALUE, {"arena": 0}]]),
        ("overlap", ARGUMENT, ["in", "out"], [[0, IN, {"arena": 64}], [0, OUT, {"arena": 76}]]),
        ("swapped", OK, [], [[0, IN, {"arena": 192}], [0, OUT, {"arena": 0}]]),
    ):
        arguments = ["plan", {"bindings": list_}, len(list_)]
        yield call("plan_rebind_many", why, arguments, status, words)


def graphs() -> Iterator[Case]:
    """The graph has a copy (16 bytes from byte 0 of the arena to 64), a fill (four f32 at 128), the reduce of
    the plan, and a host callback."""
    yield call("graph_begin", "twice", ["recording"], ARGUMENT, ["stream", "wprim_graph_end"])
    yield call("graph_begin", "resident", ["resident"], UNSUPPORTED, ["stream", "resident"])
    yield call("graph_end", "not-begun", ["launched", "out"], ARGUMENT, ["stream"], out="null")
    yield call("graph_end", "null-out", ["recording", None], ARGUMENT, ["graph"])
    yield call("graph_launch", "other-context", ["graph", "other_stream"], HANDLE, ["stream", "context"])
    yield call("graph_launch", "recording", ["graph", "recording"], UNSUPPORTED, ["stream"])
    for node in (4, 2**32, 2**64 - 1):
        yield call("graph_rebind", f"node-{node}", ["graph", node, IN, {"arena": 0}], ARGUMENT, ["node"])
    has = ((IN, OUT), (OUT, VALUE), (IN, OUT), (USER,))
    names = {IN: "in", OUT: "out", COUNT: "count", VALUE: "value", USER: "user"}
    for node, kind in enumerate(("copy", "fill", "reduce", "call")):
        for slot, name in names.items():
            if slot not in has[node]:
                swap = ["graph", node, slot, {"arena": 0}]
                yield call("graph_rebind", f"{kind}-no-{name}", swap, ARGUMENT, ["slot", name])
        yield call("graph_rebind", f"{kind}-slot-206", ["graph", node, 206, {"arena": 0}], ARGUMENT, ["slot"])
    for why, status, words, arguments in (
        ("copy-null-src", ARGUMENT, ["src"], [0, IN, None]),
        ("copy-null-dst", ARGUMENT, ["dst"], [0, OUT, None]),
        ("copy-overlap", ARGUMENT, ["src", "dst"], [0, IN, {"arena": 65}]),
        ("copy", OK, [], [0, IN, {"arena": 33}]),
        ("fill-null", ARGUMENT, ["dst"], [1, OUT, None]),
        ("fill-misaligned", ARGUMENT, ["dst"], [1, OUT, {"arena": 130}]),
        ("fill-null-value", ARGUMENT, ["value"], [1, VALUE, None]),
        ("fill-value", OK, [], [1, VALUE, "out"]),
        ("reduce-misaligned", ARGUMENT, ["in"], [2, IN, {"arena": 1}]),
        ("reduce-overlap", ARGUMENT, ["in", "out"], [2, OUT, {"arena": 0}]),
        ("reduce", OK, [], [2, OUT, {"arena": 196}]),
        ("call-null", OK, [], [3, USER, None]),
    ):
        yield call("graph_rebind", why, ["graph", *arguments], status, words)
    yield call("graph_rebind_many", "null", ["graph", None, 1], ARGUMENT, ["bindings"])
    yield call("graph_rebind_many", "none", ["graph", None, 0], OK)
    for why, status, words, list_ in (
        ("node", ARGUMENT, ["node"], [[0, IN, {"arena": 0}], [4, IN, {"arena": 0}]]),
        ("overlap", ARGUMENT, ["src", "dst"], [[2, OUT, {"arena": 196}], [0, OUT, {"arena": 8}]]),
        ("swapped", OK, [], [[0, OUT, {"arena": 0}], [2, OUT, {"arena": 196}], [0, IN, {"arena": 64}]]),
    ):
        yield call("graph_rebind_many", why, ["graph", {"bindings": list_}, len(list_)], status, words)


def described() -> Iterator[Case]:
    for what in ("plan", "graph"):
        function = f"{what}_describe"
        for value in (0, 300, 303, -1):
            arguments = [what, value, None, 0, "out"]
            yield call(function, f"format-{value}", arguments, ARGUMENT, ["format"], out="kept")
        yield call(function, "null-text", [what, TEXT, None, 8, "out"], ARGUMENT, ["text"], out="kept")
        yield call(function, "null-length", [what, JSON, None, 0, None], ARGUMENT, ["length"])
        yield call(function, "only-length", [what, JSON, None, 0, "out"], OK)


def recorded() -> Iterator[Case]:
    """What a stream that is recorded cannot do, nor an event of a recording."""
    yield call("stream_synchronize", "recording", ["recording"], UNSUPPORTED, ["stream"])
    yield call("stream_query", "recording", ["recording"], UNSUPPORTED, ["stream"])
    yield call("malloc", "recording", ["recording", 64, "out"], UNSUPPORTED, ["stream"], out="null")
    yield call("stream_wait", "outside", ["recording", "recorded"], ARGUMENT, ["event"])
    yield call("stream_wait", "other-recording", ["recording", "graph_event"], ARGUMENT, ["event"])
    yield call("stream_wait", "resident", ["resident", "graph_event"], UNSUPPORTED, ["stream"])
    yield call("event_synchronize", "recording", ["graph_event"], UNSUPPORTED, ["event"])
    yield call("event_query", "recording", ["graph_event"], UNSUPPORTED, ["event"])
    for arguments, word in ((["graph_event", "recorded"], "start"), (["recorded", "graph_event"], "end")):
        yield call("event_elapsed", f"{word}-recording", [*arguments, "out"], UNSUPPORTED, [word], out="kept")


def object_errors() -> list[Case]:
    groups = (handles, creation, work, memory, plans, graphs, described, recorded)
    return [c for group in groups for c in group()]
