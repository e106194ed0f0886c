"""Installs the library inside the build tree, moves it, and builds and runs programs against the copy.

The move says that nothing in the installed files remembers where they were installed to.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

CONSUMER = Path(__file__).parent / "consumer"
CRATES = Path(__file__).resolve().parents[2] / "bindings/rust"


def run(*command: str | Path, **environment: str) -> str:
    """Runs a command and returns what it printed; a failure ends the test with all of it."""
    inherited = {name: value for name, value in os.environ.items() if name != "WARPPRIM_DIR"}
    done = subprocess.run(
        [str(word) for word in command],
        env={**inherited, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if done.returncode != 0:
        raise SystemExit(f"failed ({done.returncode}): {' '.join(map(str, command))}\n{done.stdout}")
    return done.stdout.strip()


def expect(what: str, got: str, want: str) -> None:
    if got != want:
        raise SystemExit(f"{what}: got {got!r}, want {want!r}")
    print(f"{what}: {got}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    names = "cmake generator make-program pkg-config cc cxx build work version libdir includedir"
    for name in names.split():
        parser.add_argument(f"--{name}", required=True)
    a = parser.parse_args()

    work = Path(a.work)
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    run(a.cmake, "--install", a.build, "--prefix", work / "first")
    prefix = (work / "first").rename(work / "moved")
    libdir = prefix / a.libdir

    for file in (
        prefix / a.includedir / "warpprim.h",
        libdir / "libwarpprim.so",
        libdir / f"libwarpprim.so.{a.version.split('.')[0]}",
        libdir / f"libwarpprim.so.{a.version}",
        libdir / "cmake/warpprim/warpprim-config.cmake",
        libdir / "pkgconfig/warpprim.pc",
    ):
        if not file.exists():
            raise SystemExit(f"not installed: {file.relative_to(prefix)}")

    # find_package. The programs find the library by the path that CMake writes into them.
    tree = work / "find_package"
    run(
        *(a.cmake, "-S", CONSUMER, "-B", tree, "-G", a.generator, f"-DCMAKE_MAKE_PROGRAM={a.make_program}"),
        *(f"-DCMAKE_C_COMPILER={a.cc}", f"-DCMAKE_CXX_COMPILER={a.cxx}"),
        *(f"-DCMAKE_PREFIX_PATH={prefix}", f"-DWANTED_VERSION={a.version}"),
    )
    run(a.cmake, "--build", tree)
    for program in ("sum_c", "sum_cpp"):
        expect(f"find_package, {program}", run(tree / program), "500")

    # pkg-config.
    found = {"PKG_CONFIG_PATH": str(libdir / "pkgconfig")}
    expect("pkg-config, version", run(a.pkg_config, "--modversion", "warpprim", **found), a.version)
    flags = run(a.pkg_config, "--cflags", "--libs", "warpprim", **found).split()
    for compiler, source in ((a.cc, "sum.c"), (a.cxx, "sum.cpp")):
        binary = work / f"pkg_config_{source.replace('.', '_')}"
        run(compiler, CONSUMER / source, "-o", binary, *flags)
        expect(f"pkg-config, {source}", run(binary, LD_LIBRARY_PATH=str(libdir)), "500")

    # Cargo: the crate finds the same by pkg-config, and so has nothing to build.
    found.update(LD_LIBRARY_PATH=str(libdir), CARGO_TARGET_DIR=str(work / "cargo"))
    manifest = ("--manifest-path", CRATES / "Cargo.toml")
    run("cargo", "test", "--quiet", "--locked", *manifest, "-p", "warpprim-sys", **found)
    built = [str(path) for path in (work / "cargo").rglob("libwarpprim.so*")]
    expect("cargo, libraries that it built itself", " ".join(built), "")
    return 0


if __name__ == "__main__":
    sys.exit(main())
