"""Statements as DuckDB or SQLite read them: as they are, or as sqlglot translates them."""

from __future__ import annotations

import re

from sqlglot import ErrorLevel, exp
from sqlglot.errors import SqlglotError

from codeintel.base.extras import SQL
from codeintel.engine.equivalence.readable import DIALECTS
from codeintel.engine.equivalence.sql.dialect_semantics import Tables, as_meant
from codeintel.engine.equivalence.sql.engines.choice import ENGINES
from codeintel.engine.equivalence.sql.portable import SERIALS
from codeintel.engine.equivalence.sql.runs import Outcome
from codeintel.engine.equivalence.sql.schema import table_name
from codeintel.engine.equivalence.sql.statements import Statement

STAND_IN = "duckdb"
"""What runs statements of dialects for which there is no engine here."""
_PREPARED = (
    *(exp.Query, exp.Insert, exp.Update, exp.Delete),
    *(exp.Create, exp.Alter, exp.Drop, exp.Merge),
)
_ORACLE_ONLY = re.compile(r"\b(?:ROWNUM|DUAL|LEVEL|SYSDATE)\b", re.IGNORECASE)


def can_prepare(statement: Statement) -> bool:
    """Whether an engine is shown the statement at all."""
    return isinstance(statement.tree, _PREPARED)


def translated(
    tree: exp.Expr | None, language: str, engine: str, tables: Tables | None = None
) -> str | None:
    """A tree as the engine reads it; None where sqlglot says that it cannot be put so."""
    if tree is None or not isinstance(tree, _PREPARED):
        return None
    if any(column.args.get("join_mark") for column in tree.find_all(exp.Column)):
        return None
    if language == "oracle" and _ORACLE_ONLY.search(tree.sql()):
        return None
    try:
        copy: exp.Expr = tree.copy()
        if DIALECTS[language] == engine:
            return copy.sql(engine, comments=False)
        copy = as_meant(copy, language, engine, tables or {})
        for kind in copy.find_all(exp.DataType):
            kind.set("this", SERIALS.get(kind.this, kind.this))
        return copy.sql(engine, comments=False, unsupported_level=ErrorLevel.RAISE)
    except (SqlglotError, RecursionError, ValueError, AttributeError, TypeError):
        return None


def engine_of(language: str) -> str | None:
    """The engine that is the language's own."""
    return language if language in ENGINES else None


def unrunnable(*engines: str) -> str:
    """Why nothing can be run in these; empty if it can."""
    return SQL.refusal if STAND_IN in engines and SQL.is_missing else ""


def is_ordered(tree: exp.Expr | None) -> bool:
    """Whether a query says in which order its rows come."""
    return tree is not None and tree.args.get("order") is not None


def order_keys(tree: exp.Expr | None) -> tuple[int, ...]:
    """The columns of a query's result that its `ORDER BY` names; none if it names anything else."""
    if not isinstance(tree, exp.Select) or tree.is_star or not is_ordered(tree):
        return ()
    names = [each.alias_or_name.lower() for each in tree.selects]
    keys = []
    for ordered in tree.args["order"].expressions:
        key = ordered.this
        name = key.name.lower() if isinstance(key, exp.Column) and not key.table else ""
        if not name or names.count(name) != 1:
            return ()
        keys.append(names.index(name))
    return tuple(keys)


def created_table(tree: exp.Expr | None) -> str:
    """The table that a statement makes."""
    if isinstance(tree, exp.Create) and not isinstance(tree.this, exp.Index):
        table = tree.this.find(exp.Table)
        if table is not None:
            return table_name(table)
    return ""


def conflicting(tree: exp.Expr | None) -> tuple[str, ...]:
    """The table and columns of which a statement says that they are different in each row."""
    if not isinstance(tree, exp.Insert):
        return ()
    conflict, table = tree.args.get("conflict"), tree.this.find(exp.Table)
    if conflict is None or table is None:
        return ()
    names = [each.find(exp.Identifier) for each in conflict.args.get("conflict_keys") or ()]
    found = [each.name.lower() for each in names if each is not None]
    return (table_name(table), *found) if found else ()


def described(outcome: Outcome) -> str:
    """What went wrong, for people."""
    if outcome.status == "refused":
        return f"line {outcome.line}: the engine refuses it ({outcome.reason})"
    if outcome.reason == "names":
        return f"line {outcome.line}: the columns have other names"
    if outcome.reason == "order":
        return f"line {outcome.line}: the rows come in another order"
    if outcome.reason:
        return (
            f"line {outcome.line}: it fails on data on which the original runs ({outcome.reason})"
        )
    return f"line {outcome.line}: the rows differ"
