"""`optimize` and `modernize` for SQL: rules on trees, applied in sequence."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, NamedTuple

from sqlglot import Dialect, exp
from sqlglot.errors import SqlglotError

from codeintel.contracts import Equivalence, Rewrite, RewriteRequest, Transformation
from codeintel_plugins.transformations.sql import DIALECTS, rewrites
from codeintel_plugins.transformations.sql.formatting import SqlRefactor, edited
from codeintel_plugins.transformations.sql.statements import (
    Statement,
    UnreadableScriptError,
    comments_of,
    dialect_of,
    parsed_alone,
    statements,
)

_ROUNDS = 4
_MAX_TOKENS = 5_000
"""Longer statements are left as they are."""


class Rule(NamedTuple):
    """A rule: its name and message, its function, and its words. A statement needs at least one
    of the words for the rule to match."""

    name: str
    message: str
    change: Callable[[exp.Expr, str], exp.Expr]
    words: frozenset[str]


class _SqlRules(Transformation):
    """Rules that change what a statement says, not what it gives."""

    languages: ClassVar[frozenset[str]] = frozenset(DIALECTS)
    equivalence: ClassVar[Equivalence | None] = Equivalence.QUERY_PLAN
    timeout: float = 25.0
    rules: ClassVar[tuple[Rule, ...]]

    def __init__(self) -> None:
        self.version = SqlRefactor().version

    def rewrite(self, request: RewriteRequest) -> Rewrite:
        dialect = dialect_of(request.language)
        rules = [rule for rule in self.rules if rule.name not in request.without]
        name = DIALECTS[request.language]

        def edit(statement: Statement) -> tuple[str, tuple[tuple[str, str], ...]] | None:
            return _improved(statement, dialect, name, rules)

        return edited(request, dialect, edit)


class SqlOptimize(_SqlRules):
    """Less work for the engine."""

    name: ClassVar[str] = "sqlglot-optimize"
    kind: ClassVar[str] = "optimize"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            "sql-unused-cte",
            "Removed an unused WITH query",
            rewrites.without_unused_ctes,
            frozenset({"WITH"}),
        ),
        Rule(
            "sql-exists",
            "Replaced COUNT with EXISTS, which stops at the first row",
            rewrites.exists_for_count,
            frozenset({"COUNT"}),
        ),
        Rule(
            "sql-idle-distinct",
            "Removed a DISTINCT or ORDER BY that has no effect",
            rewrites.without_idle_distinct,
            frozenset({"DISTINCT", "ORDER BY"}),
        ),
        Rule(
            "sql-in-list",
            "Combined comparisons of one column into IN",
            rewrites.in_for_or,
            frozenset({"OR"}),
        ),
        Rule(
            "sql-filter-early",
            "Moved a condition on a GROUP BY key from HAVING to WHERE",
            rewrites.where_for_having,
            frozenset({"HAVING"}),
        ),
        Rule(
            "sql-wrapper",
            "Removed a subquery that only selects all columns",
            rewrites.without_wrapper,
            frozenset({"*"}),
        ),
        Rule(
            "sql-simplify",
            "Removed conditions that have no effect",
            rewrites.simplified,
            frozenset({"AND", "OR", "TRUE", "NOT", "FALSE"}),
        ),
    )


class SqlModernize(_SqlRules):
    """Explicit joins and standard functions."""

    name: ClassVar[str] = "sqlglot-modernize"
    kind: ClassVar[str] = "modernize"
    rules: ClassVar[tuple[Rule, ...]] = (
        Rule(
            "sql-explicit-join",
            "Replaced a comma join with JOIN",
            rewrites.with_explicit_joins,
            frozenset({","}),
        ),
        Rule(
            "sql-coalesce",
            "Replaced CASE with COALESCE",
            rewrites.with_coalesce,
            frozenset({"CASE"}),
        ),
    )


def _improved(
    statement: Statement, dialect: Dialect, name: str, rules: list[Rule]
) -> tuple[str, tuple[tuple[str, str], ...]] | None:
    """Return the statement after all rules; None where none does anything, or where the tree
    does not hold the whole statement."""
    if len(statement.tokens) > _MAX_TOKENS:
        return None
    words = {token.text.upper() for token in statement.tokens}
    rules = [rule for rule in rules if not rule.words or not rule.words.isdisjoint(words)]
    tree = parsed_alone(statement, dialect) if rules else None
    if not isinstance(tree, exp.Query):
        return None
    try:
        tree, used = _changed(tree, dialect, name, rules)
        if not used or not _is_faithful(statement, dialect):
            return None
        text = tree.sql(dialect, pretty=True)
    except (SqlglotError, RecursionError, ValueError, AttributeError, KeyError):
        return None
    kept = _comments(text, dialect)
    if kept is None or len(kept) != len(comments_of(statement)):
        return None
    return text, tuple(used.items())


def _changed(
    tree: exp.Expr, dialect: Dialect, name: str, rules: list[Rule]
) -> tuple[exp.Expr, dict[str, str]]:
    """Return the tree after all rules, and what those did that changed it."""
    used: dict[str, str] = {}
    said = tree.sql(dialect)
    for _ in range(_ROUNDS):
        start = said
        for rule in rules:
            tree = rule.change(tree, name)
            now = tree.sql(dialect)
            if now != said:
                used[rule.name] = rule.message
                said = now
        if said == start:
            break
    return tree, used


def _is_faithful(statement: Statement, dialect: Dialect) -> bool:
    """Return whether sqlglot's output for the original is one statement that parses to the same
    tree."""
    tree = parsed_alone(statement, dialect)
    text = tree.sql(dialect) if tree is not None else ";"
    if _comments(text, dialect) is None:
        return False
    again = dialect.parse(text)
    return len(again) == 1 and again[0] is not None and again[0].sql(dialect) == text


def _comments(text: str, dialect: Dialect) -> list[str] | None:
    try:
        found = statements(text, dialect)
    except UnreadableScriptError:
        return None
    return comments_of(found[0]) if len(found) == 1 and found[0].end == len(text) else None
