"""Find the closures and assignments of a program, under the names that other files may use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codeintel.engine.dataflow.ir import (
    Assign,
    Branch,
    Closure,
    Expr,
    Function,
    Keyed,
    Name,
    Sequence,
    Stmt,
)


def assignments(body: Iterable[Stmt], depth: int = 0) -> Iterator[Assign]:
    """Yield the assignments of a program, also those in branches."""
    for statement in body if depth < 20 else ():
        if isinstance(statement, Assign):
            yield statement
        elif isinstance(statement, Sequence):
            yield from assignments(statement.body, depth + 1)
        elif isinstance(statement, Branch):
            yield from assignments((*statement.then, *statement.otherwise), depth + 1)


def named_closures(body: Iterable[Stmt]) -> Iterator[tuple[str, Function]]:
    """Yield the closures that are stored under a name in the module."""
    for statement in assignments(body):
        target = statement.target
        name = target.id if isinstance(target, Name) else getattr(target, "name", "")
        yield from _closures(name, statement.value)


def _closures(name: str, value: Expr) -> Iterator[tuple[str, Function]]:
    if isinstance(value, Closure):
        yield name, value.function
    elif isinstance(value, Keyed):
        for key, part in value.entries:
            if isinstance(part, Closure) and key:
                yield key, part.function
