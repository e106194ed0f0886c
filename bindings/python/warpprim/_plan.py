"""Plans: one op, checked and prepared once, launched often."""

from __future__ import annotations

import ctypes
from typing import Any

from . import _prepared, raw
from ._context import Context, Handle, default_context
from ._describe import describe
from ._device_array import DeviceArray
from ._general import requested
from ._interface import LEGACY
from ._prepared import (
    CPU_KEY,
    Pool,
    launch,
    make,
    short_launch,
    short_synchronize,
    synchronize,
)
from ._recording import Used, bindings_of
from ._reduce import Reduce, op_number
from ._shared import DEFAULTS, shared_stream
from ._streams import Stream
from ._view import CPU, product
from .errors import InvalidHandle, check, failure

SMALL = 1 << 13  # as in _fast.py


class Plan(Handle):
    """A reduce that is checked and prepared once, and launched often. `plan` makes one.

    It keeps its arrays alive, and may be launched by several threads and on several streams at once.
    """

    def __init__(self, node: Reduce, context: Context | None) -> None:
        device = node.x.device
        if context is None:
            self._context = default_context(*device)
            self._pool: Pool = _prepared.plans_pool
        else:
            if not isinstance(context, Context):
                raise InvalidHandle(f"context = {context!r} is no warpprim.Context")
            if (context.kind, context.ordinal) != device:
                raise InvalidHandle(f"x is on {device}, context is {context.kind}:{context.ordinal}")
            self._context = context
            self._pool = {CPU_KEY: []}
        if isinstance(node.result, DeviceArray):
            node.result._stream.synchronize()  # launches may be on another stream than it is made on
        desc = ctypes.byref(node.desc)
        super().__init__("plan", raw.wprim_plan_reduce, self._context.handle, desc)
        self._argument = ctypes.c_void_p(self.handle)
        self._on_cpu = device == CPU
        self._free = self._pool[CPU_KEY]
        # Small work takes less time than to give the interpreter's lock up.
        small = self._on_cpu and product(node.x.shape) <= SMALL
        self._launch = short_launch if small else launch
        self._synchronize = short_synchronize if small else synchronize
        self._replaced_bytes = 0
        self._set(node)

    def _set(self, node: Reduce) -> None:
        self._node, self._used, self.out = node, Used(node.used(), []), node.result

    def launch(self, stream: Any = None) -> Any:
        """Does the op, and gives `out`: the same array each time.

        Without a stream as the functions of the package do: on the CPU the result is there on return; on a
        GPU it is enqueued, on the stream that the library of x works on just then. With a stream it is
        enqueued there, and what other streams do to the arrays is not waited for: wait for an event of theirs
        where it matters.
        """
        if stream is not None:
            return self._launch_on(requested(stream, self._node.x.device, "the plan"))
        if not self._on_cpu:
            return self._launch_on_current()
        try:
            p = self._free.pop()
        except IndexError:
            p = make(self._pool, CPU_KEY, context=self._context)
        with self._lock:  # against a rebind meanwhile
            status = self._launch(self._argument, p.argument)
            out = self.out
        status = status or self._synchronize(p.argument)
        self._free.append(p)
        if status:
            raise failure(status)
        return out

    __call__ = launch

    def _launch_on_current(self) -> Any:
        x, pool = self._node.x, self._pool
        native, owner = self._node.library.current(x)
        if owner is None and native not in DEFAULTS:  # it may be another stream the next time
            return self._launch_on(shared_stream(x.device.ordinal, native, None))
        key = x.device.ordinal, native
        try:
            p = pool[key].pop()
        except (KeyError, IndexError):
            p = make(pool, key, owner, self._context)
        with self._lock:
            status = launch(self._argument, p.argument)
            out = self.out
        if owner is None:  # memory that may not be given back in stream order
            p.hold(self._used, self._replaced_bytes)
        pool.get(key, []).append(p)
        if status:
            raise failure(status)
        return out

    def _launch_on(self, queue: Stream) -> Any:
        with queue._lock, self._lock:
            if queue.recording is not None:
                queue.enqueue(self._node, raw.wprim_plan_launch, self.handle, queue.handle)
                return self.out
            status = self._launch(self._argument, queue.argument)
            if status:
                raise failure(status)
            queue.hold(self._used, self._replaced_bytes)
            return self.out

    def rebind(self, x: Any = None, *, out: Any = None, n_on_device: Any = None) -> None:
        """Other arrays from the next launch on, of the same type, shape and layout, on the same device.
        Launches before are not touched. If it is refused, nothing has changed."""
        arrays = {"x": x, "out": out, "n_on_device": n_on_device}
        with self._lock:
            node, pointers = self._node.rebound({k: a for k, a in arrays.items() if a is not None})
            check(raw.wprim_plan_rebind_many(self.handle, bindings_of(0, pointers), len(pointers)))
            self._set(node)
            self._replaced_bytes = node.bytes()

    def describe(self, json: bool = False) -> Any:
        """What a launch will do, for people: lines of text, or a dictionary."""
        with self._lock:
            return describe(raw.wprim_plan_describe, self.handle, json)

    def __repr__(self) -> str:
        return f"<warpprim.Plan of {self._node.x}>"


def plan(
    x: Any,
    op: str,
    axis: Any = None,
    *,
    out: Any = None,
    dtype: Any = None,
    nan: str = "propagate",
    ddof: int = 0,
    keepdims: bool = False,
    n_on_device: Any = None,
    context: Context | None = None,
) -> Plan:
    """Prepares what `reduce` with these arguments does.

    >>> x = np.ones(1000, np.float32)
    >>> total = wp.plan(x, "sum")
    >>> float(total())
    1000.0
    >>> x *= 2
    >>> float(total())
    2000.0
    >>> total.rebind(np.full(1000, 3, np.float32))
    >>> float(total.launch())
    3000.0

    The arguments are those of `reduce`. `plan.out` is what the launches write to: `out`, or an array made for
    it, of the kind of x for numpy, torch and CuPy, else of numpy (CPU) or a DeviceArray. `context` is for
    launches on streams of a context of your own.
    """
    node = Reduce(x, op_number(op), axis, out, dtype, nan, ddof, keepdims, n_on_device, LEGACY)
    return Plan(node, context)
