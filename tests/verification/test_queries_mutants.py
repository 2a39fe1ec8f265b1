"""Statements with a single change do not pass, and correct conversions do."""

from __future__ import annotations

import pytest
from codeintel_plugins.transformations.sql.converting import SqlConvert
from queries_samples import CHANGED, CONVERTED, mutants

from codeintel.contracts import CheckStatus, RewriteRequest
from codeintel.engine.equivalence.comparison import Comparison, Evidence
from codeintel.engine.equivalence.sql import compare

LEAST_MUTANTS = 130
"""Of the conversions, all together."""


def _said(before: str, after: str, language: str, target: str) -> Evidence:
    return compare(Comparison(before=before, after=after, language=language, target=target))


def _converted(language: str, target: str, code: str) -> str:
    request = RewriteRequest(code=code, language=language, target=target, options={}, without=())
    return SqlConvert().rewrite(request).code


@pytest.mark.parametrize(("language", "target", "code"), CONVERTED)
def test_conversions_pass_and_their_mutants_do_not(language: str, target: str, code: str) -> None:
    result = _converted(language, target, code)
    evidence = _said(code, result, language, target)
    assert evidence.status is CheckStatus.PASSED, evidence.text
    for mutant in mutants(result, target):
        evidence = _said(code, mutant, language, target)
        assert evidence.status is not CheckStatus.PASSED, mutant
        if not code.startswith("SELECT"):
            assert evidence.status is CheckStatus.FAILED, mutant


def test_there_are_mutants() -> None:
    found = [
        [*mutants(_converted(language, target, code), target)]
        for language, target, code in CONVERTED
    ]
    assert all(found)
    assert sum(map(len, found)) >= LEAST_MUTANTS


@pytest.mark.parametrize("language", ["duckdb", "sqlite", "postgres"])
@pytest.mark.parametrize("code", CHANGED)
def test_mutants_of_one_dialect_do_not_pass(code: str, language: str) -> None:
    for mutant in mutants(code, language):
        evidence = _said(code, mutant, language, language)
        assert evidence.status is not CheckStatus.PASSED, mutant
        if not code.startswith("SELECT"):
            assert evidence.status is CheckStatus.FAILED, mutant


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("SELECT a AS x FROM t", "SELECT a AS y FROM t"),
        ("SELECT * FROM (SELECT a AS x FROM t) q", "SELECT * FROM (SELECT a AS y FROM t) q"),
        ("SELECT a FROM t ORDER BY a LIMIT 100", "SELECT a FROM t ORDER BY a LIMIT 200"),
        ("SELECT a FROM t WHERE b = 1 AND c < 9000", "SELECT a FROM t WHERE b = 1"),
        ("UPDATE t SET a = b", "UPDATE t SET b = a"),
        (
            "SELECT a FROM t WHERE EXISTS(SELECT 1 FROM u)",
            "SELECT a FROM t WHERE EXISTS(SELECT COUNT(*) FROM u)",
        ),
    ],
)
def test_what_random_rows_may_miss_fails(before: str, after: str) -> None:
    assert _said(before, after, "duckdb", "duckdb").status is CheckStatus.FAILED


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("DELETE FROM t WHERE NOT (a = 1)", "DELETE FROM t WHERE a <> 1"),
        ("UPDATE t SET a = 1 WHERE b > 2 AND TRUE", "UPDATE t SET a = 1 WHERE 2 < b"),
        (
            "SELECT my_udf(a) FROM t WHERE b = 1 OR b = 2",
            "SELECT my_udf(a) FROM t WHERE b IN (1, 2)",
        ),
        (
            "SELECT COUNT(*) FROM t HAVING COUNT(*) > 40 AND TRUE",
            "SELECT COUNT(*) FROM t HAVING COUNT(*) > 40",
        ),
        (
            "VACUUM t; SELECT a FROM t WHERE b > 1 AND b > 1",
            "VACUUM t; SELECT a FROM t WHERE b > 1",
        ),
        ("\ufeffSELECT a FROM t WHERE b > 1 AND b > 1", "\ufeffSELECT a FROM t WHERE b > 1"),
    ],
)
def test_what_is_the_same_in_other_words_passes(before: str, after: str) -> None:
    evidence = _said(before, after, "duckdb", "duckdb")
    assert evidence.status is CheckStatus.PASSED, evidence.text


@pytest.mark.parametrize(
    ("language", "target", "before", "after"),
    [
        ("mysql", "postgres", "SELECT LENGTH(a) AS n FROM t", "SELECT LENGTH(a) AS n FROM t"),
        (
            "bigquery",
            "snowflake",
            "SELECT SAFE_CAST(a AS INT64) AS n FROM t",
            "SELECT CAST(a AS BIGINT) AS n FROM t",
        ),
        (
            "postgres",
            "trino",
            "INSERT INTO t VALUES (1) ON CONFLICT DO NOTHING",
            "INSERT INTO t VALUES (1)",
        ),
        ("postgres", "tsql", "DELETE FROM t WHERE a = 1 RETURNING b", "DELETE FROM t WHERE a = 1"),
    ],
)
def test_what_a_translation_leaves_out_fails(
    language: str, target: str, before: str, after: str
) -> None:
    assert _said(before, after, language, target).status is CheckStatus.FAILED
