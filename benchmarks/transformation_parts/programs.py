"""The programs, and how each is run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from codeintel.contracts.languages import language_of_path

CORPUS = Path(__file__).parents[2] / "tests" / "transformations"
RUN_SECONDS = 60
PART = "%%%% "
"""Begins a program, followed by its title, in a file `LANGUAGE.txt` that has several."""
_CALL = "\n\nif 'check' in globals():\n    check()\n"
_TIMES = re.compile(r"^.*duration_ms.*$", re.MULTILINE)
"""Lines in which Node's own tests say how long they took."""
_LINTERS_KEPT_OUT = re.compile(r"\A# ruff: noqa\n# fmt: off\n")
_NODE = ("node", "--no-warnings")
_RUNS: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "python": ("program.py", (), (sys.executable, "-W", "ignore", "program.py")),
    "c": ("p.c", ("gcc", "-std=gnu11", "-w", "-o", "p", "p.c"), ("./p",)),
    "cpp": ("p.cpp", ("g++", "-std=c++17", "-w", "-Dregister=", "-o", "p", "p.cpp"), ("./p",)),
    "java": ("Main.java", ("javac", "-nowarn", "Main.java"), ("java", "-Xshare:auto", "Main")),
    "rust": (
        "p.rs",
        ("rustc", "--edition", "2018", "-A", "warnings", "-o", "p", "p.rs"),
        ("./p",),
    ),
    "go": ("p.go", (), ("go", "run", "p.go")),
    "php": ("p.php", (), ("php", "p.php")),
    "ruby": ("p.rb", (), ("ruby", "p.rb")),
    "bash": ("p.sh", (), ("bash", "p.sh")),
}
"""The file, how it is built and how it is run."""


class Program(NamedTuple):
    """A program that says by itself, or by how it ends, whether it works."""

    title: str
    language: str
    code: str
    suffix: str


def programs(paths: Iterable[Path]) -> Iterator[Program]:
    """Yield the programs in files, in files with several, in folders, and in the corpus's folders
    `programs`."""
    for path in paths:
        inside = path.rglob("programs/*") if path == CORPUS else path.rglob("*")
        for file in sorted(inside) if path.is_dir() else [path]:
            language = language_of_path(file)
            if file.suffix == ".txt":
                for part in file.read_text().split(PART)[1:]:
                    title, _, code = part.partition("\n")
                    yield Program(f"{file.stem}: {title}", file.stem, code, "")
            elif file.is_file() and language:
                code = _LINTERS_KEPT_OUT.sub("", file.read_bytes().decode())  # with its line ends
                yield Program(str(file), language, code, file.suffix)


def said(language: str, code: str, suffix: str, folder: Path) -> str | None:
    """Return how a program ends and its output, or None if it cannot be run or built here."""
    if language == "javascript":
        name = f"program{suffix or '.js'}"
        build, run = (), (*_NODE, name)
    elif language in _RUNS:
        name, build, run = _RUNS[language]
    else:
        return None
    if any(command and not _is_here(command[0]) for command in (build, run)):
        return None
    (folder / name).write_bytes((code + (_CALL if language == "python" else "")).encode())
    environment = {**os.environ, "GO111MODULE": "off", "PYTHONHASHSEED": "0"}
    for command in filter(None, (build, run)):
        try:
            ended = subprocess.run(
                command,
                cwd=folder,
                env=environment,
                capture_output=True,
                timeout=RUN_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return "too long"
        if ended.returncode:
            return f"{ended.returncode}"
    return f"0 {_TIMES.sub('', ended.stdout.decode(errors='replace'))}"


def _is_here(tool: str) -> bool:
    return tool.startswith("./") or shutil.which(tool) is not None
