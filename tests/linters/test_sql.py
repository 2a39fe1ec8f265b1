from __future__ import annotations

import pytest
from codeintel_plugins.linters.sql import MESSAGES, SQL_RULES, SqlAnalyzer
from linter_helpers import findings, notes, rules, run, text_at

from codeintel.contracts import Model, Severity
from codeintel.testing import AnalyzerContract

SQL = SqlAnalyzer()


class TestSql(AnalyzerContract):
    analyzer = SqlAnalyzer()
    bad_code = "DELETE FROM t;\nSELECT a FROM t WHERE b = NULL;\n"
    language = "sql"


class TestOneDialect(TestSql):
    language = "tsql"


@pytest.mark.parametrize(
    ("code", "rule", "place"),
    [
        ("DELETE FROM t;", "sql-delete-without-where", "DELETE FROM t"),
        ("UPDATE t SET a = NULL", "sql-update-without-where", "UPDATE t"),
        ("SELECT a FROM t WHERE b = NULL", "sql-equals-null", "b = NULL"),
        ("SELECT a FROM t WHERE b <> null OR c", "sql-equals-null", "b <> null"),
        ("SELECT a FROM t WHERE b LIKE '%x'", "sql-leading-wildcard-like", "'%x'"),
        ("SELECT a FROM t WHERE b NOT IN (SELECT c FROM u)", "sql-not-in-subquery", "b NOT IN"),
        ("SELECT a.x, b.y FROM a, b WHERE a.x = 1", "sql-cartesian-join", "b"),
        ("SELECT a.x FROM a JOIN b WHERE a.x > 1", "sql-cartesian-join", "b"),
        ("SELECT a FROM t WHERE b = 2 OR 1 = 1", "sql-always-true", "1 = 1"),
        ("GRANT ALL PRIVILEGES ON *.* TO joe", "sql-grant-all", "GRANT ALL PRIVILEGES ON *.*"),
        ("GRANT SELECT ON t TO PUBLIC", "sql-grant-to-public", "PUBLIC"),
        ("EXEC('SELECT ' + @x)", "sql-dynamic-exec", "EXEC('SELECT ' + @x)"),
        (
            "EXECUTE IMMEDIATE 'DROP ' || name;",
            "sql-dynamic-exec",
            "EXECUTE IMMEDIATE 'DROP ' || name",
        ),
        (
            "SET @q = CONCAT('SELECT ', @x); PREPARE s FROM @q;",
            "sql-dynamic-exec",
            "PREPARE s FROM @q",
        ),
        ("EXEC master..xp_cmdshell 'dir'", "sql-os-command", "xp_cmdshell"),
        ("COPY t TO PROGRAM 'sh'", "sql-os-command", "COPY t TO PROGRAM"),
        ("CREATE USER joe IDENTIFIED BY 'tiger99'", "sql-plaintext-password", "'tiger99'"),
        ("ALTER ROLE joe WITH PASSWORD 'tiger99'", "sql-plaintext-password", "'tiger99'"),
        ("CREATE LOGIN joe WITH PASSWORD = 'tiger99'", "sql-plaintext-password", "'tiger99'"),
        ("SELECT * FROM t", "sql-select-star", "*"),
        ("DROP TABLE t", "sql-drop-without-if-exists", "DROP TABLE t"),
        ("INSERT INTO t VALUES (1)", "sql-insert-without-columns", "INSERT INTO t"),
        ("SELECT md5(x) FROM t", "sql-weak-hash", "md5("),
    ],
)
def test_what_is_found_where(code: str, rule: str, place: str) -> None:
    found = [each for each in findings(run(SQL, code, "sql")) if each.rule_id == rule]
    assert [text_at(each.range, code) for each in found] == [place]
    only_pro = Model.FLASH not in SQL_RULES[rule].models
    assert (rule in rules(run(SQL, code, "sql", Model.FLASH))) is not only_pro


@pytest.mark.parametrize(
    "code",
    [
        "DELETE FROM t WHERE a = 1",
        "DELETE FROM t USING u WHERE t.a = u.a",
        "DELETE FROM t LIMIT 5",
        "UPDATE t SET a = NULL WHERE b IS NULL",
        "SELECT a FROM t WHERE b IS NOT NULL AND c LIKE 'x%'",
        "SELECT a FROM t WHERE b NOT IN (SELECT c FROM u WHERE c IS NOT NULL)",
        "SELECT a.x FROM a, b WHERE a.x = b.x",
        "SELECT x FROM a, b WHERE y = z",
        "SELECT a.x FROM a CROSS JOIN b",
        "SELECT a.x FROM a JOIN b USING (x) NATURAL JOIN c",
        "SELECT a FROM t, UNNEST(t.b) AS c",
        "SELECT a FROM t WHERE 1 = 1 AND b = 2",
        "SELECT COUNT(*) FROM t WHERE EXISTS (SELECT * FROM u)",
        "DROP TABLE IF EXISTS t",
        "INSERT INTO t (a) VALUES (1)",
        "CREATE USER joe IDENTIFIED BY '${PASSWORD}'",
        "GRANT SELECT ON t TO joe",
        "EXEC dbo.proc @a, 'b'",
        "EXEC('SELECT 1')",
        "DECLARE @q NVARCHAR(MAX) = 'SELECT a FROM ' + QUOTENAME(@t); EXEC(@q)",
        "-- EXEC('SELECT ' + @x)\nSELECT 1",
        "SELECT 'DELETE FROM t; GRANT ALL ON x TO y'",
        "",
        ";;\n-- nothing\n",
    ],
)
def test_what_is_fine(code: str) -> None:
    assert run(SQL, code, "sql") == []


