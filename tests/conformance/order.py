"""The canonical order of docs/numerics.md, section 3: which elements meet in which order, whatever the op.

A state is a tuple of arrays of one shape (sum: one array; variance: three). The last axes of that shape are
always, from the outside: row, chunk, round, slot, component; the rules fold them away from the inside out,
each on all rows at once.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from dtypes import Array

State = tuple[Array, ...]
Combine = Callable[[State, State], State]

SLOTS = 256
ROUNDS = 4


def pad(state: State, n: int, v: int) -> tuple[State, Array]:
    """(rows, n) as (rows, chunk, round, slot, component), and which of these elements exist.

    A row of one short chunk gets only as many slots (a power of two) as it touches: folding missing ones
    changes nothing.
    """
    slots, rounds = SLOTS, ROUNDS
    if n < SLOTS * v:
        rounds = 1
        slots = 1
        while slots * v < n:
            slots *= 2
    chunks = max(1, -(-n // (rounds * slots * v)))
    shape = (chunks, rounds, slots, v)
    total = chunks * rounds * slots * v
    exists = (np.arange(total) < n).reshape(shape)
    padded = tuple(np.pad(x, ((0, 0), (0, total - n))).reshape((x.shape[0], *shape)) for x in state)
    return padded, exists


def choose(exists: Array, yes: State, no: State) -> State:
    return tuple(np.where(exists, y, n) for y, n in zip(yes, no))


def at(state: State, index: Any) -> State:
    return tuple(x[index] for x in state)


def fold_chunks(
    state: State, exists: Array, first: Callable[[State], State], add: Combine, combine: Combine
) -> State:
    """Rules 2 to 4: (rows, chunk, round, slot, component) to (rows, chunk)."""
    acc = first(at(state, np.s_[:, :, 0]))
    for r in range(1, exists.shape[1]):
        acc = choose(exists[:, r], add(acc, at(state, np.s_[:, :, r])), acc)
    exists = exists[:, 0]
    while exists.shape[-1] > 1:  # components
        w = exists.shape[-1] // 2
        low, high = at(acc, np.s_[..., :w]), at(acc, np.s_[..., w:])
        acc = choose(exists[..., w:], combine(low, high), low)
        exists = exists[..., :w]
    acc, exists = at(acc, np.s_[..., 0]), exists[..., 0]
    while exists.shape[-1] > 1:  # slots
        w = exists.shape[-1] // 2
        low, high = at(acc, np.s_[..., :w]), at(acc, np.s_[..., w:])
        acc = choose(exists[..., w:], combine(low, high), low)
        exists = exists[..., :w]
    return at(acc, np.s_[..., 0])


def fold_partials(partials: State, v: int, combine: Combine) -> State:
    """Rule 5: (rows, chunk) to (rows,)."""
    while partials[0].shape[1] > 1:
        padded, exists = pad(partials, partials[0].shape[1], v)
        partials = fold_chunks(padded, exists, lambda s: s, combine, combine)
    return at(partials, np.s_[:, 0])
