"""Streams of other libraries: where they are found in objects, and those of this package on them."""

from __future__ import annotations

import os

from ._context import default_context, lost
from ._streams import Stream

_shared: dict[tuple[int, int], Stream] = {}
MOST_SHARED = 64
DEFAULTS = (0, 1, 2)  # native streams that are always there: default, legacy, per thread


def shared_stream(ordinal: int, native: int, owner: object) -> Stream:
    """The stream of this package on a native stream of a GPU. It is kept for the next call if the native one
    is sure to live: because `owner` keeps it, or because it always does."""
    stream = _shared.get((ordinal, native))
    if stream is None:
        stream = Stream(default_context("cuda", ordinal), native=native)
        stream._owner = owner
        if owner is not None or native in DEFAULTS:
            _shared[ordinal, native] = stream
            if len(_shared) > MOST_SHARED:
                _shared.pop(next(iter(_shared)), None)
    return stream


def _after_fork() -> None:
    lost.append(dict(_shared))
    _shared.clear()


os.register_at_fork(after_in_child=_after_fork)
