"""The result for SQL if DuckDB is not installed."""

from __future__ import annotations

import sys

import pytest

from codeintel.base.extras import SQL
from codeintel.contracts import CheckStatus
from codeintel.engine.equivalence.comparison import Comparison, Evidence
from codeintel.engine.equivalence.sql import compare

BY_ROWS = ("SELECT a + 1 FROM t", "SELECT 1 + a FROM t")
"""What only running them shows to be the same."""


def said(before: str, after: str, language: str, target: str = "") -> Evidence:
    return compare(
        Comparison(before=before, after=after, language=language, target=target or language)
    )


def without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "duckdb", None)


@pytest.mark.parametrize("language", ["duckdb", "postgres"])
def test_what_has_to_be_run_is_not_judged(monkeypatch: pytest.MonkeyPatch, language: str) -> None:
    assert said(*BY_ROWS, language).status is CheckStatus.PASSED
    without(monkeypatch)
    found = said(*BY_ROWS, language)
    assert found.status is CheckStatus.NOT_APPLICABLE
    assert SQL.refusal in found.text


def test_what_needs_no_duckdb_is_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    without(monkeypatch)
    assert said(*BY_ROWS, "sqlite").status is CheckStatus.PASSED
    between = ("SELECT a FROM t WHERE a BETWEEN 1 AND 3", "SELECT a FROM t WHERE a >= 1 AND a <= 3")
    assert said(*between, "postgres").status is CheckStatus.PASSED
    assert said("SELECT a FROM t", "SELECT b FROM t", "postgres").status is CheckStatus.FAILED


def test_another_dialect_is_not_judged(monkeypatch: pytest.MonkeyPatch) -> None:
    script = ("SELECT a FROM t LIMIT 3", "SELECT TOP 3 a FROM t", "mysql", "tsql")
    assert said(*script).status is CheckStatus.PASSED
    without(monkeypatch)
    assert said(*script)[:2] == (CheckStatus.NOT_APPLICABLE, f"{SQL.refusal}.")
    words = ("SELECT a FROM t LIMIT 3", "SELECT a FROM t LIMIT 3", "postgres", "tsql")
    assert said(*words).status is CheckStatus.FAILED
