"""Parsing scripts of SQL with sqlglot, statement by statement, in the dialect that fits best.
Importing this module imports sqlglot."""

from __future__ import annotations

import logging
import re
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any, NamedTuple

from sqlglot import Dialect, exp
from sqlglot.errors import ParseError, SqlglotError, TokenError
from sqlglot.tokens import Token, TokenType

GENERIC = ""
# In this order where nobody says which: the further back, the more are they unlike the others.
_LIKELY = (GENERIC, "postgres", "mysql", "tsql", "oracle", "sqlite", "snowflake", "bigquery")
_SECONDS = 3.0
_RECURSION_LIMIT = 5_000

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
    """Where a statement goes wrong: offsets into the text, the end exclusive."""

    start: int
    end: int
    message: str


class Script(NamedTuple):
    """What is known of a script. `unknown` counts statements that sqlglot does not know, `too_deep`
    those that are nested too deeply."""

    trees: list[exp.Expression]
    problems: list[SyntaxProblem]
    unknown: int
    too_deep: int


class _Statement(NamedTuple):
    start: int
    end: int
    first_word: str


def parse(text: str, dialect: str | None) -> Script:
    """Parse a script.

    :param dialect: sqlglot's name of the dialect, None where nobody says which.
    """
    end = time.monotonic() + _SECONDS
    dialects = _LIKELY if dialect is None else (dialect, GENERIC)
    logging.getLogger("sqlglot").disabled = True  # it warns with the code's own text
    with _deep_recursion():
        problem = None
        for name in dialects:
            try:
                tokens = Dialect.get_or_raise(name).tokenize(text)
            except TokenError as error:
                problem = problem or _unclosed(error, text)
            else:
                return _parsed(text, tokens, (name, *(d for d in dialects if d != name)), end)
    return Script([], [problem] if problem else [], 0, 0)


def _parsed(text: str, tokens: list[Token], dialects: Sequence[str], end: float) -> Script:
    """Parse it as a whole, which blocks need, or else statement by statement."""
    for name in dialects[:4]:
        try:
            found = Dialect.get_or_raise(name).parse(text)
        except (SqlglotError, RecursionError):
            continue
        if not any(map(_is_no_statement, found)):
            return Script([tree for tree in found if tree is not None], [], 0, 0)
    procedural = any(
        _PROCEDURAL.fullmatch(token.text)
        for token in tokens
        if token.token_type != TokenType.STRING
    )
    script = Script([], [], 0, 0)
    for statement in _statements(tokens):
        script = _with_statement(script, text, statement, dialects, end, procedural)
    return script


def _with_statement(
    script: Script,
    text: str,
    statement: _Statement,
    dialects: Sequence[str],
    end: float,
    procedural: bool,
) -> Script:
    # Blanks in front keep all offsets.
    alone = re.sub(r"[^\r\n]", " ", text[: statement.start]) + text[statement.start : statement.end]
    first: SyntaxProblem | None = None
    for name in dialects:
        if time.monotonic() > end:
            return script._replace(unknown=script.unknown + 1)
        try:
            found = Dialect.get_or_raise(name).parse(alone)
        except ParseError as error:
            first = first or _problem(error, alone, name)
        except TokenError:
            continue
        except RecursionError:
            return script._replace(too_deep=script.too_deep + 1)
        else:
            if not any(map(_is_no_statement, found)):
                trees = [tree for tree in found if tree is not None]
                return script._replace(trees=script.trees + trees)
    misspelt = get_close_matches(statement.first_word.upper(), _VERBS, 1, 0.75)
    known = statement.first_word.upper() in _VERBS
    if misspelt and not known:
        message = f"Syntax error: `{statement.first_word[:40]}`, where {misspelt[0]} may be meant."
        word_end = statement.start + len(statement.first_word)
        return _with_problem(script, SyntaxProblem(statement.start, word_end, message))
    if first is None or procedural or statement.first_word.upper() not in _WELL_KNOWN:
        return script._replace(unknown=script.unknown + 1)
    return _with_problem(script, first)


def _with_problem(script: Script, problem: SyntaxProblem) -> Script:
    return script._replace(problems=[*script.problems, problem])


def _is_no_statement(tree: exp.Expression | None) -> bool:
    """Whether the parser took a statement that it does not know for an expression."""
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


def _problem(error: ParseError, text: str, dialect: str) -> SyntaxProblem:
    """The first thing that the parser does not understand."""
    said: dict[str, Any] = error.errors[0] if error.errors else {}
    where = said.get("line"), said.get("col")
    tokens = Dialect.get_or_raise(dialect).tokenize(text)
    token = next((token for token in tokens if (token.line, token.col) == where), None)
    if token is None:
        token = tokens[-1]
    start, end = token.start, token.end + 1
    quoted = text[start:end] if end - start <= 40 else f"{text[start : start + 39]}…"
    description = str(said.get("description", ""))
    expected = re.fullmatch(r"Expecting (\S{1,10})", description)
    if expected:
        return SyntaxProblem(start, end, f"Syntax error: missing `{expected[1]}` near `{quoted}`.")
    if "Unexpected token" in description:
        return SyntaxProblem(start, end, f"Syntax error: unexpected `{quoted}`.")
    return SyntaxProblem(start, end, f"Syntax error: something is missing near `{quoted}`.")


def _unclosed(error: TokenError, text: str) -> SyntaxProblem:
    """What begins and does not end."""
    match = _BEGINS.search(f"{error.__cause__} {error}")
    start = min(int(match[1]) if match else error.start or 0, len(text))
    message = "Syntax error: a string, name or comment begins here and does not end."
    return SyntaxProblem(start, min(start + 1, len(text)), message)


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Room for what people nest; the parser descends with a dozen calls for each level."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _RECURSION_LIMIT))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
