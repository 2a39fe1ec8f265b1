"""Methods of collections that one variable holds alone, and of dicts."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.path_trees.terms import (
    Built,
    State,
    Term,
    Tree,
    UnsupportedError,
    Value,
    WithValue,
    constant,
)
from codeintel.engine.equivalence.python_paths import arguments, collections
from codeintel.engine.equivalence.python_paths.lowering import Lowering

NONE = constant(None)


def of_collection(
    node: ast.Call, function: ast.Attribute, state: State, then: WithValue, low: Lowering
) -> Tree | None:
    """A method of a collection that nobody else knows; None for what is not followed."""
    held = low.held(function.value, state)
    if held is None or not isinstance(function.value, ast.Name):
        return None
    name, args = function.value.id, node.args

    def hold(value: Value, s: State) -> Tree:
        return then(NONE, s.bind(name, value))

    def again(s: State) -> Built:
        now = s.names.get(name)
        if not isinstance(now, Built):
            raise UnsupportedError("a collection that is handed on while it is changed")
        return now

    match (held.kind, function.attr, len(args)):
        case ("list", "append", 1) | ("set", "add", 1) if not node.keywords:
            return low.value(
                args[0], state, lambda v, s: collections.added(again(s), v, s, hold, low)
            )
        case ("list", "extend", 1) if not node.keywords and not _names(args[0], name):
            return collections.extended(held, args[0], state, hold, low)
        case ("list", "sort", 0):
            return arguments.given(node, state, lambda vs, s: sort(again(s), vs, s, hold, low), low)
        case ("dict", "get", 1 | 2) if not node.keywords:
            return low.values(args, state, lambda vs, s: _get(again(s), vs, s, then, low))
        case ("dict", "setdefault", 2) if not node.keywords:
            return low.values(
                args, state, lambda vs, s: _set_default(name, again(s), vs, s, then, low)
            )
    return None


def _names(node: ast.expr, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))


def sort(
    held: Built, given: tuple[Term, ...], state: State, then: WithValue, low: Lowering
) -> Tree:
    """A list in order. The key may be any function; the list cannot be seen meanwhile."""

    def sorted_(value: Value, s: State) -> Tree:
        return then(Built("list", ("sorted", value), held.inside), s)

    operands = (held.term, *sorted(given, key=repr))
    if any(each[0] == "keyword" and each[1] == "key" for each in given):
        return low.machine.effect("sort", operands, state, sorted_)
    return low.machine.make("sort", operands, state, sorted_)


def _get(
    held: Built, given: tuple[Term, ...], state: State, then: WithValue, low: Lowering
) -> Tree:
    key, default = given[0], given[1] if len(given) == 2 else NONE
    owner = (held.kind, held.term)

    def there(s: State) -> Tree:
        operands = (held.kind, held.term, key)
        return low.machine.read("held item", operands, s, then, held.inside or "")

    return low.machine.read(
        "in",
        (key, owner),
        state,
        lambda v, s: low.truth(v, s, there, lambda s2: then(default, s2)),
        "bool",
    )


def _set_default(
    name: str,
    held: Built,
    given: tuple[Term, ...],
    state: State,
    then: WithValue,
    low: Lowering,
) -> Tree:
    key, default = given

    def missing(s: State) -> Tree:
        return collections.put(
            held, key, default, s, lambda b, s2: then(default, s2.bind(name, b)), low
        )

    def there(s: State) -> Tree:
        operands = (held.kind, held.term, key)
        return low.machine.read("held item", operands, s, then, held.inside or "")

    return low.machine.read(
        "in",
        (key, (held.kind, held.term)),
        state,
        lambda v, s: low.truth(v, s, there, missing),
        "bool",
    )
