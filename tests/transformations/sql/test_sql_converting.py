"""`convert` between dialects: what passes runs and gives the same, and what is lost is named."""

from __future__ import annotations

import pytest
from codeintel_plugins.transformations.sql import DIALECTS
from codeintel_plugins.transformations.sql.converting import TRANSPILE, SqlConvert
from sql_samples import compared, rewritten

from codeintel.contracts import CheckStatus, Unsupported
from codeintel.engine.equivalence import readable

WAY = SqlConvert()
PAIRS = [
    (
        "postgres",
        "tsql",
        "SELECT id FROM users ORDER BY id LIMIT 10 OFFSET 20",
        "FETCH FIRST 10 ROWS ONLY",
    ),
    ("postgres", "tsql", "SELECT COALESCE(a, b) || '!' FROM users", "COALESCE(a, b) + '!'"),
    ("postgres", "tsql", "SELECT DATE_TRUNC('month', c) FROM orders", "DATETRUNC(MONTH, c)"),
    (
        "postgres",
        "tsql",
        "SELECT STRING_AGG(n, ',' ORDER BY n) FROM users",
        "WITHIN GROUP (ORDER BY",
    ),
    (
        "postgres",
        "tsql",
        "SELECT a FROM t WHERE c > NOW() - INTERVAL '7 days'",
        "DATEADD(DAY, -7, GETDATE())",
    ),
    ("postgres", "tsql", "CREATE TABLE u (id SERIAL, ok BOOLEAN DEFAULT TRUE)", "ok BIT DEFAULT 1"),
    ("postgres", "tsql", "CREATE TABLE u (id SERIAL, n TEXT)", "id INTEGER IDENTITY(1, 1)"),
    (
        "mysql",
        "postgres",
        "SELECT `id` FROM `users` LIMIT 5, 10",
        'SELECT "id" FROM "users" LIMIT 10 OFFSET 5',
    ),
    ("mysql", "postgres", "SELECT IFNULL(a, 'x') FROM t", "COALESCE(a, 'x')"),
    ("mysql", "postgres", "SELECT GROUP_CONCAT(a SEPARATOR ';') FROM t", "STRING_AGG(a, ';')"),
    ("mysql", "postgres", "SELECT DATE_FORMAT(c, '%Y-%m') FROM t", "'YYYY-MM'"),
    (
        "mysql",
        "postgres",
        "SELECT a FROM t WHERE c > DATE_SUB(NOW(), INTERVAL 7 DAY)",
        "- INTERVAL '7 DAY'",
    ),
    (
        "mysql",
        "postgres",
        "SELECT IF(a > 1, 'x', 'y') FROM t",
        "CASE WHEN a > 1 THEN 'x' ELSE 'y' END",
    ),
    (
        "mysql",
        "postgres",
        "CREATE TABLE t (id INT AUTO_INCREMENT PRIMARY KEY, f TINYINT(1))",
        "f SMALLINT )",
    ),
    (
        "oracle",
        "postgres",
        "SELECT NVL(n, 'x') FROM u WHERE ROWNUM <= 5",
        "COALESCE(n, 'x') FROM u LIMIT 5",
    ),
    (
        "oracle",
        "postgres",
        "SELECT DECODE(s, 1, 'on', 'off') FROM j",
        "CASE WHEN s = 1 THEN 'on' ELSE 'off' END",
    ),
    ("oracle", "postgres", "SELECT SYSDATE FROM dual", "SELECT CURRENT_TIMESTAMP"),
    (
        "oracle",
        "postgres",
        "SELECT a.id FROM a, b WHERE a.id = b.a_id(+)",
        "LEFT JOIN b ON a.id = b.a_id",
    ),
    (
        "oracle",
        "postgres",
        "SELECT LISTAGG(n, ',') WITHIN GROUP (ORDER BY n) FROM u",
        "STRING_AGG(n, ',' ORDER BY n",
    ),
    ("oracle", "postgres", "SELECT TO_CHAR(h, 'YYYY') FROM e", "TO_CHAR(h, 'YYYY')"),
    ("tsql", "snowflake", "SELECT TOP 5 [name] FROM [users]", 'SELECT "name" FROM "users" LIMIT 5'),
    ("tsql", "snowflake", "SELECT ISNULL(n, 'x') FROM u", "COALESCE(n, 'x')"),
    ("tsql", "snowflake", "SELECT GETDATE()", "CURRENT_TIMESTAMP()"),
    ("tsql", "snowflake", "SELECT DATEADD(day, 7, c) FROM o", "DATEADD(DAY, 7, c)"),
    ("tsql", "snowflake", "SELECT CONVERT(VARCHAR(10), id) FROM u", "CAST(id AS VARCHAR(10))"),
    ("tsql", "snowflake", "SELECT CHARINDEX('a', n) FROM u", "CHARINDEX('a', n)"),
]
ENGINES_AT_HAND = [
    (
        "bigquery",
        "duckdb",
        "SELECT DATE_TRUNC(ordered_at, MONTH) AS m, COUNTIF(amount > 10) FROM o GROUP BY m",
    ),
    ("bigquery", "duckdb", "SELECT SAFE_DIVIDE(amount, qty) FROM orders"),
    ("bigquery", "duckdb", "SELECT IF(a > 1, 'x', 'y'), IFNULL(b, 'z') FROM t"),
    (
        "bigquery",
        "duckdb",
        "SELECT id FROM o QUALIFY ROW_NUMBER() OVER (PARTITION BY c ORDER BY id) = 1",
    ),
    (
        "postgres",
        "duckdb",
        "SELECT a::text || 'x', COALESCE(b, 0) FROM t WHERE n ILIKE 'a%' LIMIT 50",
    ),
    ("mysql", "sqlite", "SELECT IFNULL(`name`, 'x') FROM users WHERE a <> 3"),
    ("sqlite", "duckdb", "SELECT name, COUNT(*) AS n FROM t WHERE a > 1 GROUP BY name"),
    (
        "duckdb",
        "sqlite",
        "SELECT region, COUNT(*) FILTER (WHERE amount > 1) AS n FROM t GROUP BY region",
    ),
]
LOST = [
    ("postgres", "tsql", "SELECT JSONB_BUILD_OBJECT('a', id) FROM users", "JSONB_BUILD_OBJECT"),
    ("mysql", "postgres", "SELECT SUBSTRING_INDEX(e, '@', 1) FROM u", "SUBSTRING_INDEX"),
    (
        "mysql",
        "postgres",
        "INSERT INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE a = 2",
        "ON DUPLICATE KEY",
    ),
    ("oracle", "postgres", "SELECT ADD_MONTHS(h, 3) FROM e", "ADD_MONTHS"),
    ("oracle", "postgres", "SELECT a FROM t WHERE ROWNUM <= 5 ORDER BY a", "ROWNUM"),
]


