"""The check does not treat dialects' different meanings as equal."""

from __future__ import annotations

import pytest

from codeintel.contracts import CheckStatus
from codeintel.engine.equivalence.comparison import Comparison
from codeintel.engine.equivalence.sql import compare

TABLE = "CREATE TABLE t (a INT, b INT);\n"
CASES = [
    ("postgres", "duckdb", "SELECT 7 / 2 AS x FROM t", "7 // 2", "7 / 2"),
    ("postgres", "mysql", "SELECT 7 / 2 AS x FROM t", "7 DIV 2", "7 / 2"),
    ("sqlite", "duckdb", "SELECT 7 / 2 AS x FROM t", "7 // 2", "7 / 2"),
    ("postgres", "duckdb", f"{TABLE}SELECT a / 2 AS x FROM t", "a // 2", "a / 2"),
    ("tsql", "sqlite", "SELECT n + 'y' AS x FROM t", "n || 'y'", "n + 'y'"),
    ("tsql", "duckdb", "SELECT n + 'y' AS x FROM t", "n || 'y'", "'y' || n"),
    (
        *("postgres", "duckdb", "SELECT n::varchar(2) AS x FROM t"),
        *("SUBSTRING(CAST(n AS TEXT), 1, 2)", "CAST(n AS TEXT(2))"),
    ),
    (
        *("tsql", "sqlite", "SELECT CAST(n AS VARCHAR(2)) AS x FROM t"),
        *("SUBSTRING(CAST(n AS TEXT), 1, 2)", "SUBSTRING(CAST(n AS TEXT), 1, 3)"),
    ),
]


def _status(before: str, language: str, target: str, value: str) -> CheckStatus:
    head = TABLE if before.startswith(TABLE) else ""
    after = f"{head}SELECT {value} AS x FROM t"
    return compare(Comparison(before=before, after=after, language=language, target=target)).status


@pytest.mark.parametrize(("language", "target", "code", "right", "wrong"), CASES)
def test_only_what_is_meant_passes(
    language: str, target: str, code: str, right: str, wrong: str
) -> None:
    assert _status(code, language, target, right) is CheckStatus.PASSED
    assert _status(code, language, target, wrong) is not CheckStatus.PASSED


def test_a_number_that_counts_is_the_primary_key() -> None:
    before = "CREATE TABLE u (id SERIAL PRIMARY KEY, n TEXT)"
    for after, expected in (
        ("CREATE TABLE u (id INTEGER PRIMARY KEY, n TEXT)", CheckStatus.PASSED),
        ("CREATE TABLE u (id INTEGER, n TEXT)", CheckStatus.FAILED),
    ):
        comparison = Comparison(before=before, after=after, language="postgres", target="sqlite")
        assert compare(comparison).status is expected
