"""Scripts of SQL as syntax trees: parsing statement by statement, in the dialect that fits best,
and the checks on the trees. Importing this module imports sqlglot."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple

from sqlglot import Dialect, exp
from sqlglot.errors import ParseError, SqlglotError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from codeintel_plugins.linters.sql_text import Spot
from codeintel_plugins.toolkit.recursion import deep_recursion

GENERIC = ""
# The order in which dialects are tried if none is given. Later dialects differ more from the
# others.
_LIKELY = (GENERIC, "postgres", "mysql", "tsql", "oracle", "sqlite", "snowflake", "bigquery")
# The number of dialects that are tried for a whole script with blocks, and the limit of text for
# all tries. A statement that no dialect supports takes the time of all of them.
_WHOLE = 4
_MAX_RETRIED_CHARACTERS = 200_000
_MAX_QUOTED = 40

# Of these sqlglot knows so much that what it cannot parse is wrong.
_WELL_KNOWN = frozenset({"SELECT", "WITH", "INSERT", "UPDATE", "DELETE", "MERGE"})
_VERBS = (*_WELL_KNOWN, "CREATE", "ALTER", "DROP", "TRUNCATE")
_PROCEDURAL = re.compile(
    r"\b(?:BEGIN|DECLARE|LOOP|EXCEPTION|DELIMITER|LANGUAGE|RETURNS|PROCEDURE|FUNCTION|TRIGGER"
    r"|PACKAGE|CURSOR|ELSIF|ELSEIF)\b",
    re.IGNORECASE,
)
_BEGINS = re.compile(r"from \d+:(\d+)")


class SyntaxProblem(NamedTuple):
    """A syntax error of a statement: offsets into the text, with an exclusive end."""

    start: int
    end: int
    message: str


class Script(NamedTuple):
    """The parsed parts of a script. `unknown` counts statements that sqlglot does not support,
    `too_deep` those that are nested too deeply.
    """

    trees: list[exp.Expr]
    problems: list[SyntaxProblem]
    unknown: int
    too_deep: int


class _Statement(NamedTuple):
    start: int
    end: int
    first_word: str


def parse(text: str, dialect: str | None) -> Script:
    """Parse a script.

    :param dialect: sqlglot's name of the dialect, or None if unknown.
    """
    text = f"{text}\n"  # the tokenizer trips over a quote at the very end
    dialects = _LIKELY if dialect is None else (dialect, GENERIC)
    logging.getLogger("sqlglot").disabled = True  # it warns with the code's own text
    with deep_recursion():
        problem = None
        for name in dialects:
            try:
                tokens = Dialect.get_or_raise(name).tokenize(text)
            except TokenError as error:
                problem = problem or _unclosed(error, text)
            else:
                others = [other for other in dialects if other != name]
                return _Reader(text, tokens, [name, *others]).read()
    return _before(problem, text, dialect) if problem else Script([], [], 0, 0)


def _before(problem: SyntaxProblem, text: str, dialect: str | None) -> Script:
    """Parse the statements before an error that makes everything after it unreadable."""
    end = text.rfind(";", 0, problem.start)
    script = parse(text[:end], dialect) if end > 0 else Script([], [], 0, 0)
    return script._replace(problems=[*script.problems, problem])


class _Reader:
    """Reads a script in the first dialect of several that knows it."""

    def __init__(self, text: str, tokens: Sequence[Token], dialects: Sequence[str]) -> None:
        self._text = text
        self._tokens = tokens
        self._dialects = dialects
        self._procedural = any(
            token.token_type != TokenType.STRING and _PROCEDURAL.fullmatch(token.text)
            for token in tokens
        )
        self._left = _MAX_RETRIED_CHARACTERS
        self._script = Script([], [], 0, 0)

    def read(self) -> Script:
        """Parse the script as a whole, which blocks need, or otherwise statement by statement."""
        for name in self._dialects[: _WHOLE if self._procedural else 1]:
            found = self._whole(name)
            if found is not None:
                return Script(found, [], 0, 0)
        for statement in _statements(self._tokens):
            self._read(statement)
        return self._script

    def _whole(self, dialect: str) -> list[exp.Expr] | None:
        try:
            found = Dialect.get_or_raise(dialect).parse(self._text)
        except (SqlglotError, RecursionError):
            return None
        if any(map(_is_no_statement, found)):
            return None
        return [tree for tree in found if tree is not None]

    def _read(self, statement: _Statement) -> None:
        code = self._text[statement.start : statement.end]
        first: SyntaxProblem | None = None
        for name in self._dialects:
            if name != self._dialects[0]:
                self._left -= len(code)
            if self._left < 0:
                return self._unknown()
            try:
                found = Dialect.get_or_raise(name).parse(code)
            except ParseError as error:
                first = first or _problem(error, code, name, statement.start)
            except TokenError:
                continue
            except RecursionError:
                self._script = self._script._replace(too_deep=self._script.too_deep + 1)
                return None
            else:
                if not any(map(_is_no_statement, found)):
                    trees = [_moved(tree, statement.start) for tree in found if tree is not None]
                    self._script.trees.extend(trees)
                    return None
        return self._judge(statement, first)

    def _judge(self, statement: _Statement, first: SyntaxProblem | None) -> None:
        """Report statements that no dialect supports, if sqlglot would support the correct form."""
        word = statement.first_word
        likely = get_close_matches(word.upper(), _VERBS, 1, 0.75)
        if likely and word.upper() not in _VERBS:
            message = f"Syntax error: `{word[:_MAX_QUOTED]}`, where {likely[0]} may be meant."
            end = statement.start + len(word)
            self._script.problems.append(SyntaxProblem(statement.start, end, message))
        elif first is None or self._procedural or word.upper() not in _WELL_KNOWN:
            self._unknown()
        else:
            self._script.problems.append(first)

    def _unknown(self) -> None:
        self._script = self._script._replace(unknown=self._script.unknown + 1)


def _is_no_statement(tree: exp.Expr | None) -> bool:
    """Return whether the parser took an unsupported statement for an expression."""
    return isinstance(tree, exp.Alias | exp.Column | exp.Mul | exp.Identifier)


def _statements(tokens: Sequence[Token]) -> Iterator[_Statement]:
    first: Token | None = None
    last: Token | None = None
    for token in tokens:
        if token.token_type == TokenType.SEMICOLON:
            if first is not None and last is not None:
                yield _Statement(first.start, last.end + 1, first.text)
            first = None
            continue
        first, last = first or token, token
    if first is not None and last is not None:
        yield _Statement(first.start, last.end + 1, first.text)


def _moved(tree: exp.Expr, by: int) -> exp.Expr:
    """Shift the positions in the tree by a number of characters."""
    for node in tree.walk():
        if "start" in node.meta:
            node.meta["start"] += by
            node.meta["end"] += by
    return tree


def _problem(error: ParseError, text: str, dialect: str, offset: int) -> SyntaxProblem:
    """Return the first part that the parser does not understand. `offset` is the position of the
    text.
    """
    said: dict[str, Any] = error.errors[0] if error.errors else {}
    where = said.get("line"), said.get("col")
    tokens = Dialect.get_or_raise(dialect).tokenize(text)
    token = next((token for token in tokens if (token.line, token.col) == where), None)
    if token is None:
        token = tokens[-1]
    start, end = token.start, token.end + 1
    quoted = (
        text[start:end]
        if end - start <= _MAX_QUOTED
        else f"{text[start : start + _MAX_QUOTED - 1]}…"
    )
    description = str(said.get("description", ""))
    expected = re.fullmatch(r"Expecting (\S{1,10})", description)
    if expected:
        what = f"missing `{expected[1]}` near"
    elif "Unexpected token" in description:
        what = "unexpected"
    else:
        what = "something is missing near"
    return SyntaxProblem(start + offset, end + offset, f"Syntax error: {what} `{quoted}`.")


def _unclosed(error: TokenError, text: str) -> SyntaxProblem:
    """Return the beginning of a string, name or comment that does not end."""
    match = _BEGINS.search(f"{error.__cause__} {error}")
    start = min(int(match[1]) if match else error.start or 0, len(text))
    message = "Syntax error: a string, name or comment that starts here is not closed."
    return SyntaxProblem(start, min(start + 1, len(text)), message)


Check = Callable[[exp.Expr], Iterator[exp.Expr]]

_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.GT, exp.LTE, exp.GTE)


def check_tree(tree: exp.Expr) -> Iterator[Spot]:
    """Yield all findings of the checks in one statement, with their extents."""
    for node in tree.walk():
        for kinds, rule, check in _CHECKS:
            if isinstance(node, kinds):
                for about in check(node):
                    place = extent(about)
                    if place is not None:
                        yield Spot(rule, *place)


def extent(node: exp.Expr) -> tuple[int, int] | None:
    """Return the position of a part of the tree, according to the names and literals in it.

    The offsets into the text have an exclusive end. None if the part has no names or literals.
    """
    ends = [
        (each.meta["start"], each.meta["end"] + 1) for each in node.walk() if "start" in each.meta
    ]
    return (min(start for start, _ in ends), max(end for _, end in ends)) if ends else None


def _without_where(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield a table whose rows are all affected: no condition, no limit, no other table."""
    table = node.this
    joined = isinstance(table, exp.Table) and table.args.get("joins")
    narrowed = any(node.args.get(part) for part in ("where", "limit", "using", "from_", "tables"))
    if not narrowed and not joined and isinstance(table, exp.Table):
        yield table


