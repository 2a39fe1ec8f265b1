"""Keys of trees are equal only where the meaning is."""

from __future__ import annotations

import pytest
import sqlglot

from codeintel.engine.equivalence.sql.similarity import likeness

SAME = [
    ("a = 1 OR a = 2 OR a = 3", "a IN (3, 2, 1)"),
    ("NOT (a = 1 AND b < 2)", "a <> 1 OR 2 <= b"),
    ("a > 1 OR (a > 1 AND b = 2)", "1 < a"),
    ("a BETWEEN 1 AND 2", "a >= 1 AND a <= 2"),
    ("NOT a IN (1, 2)", "a <> 1 AND a <> 2"),
    ("a IN (SELECT DISTINCT b FROM u ORDER BY b)", "a IN (SELECT b FROM u)"),
    ("(SELECT COUNT(*) FROM u WHERE u.b = t.a) > 0", "EXISTS(SELECT 1 FROM u WHERE t.a = u.b)"),
    ("(SELECT COUNT(*) FROM u) = 0", "NOT EXISTS(SELECT 1 FROM u)"),
    ("CASE WHEN a IS NULL THEN 0 ELSE a END = 1", "COALESCE(a, 0) = 1"),
    ("a = 1 AND NOT NOT b = 2 AND TRUE", "b = 2 AND a = 1"),
]
OTHER = [
    ("a = 1 OR b = 2", "a = 1 AND b = 2"),
    ("NOT (a = 1)", "a IS DISTINCT FROM 1"),
    ("a IN (SELECT b FROM u ORDER BY b LIMIT 2)", "a IN (SELECT b FROM u LIMIT 2)"),
    ("(SELECT COUNT(b) FROM u) > 0", "EXISTS(SELECT 1 FROM u)"),
    ("(SELECT COUNT(*) FROM u) > 1", "EXISTS(SELECT 1 FROM u)"),
    ("(SELECT COUNT(*) FROM u GROUP BY b) > 0", "EXISTS(SELECT 1 FROM u)"),
    ("EXISTS(SELECT 1 FROM u LIMIT 0)", "EXISTS(SELECT 1 FROM u)"),
    ("CASE WHEN a IS NULL THEN 0 ELSE b END = 1", "COALESCE(a, 0) = 1"),
    ("CASE WHEN f(a) IS NULL THEN 0 ELSE f(a) END = 1", "COALESCE(f(a), 0) = 1"),
    ("a BETWEEN SYMMETRIC 2 AND 1", "a BETWEEN 2 AND 1"),
    ("RANDOM() > 1 OR RANDOM() > 1", "RANDOM() > 1"),
    ("a = '1'", "a = 1"),
    ("a = TRUE", "a = 1"),
    ("a - b = 1", "b - a = 1"),
]
QUERIES = [
    ("SELECT a FROM t, u WHERE t.a = u.b", "SELECT a FROM t JOIN u ON u.b = t.a"),
    ("SELECT a FROM t GROUP BY 1 ORDER BY 1", "SELECT a FROM t GROUP BY a ORDER BY a"),
    (
        "SELECT q.a FROM (SELECT * FROM t WHERE t.b = 1) AS q",
        "SELECT q.a FROM t AS q WHERE q.b = 1",
    ),
    ("WITH x AS (SELECT 1 AS k) SELECT a FROM t", "SELECT a FROM t"),
    ("SELECT DISTINCT a, COUNT(*) FROM t GROUP BY a", "SELECT a, COUNT(*) FROM t GROUP BY a"),
    (
        "SELECT a, COUNT(*) FROM t GROUP BY a HAVING a > 1 AND COUNT(*) > 2",
        "SELECT a, COUNT(*) FROM t WHERE a > 1 GROUP BY a HAVING COUNT(*) > 2",
    ),
]
OTHER_QUERIES = [
    (
        "SELECT a FROM t LEFT JOIN u ON t.a = u.b AND u.c = 1",
        "SELECT a FROM t LEFT JOIN u ON t.a = u.b WHERE u.c = 1",
    ),
    (
        "SELECT a FROM t JOIN u ON t.a = u.b RIGHT JOIN w ON w.c = u.b",
        "SELECT a FROM t CROSS JOIN u RIGHT JOIN w ON w.c = u.b WHERE t.a = u.b",
    ),
    ("SELECT q.a FROM (SELECT * FROM t LIMIT 3) AS q", "SELECT q.a FROM t AS q"),
    ("SELECT DISTINCT a FROM t", "SELECT a FROM t"),
    ("SELECT DISTINCT COUNT(*) FROM t GROUP BY a", "SELECT COUNT(*) FROM t GROUP BY a"),
    ("SELECT a FROM t ORDER BY a NULLS FIRST", "SELECT a FROM t ORDER BY a NULLS LAST"),
    ("SELECT COUNT(*) AS n FROM t HAVING 1 > 2", "SELECT COUNT(*) AS n FROM t WHERE 1 > 2"),
    (
        "SELECT a + 1 AS a FROM t GROUP BY a HAVING a > 1",
        "SELECT a + 1 AS a FROM t WHERE a > 1 GROUP BY a",
    ),
    ("SELECT a FROM t LIMIT 3 OFFSET 1", "SELECT a FROM t LIMIT 3"),
    ("CREATE TABLE t (a DECIMAL(10, 2))", "CREATE TABLE t (a DECIMAL(10, 3))"),
    ("ALTER TABLE t ADD COLUMN IF NOT EXISTS a INT", "ALTER TABLE t ADD COLUMN a INT"),
    ("SELECT 'a' AS x FROM t", "SELECT 'A' AS x FROM t"),
    ('SELECT "A" FROM t', "SELECT a FROM t"),
]


def _are_same(one: str, other: str) -> bool:
    first, second = (sqlglot.parse_one(each, read="postgres") for each in (one, other))
    return likeness(first, second, "postgres", "postgres").same


@pytest.mark.parametrize(("one", "other"), SAME)
def test_same_conditions(one: str, other: str) -> None:
    assert _are_same(f"SELECT a FROM t WHERE {one}", f"SELECT a FROM t WHERE {other}")
    assert _are_same(f"DELETE FROM t WHERE {one}", f"DELETE FROM t WHERE {other}")


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_other_conditions(one: str, other: str) -> None:
    assert not _are_same(f"SELECT a FROM t WHERE {one}", f"SELECT a FROM t WHERE {other}")


@pytest.mark.parametrize(("one", "other"), QUERIES)
def test_same_queries(one: str, other: str) -> None:
    assert _are_same(one, other)


@pytest.mark.parametrize(("one", "other"), OTHER_QUERIES)
def test_other_statements(one: str, other: str) -> None:
    assert not _are_same(one, other)
