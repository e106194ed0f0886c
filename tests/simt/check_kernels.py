#!/usr/bin/env python3
"""Checks that every kernel of the library was launched on the machine: each __global__ function of src/cuda,
with each of its instances.

    check_kernels.py SOURCES PROGRAM LAUNCHED...

LAUNCHED are the files that the program wrote (WARPPRIM_SIMT_LAUNCHED): addresses of kernels.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path


def kernels_of(sources: Path) -> set[str]:
    """The names of all __global__ functions."""
    names = set()
    for path in sorted(sources.rglob("*.cu*")):
        text = re.sub(r"//.*", "", path.read_text())
        for found in re.finditer(r"__global__\s+void\s+(?:__launch_bounds__\s*\()?", text):
            at = found.end()
            if found[0].endswith("("):  # to the parenthesis that closes the bounds
                depth = 1
                while depth:
                    depth += {"(": 1, ")": -1}.get(text[at], 0)
                    at += 1
            name = re.match(r"\s*(\w+)\s*\(", text[at:])
            if name is None:
                sys.exit(f"{path}: a __global__ function whose name this script cannot read")
            names.add(name[1])
    return names


def main() -> int:
    sources, program, launched_files = Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    launched = {int(line, 16) for file in launched_files for line in Path(file).read_text().split()}
    command = ["nm", "-C", "--defined-only", program]
    symbols = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    faults, instances = [], 0
    for name in sorted(kernels_of(sources)):
        pattern = rf"^([0-9a-f]+) [tTwW] ((?:void )?wprim::cuda::{name}(?:<.*>)?\(.*)$"
        of_kernel = re.findall(pattern, symbols, re.M)
        instances += len(of_kernel)
        if not of_kernel:
            faults.append(f"{name}: no test of tests/simt compiles it")
        for address, text in of_kernel:
            if int(address, 16) not in launched:
                faults.append(f"{text}: never launched")
    print("\n".join(faults) or f"all {instances} kernels were launched")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
