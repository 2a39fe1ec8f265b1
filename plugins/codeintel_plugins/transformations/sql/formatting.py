"""`refactor` for SQL: each statement in the usual lines, with not a token changed."""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib.metadata import version
from typing import ClassVar

from sqlglot import Dialect

from codeintel.contracts import (
    Change,
    Equivalence,
    Rewrite,
    RewriteRequest,
    Transformation,
    Unsupported,
)
from codeintel.contracts.positions import LineTable
from codeintel_plugins.transformations.sql.dialects import DIALECTS
from codeintel_plugins.transformations.sql.layout import laid_out
from codeintel_plugins.transformations.sql.statements import (
    Statement,
    UnreadableScriptError,
    dialect_of,
    line_end,
    parsed,
    statements,
    without_mark,
)

FORMAT = "sql-format"
Edit = Callable[[Statement], tuple[str, tuple[tuple[str, str], ...]] | None]
"""New text for a statement, and the rules with messages that made it; None for no change."""


class SqlRefactor(Transformation):
    """The layout of each statement. One that sqlglot does not understand stays as it is."""

    name: ClassVar[str] = "sqlglot-format"
    kind: ClassVar[str] = "refactor"
    languages: ClassVar[frozenset[str]] = frozenset(DIALECTS)
    equivalence: ClassVar[Equivalence | None] = Equivalence.QUERY_PLAN
    timeout: float = 25.0

    def __init__(self) -> None:
        self.version = version("sqlglot")

    def preload(self) -> None:
        dialect_of("postgres").tokenize("SELECT 1")

    def rewrite(self, request: RewriteRequest) -> Rewrite:
        if FORMAT in request.without:
            return Rewrite(code=request.code)
        dialect = dialect_of(request.language)

        def layout(statement: Statement) -> tuple[str, tuple[tuple[str, str], ...]] | None:
            return _layout(statement, dialect)

        return edited(request, dialect, layout)


def _layout(
    statement: Statement, dialect: Dialect
) -> tuple[str, tuple[tuple[str, str], ...]] | None:
    tree = parsed(statement, dialect)
    text = laid_out(statement, tree, dialect) if tree is not None else None
    if text is None:
        return None
    return text, ((FORMAT, "Laid the statement out in lines; keywords are in upper case"),)


def edited(request: RewriteRequest, dialect: Dialect, edit: Edit) -> Rewrite:
    """The script with what `edit` makes of each statement.

    :raises Unsupported: if the script has no tokens that could be told apart.
    """
    mark, text = without_mark(request.code)
    try:
        found = statements(text, dialect)
    except UnreadableScriptError:
        raise Unsupported(
            "line 1: a string or comment without an end, or too long a script"
        ) from None
    parts, changes, at = [mark], [], 0
    lines, end = LineTable(request.code), line_end(text)
    for statement in found:
        outcome = edit(statement)
        parts.append(text[at : statement.start])
        new = statement.source if outcome is None else with_ends(outcome[0], statement.source, end)
        parts.append(new)
        at = statement.end
        if outcome is not None and new != statement.source:
            place = lines.span(statement.start + len(mark), statement.end + len(mark))
            changes += [Change(rule=rule, message=said, range=place) for rule, said in outcome[1]]
    parts.append(text[at:])
    return Rewrite(code="".join(parts), changes=tuple(changes))


def with_ends(new: str, old: str, end: str) -> str:
    """New lines end as the old ones. Where those end in several ways, as in strings, nothing is
    done."""
    if end == "\n" or re.search(r"(?<!\r)\n", old):
        return new
    return re.sub(r"(?<!\r)\n", end, new)
