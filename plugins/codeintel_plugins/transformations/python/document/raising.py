"""What a function raises by itself, and when, as far as its conditions tell."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from typing import NamedTuple

from codeintel_plugins.transformations.python.document.definitions import (
    Function,
    inner_statements,
    last_name,
)
from codeintel_plugins.transformations.python.document.values import shown_condition

_MAX_NAMED = 8
_TRIES = (ast.Try, ast.TryStar)
_SWALLOWING = frozenset({"suppress", "raises", "assertRaises", "assertRaisesRegex"})
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
OTHERWISE = "Under a condition that the body checks."


class Raised(NamedTuple):
    """An exception, and when."""

    name: str
    when: str


class _Around(NamedTuple):
    """What stands around a statement: when it is reached, and what would catch an exception."""

    when: str = "Always."
    caught: frozenset[str] = frozenset()


def raised(node: Function) -> Iterator[Raised]:
    """Yield what a function raises with `raise`, each exception once."""
    local = _assigned(node)
    found: dict[str, set[str]] = {}
    for statement, around in _statements(node, local):
        if isinstance(statement, ast.Raise) and statement.exc is not None:
            name = _exception(statement.exc, local)
            if name and not _is_caught(name, around.caught):
                found.setdefault(name, set()).add(around.when)
    for name in list(found)[:_MAX_NAMED]:
        ways = found[name]
        yield Raised(name, ways.pop() if len(ways) == 1 else OTHERWISE)


def _statements(node: Function, local: frozenset[str]) -> Iterator[tuple[ast.stmt, _Around]]:
    parameters = {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)} - local
    stack = [(each, _Around()) for each in reversed(node.body)]
    while stack:
        statement, around = stack.pop()
        yield statement, around
        if not isinstance(statement, _SCOPES):
            stack.extend(reversed([*_inside(statement, around, parameters)]))


def _inside(
    statement: ast.stmt, around: _Around, parameters: set[str]
) -> Iterator[tuple[ast.stmt, _Around]]:
    """The statements in a statement, with what is around them."""
    unclear = around._replace(when=OTHERWISE)
    if isinstance(statement, ast.If):
        condition = shown_condition(statement.test, parameters)
        inside = around._replace(when=f"If ``{condition}``.") if condition else unclear
        yield from ((each, inside) for each in statement.body)
        yield from ((each, unclear) for each in statement.orelse)
    elif isinstance(statement, _TRIES):
        names = frozenset(
            name for each in statement.handlers for name in _handled(each.type) or ("",)
        )
        guarded = unclear._replace(caught=around.caught | names)
        yield from ((each, guarded) for each in statement.body)
        for handler in statement.handlers:
            handled = _handled(handler.type)
            when = f"If ``{handled[0]}`` is caught." if len(handled) == 1 else OTHERWISE
            inside = around._replace(when=when)
            yield from ((each, inside) for each in handler.body)
        yield from ((each, unclear) for each in (*statement.orelse, *statement.finalbody))
    elif isinstance(statement, ast.With | ast.AsyncWith):
        contexts = {last_name(each.context_expr) for each in statement.items}
        swallows = not contexts.isdisjoint(_SWALLOWING)
        inside = around._replace(caught=around.caught | {""}) if swallows else around
        yield from ((each, inside) for each in statement.body)
    else:
        yield from ((each, unclear) for each in inner_statements(statement))


def _handled(node: ast.expr | None) -> tuple[str, ...]:
    """The names of the exceptions that a handler catches; empty if that is everything."""
    if node is None:
        return ()
    each = node.elts if isinstance(node, ast.Tuple) else [node]
    return tuple(map(_dotted, each))


def _exception(node: ast.expr, local: frozenset[str]) -> str:
    """The name of an exception's class; empty if it is not certain that this is one."""
    name = _dotted(node.func if isinstance(node, ast.Call) else node)
    first, last = name.partition(".")[0], name.rpartition(".")[2]
    is_class = last.lstrip("_")[:1].isupper() and not last.isupper()
    return name if is_class and first not in (*local, "self", "cls") else ""


def _is_caught(name: str, caught: frozenset[str]) -> bool:
    """Whether the exception may be caught where it is raised."""
    kind = getattr(builtins, name, None)
    for other in caught:
        handled = getattr(builtins, other, None) if other else None
        if not isinstance(kind, type) or not isinstance(handled, type) or issubclass(kind, handled):
            return True
    return False


def _dotted(node: ast.expr) -> str:
    """`a.b.c` as it is written; empty for anything else, and for more than four names."""
    names: list[str] = []
    while isinstance(node, ast.Attribute) and len(names) < 4:
        names.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    return ".".join([node.id, *reversed(names)])


def _assigned(node: Function) -> frozenset[str]:
    """The names that a function binds itself, which includes parameters that it changes."""
    return frozenset(
        each.id
        for each in ast.walk(node)
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store | ast.Del)
    ) | {each.name for each in ast.walk(node) if isinstance(each, ast.ExceptHandler) and each.name}
