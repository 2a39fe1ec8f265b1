"""Functions of the code itself that check a value: those that answer, and those that refuse."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codeintel.engine.dataflow import kinds
from codeintel.engine.dataflow.ir import (
    Assign,
    Block,
    Branch,
    Call,
    Choice,
    Evaluate,
    Expr,
    Function,
    Join,
    Leave,
    Literal,
    Loop,
    Name,
    Return,
    Sequence,
    Stmt,
    Test,
)
from codeintel.engine.dataflow.tree import Span

_TRUTHS = frozenset({"true", "false", "none", "null", "nil", "0", "1"})
_ANSWERS = frozenset(
    {
        "all",
        "all?",
        "any",
        "any?",
        "array_key_exists",
        "bool",
        "boolval",
        "ctype_alnum",
        "ctype_digit",
        "fullmatch",
        "in_array",
        "include?",
        "is_match",
        "is_relative_to",
        "issubset",
        "isset",
        "key?",
        "match",
        "match?",
        "preg_match",
        "start_with?",
        "startswith",
        "str_starts_with",
        "test",
    }
)


def is_predicate(function: Function) -> bool:
    """Whether all that a function returns are answers, yes or no, and at least one is computed or
    stands in a branch."""
    returned = [each for each, _ in _returns(function.body, nested=False)]
    return bool(returned) and all(map(_is_answer, returned)) and not _is_constant(returned)


def refuses(function: Function) -> bool:
    """Whether a function goes on to its end only with values that it finds good: it raises
    otherwise, and no branch of it returns an answer."""
    returns = list(_returns(function.body, nested=False))
    return _leaves(function.body) and not any(inside for _, inside in returns)


def returned_values(function: Function) -> list[Expr]:
    """What a function returns; of a variable what it was last assigned at the function's level."""
    kept = {
        statement.target.id: statement.value
        for statement in function.body
        if isinstance(statement, Assign) and isinstance(statement.target, Name)
    }
    found = [value for value, _ in _returns(function.body, nested=False)]
    return [kept.get(each.id, each) if isinstance(each, Name) else each for each in found]


def tested_by(generator: Expr) -> Iterator[Expr]:
    """What a comprehension goes through, as in `all(check(c) for c in value)`."""
    if isinstance(generator, Block):
        for statement in generator.body:
            if isinstance(statement, Assign):
                yield statement.value


def _returns(body: Iterable[Stmt], *, nested: bool) -> Iterator[tuple[Expr, bool]]:
    for statement in body:
        if isinstance(statement, Return):
            yield statement.value or Literal(Span(0, 0), "none"), nested and bool(statement.value)
        elif isinstance(statement, Branch):
            yield from _returns((*statement.then, *statement.otherwise), nested=True)
        elif isinstance(statement, Loop):
            yield from _returns(statement.body, nested=True)
        elif isinstance(statement, Sequence):
            yield from _returns(statement.body, nested=nested)


def _leaves(body: Iterable[Stmt]) -> bool:
    for statement in body:
        if isinstance(statement, Leave):
            return True
        if isinstance(statement, Evaluate) and _called(statement.value) in kinds.EXIT_CALLS:
            return True
        if isinstance(statement, Branch) and _leaves((*statement.then, *statement.otherwise)):
            return True
        if isinstance(statement, Loop | Sequence) and _leaves(statement.body):
            return True
    return False


def _called(value: Expr) -> str:
    callee = value.callee if isinstance(value, Call) else None
    return getattr(callee, "name", getattr(callee, "id", ""))


def _is_answer(value: Expr) -> bool:
    if isinstance(value, Literal):
        return value.text.lower() in _TRUTHS
    if isinstance(value, Test):
        return True
    if isinstance(value, Choice | Join):
        return bool(value.parts) and all(map(_is_answer, value.parts))
    return _called(value) in _ANSWERS


def _is_constant(returned: list[Expr]) -> bool:
    return len({each.text for each in returned if isinstance(each, Literal)}) == 1 and all(
        isinstance(each, Literal) for each in returned
    )
