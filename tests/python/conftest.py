"""What all tests share: where the package and the reference are, and how long Hypothesis searches.

`pytest --hypothesis-profile=long` searches longer than `make test` has time for.
"""

from __future__ import annotations

import sys
from pathlib import Path

from hypothesis import settings

ROOT = Path(__file__).resolve().parents[2]
for folder in ("bindings/python", "tests/conformance"):
    sys.path.append(str(ROOT / folder))  # behind what is installed, or named by PYTHONPATH

settings.register_profile("default", max_examples=150, deadline=None)
settings.register_profile("long", max_examples=10_000, deadline=None)
settings.load_profile("default")
