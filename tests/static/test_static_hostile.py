"""Text that was made to break tools. The bound is far above what is measured: it finds hangs."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
import warnings

import pytest
from codeintel_plugins.python.bandit import BanditAnalyzer
from codeintel_plugins.python.metrics import MetricsAnalyzer
from codeintel_plugins.python.ruff import RuffAnalyzer
from codeintel_plugins.secrets import SecretsAnalyzer
from codeintel_plugins.toolkit.processes import ToolFailed
from static_helpers import findings, is_within, notes, run
from static_samples import HOSTILE

from codeintel.contracts import Analyzer, AnalyzerOutput

ANALYZERS: list[Analyzer] = [
    RuffAnalyzer(),
    BanditAnalyzer(),
    SecretsAnalyzer(),
    MetricsAnalyzer(),
]
SECONDS = 8


def computed() -> float:
    """Return seconds that this process and those it has waited for have computed."""
    return sum(os.times()[:4])


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("analyzer", ANALYZERS, ids=lambda analyzer: analyzer.name)
def test_no_hang_and_no_silence(analyzer: Analyzer, name: str) -> None:
    code = HOSTILE[name]
    analyzer.preload()
    before = computed()
    try:
        outputs = run(analyzer, code)
    except ToolFailed:
        outputs = []
        assert name in {"sum", "minus", "attributes"}
    assert computed() - before < SECONDS
    assert all(is_within(f.range, code) for f in findings(outputs))
    if analyzer.name == "bandit" and not parses(code):
        assert notes(outputs)
    if analyzer.name == "ruff" and name in {"nul", "brackets", "quotes", "backslashes"}:
        assert [f.rule_id for f in findings(outputs)] == ["invalid-syntax"]


def parses(code: str) -> bool:
    text = code.removeprefix("\ufeff").encode("utf-8", "replace").decode()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def test_importing_the_plugin_imports_no_heavy_library() -> None:
    script = (
        "import sys, codeintel_plugins.static\n"
        "heavy = {'bandit', 'ruff', 'stevedore', 'flask', 'yaml'} & {*sys.modules}\n"
        "raise SystemExit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={"PYTHONPATH": ":".join(path for path in sys.path if path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_same_text_gives_the_same_answer() -> None:
    def answers() -> list[list[AnalyzerOutput]]:
        return [run(analyzer, HOSTILE["evals"]) for analyzer in ANALYZERS]

    assert answers() == answers()
