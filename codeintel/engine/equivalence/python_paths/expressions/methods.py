"""Lower methods of private collections and of dicts."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.path_trees import (
    POISON,
    Built,
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
    Value,
    WithValue,
    constant,
)
from codeintel.engine.equivalence.python_paths.expressions import closures, collections, library
from codeintel.engine.equivalence.python_paths.lowering import Lowering

NONE = constant(None)


def of_collection(
    node: ast.Call, function: ast.Attribute, state: State, then: WithValue, low: Lowering
) -> Tree | None:
    """Lower a method of a private collection, or return None if it is not supported."""
    held = low.held(function.value, state)
    if held is None or not isinstance(function.value, ast.Name):
        return None
    name, args = function.value.id, node.args

    def hold(value: Value, s: State) -> Tree:
        return then(NONE, s.bind(name, value))

    def again(s: State) -> Built:
        now = s.names.get(name)
        if not isinstance(now, Built):
            raise UnsupportedError("a collection that is passed on while it changes")
        return now

    def put_in_order(given: tuple[Term, ...], s: State) -> Tree:
        # After an error, its order is unknown.
        low.machine.note(s.bind(name, POISON))
        return sort(again(s), given, s, hold, low)

    method = function.attr
    if node.keywords and method != "sort":
        return None
    if held.kind in {"list", "deque"}:
        taken = _taken(held, method, args)
        if taken is not None:
            return _take(name, again(state), taken, state, then, low)
    match ("dict" if library.is_dict(held.kind) else held.kind, method, len(args)):
        case ("list" | "deque", "append", 1) | ("set", "add", 1):
            return low.value(
                args[0], state, lambda v, s: collections.added(again(s), v, s, hold, low)
            )
        case ("list" | "deque", "extend", 1) if not _names(args[0], name):
            return collections.extended(held, args[0], state, hold, low, name)
        case ("list", "sort", 0):
            # While a list is sorted, it looks empty to other code.
            looks = any(_names(each.value, name) for each in node.keywords)
            ordered = None if looks else collections.in_order(held, node.keywords, state, low)
            if ordered is not None:
                return hold(ordered, state)
            return closures.given(node, state, put_in_order, low)
        case ("dict", "get", 1 | 2):
            return low.values(args, state, lambda vs, s: _get(again(s), vs, s, then, low))
        case ("dict", "setdefault", 2):
            return low.value(
                args[0],
                state,
                lambda k, s: low.any(
                    args[1], s, lambda v, s2: _set_default(name, again(s2), k, v, s2, then, low)
                ),
            )
        case ("dict", "pop", 1 | 2):
            return low.values(args, state, lambda vs, s: _pop(name, again(s), vs, s, then, low))
    return None


def _names(node: ast.expr, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(node))


def _taken(held: Built, method: str, args: list[ast.expr]) -> str | None:
    """Return the end from which a method takes an element, or None."""
    first = len(args) == 1 and isinstance(args[0], ast.Constant) and repr(args[0].value) == "0"
    if (held.kind == "deque" and method == "popleft" and not args) or (
        held.kind == "list" and method == "pop" and first
    ):
        return "first"
    return "last" if method == "pop" and not args else None


def _take(name: str, held: Built, end: str, state: State, then: WithValue, low: Lowering) -> Tree:
    """Take the first or last element.

    If there may be none, lists and deques raise different errors.
    """
    value: Term = ("op", end, held.term, held.inside or "")
    rest = Built(held.kind, (f"without {end}", held.term), held.inside)

    def take(s: State) -> Tree:
        return then(value, s.bind(name, rest))

    def empty(s: State) -> Tree:
        return low.machine.fails(("raise empty", held.kind), s)

    return low.truth(held, state, take, empty)


def deleted(name: str, index: ast.expr, state: State, then: Then, low: Lowering) -> Tree:
    """Lower `del x[key]` for a private dict."""

    def delete(key: Term, s: State) -> Tree:
        held = s.names.get(name)
        if not isinstance(held, Built) or not library.is_dict(held.kind):
            raise UnsupportedError("a collection that changes while it is tested")

        def there(s2: State) -> Tree:
            return then(s2.bind(name, Built(held.kind, ("without", held.term, key), held.inside)))

        def missing(s2: State) -> Tree:
            if held.kind == "counter":
                return then(s2)  # a Counter ignores a missing key
            return low.machine.fails(("raise missing", key), s2)

        return library.asked(held, key, s, there, missing, low)

    if isinstance(index, ast.Slice):
        raise UnsupportedError("a slice that is deleted")
    return low.value(index, state, delete)


def _pop(
    name: str,
    held: Built,
    given: tuple[Term, ...],
    state: State,
    then: WithValue,
    low: Lowering,
) -> Tree:
    key = given[0]

    def there(s: State) -> Tree:
        rest = Built(held.kind, ("without", held.term, key), held.inside)
        return library.there(held, key, s, lambda v, s2: then(v, s2.bind(name, rest)), low)

    def missing(s: State) -> Tree:
        if len(given) == 2:
            return then(given[1], s)
        return low.machine.fails(("raise missing", key), s)

    return library.asked(held, key, state, there, missing, low)


def sort(
    held: Built, given: tuple[Term, ...], state: State, then: WithValue, low: Lowering
) -> Tree:
    """Sort a list. The key may be any function, because the list cannot be seen meanwhile."""

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
    return library.looked_up(held, key, state, then, lambda s: then(default, s), low)


def _set_default(
    name: str,
    held: Built,
    key: Term,
    default: Value,
    state: State,
    then: WithValue,
    low: Lowering,
) -> Tree:
    """Lower `setdefault`. A collection as the default becomes visible only where it is used."""

    def missing(s: State) -> Tree:
        def put(value: Term, s2: State) -> Tree:
            return collections.put(
                held, key, value, s2, lambda b, s3: then(value, s3.bind(name, b)), low
            )

        return low.machine.keep(default, s, put)

    return library.looked_up(held, key, state, then, missing, low)
