"""Builds the wheel, without CUDA, installs it into a folder, and uses it there: with the libraries that it
carries, and without any way to this tree. scikit-build-core and numpy are those of the interpreter: nothing
is fetched.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import numpy as np
import warpprim as wp

maps = open("/proc/self/maps").read().split()
loaded = sorted({path for path in maps if "libwarpprim" in path or "libtbb" in path or "libhwy" in path})
print(int(wp.sum(np.ones(1 << 21, np.float32))), wp.__file__, *loaded)
"""


def run(*command: str | Path, cwd: Path) -> str:
    ways = ("LD_LIBRARY_PATH", "PYTHONPATH", "WARPPRIM_LIBRARY")
    clean = {name: value for name, value in os.environ.items() if name not in ways}
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=clean,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode != 0:
        raise SystemExit(f"failed ({done.returncode}): {' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", required=True, type=Path)
    args = parser.parse_args()
    work = args.work.resolve()
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check", "-q")
    options = ("--no-deps", "--no-build-isolation", "-C", "cmake.define.WARPPRIM_CUDA=OFF")
    run(*pip, "wheel", *options, "-w", work, ROOT / "bindings/python", cwd=work)
    (wheel,) = work.glob("warpprim-*.whl")
    print(f"{wheel.name}: {wheel.stat().st_size} bytes")

    folder = work / "installed"
    run(*pip, "install", "--no-deps", "--target", folder, wheel, cwd=work)
    told = run(sys.executable, "-c", PROGRAM, cwd=folder).split()
    print(*told, sep="\n")
    strangers = [path for path in told[1:] if not path.startswith(str(folder))]
    if told[0] != "2097152" or len(told) != 5 or strangers:
        raise SystemExit(f"wrong, or not from the wheel: {told[0]}, {strangers}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
