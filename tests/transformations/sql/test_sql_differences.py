"""Between dialects that read the same words and mean something else: it is said otherwise, or named
among the losses."""

from __future__ import annotations

import pytest
from codeintel_plugins.transformations.sql.converting import SqlConvert
from sql_samples import compared, rewritten

from codeintel.contracts import CheckStatus, Unsupported
from codeintel.engine.equivalence.sql.databases import DuckDB, SQLite

WAY = SqlConvert()
TABLE = "CREATE TABLE t (a INT, b INT, r REAL, n TEXT NOT NULL, o TEXT, d DATE);\n"
SAID = [
    ("tsql", "sqlite", "SELECT n + 'y' AS x FROM t", "n || 'y'"),
    ("tsql", "sqlite", "SELECT n + N'y' AS x, N'z' AS y FROM t", "n || 'y' AS x, 'z'"),
    ("tsql", "duckdb", "SELECT 'a' + n + o AS x FROM t", "'a' || n || o"),
    ("tsql", "postgres", "SELECT (a + 1) AS x, n + ', ' AS y FROM t", "( a + 1 ) AS x, n || ', '"),
    (
        *("tsql", "sqlite", "SELECT CONVERT(VARCHAR(10), d, 120) AS x FROM t"),
        "SUBSTRING(CAST(STRFTIME('%Y-%m-%d %H:%M:%S', d) AS TEXT), 1, 10)",
    ),
    ("postgres", "duckdb", "SELECT n::varchar(3) AS x FROM t", "SUBSTRING(CAST(n AS TEXT), 1, 3)"),
    ("duckdb", "sqlite", "SELECT n::varchar(3) AS x FROM t", "CAST(n AS TEXT) AS x"),
    ("postgres", "sqlite", "CREATE TABLE u (id SERIAL PRIMARY KEY)", "id INTEGER PRIMARY KEY"),
    ("postgres", "duckdb", "SELECT 7 / 2 AS x FROM t", "7 // 2"),
    ("postgres", "duckdb", "SELECT -7 / 2 * 3 AS x FROM t", "( -7 // 2 ) * 3"),
    ("postgres", "mysql", "SELECT COUNT(*) / 2 AS x FROM t", "COUNT(*) DIV 2"),
    ("sqlite", "bigquery", "SELECT 7 / 2 AS x FROM t", "DIV(7, 2)"),
    ("postgres", "duckdb", "SELECT 7 / 2.0 AS x FROM t", "7 / 2.0"),
    ("postgres", "tsql", "SELECT 7 / 2 AS x FROM t", "7 / 2"),
    ("duckdb", "sqlite", "SELECT 7 // 2 AS x FROM t", "SELECT 7 / 2 AS x"),
    ("postgres", "duckdb", f"{TABLE}SELECT a / b AS x, r / a AS y FROM t", "a // b AS x, r / a"),
    ("sqlite", "duckdb", f"{TABLE}SELECT q.a / b AS x FROM t AS q", "q.a // NULLIF(b, 0)"),
    ("duckdb", "sqlite", f"{TABLE}SELECT a // b AS x FROM t", "SELECT a / b AS x"),
]
NAMED = [
    (
        "mysql",
        "duckdb",
        "SELECT 1,\n n LIKE 'A%' AS x FROM t",
        "line 2: LIKE ignores case in MySQL",
    ),
    ("duckdb", "sqlite", "SELECT n LIKE 'a%' AS x FROM t", "line 1: LIKE ignores case in SQLite"),
    ("postgres", "tsql", "SELECT a FROM t WHERE n LIKE o", "line 1: LIKE ignores case in T-SQL"),
    ("mysql", "sqlite", "SELECT a\nFROM t\nWHERE n = 'abc'", "line 3: string comparisons ignore"),
    ("tsql", "postgres", "SELECT a FROM t WHERE n IN ('a')", "line 1: string comparisons ignore"),
    ("postgres", "mysql", "SELECT a FROM t WHERE n < 'm'", "line 1: string comparisons ignore"),
    ("mysql", "duckdb", "SELECT CASE n WHEN 'a' THEN 1 END AS x FROM t", "line 1: string comp"),
    ("mysql", "duckdb", f"{TABLE}SELECT a FROM t WHERE n = o", "line 2: string comparisons ignore"),
    ("mysql", "duckdb", f"{TABLE}SELECT n FROM t GROUP BY n", "line 2: grouping and sorting"),
    ("duckdb", "tsql", f"{TABLE}SELECT DISTINCT n FROM t", "line 2: grouping and sorting"),
    ("mysql", "duckdb", f"{TABLE}SELECT a FROM t ORDER BY n", "line 2: grouping and sorting"),
    ("oracle", "postgres", "SELECT 'a' || NULL AS x FROM t", "line 1: || treats NULL as"),
    ("oracle", "duckdb", "SELECT a FROM t WHERE n = ''", "line 1: '' is NULL in Oracle"),
    ("postgres", "oracle", "SELECT n || o AS x FROM t", "line 1: || treats NULL as"),
    ("postgres", "duckdb", "SELECT 1,\n a / b AS x FROM t", "line 2: / of integers truncates"),
    ("sqlite", "mysql", "SELECT a / 2 AS x FROM t", "line 1: / of integers truncates"),
    ("postgres", "clickhouse", "SELECT 7 / 2 AS x FROM t", "line 1: / of integers truncates"),
    (
        *("postgres", "duckdb", f"{TABLE}WITH t AS (SELECT 1.5 AS a) SELECT a / 2 AS x FROM t"),
        "line 2: / of integers truncates",
    ),
    ("duckdb", "sqlite", "SELECT a // b AS x FROM t", "line 1: integer division uses"),
    ("duckdb", "sqlite", "SELECT upper(n) AS x FROM t", "line 1: UPPER changes only ASCII"),
    ("duckdb", "sqlite", "SELECT n ILIKE 'ä%' AS x FROM t", "line 1: SQLite ignores case only"),
    ("duckdb", "sqlite", f"{TABLE}SELECT r::VARCHAR AS x FROM t", "line 2: SQLite converts"),
    ("tsql", "sqlite", "SELECT n + '5' AS x FROM t", "line 1: + with a string can"),
    ("postgres", "sqlite", "CREATE TABLE u (id INT, c SERIAL)", "line 1: only the primary key"),
]
NOTHING_LOST = [
    ("mysql", "duckdb", "SELECT a FROM t WHERE n LIKE '%1_' AND d > '2024-01-01T00:00:00Z'"),
    ("mysql", "duckdb", "SELECT a FROM t WHERE b = 3 AND a IN (1, 2) AND a BETWEEN 1 AND 5"),
    ("mysql", "duckdb", "SELECT CASE WHEN a > 1 THEN 'x' ELSE 'y' END AS x FROM t"),
    ("mysql", "duckdb", f"{TABLE}SELECT DISTINCT a, d FROM t ORDER BY d"),
    ("mysql", "duckdb", "SELECT a, COUNT(*) AS x FROM t GROUP BY a ORDER BY x"),
    ("mysql", "postgres", "SELECT a FROM t WHERE n COLLATE utf8mb4_bin = 'abc'"),
    ("mysql", "postgres", "UPDATE t SET n = 'abc' WHERE a = 3"),
    ("mysql", "postgres", "INSERT INTO t (n, o) VALUES ('x', 'Y')"),
    ("mysql", "tsql", "SELECT a FROM t WHERE n = 'abc' AND n LIKE 'x%'"),
    ("mysql", "mariadb", "SELECT a FROM t WHERE n = 'abc' AND n LIKE 'x%'"),
    ("postgres", "duckdb", "SELECT a FROM t WHERE n = 'abc' AND n LIKE 'x%' AND upper(o) = ''"),
    ("sqlite", "mysql", "SELECT a FROM t WHERE n LIKE 'x%'"),
    ("duckdb", "sqlite", "SELECT a FROM t WHERE n = 'abc' AND o ILIKE '%an%'"),
    ("duckdb", "sqlite", f"{TABLE}SELECT a::VARCHAR AS x, a / b AS y FROM t"),
    ("oracle", "postgres", "SELECT 'a' || 'b' || COALESCE(n, 'z') AS x FROM t"),
    ("oracle", "postgres", f"{TABLE}SELECT n || 'b' AS x FROM t"),
    ("postgres", "mysql", "SELECT a || b AS x FROM t WHERE n = ''"),
    ("postgres", "duckdb", "SELECT a * 1.0 / b AS x, a::numeric / b AS y FROM t"),
    ("postgres", "sqlite", "SELECT a / b AS x FROM t"),
    ("duckdb", "postgres", "SELECT a / b AS x FROM t"),
    ("tsql", "sqlite", "SELECT a + 1 AS x, a + b AS y FROM t"),
    ("postgres", "tsql", "CREATE TABLE u (id SERIAL, c BIGSERIAL)"),
]


