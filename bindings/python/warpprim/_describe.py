"""What plans and graphs say of themselves."""

from __future__ import annotations

import ctypes
import json
from typing import Any

from .errors import InvalidArgument, check
from .raw import Format


def describe(function: Any, handle: int, as_json: bool) -> Any:
    if not isinstance(as_json, bool):
        raise InvalidArgument(f"json = {as_json!r}: pass True or False")
    form, length = Format.JSON if as_json else Format.TEXT, ctypes.c_uint64()
    check(function(handle, form, None, 0, ctypes.byref(length)))
    text = ctypes.create_string_buffer(length.value + 1)
    check(function(handle, form, text, len(text), ctypes.byref(length)))
    said = text.value.decode("utf-8", "replace")
    return json.loads(said) if as_json else said
