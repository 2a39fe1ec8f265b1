"""Programs in an older style, each with its own check, before and after."""

from __future__ import annotations

import types
import warnings
from pathlib import Path

import pytest
from codeintel_plugins.transformations.python.ruff import RuffModernize, RuffOptimize, RuffRefactor

from codeintel.contracts import CheckStatus, Rewrite, RewriteRequest, Transformation
from codeintel.engine.equivalence import same_meaning
from codeintel.engine.equivalence.comparison import Comparison

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))
WAYS: tuple[type[Transformation], ...] = (RuffRefactor, RuffModernize, RuffOptimize)


def source(path: Path) -> str:
    """Return a program without the two lines that disable our own linters."""
    return "".join(path.read_text(encoding="utf-8").splitlines(keepends=True)[2:])


def run(code: str, name: str) -> None:
    """Run a program's self-check, as a separate module."""
    module = types.ModuleType(f"program_{name}")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(code, name, "exec", dont_inherit=True), module.__dict__)
        module.check()


def rewritten(way: type[Transformation], code: str, **options: object) -> Rewrite:
    request = RewriteRequest(code=code, language="python", target="python", options=options)
    return way().rewrite(request)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("way", WAYS, ids=lambda way: way.kind)
@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_a_program_does_the_same_afterwards(way: type[Transformation], path: Path) -> None:
    code = source(path)
    run(code, path.stem)
    for options in ({}, {"aggressive": True}):
        result = rewritten(way, code, **options)
        assert bool(result.changes) is (result.code != code)
        assert result.changes or path.stem == "side_effects"
        evidence = same_meaning.compare(
            Comparison(
                before=code,
                after=result.code,
                language="python",
                target="python",
                changes=result.changes,
            )
        )
        assert evidence.status is CheckStatus.PASSED, evidence.text
        run(result.code, path.stem)
        assert rewritten(way, result.code, **options).code == result.code