def _equals_null(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield a comparison, not an assignment, with NULL on a side."""
    has_null = isinstance(node.expression, exp.Null) or isinstance(node.this, exp.Null)
    if has_null and node.find_ancestor(exp.Where, exp.Having, exp.Join, exp.Case, exp.If):
        yield node


def _leading_wildcard(node: exp.Expr) -> Iterator[exp.Expr]:
    pattern = node.expression
    if isinstance(pattern, exp.Literal) and pattern.is_string and str(pattern.this)[:1] == "%":
        yield pattern


def _not_in_subquery(node: exp.Expr) -> Iterator[exp.Expr]:
    inside = node.this.unnest()
    if not isinstance(inside, exp.In):
        return
    query = inside.args.get("query")
    if query is None:
        return
    select = query.unnest()
    where = select.args.get("where")
    excludes_null = where is not None and any(
        isinstance(each.this, exp.Is) for each in where.find_all(exp.Not)
    )
    if not excludes_null:
        yield inside.this


def _select_star(node: exp.Expr) -> Iterator[exp.Expr]:
    if isinstance(node.parent, exp.Exists) or node.find_ancestor(exp.Exists) is not None:
        return
    for item in node.args.get("expressions") or ():
        if isinstance(item, exp.Star) or (
            isinstance(item, exp.Column) and isinstance(item.this, exp.Star)
        ):
            yield item


def _cartesian(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield tables of a list that no condition ties to another one."""
    first = node.args.get("from_")
    joins = node.args.get("joins") or []
    if first is None or not joins or not isinstance(first.this, exp.Table | exp.Subquery):
        return
    where = node.args.get("where")
    tied = _tied(where) if where is not None else set()
    if tied is None:
        return
    for join in joins:
        table = join.this
        if not isinstance(table, exp.Table | exp.Subquery) or _says_how(join):
            continue
        if isinstance(table, exp.Table) and not isinstance(table.this, exp.Identifier):
            continue  # a function that gives rows
        if table.alias_or_name.lower() not in tied:
            yield table


def _says_how(join: exp.Expr) -> bool:
    return bool(
        join.args.get("on")
        or join.args.get("using")
        or join.args.get("method")
        or join.args.get("kind") in {"CROSS", "OUTER APPLY", "CROSS APPLY", "SEMI", "ANTI"}
    )


def _tied(where: exp.Expr) -> set[str] | None:
    """Return the tables, in lower case, that a comparison ties to another table.

    Returns None if unknown, because columns do not name their tables.
    """
    tied: set[str] = set()
    for comparison in where.find_all(*_COMPARISONS, exp.Between, exp.Like, exp.In, exp.Is):
        columns = list(comparison.find_all(exp.Column))
        if len(columns) < 2:
            continue
        if not all(column.table for column in columns):
            return None
        names = {column.table.lower() for column in columns}
        if len(names) > 1:
            tied |= names
    return tied


def _always_true(node: exp.Expr) -> Iterator[exp.Expr]:
    """Yield a side of OR that compares equal literals."""
    if node.find_ancestor(exp.Where, exp.Having) is None:
        return
    for side in (node.this.unnest(), node.expression.unnest()):
        if isinstance(side, exp.EQ):
            left, right = side.this, side.expression
            if isinstance(left, exp.Literal) and isinstance(right, exp.Literal) and left == right:
                yield side
        elif isinstance(side, exp.Boolean) and side.this:
            yield node


def _drop(node: exp.Expr) -> Iterator[exp.Expr]:
    whole = node.args.get("kind") in {"TABLE", "VIEW", "DATABASE"}
    if whole and not node.args.get("exists") and not node.args.get("temporary"):
        yield node


def _insert(node: exp.Expr) -> Iterator[exp.Expr]:
    if isinstance(node.this, exp.Table) and node.args.get("expression") is not None:
        yield node.this


_CHECKS: Iterable[tuple[tuple[type[exp.Expr], ...], str, Check]] = (
    ((exp.Delete,), "sql-delete-without-where", _without_where),
    ((exp.Update,), "sql-update-without-where", _without_where),
    ((exp.EQ, exp.NEQ), "sql-equals-null", _equals_null),
    ((exp.Like, exp.ILike), "sql-leading-wildcard-like", _leading_wildcard),
    ((exp.Not,), "sql-not-in-subquery", _not_in_subquery),
    ((exp.Select,), "sql-select-star", _select_star),
    ((exp.Select,), "sql-cartesian-join", _cartesian),
    ((exp.Or,), "sql-always-true", _always_true),
    ((exp.Drop,), "sql-drop-without-if-exists", _drop),
    ((exp.Insert,), "sql-insert-without-columns", _insert),
)
