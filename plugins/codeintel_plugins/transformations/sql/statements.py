"""The statements of a script: their positions, their tokens, and the text between them."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import Dialect, exp
from sqlglot.errors import SqlglotError
from sqlglot.tokenizer_core import Token, TokenType

from codeintel_plugins.transformations.sql import DIALECTS

# It would log what it cannot read: nothing that callers send goes into a log.
logging.getLogger("sqlglot").setLevel(logging.CRITICAL)

_PIECE = re.compile(r"\s+|--[^\r\n]*|/\*.*?\*/|#[^\r\n]*|//[^\r\n]*", re.DOTALL)
_BYTE_ORDER_MARK = "\ufeff"
MAX_TOKENS = 60_000


class UnreadableScriptError(Exception):
    """The script cannot be split into tokens."""


@dataclass(frozen=True)
class Statement:
    """A statement of a script. `start` and `end` are offsets into its text, without the
    semicolon and without comments before and after."""

    text: str
    start: int
    end: int
    line: int
    tokens: tuple[Token, ...]

    def slice(self, index: int) -> str:
        """Return a token as it is spelled."""
        token = self.tokens[index]
        return self.text[token.start : token.end + 1]

    def gap(self, index: int) -> str:
        """Return the text before a token other than the first."""
        return self.text[self.tokens[index - 1].end + 1 : self.tokens[index].start]

    @property
    def source(self) -> str:
        """The statement as it is spelled."""
        return self.text[self.start : self.end]


def dialect_of(language: str) -> Dialect:
    """Return sqlglot's dialect for a canonical language."""
    return Dialect.get_or_raise(DIALECTS[language])


def statements(text: str, dialect: Dialect) -> list[Statement]:
    """Return the statements of a script.

    :raises UnreadableScriptError: if the script cannot be split into tokens, or has too many.
    """
    try:
        tokens = dialect.tokenize(text)
    except (SqlglotError, RecursionError):
        raise UnreadableScriptError from None
    if len(tokens) > MAX_TOKENS:
        raise UnreadableScriptError
    return [_statement(text, chunk) for chunk in _chunks(tokens)]


def _chunks(tokens: list[Token]) -> Iterator[list[Token]]:
    chunk: list[Token] = []
    for token in tokens:
        if token.token_type is not TokenType.SEMICOLON:
            chunk.append(token)
        elif chunk:
            yield chunk
            chunk = []
    if chunk:
        yield chunk


def _statement(text: str, chunk: list[Token]) -> Statement:
    start, end = chunk[0].start, chunk[-1].end + 1
    line = len(re.findall(r"\r\n|\n|\r", text[:start])) + 1
    return Statement(text, start, end, line, tuple(chunk))


def parsed(statement: Statement, dialect: Dialect) -> exp.Expr | None:
    """Return the statement as a tree; None where sqlglot cannot read it, or keeps it as plain
    text."""
    try:
        trees = dialect.parser().parse(list(statement.tokens), statement.text)
    except (SqlglotError, RecursionError, ValueError):
        return None
    if len(trees) != 1 or trees[0] is None:
        return None
    return None if trees[0].find(exp.Command) else trees[0]


def parsed_alone(statement: Statement, dialect: Dialect) -> exp.Expr | None:
    """Parse like `parsed`, without the comments before and after the statement."""
    try:
        trees = dialect.parse(statement.source)
    except (SqlglotError, RecursionError, ValueError):
        return None
    if len(trees) != 1 or trees[0] is None:
        return None
    return None if trees[0].find(exp.Command) else trees[0]


def comments_of(statement: Statement) -> list[str]:
    """Return the comments within a statement, as they are spelled."""
    return [
        piece
        for index in range(1, len(statement.tokens))
        for piece in pieces(statement.gap(index))
        if not piece.isspace()
    ]


def pieces(gap: str) -> list[str]:
    """Split text into white space and comments. Other text is one piece."""
    found, at = [], 0
    while at < len(gap):
        match = _PIECE.match(gap, at)
        if match is None:
            found.append(gap[at:])
            break
        found.append(match.group())
        at = match.end()
    return found


def without_mark(code: str) -> tuple[str, str]:
    """Return a byte order mark, if there is one, and the rest."""
    return (_BYTE_ORDER_MARK, code[1:]) if code.startswith(_BYTE_ORDER_MARK) else ("", code)


def line_end(code: str) -> str:
    """Return the line end of the code."""
    return "\r\n" if "\r\n" in code else "\n"
