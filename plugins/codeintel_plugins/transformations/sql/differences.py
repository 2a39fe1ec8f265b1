"""Syntax that two dialects share but interpret differently, as sentences with lines."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from sqlglot import exp

from codeintel.engine.equivalence.sql.normalize import (
    FRACTIONS,
    WHOLE_DIVISION,
    Tables,
    declared,
    is_whole,
    kind,
)
from codeintel_plugins.transformations.sql import DIALECTS

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
_SAME_TEXT = frozenset({"mysql", "mariadb", "tsql"})
"""Where the case of letters makes no difference, unless a collation says otherwise."""
_ALIKE = _SAME_TEXT | {"sqlite"}
"""Where LIKE takes letters of both cases for the same."""
_COMPARED = (
    *(exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE),
    *(exp.NullSafeEQ, exp.In, exp.Between, exp.Case),
)
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]?[\d:.+-]*Z?\Z")
_LONGEST = 60
_TEXTS = exp.DataType.TEXT_TYPES | {exp.DType.ENUM}


class Pairing:
    """A dialect and another, and the tables of a script."""

    def __init__(self, language: str, target: str, tables: Tables) -> None:
        self._language, self._target, self._tables = language, target, tables

    def one_of(self, dialects: frozenset[str]) -> tuple[str, str] | None:
        """Return the titles of the dialect in the set and of the other, if exactly one is in the
        set."""
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
            return f"integer division uses floating point in {target}, which is exact up to 2^53"
        if not isinstance(node, exp.Div) or self._language not in WHOLE_DIVISION:
            return ""
        if self._target not in FRACTIONS | {"clickhouse"}:
            return ""
        if self._target in FRACTIONS and self._are_whole(node):
            return ""
        if any(self._is_real(each) for each in (node.left, node.right)):
            return ""
        return f"/ of integers truncates the result in {source}, but not in {target}"

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
        return f"{name} changes only ASCII letters in SQLite, but all in {self.other('sqlite')}"

    def spelling(self, node: exp.Expr) -> str:
        if not isinstance(node, exp.Cast) or not self.one_of(frozenset({"sqlite"})):
            return ""
        if node.to.this not in exp.DataType.TEXT_TYPES or not self._is_real(node.this):
            return ""
        return f"{title(self._target)} converts numbers to text in a different format"

    def addition(self, node: exp.Expr) -> str:
        if self._language != "tsql" or not isinstance(node, exp.Add):
            return ""
        literals = (each for each in (node.left, node.right) if isinstance(each, exp.Literal))
        if not any(each.is_string for each in literals):
            return ""
        other = title(self._target)
        return f"+ with a string can concatenate or add in T-SQL, but only adds in {other}"

    def counting(self, node: exp.Expr) -> str:
        if self._target != "sqlite" or not isinstance(node, exp.ColumnDef) or is_key(node):
            return ""
        type_ = node.args.get("kind")
        if not isinstance(type_, exp.DataType) or type_.this not in SERIALS:
            return ""
        return "only the primary key of a table is auto-incremented in SQLite"


def title(language: str) -> str:
    """Return the displayed name of a dialect."""
    return _TITLES.get(language, language.capitalize())


def is_key(column: exp.ColumnDef) -> bool:
    """Return whether a column is the only one of its table's primary key."""
    if any(isinstance(each.kind, exp.PrimaryKeyColumnConstraint) for each in column.constraints):
        return True
    schema = column.parent
    keys = list(schema.find_all(exp.PrimaryKey)) if schema is not None else []
    names = [each.name.lower() for key in keys for each in key.expressions]
    return names == [column.name.lower()]