@pytest.mark.parametrize(("language", "target", "code", "expected"), PAIRS)
def test_other_words(language: str, target: str, code: str, expected: str) -> None:
    result = rewritten(WAY, code, language, target)
    assert expected in " ".join(result.code.split())
    evidence = compared(code, result.code, language, target)
    assert evidence.status is CheckStatus.PASSED, evidence.text
    assert f"There is no engine for {target} here" in evidence.text


@pytest.mark.parametrize(("language", "target", "code"), ENGINES_AT_HAND)
def test_runs_on_the_target(language: str, target: str, code: str) -> None:
    result = rewritten(WAY, code, language, target)
    evidence = compared(code, result.code, language, target)
    assert evidence.status is CheckStatus.PASSED, evidence.text
    assert "1 of 1 statements gave the rows of the original" in evidence.text


@pytest.mark.parametrize(("language", "target", "code", "name"), LOST)
def test_what_the_target_lacks_does_not_pass(
    language: str, target: str, code: str, name: str
) -> None:
    result = rewritten(WAY, code, language, target)
    evidence = compared(code, result.code, language, target)
    assert evidence.status is CheckStatus.FAILED
    assert name in evidence.text
    assert "line 1: " in evidence.text


@pytest.mark.parametrize(
    ("language", "target", "code", "loss"),
    [
        ("postgres", "tsql", "SELECT my_own(a) FROM t", "line 1: my_own is unchanged"),
        ("bigquery", "duckdb", "SELECT ARRAY_AGG(a LIMIT 3) FROM t", "line 1: LIMIT inside"),
        ("postgres", "sqlite", "SELECT 1;\nSELECT a FROM t TABLESAMPLE SYSTEM (5)", "line 2: "),
    ],
)
def test_losses_are_named(language: str, target: str, code: str, loss: str) -> None:
    result = rewritten(WAY, code, language, target)
    assert [each for each in result.losses if each.startswith(loss)]
    with pytest.raises(Unsupported, match=r"line [12]"):
        rewritten(WAY, code, language, target, strict=True)


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("postgres", "SELECT 1;\nVACUUM FULL foo;"),
        ("postgres", "SELECT 1;\nSELEC broken FRM;"),
        ("mysql", "SELECT 1;\nSELECT 'no end"),
    ],
)
def test_what_is_not_understood(language: str, code: str) -> None:
    with pytest.raises(Unsupported, match=r"line [12]"):
        rewritten(WAY, code, language, "duckdb")


def test_a_script() -> None:
    code = "# first\r\nSELECT `a`\r\nFROM t; -- and\r\nSELECT IFNULL(b, 1) FROM t;\r\n"
    result = rewritten(WAY, code, "mysql", "postgres")
    assert result.code == (
        '-- first\r\nSELECT\r\n  "a"\r\nFROM t; -- and\r\nSELECT\r\n  COALESCE(b, 1)\r\nFROM t;\r\n'
    )
    assert {change.rule for change in result.changes} == {TRANSPILE}


def test_the_dialects_are_those_of_the_check() -> None:
    assert DIALECTS == readable.DIALECTS


def test_every_dialect_is_a_target() -> None:
    for target in WAY.languages - {"postgres"}:
        assert WAY.supports("postgres", target)
        assert rewritten(WAY, "SELECT a FROM t WHERE b = 1", "postgres", target).code
    assert not WAY.supports("postgres", "postgres")
