"""A GPU, or the reason why there is none: nothing here counts as passed without one."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
sys.path.append(str(ROOT / "bindings/python"))


@pytest.fixture(autouse=True, scope="session")
def gpu() -> None:
    import warpprim as wp

    if wp.device_count("cuda") == 0:
        pytest.skip(f"no GPU that warpprim can use ({wp.build_info()})")
