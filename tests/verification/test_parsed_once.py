"""How often a comparison parses each of its texts."""

from __future__ import annotations

import builtins
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from codeintel.contracts import CheckStatus, Equivalence, Promise
from codeintel.engine.equivalence.comparison import Comparison
from codeintel.engine.equivalence.levels import compare
from codeintel.engine.syntax import source

Parses = Counter[tuple[str, str]]
LOOP = (
    "def f(items: list[int]):\n    r = []\n    for x in items:\n        r.append(x + 1)\n"
    "    return r\n"
)
INDEX = (
    "def f(items: list[int]):\n    r = []\n    for i in range(len(items)):\n"
    "        r.append(items[i] + 1)\n    return r\n"
)
OTHER = LOOP.replace("+ 1", "+ 2")
DOCUMENTED = LOOP.replace("    r = []", '    """Add one."""\n    r = []')
SCRIPT = "function f(a) {\n  if (a) { return 1; }\n  return 2;\n}\n"
CHOICE = "function f(a) {\n  return a ? 1 : 2;\n}\n"


@pytest.fixture
def parses(monkeypatch: pytest.MonkeyPatch) -> Iterator[Parses]:
    counts: Parses = Counter()
    compiled, parsed = builtins.compile, source.parsed

    def compiling(code: Any, *given: Any, **named: Any) -> Any:
        if isinstance(code, str):
            counts[code, "python"] += 1
        return compiled(code, *given, **named)

    def parsing(data: bytes, grammar: Any) -> Any:
        counts[data.decode(), grammar] += 1
        return parsed(data, grammar)

    monkeypatch.setattr(builtins, "compile", compiling)
    monkeypatch.setattr(source, "parsed", parsing)
    source._source.cache_clear()
    yield counts
    source._source.cache_clear()


@pytest.mark.parametrize(
    ("before", "after", "language", "equivalence", "status", "most"),
    [
        # One tree is shared, the other brought into normal form.
        (LOOP, INDEX, "python", Equivalence.NORMAL_FORM, CheckStatus.PASSED, 2),
        (LOOP, OTHER, "python", Equivalence.NORMAL_FORM, CheckStatus.NOT_APPLICABLE, 2),
        (LOOP, DOCUMENTED, "python", Equivalence.SYNTAX_TREE, CheckStatus.PASSED, 2),
        (SCRIPT, CHOICE, "javascript", Equivalence.NORMAL_FORM, CheckStatus.PASSED, 1),
    ],
)
def test_a_comparison_parses_each_text_seldom(
    parses: Parses,
    before: str,
    after: str,
    language: str,
    equivalence: Equivalence,
    status: CheckStatus,
    most: int,
) -> None:
    comparison = Comparison(
        before=before,
        after=after,
        language=language,
        target=language,
        equivalence=equivalence,
        by_model=True,
    )
    checks = {check.name: check for check in compare(comparison)}
    assert checks[Promise.EQUIVALENT].status is status, checks[Promise.EQUIVALENT].evidence
    assert parses[before, language]
    assert all(count <= most for count in parses.values()), parses
