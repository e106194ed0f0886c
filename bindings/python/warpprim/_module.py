"""What concerns the library as a whole: version, build, log."""

from __future__ import annotations

import sys
from typing import Any, Callable

from . import raw
from .errors import InvalidArgument, check

LEVELS = {"off": 0, "warn": 1, "info": 2, "debug": 3}


def version() -> str:
    """The version of the library that is loaded.

    >>> version()
    '0.1.0'
    """
    number: int = raw.wprim_version()
    return f"{number // 10000}.{number // 100 % 100}.{number % 100}"


def build_info() -> str:
    """One line on how the library was built: version, backends, compiler."""
    text: bytes = raw.wprim_build_info()
    return text.decode("utf-8", "replace")


# What C calls now. It is kept for ever: a thread may be about to call the former one.
_log_functions: list[Any] = []


def set_log(level: str, function: Callable[[str, str], object] | None = None) -> None:
    """Sends what the library does, up to a level ("off", "warn", "info", "debug"), to `function(level,
    line)`, or to stderr. The function may be called on any thread, and must not call warpprim."""
    if not isinstance(level, str) or level not in LEVELS:
        raise InvalidArgument(f"level = {level!r} is none of {', '.join(map(repr, LEVELS))}")
    if function is None:
        check(raw.wprim_set_log(LEVELS[level], None, None))
        return
    if not callable(function):
        raise InvalidArgument(f"function = {function!r} cannot be called")
    names = {number: name for name, number in LEVELS.items()}

    def receive(number: int, line: bytes, _user: int | None) -> None:
        try:
            function(names[number], line.decode("utf-8", "replace"))
        except BaseException as error:
            sys.stderr.write(f"warpprim: the log function raised {type(error).__name__}: {error}\n")

    in_c = raw.LogFn(receive)
    _log_functions.append(in_c)
    check(raw.wprim_set_log(LEVELS[level], in_c, None))
