"""The check of SQL catches what is not the same, and says so where it cannot tell."""

from __future__ import annotations

import pytest

from codeintel.contracts import CheckStatus
from codeintel.engine.equivalence.comparison import Comparison, Evidence
from codeintel.engine.equivalence.sql import compare


def _said(before: str, after: str, language: str = "duckdb", target: str = "") -> Evidence:
    return compare(
        Comparison(before=before, after=after, language=language, target=target or language)
    )


WRONG = [
    ("SELECT a FROM t WHERE a > 1", "SELECT a FROM t WHERE a >= 1"),
    ("SELECT a FROM t", "SELECT DISTINCT a FROM t"),
    ("SELECT a FROM t UNION SELECT b FROM u", "SELECT a FROM t UNION ALL SELECT b FROM u"),
    (
        "SELECT a FROM t WHERE a NOT IN (SELECT b FROM u)",
        "SELECT a FROM t WHERE NOT EXISTS(SELECT 1 FROM u WHERE b = a)",
    ),
    (
        "SELECT t.a FROM t LEFT JOIN u ON t.a = u.b AND u.c = 1",
        "SELECT t.a FROM t LEFT JOIN u ON t.a = u.b WHERE u.c = 1",
    ),
    ("SELECT a FROM t WHERE a IN (SELECT b FROM u)", "SELECT t.a FROM t JOIN u ON t.a = u.b"),
    ("SELECT a FROM t WHERE NOT (a = 1)", "SELECT a FROM t WHERE a IS DISTINCT FROM 1"),
    ("SELECT COUNT(a) FROM t", "SELECT COUNT(*) FROM t"),
    ("SELECT a FROM t ORDER BY a", "SELECT a FROM t ORDER BY a DESC"),
    ("SELECT a FROM t WHERE name = 'x'", "SELECT a FROM t WHERE name = 'X'"),
    ("SELECT a FROM t", "SELECT a FROM t; SELECT a FROM t"),
    ("SELECT a FROM t -- why", "SELECT a FROM t"),
    ("SELECT a FROM t", "DELETE FROM t"),
    ("SELECT a + 1 FROM t", "SELECT 1 - a FROM t"),
]


@pytest.mark.parametrize("language", ["duckdb", "sqlite", "postgres"])
@pytest.mark.parametrize(("before", "after"), WRONG)
def test_wrong_results_fail(before: str, after: str, language: str) -> None:
    assert _said(before, after, language).status is CheckStatus.FAILED


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("INSERT INTO t (a) VALUES (1)", "INSERT INTO t (a) VALUES (2)"),
        ("UPDATE t SET a = 1 WHERE b = 2", "UPDATE t SET a = 1 WHERE b = 3"),
        ("SELECT RANDOM() FROM t", "SELECT RANDOM() + 1 FROM t"),
        ("SELECT a FROM t LIMIT 1", "SELECT MAX(a) FROM t"),
    ],
)
def test_what_cannot_be_told_is_not_passed(before: str, after: str) -> None:
    assert _said(before, after).status is not CheckStatus.PASSED


def test_same_tokens() -> None:
    evidence = _said("select  a from t; -- x", "SELECT\n  a\nFROM t; -- x")
    assert evidence.status is CheckStatus.PASSED
    assert "1 statement with the same 4 tokens and 1 comment" in evidence.text


@pytest.mark.parametrize(
    ("before", "after"),
    [("select A from t", "SELECT a FROM t"), ("select 'A' from t", "SELECT 'a' FROM t")],
)
def test_the_case_of_names_and_texts_is_no_layout(before: str, after: str) -> None:
    assert "same tokens" not in _said(before, after).text


TRAPS = [
    ("SELECT a / 2 FROM t", "SELECT a / 2 FROM t", "duckdb", "sqlite"),
    ("SELECT arg_max(a, b) FROM t", "SELECT arg_max(a, b) FROM t", "duckdb", "sqlite"),
    ("SELECT CAST(d AS DATE) FROM t", "SELECT CAST(d AS DATE) FROM t", "duckdb", "sqlite"),
    ("SELECT a FROM t ORDER BY a", "SELECT a FROM t ORDER BY a", "duckdb", "sqlite"),
    ("SELECT name LIKE 'A%' FROM t", "SELECT name LIKE 'A%' FROM t", "duckdb", "sqlite"),
    ("SELECT TO_CHAR(d, 'YYYY') FROM t", "SELECT TO_CHAR(d, 'YYYY') FROM t", "postgres", "tsql"),
    ("SELECT a FROM t LIMIT 3", "SELECT a FROM t LIMIT 3", "postgres", "tsql"),
    ("SELECT a FROM t WHERE ROWNUM < 3", "SELECT a FROM t WHERE ROWNUM < 3", "oracle", "postgres"),
    ("SELECT GROUP_CONCAT(a) FROM t", "SELECT GROUP_CONCAT(a) FROM t", "mysql", "postgres"),
]


@pytest.mark.parametrize(("before", "after", "language", "target"), TRAPS)
def test_what_another_dialect_lacks_fails(
    before: str, after: str, language: str, target: str
) -> None:
    assert _said(before, after, language, target).status is CheckStatus.FAILED


def test_evidence_quotes_no_values() -> None:
    evidence = _said("SELECT a FROM t WHERE b = 'hunter2'", "SELECT a FROM t WHERE b = 'hunter3'")
    assert "hunter" not in evidence.text


COUNTED = "SELECT a, COUNT(*) AS n FROM t WHERE x IN (1, 2, 3) GROUP BY a ORDER BY n"


@pytest.mark.parametrize(
    ("after", "status"),
    [
        (f"{COUNTED} NULLS LAST", CheckStatus.PASSED),
        (f"{COUNTED} DESC NULLS LAST", CheckStatus.FAILED),
        (COUNTED.replace(" ORDER BY n", ""), CheckStatus.FAILED),
    ],
)
def test_rows_that_are_alike_in_what_sorts_them_have_no_order(
    after: str, status: CheckStatus
) -> None:
    comparison = Comparison(before=COUNTED, after=after, language="duckdb", target="sqlite")
    assert compare(comparison).status is status


@pytest.mark.parametrize(
    ("before", "after", "is_conclusive"),
    [
        ("SELECT a FROM t", "select a\nfrom t", True),
        ("SELECT a FROM t WHERE NOT a = 1", "SELECT a FROM t WHERE a <> 1", True),
        ("SELECT a FROM t WHERE a > 1 AND a > 2", "SELECT a FROM t WHERE a > 2", False),
        (
            "SELECT a FROM t; SELECT a FROM t WHERE a > 1 AND a > 2",
            "SELECT a\nFROM t; SELECT a FROM t WHERE a > 2",
            False,
        ),
    ],
)
def test_equal_trees_are_a_proof_and_equal_rows_are_not(
    before: str, after: str, is_conclusive: bool
) -> None:
    evidence = _said(before, after)
    assert (evidence.status, evidence.conclusive) == (CheckStatus.PASSED, is_conclusive)


@pytest.mark.parametrize(
    ("losses", "by_model", "is_conclusive"),
    [((), False, True), (("line 1: a comparison",), False, False), ((), True, False)],
)
def test_between_dialects_only_a_rule_without_losses_proves(
    losses: tuple[str, ...], by_model: bool, is_conclusive: bool
) -> None:
    code = "SELECT a FROM t WHERE a > 1"
    evidence = compare(
        Comparison(
            before=code,
            after=code,
            language="postgres",
            target="duckdb",
            losses=losses,
            by_model=by_model,
        )
    )
    assert (evidence.status, evidence.conclusive) == (CheckStatus.PASSED, is_conclusive)
