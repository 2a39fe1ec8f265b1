"""Code in C that is not executed to its end is told of by a note."""

from __future__ import annotations

import pytest
from codeintel_plugins.patterns.analyzer import PatternAnalyzer
from codeintel_plugins.symbolic import find

from codeintel.contracts import AnalyzerRequest, Model, Note

CODE = "int half(int n) { if (n > 3) return n / 2; return n; }\n"
NESTED = "int f(int n) { return " + "(" * 3000 + "n" + ")" * 3000 + "; }\n"


def cut_short(code: str) -> bool:
    """Whether a note says that not all of the code's ways were gone."""
    request = AnalyzerRequest(code=code, language="c", model=Model.PRO)
    return any(
        isinstance(each, Note) and each.truncated for each in PatternAnalyzer().analyze(request)
    )


def test_code_that_is_executed_to_its_end() -> None:
    assert not cut_short(CODE)


def test_too_little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "MAX_SECONDS", -1.0)
    assert cut_short(CODE)


def test_too_little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "MAX_WORK", 0)
    assert cut_short(CODE)


def test_code_that_is_nested_too_deeply() -> None:
    assert cut_short(NESTED)


def test_too_little_time_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeintel_plugins.symbolic.reader.MAX_SECONDS", -1.0)
    assert cut_short(CODE)
