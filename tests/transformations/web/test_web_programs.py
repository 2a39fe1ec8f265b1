"""Programs with their own tests, which the rewritten programs must pass."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from codeintel_plugins.transformations.web.documenting import WebDocument
from codeintel_plugins.transformations.web.rewriting import WebModernize, WebOptimize, WebRefactor
from codeintel_plugins.transformations.web.type_removal import TypeRemoval

from codeintel.contracts import CheckStatus, RewriteRequest, Transformation
from codeintel.engine.equivalence.comparison import Comparison
from codeintel.engine.equivalence.levels import compare

NODE = shutil.which("node")
PROGRAMS = sorted((Path(__file__).parent / "programs").iterdir())
WAYS = (WebModernize(), WebRefactor(), WebOptimize(), WebDocument())
CHANGED = {"web-modernize": 13, "web-refactor": 10, "web-optimize": 2, "web-document": 11}
"""How many of the programs each kind finds something in, at least."""
needs_node = pytest.mark.skipif(NODE is None, reason="Node.js is missing")


def transformed(way: Transformation, code: str, language: str, target: str | None = None) -> str:
    """Return the new code, after all its checks."""
    target = target or language
    request = RewriteRequest(code=code, language=language, target=target, options={})
    result = way.rewrite(request)
    comparison = Comparison(
        before=code,
        after=result.code,
        language=language,
        target=target,
        changes=result.changes,
        equivalence=way.equivalence,
    )
    checks = {check.name: check for check in compare(comparison)}
    assert checks["parses"].status is CheckStatus.PASSED, checks["parses"].evidence
    assert checks["equivalent"].status is CheckStatus.PASSED, checks["equivalent"].evidence
    assert [each.evidence for each in checks.values() if each.status is CheckStatus.FAILED] == []
    return result.code


def run(codes: dict[str, str], folder: Path) -> None:
    """Run several variants of a program and their tests, in one process."""
    for name, code in codes.items():
        (folder / name).write_text(code)
    main = folder / "main.mjs"
    main.write_text("".join(f"import './{name}';\n" for name in codes))
    assert NODE is not None
    done = subprocess.run([NODE, main], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout


def test_there_are_programs() -> None:
    assert len(PROGRAMS) >= 15


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.name)
def test_each_kind_finds_something_in_most_programs(way: Transformation) -> None:
    changed = 0
    for program in PROGRAMS:
        language = "typescript" if program.suffix == ".ts" else "javascript"
        code = program.read_text()
        request = RewriteRequest(code=code, language=language, target=language, options={})
        changed += way.rewrite(request).code != code
    assert changed >= CHANGED[way.name]


@needs_node
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.name)
def test_programs_still_pass_their_tests(program: Path, tmp_path: Path) -> None:
    language = "typescript" if program.suffix == ".ts" else "javascript"
    original = program.read_text()
    variants = {"everything": original}
    for way in WAYS:
        once = variants[way.name] = transformed(way, original, language)
        assert transformed(way, once, language) == once
        variants["everything"] = transformed(way, variants["everything"], language)
    if language == "typescript":
        removal = TypeRemoval()
        variants = {
            name: transformed(removal, code, language, "javascript")
            for name, code in {**variants, "plain": original}.items()
        }
    suffix = ".mjs" if language == "typescript" else program.suffix
    run({f"{name}{suffix}": code for name, code in variants.items()}, tmp_path)
