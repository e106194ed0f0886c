"""Checks the documents against what they speak of.

programs   each ```c or ```python block of the Markdown files is a whole program: it compiles without a
           warning, runs, and prints what the ```output block behind it says; so does the program at the top
           of the header
rust       the Rust program of README.md, with the dependency it shows and nothing else: Cargo builds the
           library too, and it prints what the ```output block behind it says
links      relative links lead to files, and their anchors to headings
tests      every test that README.md names is one that ctest knows
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("bindings/*/*.md")])
STRICT = ["-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror"]


def header_program() -> str:
    """The program in the first comment of the header: from #include to the closing brace."""
    lines = [line.removeprefix(" *     ") for line in (ROOT / "include/warpprim.h").read_text().splitlines()]
    start = lines.index("#include <stdio.h>")
    return (
        "\n".join(line if line != " *" else "" for line in lines[start : lines.index("}", start) + 1]) + "\n"
    )


def run_python(source: str, args: argparse.Namespace) -> str:
    ways = {"PYTHONPATH": str(ROOT / "bindings/python"), "WARPPRIM_LIBRARY": str(args.library.resolve())}
    done = subprocess.run(
        [sys.executable, "-c", source],
        env={**os.environ, **ways},
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    return done.stdout


def run_c(source: str, args: argparse.Namespace) -> str:
    with tempfile.TemporaryDirectory() as folder:
        file, program = Path(folder, "program.c"), Path(folder, "program")
        file.write_text(source)
        library = args.library.resolve()
        command = [
            args.cc,
            *STRICT,
            f"-I{ROOT / 'include'}",
            str(file),
            "-o",
            str(program),
            str(library),
            "-lm",
        ]
        subprocess.run([*command, f"-Wl,-rpath,{library.parent}"], check=True)
        return subprocess.run([str(program)], check=True, capture_output=True, text=True, timeout=60).stdout


def check_programs(args: argparse.Namespace) -> list[str]:
    faults = []
    programs = [("include/warpprim.h", "c", header_program(), "500\n")]
    for file in FILES:
        for block in re.finditer(
            r"^```(c|python)\n(.*?)^```\n(?:```output\n(.*?)^```\n)?", file.read_text(), re.S | re.M
        ):
            programs.append((str(file.relative_to(ROOT)), block[1], block[2], block[3]))
    if {language for _, language, _, _ in programs[1:]} != {"c", "python"}:
        faults.append("the documents have no program in C, or none in Python")
    for name, language, source, wanted in programs:
        try:
            printed = {"c": run_c, "python": run_python}[language](source, args)
        except subprocess.SubprocessError as error:
            faults.append(f"{name}: {error} {getattr(error, 'stderr', '') or ''}")
            continue
        print(f"{name}: a program in {language} of {source.count(chr(10))} lines runs")
        if wanted is not None and printed != wanted:
            faults.append(f"{name}: it prints\n{printed}where the document has\n{wanted}")
    return faults


def check_rust(args: argparse.Namespace) -> list[str]:
    pattern = r"^```toml\n(.*?)^```\n(?:.*?)^```rust\n(.*?)^```\n```output\n(.*?)^```"
    found = re.search(pattern, (ROOT / "README.md").read_text(), re.S | re.M)
    if not found:
        return ["README.md has no Rust program"]
    manifest, program, wanted = found.groups()
    if 'path = "../warpprim/' not in manifest:
        return ["README.md: the dependency is not that on a clone"]
    (args.work / "src").mkdir(parents=True, exist_ok=True)
    package = '[workspace]\n[package]\nname = "readme"\nversion = "0.0.0"\nedition = "2021"\n'
    (args.work / "Cargo.toml").write_text(package + manifest.replace('"../warpprim/', f'"{ROOT}/'))
    (args.work / "src/main.rs").write_text(program)
    shutil.copy(ROOT / "bindings/rust/Cargo.lock", args.work)
    environment = {name: value for name, value in os.environ.items() if name != "WARPPRIM_DIR"}
    # No installed library, and nothing from the network that tools/setup has not fetched.
    environment.update(WARPPRIM_NO_PKG_CONFIG="1", CARGO_TARGET_DIR=str(args.work / "target"))
    command = ["cargo", "run", "--quiet", "--offline"]
    done = subprocess.run(command, cwd=args.work, env=environment, capture_output=True, text=True)
    if done.returncode != 0 or done.stdout != wanted:
        return [f"README.md: cargo run prints\n{done.stdout}{done.stderr}\nwhere the document has\n{wanted}"]
    print("README.md: cargo run prints what is written")
    return []


def anchors(file: Path) -> set[str]:
    headings = re.findall(r"^#+ (.*)$", file.read_text(), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check_links(_: argparse.Namespace) -> list[str]:
    faults = []
    for file in FILES:
        for target in re.findall(r"\]\(([^)\s]+)\)", file.read_text()):
            if "://" in target:
                continue
            path, _sharp, anchor = target.partition("#")
            linked = (file.parent / path).resolve() if path else file
            if not linked.exists():
                faults.append(f"{file.name}: {target} leads nowhere")
            elif anchor and anchor not in anchors(linked):
                faults.append(f"{file.name}: {target} names no heading")
    return faults


def check_tests(args: argparse.Namespace) -> list[str]:
    listing = subprocess.run(
        [args.ctest, "--show-only", "--test-dir", str(args.build)], check=True, capture_output=True, text=True
    ).stdout
    known = set(re.findall(r"Test +#\d+: (\S+)", listing))
    section = (ROOT / "README.md").read_text().split("## Promises", 1)[1].split("\n## ", 1)[0]
    rooms = {name.split(".")[0] for name in known}
    named = {name for name in re.findall(r"`([a-z_]+\.[\w.]+)`", section) if name.split(".")[0] in rooms}
    print(f"README.md names {len(named)} tests")
    faults = [f"README.md: ctest knows no test {name}" for name in sorted(named - known)]
    return faults if named else ["README.md names no test at all"]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("what", choices=["programs", "rust", "links", "tests"])
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--library", type=Path)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--ctest", default="ctest")
    parser.add_argument("--build", type=Path)
    args = parser.parse_args()
    checks = {"programs": check_programs, "rust": check_rust, "links": check_links, "tests": check_tests}
    faults = checks[args.what](args)
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
