"""`convert` for SQL: each statement in another dialect."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import ClassVar

from sqlglot import Dialect, ErrorLevel, exp
from sqlglot.errors import SqlglotError

from codeintel.contracts import (
    Change,
    Equivalence,
    Rewrite,
    RewriteRequest,
    Transformation,
    Unsupported,
)
from codeintel.contracts.positions import LineTable
from codeintel.engine.equivalence.sql.normalize import Tables, as_meant, tables_of
from codeintel_plugins.transformations.sql import DIALECTS
from codeintel_plugins.transformations.sql.differences import Differences
from codeintel_plugins.transformations.sql.foreign import prepared
from codeintel_plugins.transformations.sql.formatting import with_ends
from codeintel_plugins.transformations.sql.statements import (
    Statement,
    UnreadableScriptError,
    comments_of,
    dialect_of,
    line_end,
    parsed_alone,
    pieces,
    statements,
    without_mark,
)

TRANSPILE = "sql-transpile"
_OTHER_COMMENT = re.compile(r"(?:#|//)")


@dataclass
class _Written:
    """A translated script as it grows."""

    parts: list[str] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    losses: list[str] = field(default_factory=list)


class SqlConvert(Transformation):
    """Any dialect to any other. What the target cannot hold is named."""

    name: ClassVar[str] = "sqlglot-convert"
    kind: ClassVar[str] = "convert"
    languages: ClassVar[frozenset[str]] = frozenset(DIALECTS)
    targets: ClassVar[frozenset[str] | None] = frozenset(DIALECTS)
    equivalence: ClassVar[Equivalence | None] = Equivalence.QUERY_PLAN
    timeout: float = 15.0

    def __init__(self) -> None:
        self.version = version("sqlglot")

    def supports(self, language: str, target: str) -> bool:
        return language != target and super().supports(language, target)

    def rewrite(self, request: RewriteRequest) -> Rewrite:
        source, target = dialect_of(request.language), dialect_of(request.target)
        mark, text = without_mark(request.code)
        try:
            found = statements(text, source)
        except UnreadableScriptError:
            raise Unsupported(
                "line 1: a string or comment is not closed, or the script is too long"
            ) from None
        if not found:
            raise Unsupported("line 1: the script has no statement")
        written, at, end = _Written([mark]), 0, line_end(text)
        lines = LineTable(request.code)
        tables = tables_of(parsed_alone(each, source) for each in found if _makes(each))
        for statement in found:
            written.parts.append(_between(text[at : statement.start]))
            new, lost = _converted(statement, source, target, request, tables)
            written.parts.append(with_ends(new, statement.source, end))
            written.losses += lost
            at = statement.end
            if new != statement.source:
                place = lines.span(statement.start + len(mark), statement.end + len(mark))
                said = f"Converted to {request.target}"
                written.changes.append(Change(rule=TRANSPILE, message=said, range=place))
        written.parts.append(_between(text[at:]))
        losses = tuple(dict.fromkeys(written.losses))
        if losses and request.options.get("strict"):
            raise Unsupported(losses[0])
        return Rewrite(code="".join(written.parts), changes=tuple(written.changes), losses=losses)


def _makes(statement: Statement) -> bool:
    return statement.slice(0).upper() in ("CREATE", "ALTER")


def _between(gap: str) -> str:
    """Convert the text between statements. Comments with `#` or `//` get two hyphens."""
    return "".join(
        _OTHER_COMMENT.sub("--", piece, count=1) if _OTHER_COMMENT.match(piece) else piece
        for piece in pieces(gap)
    )


def _converted(
    statement: Statement,
    source: Dialect,
    target: Dialect,
    request: RewriteRequest,
    tables: Tables,
) -> tuple[str, list[str]]:
    """Return a statement for the target, and the features that it loses.

    :raises Unsupported: if sqlglot does not understand the statement.
    """
    place = f"line {statement.line}"
    tree = parsed_alone(statement, source)
    if tree is None:
        word = statement.slice(0)[:30]
        raise Unsupported(f"{place}: statements that start with `{word}` are not supported")
    if statement.slice(0).upper() == "CREATE" and tree.find(exp.Block, exp.UserDefinedFunction):
        raise Unsupported(f"{place}: functions and procedures are not supported")
    own = sorted({each.name for each in tree.find_all(exp.Anonymous)})
    try:
        tree = as_meant(tree, request.language, request.target, tables)
        finder = Differences(request.language, request.target, tables)
        differences = list(finder.sentences(tree, statement.line))
        tree = prepared(tree, request.language, request.target, tables)
        generator = target.generator(pretty=True, unsupported_level=ErrorLevel.IGNORE)
        text = generator.generate(tree)
        (again,) = statements(text, target)
    except (SqlglotError, RecursionError, ValueError, AttributeError, UnreadableScriptError):
        raise Unsupported(
            f"{place}: the statement cannot be converted to {request.target}"
        ) from None
    losses = [f"{place}: {said}" for said in generator.unsupported_messages]
    losses += differences
    losses += [
        f"{place}: {name} is unchanged, but {request.target} may not support it" for name in own
    ]
    lost = len(comments_of(statement)) - len(comments_of(again))
    if lost > 0:
        losses.append(f"{place}: comments removed: {lost}")
    return text, losses
