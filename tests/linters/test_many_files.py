"""Analyzers that start a program once for several files report the same as for each file."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeintel.contracts import Analyzer, AnalyzerOutput, AnalyzerRequest, Model
from codeintel.platform.plugins.manager import PluginManager

PYTHON = {
    "findings": "import os, sys\nfrom x import *\n\n\ndef f(b=[]):\n    if b == None: return b\n",
    "nothing": "",
    "no function": "x = 1\n",
    "syntax error": "def f(:\n    pass\n",
    "line ends": "def f():\r\n    return 1\rx = 2\n",
    "unusual characters": "def é():\n    return '\N{GRINNING FACE}\u2028\x0c'\n",
    "too deep": f"def f():\n    return {'(' * 3_000}1{')' * 3_000}\n",
    "suppressed": "import os  # noqa: F401\n",
}
JAVASCRIPT = {
    "findings": "if (a = 1) { debugger }\nconst x = [1, , 2];\nx == null\n",
    "nothing": "",
    "syntax error": "function (\n",
    "types": "const x: number = 1; debugger\n",
    "types and tags": "const x: number = 1; debugger; const y = <br/>\n",
    "casts": "const x = <number>1; debugger; // </br>\n",
    "unusual characters": "const é = '\N{GRINNING FACE}\u2028'; debugger\n",
    "suppressed": "// eslint-disable-next-line no-debugger\ndebugger\n",
}
CODES = {"ruff": PYTHON, "metrics": PYTHON, "oxlint": JAVASCRIPT}
LANGUAGES = {"ruff": "python", "metrics": "python", "oxlint": "javascript"}


@pytest.fixture(scope="module")
def analyzers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Analyzer]:
    found = PluginManager({}, tmp_path_factory.mktemp("instance")).registry.analyzers
    return {name: each for name, each in found.items() if is_batching(each)}


def is_batching(analyzer: Analyzer) -> bool:
    return type(analyzer).analyze_many is not Analyzer.analyze_many


def requests_of(name: str, kinds: list[str], model: Model) -> list[AnalyzerRequest]:
    return [AnalyzerRequest(CODES[name][kind], LANGUAGES[name], model) for kind in kinds]


def test_all_are_tested(analyzers: dict[str, Analyzer]) -> None:
    assert set(analyzers) == set(CODES)


@pytest.mark.parametrize("model", [Model.FLASH, Model.PRO])
@pytest.mark.parametrize("name", CODES)
@pytest.mark.parametrize("without", ["", "too deep"])
def test_many_are_as_each(
    analyzers: dict[str, Analyzer],
    name: str,
    without: str,
    model: Model,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    kinds = [kind for kind in CODES[name] if kind != without] * 2
    requests = requests_of(name, kinds, model)
    found: dict[int, list[AnalyzerOutput]] = {
        place: list(outputs) for place, outputs in analyzers[name].analyze_many(requests)
    }
    for place, (kind, request) in enumerate(zip(kinds, requests, strict=True)):
        assert found.pop(place) == list(analyzers[name].analyze(request)), kind
    assert not found
