"""Statements for the tests of SQL, and what they may wrongly become."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import sqlglot
from sqlglot import exp

from codeintel.engine.equivalence.readable import DIALECTS

CONVERTED = [
    (
        "postgres",
        "tsql",
        "SELECT id, name FROM users WHERE active = TRUE AND age > 30 ORDER BY name LIMIT 10",
    ),
    ("postgres", "tsql", "CREATE TABLE u (id SERIAL PRIMARY KEY, ok BOOLEAN, n TEXT NOT NULL)"),
    ("postgres", "tsql", "SELECT STRING_AGG(n, ',' ORDER BY n) AS names FROM u WHERE id <> 4"),
    ("postgres", "mysql", "UPDATE t SET a = b, c = 'x' WHERE id = 5 AND d < 7"),
    ("postgres", "mysql", "SELECT DISTINCT city FROM t WHERE name ILIKE 'a%' ORDER BY city DESC"),
    (
        "postgres",
        "mysql",
        "SELECT id::text AS i, DATE_TRUNC('month', created_at) AS m FROM o WHERE total > 99.5",
    ),
    (
        "postgres",
        "sqlite",
        "INSERT INTO t (a, b) VALUES (1, 'x') ON CONFLICT (a) DO UPDATE SET b = EXCLUDED.b",
    ),
    (
        "postgres",
        "sqlite",
        "SELECT a, COUNT(*) AS n FROM t WHERE b IS NOT NULL GROUP BY a HAVING COUNT(*) > 40",
    ),
    (
        "postgres",
        "bigquery",
        "SELECT u.id, COUNT(o.id) AS n FROM users u LEFT JOIN orders o ON o.user_id = u.id"
        " WHERE u.kind = 'k' GROUP BY u.id",
    ),
    (
        "postgres",
        "oracle",
        "SELECT id, ROW_NUMBER() OVER (PARTITION BY d ORDER BY pay DESC) AS r FROM emp LIMIT 7",
    ),
    (
        "mysql",
        "postgres",
        "SELECT DATE_FORMAT(c, '%Y-%m') AS ym, IFNULL(a, 'x') AS b FROM t"
        " WHERE c > DATE_SUB(NOW(), INTERVAL 7 DAY)",
    ),
    ("mysql", "postgres", "SELECT CONCAT(a, ' ', b) AS c FROM people WHERE LENGTH(b) > 3"),
    ("mysql", "postgres", "CREATE TABLE t (id INT AUTO_INCREMENT, f TINYINT(1), s VARCHAR(9))"),
    ("postgres", "mysql", "SELECT a, COUNT(b) AS n FROM t GROUP BY a ORDER BY n DESC LIMIT 10"),
    ("mysql", "sqlite", "DELETE FROM logs WHERE level = 'debug' AND age > 30"),
    ("mysql", "duckdb", "INSERT INTO t (a, b) SELECT a, b FROM u WHERE c = 1"),
    ("duckdb", "sqlite", "DELETE FROM t WHERE id = 5"),
    ("duckdb", "sqlite", "CREATE INDEX i ON t (a, b DESC)"),
    ("duckdb", "sqlite", "ALTER TABLE t ADD COLUMN b INT"),
    ("duckdb", "sqlite", "SELECT a AS x, b FROM t WHERE b > 2 ORDER BY a DESC LIMIT 100"),
    ("duckdb", "postgres", "SELECT a, COUNT(*) FILTER (WHERE b > 10) AS n FROM t GROUP BY a"),
    ("tsql", "snowflake", "SELECT TOP 5 [a], [b] FROM [t] WHERE [b] > 20 ORDER BY [b] DESC"),
    ("tsql", "snowflake", "SELECT DATEADD(day, 7, c) AS due, ISNULL(n, 'x') AS m FROM o"),
    ("tsql", "postgres", "SELECT CONVERT(VARCHAR(10), id) AS s, IIF(a > 1, 'x', 'y') AS k FROM u"),
    ("bigquery", "postgres", "SELECT DATE_ADD(d, INTERVAL 3 DAY) AS e FROM t WHERE f <> 'z'"),
    (
        "snowflake",
        "bigquery",
        "SELECT a FROM t QUALIFY ROW_NUMBER() OVER (PARTITION BY a ORDER BY b DESC) = 1",
    ),
    (
        "snowflake",
        "postgres",
        "MERGE INTO t USING s ON t.id = s.id WHEN MATCHED THEN UPDATE SET a = s.a"
        " WHEN NOT MATCHED THEN INSERT (id, a) VALUES (s.id, s.a)",
    ),
    ("oracle", "postgres", "SELECT NVL(n, 'x') AS m FROM u WHERE ROWNUM <= 5"),
    ("oracle", "postgres", "SELECT a.id, b.x FROM a, b WHERE a.id = b.a_id(+) AND a.k = 4"),
    ("oracle", "mysql", "SELECT a FROM t WHERE b = 1 UNION ALL SELECT a FROM u WHERE c = 2"),
]
"""Language, target and what is converted."""
CHANGED = [
    "UPDATE t SET a = b, c = 'x' WHERE d = 5 AND e < 7",
    "INSERT INTO t (a, b) VALUES (1, 'x')",
    "INSERT INTO t SELECT * FROM u WHERE c = 1",
    "DELETE FROM t WHERE id = 5",
    "CREATE TABLE t (a INTEGER NOT NULL, b TEXT DEFAULT 'x')",
    "SELECT a AS x FROM t WHERE b = 'z' AND c = 'k' AND d = 9 AND e < 3",
    "SELECT a, COUNT(*) AS n FROM t GROUP BY a HAVING COUNT(*) > 40",
    "SELECT a, b FROM t ORDER BY a LIMIT 100",
    "SELECT my_udf(a) AS x FROM t WHERE b = 1",
    "SELECT t.a, u.b FROM t LEFT JOIN u ON t.id = u.id AND u.k = 4 WHERE t.z <> 'q' LIMIT 5000",
    "SELECT DISTINCT a FROM t WHERE x IN (1, 2, 3) OR y BETWEEN 3 AND 4000",
    "SELECT a, RANK() OVER (PARTITION BY c ORDER BY b DESC) AS r FROM t",
]
"""What no change of anything may pass for, in one dialect."""

_OPERATORS: dict[type[exp.Expr], type[exp.Expr]] = {
    exp.GT: exp.GTE,
    exp.LT: exp.LTE,
    exp.GTE: exp.GT,
    exp.LTE: exp.LT,
    exp.EQ: exp.NEQ,
    exp.NEQ: exp.EQ,
    exp.And: exp.Or,
    exp.Union: exp.Intersect,
}


def _literal(node: exp.Expr) -> bool:
    if isinstance(node.parent, exp.DataTypeParam):
        return False
    text = node.name
    node.set("this", str(int(text) + int(text) + 1) if text.isdigit() else f"{text}1")
    return True


def _column(node: exp.Expr) -> bool:
    node.this.set("this", "another")
    return isinstance(node.this, exp.Identifier)


def _join(node: exp.Expr) -> bool:
    side = node.args.get("side")
    node.set("side", None if side else "LEFT")
    return bool(side or node.args.get("on"))


def _operator(node: exp.Expr) -> bool:
    if isinstance(node.parent, exp.Update | exp.OnConflict):  # an assignment
        return False
    node.replace(_OPERATORS[type(node)](**node.args))
    return node.parent is None


def _name(node: exp.Expr) -> bool:
    node.set("alias", exp.to_identifier("renamed"))
    return True


def _direction(node: exp.Expr) -> bool:
    node.set("desc", not node.args.get("desc"))
    return not isinstance(node.this, exp.Case)


def _type(node: exp.Expr) -> bool:
    node.replace(exp.DataType.build("DATE"))
    return True


def _left_out(node: exp.Expr) -> bool:
    holder = node.parent if isinstance(node.parent, exp.ColumnConstraint) else node
    holder.pop()
    return True


def _one_side(node: exp.Expr) -> bool:
    node.replace(node.this)
    return True


_EDITS: tuple[tuple[tuple[type[exp.Expr], ...], Callable[[exp.Expr], bool]], ...] = (
    ((exp.Where,), _left_out),
    ((exp.Having,), _left_out),
    ((exp.Limit, exp.Fetch), _left_out),
    ((exp.Distinct,), _left_out),
    ((exp.NotNullColumnConstraint,), _left_out),
    ((exp.Literal,), _literal),
    ((exp.Column,), _column),
    ((exp.Join,), _join),
    (tuple(_OPERATORS), _operator),
    ((exp.And,), _one_side),
    ((exp.Alias,), _name),
    ((exp.Ordered,), _direction),
    ((exp.DataType,), _type),
)


def mutants(code: str, language: str) -> Iterator[str]:
    """Yield the statement with one thing changed: for each kind of change, at the last place
    that has it."""
    dialect = DIALECTS[language]
    base = sqlglot.parse_one(code, read=dialect).sql(dialect)
    for kinds, edit in _EDITS:
        tree = sqlglot.parse_one(code, read=dialect)
        for node in reversed(list(tree.find_all(*kinds))):
            if node is not tree and edit(node):
                break
            tree = sqlglot.parse_one(code, read=dialect)
        else:
            continue
        if tree.sql(dialect) != base:
            yield tree.sql(dialect)
