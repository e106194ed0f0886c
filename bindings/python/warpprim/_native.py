"""Where the native stream of another library is found in its objects."""

from __future__ import annotations

from typing import Any

from .errors import InvalidArgument


def native_stream(stream: object) -> int:
    """The cudaStream_t of an object: an integer, what has __cuda_stream__, a stream of torch, CuPy or
    Numba."""
    value: Any = stream
    protocol = getattr(stream, "__cuda_stream__", None)
    if protocol is not None:
        value = protocol() if callable(protocol) else protocol
        value = value[1] if isinstance(value, tuple) and len(value) == 2 else None
    else:
        for name in ("cuda_stream", "ptr", "handle"):
            if hasattr(stream, name):
                value = getattr(stream, name)
                value = getattr(value, "value", value) or 0
                break
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**64:
        return value
    raise InvalidArgument(
        f"stream = {stream!r} is no stream: pass a warpprim.Stream, a cudaStream_t as an integer, or an "
        "object with __cuda_stream__ (a stream of torch, CuPy or cuda.core)"
    )
