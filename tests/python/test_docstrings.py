"""The examples in the docstrings, and that everything public has a docstring."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from typing import Any

import numpy as np
import pytest
import warpprim as wp

MODULES = ["warpprim", *(f"warpprim.{module.name}" for module in pkgutil.iter_modules(wp.__path__))]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name: str) -> None:
    module: Any = importlib.import_module(name)
    names = {"np": np, "wp": wp, **vars(module)}
    failed, _ = doctest.testmod(module, globs=names)
    assert failed == 0


def test_everything_public_is_documented() -> None:
    examples = 0
    for name in wp.__all__:
        text = getattr(wp, name).__doc__
        assert text, name
        examples += ">>>" in text
    assert examples > 20
