"""The package of this tree, if none is installed, and the reference of tests/conformance."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
try:
    import warpprim  # noqa: F401
except ImportError:
    sys.path.insert(0, str(ROOT / "bindings/python"))
sys.path.insert(0, str(ROOT / "tests/conformance"))
