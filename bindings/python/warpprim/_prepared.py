"""Streams with all that a call needs made before, and lists of those that are free.

Whoever takes one has it alone until it is put back: another thread, or a signal handler in between, gets
another. So no lock is needed, and a thread that ends leaves nothing behind.
"""

from __future__ import annotations

import ctypes
import os
from typing import Any

import numpy as np

from . import raw
from ._context import Context, default_context, lost
from ._numpy import address, numpy_dtype
from ._shared import MOST_SHARED
from ._streams import Stream

# Without argtypes: the arguments are C objects already, and are taken as they are.
reduce = raw.library["wprim_reduce_ex"]
synchronize = raw.library["wprim_stream_synchronize"]
launch = raw.library["wprim_plan_launch"]
# The same, keeping the interpreter's lock: for what takes less time than to give it up and to take it again.
_holding = ctypes.PyDLL(raw.library._name)
short_reduce = _holding["wprim_reduce_ex"]
short_launch = _holding["wprim_plan_launch"]
short_synchronize = _holding["wprim_stream_synchronize"]


class Prepared(Stream):
    """A stream, and what each kind of call that it has served needs: `calls` has, by 16 * op + dtype, a desc,
    the argument that it makes, and what its result is like (whatever the library finds useful)."""

    def __init__(self, context: Context, native: int | None = None, owner: object = None) -> None:
        super().__init__(context, native=native)
        self._owner = owner
        self.calls: dict[int, tuple[Any, Any, Any]] = {}

    def prepare(self, op: int, dtype: int, like: Any) -> tuple[Any, Any, Any]:
        desc = raw.ReduceDesc(struct_size=ctypes.sizeof(raw.ReduceDesc), op=op, dtype=dtype, rows=1)
        call = self.calls[16 * op + dtype] = desc, ctypes.byref(desc), like
        return call


# Free ones, by the ordinal of the GPU and the native stream. Each library has a pool of its own.
Pool = dict[tuple[int, int], list[Prepared]]
_pools: list[Pool] = []
CPU_KEY = (-1, -1)


def new_pool() -> Pool:
    pool: Pool = {CPU_KEY: []}
    _pools.append(pool)
    return pool


def make(
    pool: Pool, key: tuple[int, int], owner: object = None, context: Context | None = None
) -> Prepared:
    """A new one, to be put into pool[key] after its use. `owner` keeps the native stream alive."""
    if key == CPU_KEY:
        return Prepared(context or default_context("cpu", 0))
    if key not in pool:
        pool[key] = []
        if len(pool) > MOST_SHARED:
            pool.pop(next(other for other in list(pool) if other not in (key, CPU_KEY)), None)
    return Prepared(context or default_context("cuda", key[0]), key[1], owner)


plans_pool = new_pool()
_numpy = plans_pool[CPU_KEY]


def take_cpu() -> Prepared:
    try:
        return _numpy.pop()
    except IndexError:
        return make(_pools[0], CPU_KEY)


def put_cpu(p: Prepared) -> None:
    _numpy.append(p)


# For one op on one type of numpy, whole and small: a desc that lacks but the address and the count, its
# argument, the stream's argument, the result as numpy sees it, and what keeps all that alive.
Small = tuple[Any, Any, Any, Any, Prepared]
_small: list[list[list[Small]]] = []


def small_lists(types: int) -> list[list[Small]]:
    """Free ones of an op, by the number of the type."""
    lists: list[list[Small]] = [[] for _ in range(types)]
    _small.append(lists)
    return lists


def make_small(op: int, dtype: int, result: int) -> Small:
    p = make(_pools[0], CPU_KEY)
    scalar = np.zeros((), numpy_dtype(result))
    desc, argument, _ = p.prepare(op, dtype, scalar)
    desc.out = address(scalar)
    return desc, argument, p.argument, scalar, p


def _after_fork() -> None:
    lists: list[list[Any]] = [some for pool in _pools for some in pool.values()]
    for small in _small:
        lists += small
    for some in lists:
        lost.append(some[:])
        some.clear()


os.register_at_fork(after_in_child=_after_fork)
