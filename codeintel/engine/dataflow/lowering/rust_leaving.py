"""Rust's `Err` and `None` for leaving: what returns them refuses."""

from __future__ import annotations

from codeintel.engine.dataflow.ir import (
    Branch,
    Call,
    Expr,
    Leave,
    Loop,
    Name,
    Return,
    Sequence,
    Stmt,
)


def refusing(body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    """A function's body with `Err(...)` and `None` for leaving: what returns them refuses. A last
    branch one of whose ways refuses goes on with the other."""
    made: list[Stmt] = []
    for statement in body:
        if isinstance(statement, Return) and _refuses(statement.value):
            made.append(Leave(statement.span, statement.value))
        elif isinstance(statement, Sequence | Loop):
            made.append(statement._replace(body=refusing(statement.body)))
        elif isinstance(statement, Branch):
            made += _one_way(
                statement._replace(
                    then=refusing(statement.then), otherwise=refusing(statement.otherwise)
                )
            )
        else:
            made.append(statement)
    return tuple(made)


def _one_way(branch: Branch) -> tuple[Stmt, ...]:
    if _left(branch.then) and branch.otherwise:
        return (branch._replace(otherwise=()), *branch.otherwise)
    if _left(branch.otherwise) and branch.then:
        return (branch._replace(then=()), *branch.then)
    return (branch,)


def _left(body: tuple[Stmt, ...]) -> bool:
    last = body[-1] if body else None
    if isinstance(last, Sequence):
        return _left(last.body)
    return isinstance(last, Leave) and last.value is not None


def _refuses(value: Expr | None) -> bool:
    if isinstance(value, Name):
        return value.id == "None"
    return isinstance(value, Call) and isinstance(value.callee, Name) and value.callee.id == "Err"


def may_leave(body: tuple[Stmt, ...]) -> bool:
    """Whether a branch of a loop's body returns."""
    return any(
        (isinstance(each, Branch) and _may_return((*each.then, *each.otherwise)))
        or (isinstance(each, Sequence) and may_leave(each.body))
        for each in body
    )


def _may_return(body: tuple[Stmt, ...]) -> bool:
    return any(
        isinstance(each, Return)
        or (isinstance(each, Sequence) and _may_return(each.body))
        or (isinstance(each, Branch) and _may_return((*each.then, *each.otherwise)))
        for each in body
    )
