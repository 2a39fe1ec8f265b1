"""A script of SQL as statements, for comparing: tokens, comments and trees."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import msgspec
from sqlglot import Dialect, exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.normalize_identifiers import normalize_identifiers
from sqlglot.optimizer.simplify import simplify
from sqlglot.tokenizer_core import Token, TokenType

from codeintel.engine.equivalence.readable import DIALECTS

# It would log what it cannot read: nothing that callers send goes into a log.
logging.getLogger("sqlglot").setLevel(logging.CRITICAL)


class Statement(msgspec.Struct, frozen=True):
    """One statement: its tokens as kinds and texts, and its tree; None where sqlglot has none."""

    line: int
    tokens: tuple[tuple[str, str], ...]
    tree: exp.Expr | None
    source: str

    @property
    def is_query(self) -> bool:
        """Whether it only reads."""
        tree = self.tree
        return isinstance(tree, exp.Query) and tree.find(*_WRITES) is None

    def folded(self) -> tuple[tuple[str, str], ...]:
        """The tokens, whose texts are in upper case but for quoted ones."""
        return tuple((kind, text if kind in _EXACT else text.upper()) for kind, text in self.tokens)


_WRITES = (exp.DML, exp.DDL, exp.Command, exp.Into, exp.Lock)
_EXACT = frozenset(
    kind.name
    for kind in TokenType
    if kind.name.endswith("STRING") or kind.name in ("IDENTIFIER", "COMMAND", "HINT")
)


class Script(msgspec.Struct, frozen=True):
    """All statements of a script, and its comments in order."""

    statements: tuple[Statement, ...]
    comments: tuple[str, ...]


def read(code: str, language: str) -> Script | None:
    """The script; None where its tokens cannot be told apart."""
    dialect = Dialect.get_or_raise(DIALECTS[language])
    code = code.removeprefix("\ufeff")
    try:
        tokens = dialect.tokenize(code)
    except (SqlglotError, RecursionError):
        return None
    found = tuple(_statement(code, chunk, dialect) for chunk in _chunks(tokens))
    comments = tuple(comment.strip() for token in tokens for comment in token.comments)
    return Script(found, comments)


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


def _statement(code: str, chunk: list[Token], dialect: Dialect) -> Statement:
    tree = None
    try:
        trees = dialect.parser().parse(list(chunk), code)
        tree = trees[0] if len(trees) == 1 else None
    except (SqlglotError, RecursionError, ValueError):
        pass
    return Statement(
        line=chunk[0].line,
        tokens=tuple((token.token_type.name, token.text) for token in chunk),
        tree=None if isinstance(tree, exp.Command) else tree,
        source=code[chunk[0].start : chunk[-1].end + 1],
    )


def is_same_tree(one: exp.Expr | None, other: exp.Expr | None) -> bool:
    """Whether two trees are equal, names and all."""
    return one is not None and other is not None and one.sql() == other.sql()


def is_equal_once_normalised(one: exp.Expr, other: exp.Expr, language: str) -> bool:
    """Whether two trees become equal when names are folded as the dialect does and conditions are
    simplified."""
    try:
        return _normalised(one, language) == _normalised(other, language)
    except (SqlglotError, RecursionError, ValueError, AttributeError, TypeError):
        return False


def _normalised(tree: exp.Expr, language: str) -> str:
    dialect = DIALECTS[language]
    folded = normalize_identifiers(tree.copy(), dialect=dialect)
    return str(simplify(folded, dialect=dialect).sql(dialect, comments=False))
