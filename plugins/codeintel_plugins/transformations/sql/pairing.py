"""Two dialects, and what they mean otherwise of numbers and letters."""

from __future__ import annotations

from sqlglot import exp

from codeintel.engine.equivalence.sql.dialect_semantics import (
    FRACTIONS,
    WHOLE_DIVISION,
    Tables,
    is_whole,
    kind,
)

_TITLES = {
    "bigquery": "BigQuery",
    "clickhouse": "ClickHouse",
    "db2": "Db2",
    "duckdb": "DuckDB",
    "mariadb": "MariaDB",
    "mysql": "MySQL",
    "postgres": "PostgreSQL",
    "sparksql": "Spark SQL",
    "sql": "SQL",
    "sqlite": "SQLite",
    "starrocks": "StarRocks",
    "tsql": "T-SQL",
}
_THROUGH_FRACTIONS = WHOLE_DIVISION - {"postgres", "materialize", "risingwave"}
"""Where a division of whole numbers is written as one of fractions that is cut off."""
_REAL = exp.DataType.REAL_TYPES
SERIALS = frozenset({exp.DType.SERIAL, exp.DType.BIGSERIAL, exp.DType.SMALLSERIAL})


class Pairing:
    """A dialect and another, and the tables of a script."""

    def __init__(self, language: str, target: str, tables: Tables) -> None:
        self._language, self._target, self._tables = language, target, tables

    def one_of(self, dialects: frozenset[str]) -> tuple[str, str] | None:
        """The titles of the one that is among them and of the other, which is not."""
        both = self._language, self._target
        inside = [each for each in both if each in dialects]
        if len(inside) != 1:
            return None
        other = both[1] if inside[0] == both[0] else both[0]
        return title(inside[0]), title(other)

    def other(self, language: str) -> str:
        return title(self._target if self._language == language else self._language)

    def division(self, node: exp.Expr) -> str:
        source, target = title(self._language), title(self._target)
        if isinstance(node, exp.IntDiv) and self._target in _THROUGH_FRACTIONS:
            if self._are_whole(node):
                return ""
            return f"whole division is written with fractions for {target}, exact up to 2^53"
        if not isinstance(node, exp.Div) or self._language not in WHOLE_DIVISION:
            return ""
        if self._target not in FRACTIONS | {"clickhouse"}:
            return ""
        if self._target in FRACTIONS and self._are_whole(node):
            return ""
        if any(self._is_real(each) for each in (node.left, node.right)):
            return ""
        return f"/ of whole numbers drops the fraction in {source} and keeps it in {target}"

    def _are_whole(self, node: exp.Expr) -> bool:
        sides = (node.args["this"], node.args["expression"])
        return all(is_whole(each, self._tables, self._language) for each in sides)

    def _is_real(self, node: exp.Expr) -> bool:
        if isinstance(node, exp.Paren | exp.Neg | exp.Round):
            return self._is_real(node.this)
        if isinstance(node, exp.Literal):
            return not node.is_string and not node.name.isdigit()
        if isinstance(node, exp.Add | exp.Sub | exp.Mul | exp.Div):
            return any(self._is_real(each) for each in (node.left, node.right))
        if isinstance(node, exp.Avg) and self._language in ("postgres", "sqlite"):
            return True
        return kind(node, self._tables) in _REAL

    def letters(self, node: exp.Expr) -> str:
        if not isinstance(node, exp.Upper | exp.Lower) or not self.one_of(frozenset({"sqlite"})):
            return ""
        if isinstance(node.this, exp.Literal) and node.name.isascii():
            return ""
        name = node.key.upper()
        return f"{name} changes only ASCII letters in SQLite, and all in {self.other('sqlite')}"

    def spelling(self, node: exp.Expr) -> str:
        if not isinstance(node, exp.Cast) or not self.one_of(frozenset({"sqlite"})):
            return ""
        if node.to.this not in exp.DataType.TEXT_TYPES or not self._is_real(node.this):
            return ""
        return f"numbers as texts are spelled otherwise in {title(self._target)}"

    def addition(self, node: exp.Expr) -> str:
        if self._language != "tsql" or not isinstance(node, exp.Add):
            return ""
        literals = (each for each in (node.left, node.right) if isinstance(each, exp.Literal))
        if not any(each.is_string for each in literals):
            return ""
        other = title(self._target)
        return f"+ with a text may join texts or add numbers in T-SQL, and adds in {other}"

    def counting(self, node: exp.Expr) -> str:
        if self._target != "sqlite" or not isinstance(node, exp.ColumnDef) or is_key(node):
            return ""
        type_ = node.args.get("kind")
        if not isinstance(type_, exp.DataType) or type_.this not in SERIALS:
            return ""
        return "only the primary key of a table counts by itself in SQLite"


def title(language: str) -> str:
    """How a dialect is called."""
    return _TITLES.get(language, language.capitalize())


def is_key(column: exp.ColumnDef) -> bool:
    """Whether a column is its table's primary key alone."""
    if any(isinstance(each.kind, exp.PrimaryKeyColumnConstraint) for each in column.constraints):
        return True
    schema = column.parent
    keys = list(schema.find_all(exp.PrimaryKey)) if schema is not None else []
    names = [each.name.lower() for key in keys for each in key.expressions]
    return names == [column.name.lower()]