class Differences(Pairing):
    """Finds them in the statements of a script."""

    def sentences(self, tree: exp.Expr, line: int) -> Iterator[str]:
        """Yield sentences about differences in the meaning of a statement that begins on a line."""
        if DIALECTS[self._language] == DIALECTS[self._target]:
            return
        for node in tree.walk(bfs=False):
            for find in _FINDERS:
                said = find(self, node)
                if said:
                    lines = [each.meta["line"] for each in node.walk() if "line" in each.meta]
                    at = line + min(lines, default=1) - 1
                    yield f"line {at}: {said}: `{self._shown(node)}`"

    def _shown(self, node: exp.Expr) -> str:
        text = node.sql(DIALECTS[self._language], comments=False)
        return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."

    def like(self, node: exp.Expr) -> str:
        if not isinstance(node, exp.Like | exp.ILike | exp.SimilarTo) or _is_exact(node):
            return ""
        pattern = node.expression
        text = pattern.name if isinstance(pattern, exp.Literal) else None
        if isinstance(node, exp.Like) and (names := self.one_of(_ALIKE)):
            if text is None or any(each.isalpha() for each in text):
                return f"LIKE ignores case in {names[0]}, but not in {names[1]}"
            return ""
        if self.one_of(frozenset({"sqlite"})) and (text is None or not text.isascii()):
            return f"SQLite ignores case only for ASCII letters, {self.other('sqlite')} for all"
        return ""

    def comparison(self, node: exp.Expr) -> str:
        names = self.one_of(_SAME_TEXT)
        if names is None or not isinstance(node, _COMPARED) or _is_exact(node):
            return ""
        if isinstance(
            node.parent, exp.SetItem | exp.Update | exp.OnConflict
        ) or not self._is_textual(node):
            return ""
        return f"string comparisons ignore case by default in {names[0]}, but not in {names[1]}"

    def _is_textual(self, node: exp.Expr) -> bool:
        """Return whether the node compares texts, or a value with a text."""
        parts = ("this", "expression", "low", "high")
        sides = [node.args[part] for part in parts if node.args.get(part) is not None]
        sides += node.args.get("expressions") or []
        sides += [each.this for each in node.args.get("ifs") or []]
        kinds = [kind(each, self._tables) for each in sides]
        if any(each is not None and each not in _TEXTS for each in kinds):
            return False
        if isinstance(node, exp.Case) and node.this is None:
            return False
        literals = [each.name for each in sides if isinstance(each, exp.Literal) and each.is_string]
        if any(_has_case(each) for each in literals):
            return len(literals) < len(sides)
        return not literals and len(sides) > 1 and all(each in _TEXTS for each in kinds)

    def grouping(self, node: exp.Expr) -> str:
        names = self.one_of(_SAME_TEXT)
        if names is None or not isinstance(node, exp.Group | exp.Order | exp.Distinct):
            return ""
        keys = node.expressions
        if isinstance(node, exp.Distinct) and isinstance(node.parent, exp.Select):
            keys = keys or [each.unalias() for each in node.parent.selects]
        keys = [each.this if isinstance(each, exp.Ordered) else each for each in keys]
        if not any(kind(each, self._tables) in _TEXTS for each in keys):
            return ""
        return (
            f"grouping and sorting of strings ignores case by default in {names[0]}, but not in "
            f"{names[1]}"
        )

    def emptiness(self, node: exp.Expr) -> str:
        names = self.one_of(frozenset({"oracle"}))
        if names is None:
            return ""
        if isinstance(node, exp.Literal) and node.is_string and not node.this:
            return f"'' is NULL in {names[0]}, but an empty string in {names[1]}"
        if isinstance(node, exp.DPipe) and not isinstance(node.parent, exp.DPipe):
            if all(self._is_there(each) for each in node.flatten()):
                return ""
            return (
                f"|| treats NULL as an empty string in {names[0]}, but returns NULL in {names[1]}"
            )
        return ""

    def _is_there(self, node: exp.Expr) -> bool:
        """Return whether the node is never NULL."""
        if isinstance(node, exp.Paren | exp.Cast):
            return self._is_there(node.this)
        if isinstance(node, exp.Literal):
            return bool(node.this)
        if isinstance(node, exp.Coalesce):
            return any(self._is_there(each) for each in (node.this, *node.expressions))
        column = declared(node, self._tables)
        kinds = [each.args.get("kind") for each in column.constraints] if column is not None else []
        never = (exp.NotNullColumnConstraint, exp.PrimaryKeyColumnConstraint)
        return any(isinstance(each, never) and not each.args.get("allow_null") for each in kinds)


_FINDERS: tuple[Callable[[Differences, exp.Expr], str], ...] = (
    *(Differences.like, Differences.comparison, Differences.grouping, Differences.emptiness),
    *(
        Differences.division,
        Differences.letters,
        Differences.spelling,
        Differences.addition,
        Differences.counting,
    ),
)


def _has_case(text: str) -> bool:
    return text.lower() != text.upper() and not _MOMENT.match(text)


def _is_exact(node: exp.Expr) -> bool:
    """Return whether the node itself says how texts are compared."""
    if node.find(exp.Collate) is not None:
        return True
    return any(
        each.to.this in (exp.DType.BINARY, exp.DType.VARBINARY) for each in node.find_all(exp.Cast)
    )
