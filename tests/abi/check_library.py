"""Checks the built library as the loader sees it: name, exported symbols, and what it is linked with.

The exported symbols, the export list (warpprim.map) and the functions of the header must be the same set.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from pathlib import Path

VERSION_NODE = "WARPPRIM_0"

# Everything that libwarpprim.so may depend on; the first line is the C library, as older releases cut it up.
ALLOWED = re.compile(
    r"(ld-linux.*|libc|libm|libpthread|libdl|librt"
    r"|libstdc\+\+|libgcc_s|libtbb|libhwy)\.so\.\d+"
)


def declared(header: str) -> set[str]:
    code = re.sub(r"/\*.*?\*/", " ", header, flags=re.DOTALL)
    code = re.sub(r"^[ \t]*#.*?(?<!\\)$", " ", code, flags=re.DOTALL | re.MULTILINE)
    return set(re.findall(r"\bWPRIM_API\b[^;(]*?\b(\w+)\s*\(", code))


def listed(map_text: str) -> set[str]:
    body = re.search(VERSION_NODE + r"\s*\{\s*global:(.*?)local:\s*\*;", map_text, flags=re.DOTALL)
    if body is None:
        raise SystemExit(f"the export list has no node {VERSION_NODE} with global names and 'local: *'")
    return {name.strip() for name in body[1].split(";") if name.strip()}


def exported(readelf: str, library: Path) -> set[str]:
    names = set()
    for line in run(readelf, "--dyn-syms", "--wide", str(library)).splitlines():
        fields = line.split()
        if len(fields) < 8 or fields[4] not in ("GLOBAL", "WEAK", "UNIQUE") or fields[6] == "UND":
            continue
        name, _, version = fields[7].partition("@@")
        if name == VERSION_NODE and fields[6] == "ABS":
            continue  # the node itself
        names.add(name if version == VERSION_NODE else fields[7])
    return names


def run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def differences(what: str, got: set[str], want: set[str]) -> list[str]:
    return [f"{what}: {name} is missing" for name in sorted(want - got)] + [
        f"{what}: {name} is not a function of the header" for name in sorted(got - want)
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--readelf", required=True)
    parser.add_argument("--header", type=Path, required=True)
    parser.add_argument("--map", type=Path, required=True)
    parser.add_argument("--library", type=Path, required=True)
    parser.add_argument("--soname", required=True)
    arguments = parser.parse_args()

    functions = declared(arguments.header.read_text())
    dynamic = run(arguments.readelf, "--dynamic", "--wide", str(arguments.library))
    needed = re.findall(r"\(NEEDED\).*\[(.+)\]", dynamic)

    faults = [f"header: {name} does not begin with wprim_" for name in functions if name[:6] != "wprim_"]
    if not functions:
        faults.append("header: no function found")
    faults += differences("export list", listed(arguments.map.read_text()), functions)
    faults += differences("library", exported(arguments.readelf, arguments.library), functions)
    faults += [f"library: depends on {name}" for name in needed if not ALLOWED.fullmatch(name)]
    if re.findall(r"\(SONAME\).*\[(.+)\]", dynamic) != [arguments.soname]:
        faults.append(f"library: its SONAME is not {arguments.soname}")
    if re.search(r"\((RPATH|RUNPATH|TEXTREL)\)", dynamic):
        faults.append("library: has a search path or text relocations of its own")

    told = f"{len(functions)} functions are declared, listed and exported; needs {', '.join(needed)}"
    print("\n".join(faults) or told)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