@pytest.mark.parametrize(("language", "target", "code", "expected"), SAID)
def test_it_is_said_otherwise(language: str, target: str, code: str, expected: str) -> None:
    result = rewritten(WAY, code, language, target)
    assert expected in " ".join(result.code.split())
    assert not result.losses
    evidence = compared(code, result.code, language, target)
    assert evidence.status is CheckStatus.PASSED, evidence.text


@pytest.mark.parametrize(("language", "target", "code", "loss"), NAMED)
def test_what_is_not_sure_is_named(language: str, target: str, code: str, loss: str) -> None:
    losses = rewritten(WAY, code, language, target).losses
    assert [each for each in losses if each.startswith(loss)], losses
    with pytest.raises(Unsupported, match=r"line \d"):
        rewritten(WAY, code, language, target, strict=True)


@pytest.mark.parametrize(("language", "target", "code"), NOTHING_LOST)
def test_what_is_the_same_in_both_has_no_loss(language: str, target: str, code: str) -> None:
    assert rewritten(WAY, code, language, target).losses == ()


def test_the_values_are_those_of_the_original() -> None:
    duckdb, sqlite = DuckDB(), SQLite()
    for code in ("SELECT 7 / 2 AS x, -7 / 2 AS y, 7 / 2 * 2 AS z", "SELECT -7 / -2 AS x"):
        result = rewritten(WAY, code, "sqlite", "duckdb").code
        assert [*map(tuple, duckdb.rows(result))] == [*map(tuple, sqlite.rows(code))]
    code = "SELECT 9007199254740993 // 1 AS x, -7 // 2 AS y"
    result = rewritten(WAY, code, "duckdb", "sqlite").code
    assert [*map(tuple, sqlite.rows(result))] == [(9007199254740993, -3)]
    joined = rewritten(WAY, "SELECT 'x' + 'y' AS n", "tsql", "sqlite").code
    assert [*map(tuple, sqlite.rows(joined))] == [("xy",)]