@pytest.mark.parametrize(
    ("code", "place", "message"),
    [
        ("SELECT a FRM b c", "b", "unexpected `b`"),
        ("SELECT 1;\nSELECT (1;\nSELECT 2", "1", "missing `)`"),
        ("SELECT a,\nFROM", "FROM", "FROM"),
        ("SELEC a FROM t", "SELEC", "SELECT may be meant"),
        ("SELECT 1; INSERT INTO t (a) VALUES ('it''s);", "'", "is not closed"),
    ],
)
def test_syntax_errors(code: str, place: str, message: str) -> None:
    outputs = run(SQL, code, "sql", Model.FLASH)
    found = next(each for each in findings(outputs) if each.rule_id == "invalid-syntax")
    assert found.severity is Severity.CRITICAL
    assert text_at(found.range, code) == place
    assert message in found.message
    assert notes(outputs)


def test_other_statements_are_checked_nevertheless() -> None:
    code = "DELETE FROM a;\nSELECT (1;\nDELETE FROM b;\nINSERT INTO t VALUES ('"
    found = [(each.rule_id, each.range.start_line) for each in findings(run(SQL, code, "sql"))]
    assert found == [
        ("invalid-syntax", 2),
        ("invalid-syntax", 4),
        ("sql-delete-without-where", 1),
        ("sql-delete-without-where", 3),
    ]


@pytest.mark.parametrize(
    ("dialect", "code"),
    [
        (
            "postgres",
            "CREATE FUNCTION f() RETURNS int AS $$ BEGIN RETURN 1; END; $$ LANGUAGE plpgsql;",
        ),
        ("postgres", "\\d t\nSELECT a::int, b->>'x' FROM t WHERE tags && ARRAY['a'];\nLISTEN x;"),
        ("postgres", "COPY t (a, b) FROM stdin;\n1\t(((\n2\t''\n\\.\nSELECT 1;"),
        ("mysql", "DELIMITER //\nCREATE PROCEDURE p()\nBEGIN\n  SELECT 1;\nEND //\nDELIMITER ;\n"),
        ("mysql", "INSERT IGNORE INTO t SET a=1; SELECT `a` FROM t LIMIT 1,2; SHOW TABLES;"),
        (
            "tsql",
            "CREATE TABLE [dbo].[t] ([a] INT IDENTITY(1,1));\nGO\nSELECT TOP 1 a FROM t\nGO 5\n",
        ),
        ("tsql", "BEGIN TRY SELECT 1 END TRY BEGIN CATCH PRINT 'x' END CATCH"),
        ("oracle", "SET SERVEROUTPUT ON\nDECLARE\n  x NUMBER := 1;\nBEGIN\n  NULL;\nEND;\n/\n"),
        ("sqlite", "PRAGMA foreign_keys = ON; INSERT OR REPLACE INTO t (a) VALUES (?);"),
        ("bigquery", "SELECT a.* EXCEPT (b) FROM `p.d.t` AS a WHERE c = DATE '2024-01-01'"),
        ("snowflake", "SELECT v:a.b::string FROM t QUALIFY ROW_NUMBER() OVER (ORDER BY a) = 1"),
        ("duckdb", "SELECT a FROM 'x.parquet' WHERE list_contains([1, 2], b)"),
        (
            "postgres",
            "SELECT a FROM {{ ref('t') }} WHERE b = %s AND c = %(x)s {% if x %} AND d {% endif %}",
        ),
    ],
)
def test_what_dialects_have_is_no_syntax_error(dialect: str, code: str) -> None:
    for language in (dialect, "sql"):
        assert "invalid-syntax" not in rules(run(SQL, code, language)), language


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_ranges_count_lines_and_code_points(start: str, end: str) -> None:
    code = f"{start}SELECT 'é𝄞';{end}SELECT (;{end}SELECT 'é𝄞' FROM t WHERE a = NULL;{end}"
    found = findings(run(SQL, code, "sql"))
    assert [(each.rule_id, each.range.start_line) for each in found] == [
        ("invalid-syntax", 2),
        ("sql-equals-null", 3),
    ]
    assert text_at(found[1].range, code) == "a = NULL"


@pytest.mark.parametrize("code", ["(" * 500, "SELECT " + "NOT " * 20_000 + "1", "[" * 20_000])
def test_deep_nesting_is_said(code: str) -> None:
    outputs = run(SQL, code, "sql")
    assert findings(outputs) == []
    assert notes(outputs)


def test_what_people_nest_is_read() -> None:
    code = f"SELECT {'CASE WHEN a THEN ' * 40}1{' END' * 40} FROM t WHERE b = NULL"
    assert rules(run(SQL, code, "sql")) == ["sql-equals-null"]


def test_a_password_is_not_repeated() -> None:
    outputs = run(SQL, "CREATE USER joe IDENTIFIED BY 'tiger-Zq81mNv0'", "sql")
    assert rules(outputs) == ["sql-plaintext-password"]
    assert "tiger" not in repr(outputs)


def test_rules_are_listed_in_order() -> None:
    assert [rule.id for rule in SQL.rules()] == sorted(SQL_RULES)
    assert set(SQL_RULES) == {*MESSAGES, "invalid-syntax"}


def test_no_warnings_of_the_parser(capsys: pytest.CaptureFixture[str]) -> None:
    run(SQL, "CREATE USER joe IDENTIFIED BY 'tiger99'; FLY me TO the moon", "sql")
    assert capsys.readouterr() == ("", "")
