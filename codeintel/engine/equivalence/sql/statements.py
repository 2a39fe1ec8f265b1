"""Split an SQL script into statements, to compare them and to run them in DuckDB or SQLite."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator

import msgspec
from sqlglot import Dialect, ErrorLevel, exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.normalize_identifiers import normalize_identifiers
from sqlglot.optimizer.simplify import simplify
from sqlglot.tokenizer_core import Token, TokenType

from codeintel.base.extras import SQL
from codeintel.engine.equivalence.readable import DIALECTS
from codeintel.engine.equivalence.sql.databases import ENGINES
from codeintel.engine.equivalence.sql.normalize import SERIALS, Tables, as_meant
from codeintel.engine.equivalence.sql.runs import PairOutcome
from codeintel.engine.equivalence.sql.schema import table_name

# sqlglot would log what it cannot read, and user code must never be logged.
logging.getLogger("sqlglot").setLevel(logging.CRITICAL)


class Statement(msgspec.Struct, frozen=True):
    """A statement: its tokens as pairs of kind and text, and its tree, or None if sqlglot has
    none."""

    line: int
    tokens: tuple[tuple[str, str], ...]
    tree: exp.Expr | None
    source: str

    @property
    def is_query(self) -> bool:
        """Return whether the statement only reads."""
        tree = self.tree
        return isinstance(tree, exp.Query) and tree.find(*_WRITES) is None

    def folded(self) -> tuple[tuple[str, str], ...]:
        """Return the tokens in uppercase, except quoted ones."""
        return tuple((kind, text if kind in _EXACT else text.upper()) for kind, text in self.tokens)


_WRITES = (exp.DML, exp.DDL, exp.Command, exp.Into, exp.Lock)
_EXACT = frozenset(
    kind.name
    for kind in TokenType
    if kind.name.endswith("STRING") or kind.name in ("IDENTIFIER", "COMMAND", "HINT")
)


class Script(msgspec.Struct, frozen=True):
    """The statements of a script, and its comments in order."""

    statements: tuple[Statement, ...]
    comments: tuple[str, ...]


def read(code: str, language: str) -> Script | None:
    """Split a script into statements, or return None if it cannot be split into tokens."""
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
    """Return whether two trees are equal, including names."""
    return one is not None and other is not None and one.sql() == other.sql()


def is_equal_once_normalised(one: exp.Expr, other: exp.Expr, language: str) -> bool:
    """Return whether two trees are equal after names are folded as in the dialect and conditions
    are simplified."""
    try:
        return _normalised(one, language) == _normalised(other, language)
    except (SqlglotError, RecursionError, ValueError, AttributeError, TypeError):
        return False


def _normalised(tree: exp.Expr, language: str) -> str:
    dialect = DIALECTS[language]
    folded = normalize_identifiers(tree.copy(), dialect=dialect)
    return str(simplify(folded, dialect=dialect).sql(dialect, comments=False))


STAND_IN = "duckdb"
"""The engine that runs statements of dialects without an engine here."""
_PREPARED = (
    *(exp.Query, exp.Insert, exp.Update, exp.Delete),
    *(exp.Create, exp.Alter, exp.Drop, exp.Merge),
)
_ORACLE_ONLY = re.compile(r"\b(?:ROWNUM|DUAL|LEVEL|SYSDATE)\b", re.IGNORECASE)


def can_prepare(statement: Statement) -> bool:
    """Return whether a statement may be passed to an engine."""
    return isinstance(statement.tree, _PREPARED)


def translated(
    tree: exp.Expr | None, language: str, engine: str, tables: Tables | None = None
) -> str | None:
    """Translate a tree for the engine, or return None if sqlglot cannot express it."""
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
    """Return the engine that belongs to the language, or None."""
    return language if language in ENGINES else None


def unrunnable(*engines: str) -> str:
    """Return why nothing can run in these engines, or an empty string."""
    return SQL.refusal if STAND_IN in engines and SQL.is_missing else ""


def is_ordered(tree: exp.Expr | None) -> bool:
    """Return whether a query sorts its rows."""
    return tree is not None and tree.args.get("order") is not None


def order_keys(tree: exp.Expr | None) -> tuple[int, ...]:
    """Return the result columns that `ORDER BY` names, or nothing if it names anything else."""
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
    """Return the table that a statement creates, or an empty string."""
    if isinstance(tree, exp.Create) and not isinstance(tree.this, exp.Index):
        table = tree.this.find(exp.Table)
        if table is not None:
            return table_name(table)
    return ""


def conflicting(tree: exp.Expr | None) -> tuple[str, ...]:
    """Return the table and columns that a statement declares unique, or nothing."""
    if not isinstance(tree, exp.Insert):
        return ()
    conflict, table = tree.args.get("conflict"), tree.this.find(exp.Table)
    if conflict is None or table is None:
        return ()
    names = [each.find(exp.Identifier) for each in conflict.args.get("conflict_keys") or ()]
    found = [each.name.lower() for each in names if each is not None]
    return (table_name(table), *found) if found else ()


def described(outcome: PairOutcome) -> str:
    """Describe what went wrong, in words."""
    if outcome.status == "refused":
        return f"line {outcome.line}: the engine rejects the result ({outcome.reason})"
    if outcome.reason == "names":
        return f"line {outcome.line}: the names of the columns differ"
    if outcome.reason == "order":
        return f"line {outcome.line}: the order of the rows differs"
    if outcome.reason:
        return f"line {outcome.line}: the result fails where the original runs ({outcome.reason})"
    return f"line {outcome.line}: the rows differ"
