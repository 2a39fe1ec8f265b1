"""Statements as DuckDB or SQLite read them: as they are, or as sqlglot translates them."""

from __future__ import annotations

import re

from sqlglot import ErrorLevel, exp
from sqlglot.errors import SqlglotError

from codeintel.verification.parsing import DIALECTS
from codeintel.verification.queries_engines import ENGINES
from codeintel.verification.queries_runs import Outcome
from codeintel.verification.queries_schema import table_name
from codeintel.verification.queries_statements import Statement

STAND_IN = "duckdb"
"""What runs statements of dialects for which there is no engine here."""
_PREPARED = (exp.Query, exp.Insert, exp.Update, exp.Delete, exp.Create, exp.Drop, exp.Merge)


_ORACLE_ONLY = re.compile(r"\b(?:ROWNUM|DUAL|LEVEL|SYSDATE)\b", re.IGNORECASE)


def can_prepare(statement: Statement) -> bool:
    """Whether an engine is shown the statement at all."""
    return isinstance(statement.tree, _PREPARED)


def translated(tree: exp.Expr | None, language: str, engine: str) -> str | None:
    """A tree as the engine reads it; None where sqlglot says that it cannot be put so."""
    if tree is None or not isinstance(tree, _PREPARED):
        return None
    if any(column.args.get("join_mark") for column in tree.find_all(exp.Column)):
        return None
    if language == "oracle" and _ORACLE_ONLY.search(tree.sql()):
        return None
    try:
        copy = tree.copy()
        if DIALECTS[language] == engine:
            return copy.sql(engine, comments=False)
        return copy.sql(engine, comments=False, unsupported_level=ErrorLevel.RAISE)
    except (SqlglotError, RecursionError, ValueError, AttributeError, TypeError):
        return None


def engine_of(language: str) -> str | None:
    """The engine that is the language's own."""
    return language if language in ENGINES else None


def is_ordered(tree: exp.Expr | None) -> bool:
    """Whether a query says in which order its rows come."""
    return tree is not None and tree.args.get("order") is not None


def created_table(tree: exp.Expr | None) -> str:
    """The table that a statement makes."""
    if isinstance(tree, exp.Create):
        table = tree.this.find(exp.Table)
        if table is not None:
            return table_name(table)
    return ""


def described(outcome: Outcome) -> str:
    """What went wrong, for people."""
    if outcome.status == "refused":
        return f"line {outcome.line}: the engine refuses it ({outcome.reason})"
    if outcome.reason == "order":
        return f"line {outcome.line}: the rows come in another order"
    if outcome.reason:
        return (
            f"line {outcome.line}: it fails on data on which the original runs ({outcome.reason})"
        )
    return f"line {outcome.line}: the rows differ"
