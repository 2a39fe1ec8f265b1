"""Programs do the same before and after. Where a compiler is missing they are parsed at least."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from codeintel_plugins.transformations.structural.patches import LANGUAGES, rules_of
from structural_cases import WAYS, Program, failures, programs, rewritten

ALL = list(programs())
REQUIRED = ("bash", "c", "cpp") if os.environ.get("CODEINTEL_REQUIRE_SERVICES") else ()
"""The languages whose compilers are on every machine that has the services."""
SECONDS = 60
MIN_PROGRAMS = 6


RUNS: dict[str, tuple[str, list[str], list[str]]] = {
    "c": ("p.c", ["gcc", "-std=gnu11", "-w", "-o", "p", "p.c"], ["./p"]),
    "cpp": ("p.cpp", ["g++", "-std=c++17", "-w", "-Dregister=", "-o", "p", "p.cpp"], ["./p"]),
    "java": ("Main.java", ["javac", "-nowarn", "Main.java"], ["java", "-Xshare:auto", "Main"]),
    "rust": (
        "p.rs",
        ["rustc", "--edition", "2018", "-A", "warnings", "-o", "p", "p.rs"],
        ["./p"],
    ),
    "go": ("p.go", [], ["go", "run", "p.go"]),
    "php": ("p.php", [], ["php", "p.php"]),
    "ruby": ("p.rb", [], ["ruby", "p.rb"]),
    "csharp": ("p.cs", ["mcs", "p.cs"], ["mono", "p.exe"]),
    "bash": ("p.sh", [], ["bash", "p.sh"]),
}
"""How a program is called, built and run."""


def output(program: Program, code: str, folder: Path) -> str:
    """Return a program's output and exit status."""
    name, build, run = RUNS[program.language]
    (folder / name).write_text(code)
    environment = {**os.environ, "GO111MODULE": "off"}
    for command in filter(None, (build, run)):
        ended = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        assert command is run or not ended.returncode, ended.stderr
    assert not ended.returncode, ended.stderr
    return ended.stdout


def transformed(program: Program) -> str:
    """Return the program after all kinds of transformations. Each of them is checked."""
    code = program.code
    for kind in WAYS:
        made = rewritten(code, program.language, kind)
        assert failures(code, made, program.language) == []
        assert rewritten(made.code, program.language, kind).code == made.code
        code = made.code
    return code


@pytest.mark.parametrize("program", ALL, ids=lambda each: f"{each.language}-{each.title}")
def test_a_program_does_the_same(program: Program, tmp_path: Path) -> None:
    after = transformed(program)
    _, build, run = RUNS[program.language]
    missing = [
        tool[0]
        for tool in (build, run)
        if tool and "/" not in tool[0] and not shutil.which(tool[0])
    ]
    if missing and program.language not in REQUIRED:
        pytest.skip(f"{missing[0]} is missing: parsed, compared, not run")
    assert not missing
    said = output(program, program.code, tmp_path)
    assert said
    assert output(program, after, tmp_path) == said


def test_most_programs_are_changed() -> None:
    changed = [program for program in ALL if transformed(program) != program.code]
    assert len(changed) >= len(ALL) - 1  # one has shadowed names in all places


def test_each_language_has_programs_that_use_all_of_its_rules() -> None:
    for language in LANGUAGES:
        mine = [program for program in ALL if program.language == language]
        assert len(mine) >= MIN_PROGRAMS
        used: set[str] = set()
        for program in mine:
            code = program.code
            for kind in WAYS:
                made = rewritten(code, language, kind)
                used.update(change.rule for change in made.changes)
                code = made.code
        assert {rule.id for rule in rules_of(language)} <= used
