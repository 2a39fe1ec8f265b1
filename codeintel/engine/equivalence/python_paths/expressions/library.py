"""Lower collections of the standard library, and copies of collections."""

from __future__ import annotations

import ast
from dataclasses import replace

from codeintel.engine.equivalence.path_trees import (
    Built,
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
    Value,
    WithValue,
    constant,
    kind_of,
)
from codeintel.engine.equivalence.python_paths import operations
from codeintel.engine.equivalence.python_paths.expressions import collections, rounds
from codeintel.engine.equivalence.python_paths.kinds import (
    base_of,
    element_kind,
    is_steady,
    is_steady_kind,
    value_kind,
)
from codeintel.engine.equivalence.python_paths.lowering import Lowering

NONE = constant(None)
_FACTORIES = {"int": constant(0), "str": constant(""), "float": constant(0.0)}
_MUTABLE_FACTORIES = frozenset({"list", "set", "dict"})
DEFAULTING = "defaultdict "
"""The prefix of the kind of a `defaultdict`, followed by its factory."""


def made(node: ast.Call, state: State, then: WithValue, low: Lowering) -> Tree | None:
    """Lower a call that creates a collection, or return None if it is not supported."""
    if node.keywords or any(isinstance(each, ast.Starred) for each in node.args):
        return None
    if low.is_imported(node.func, "collections.Counter") and len(node.args) <= 1:
        return _counter(node.args, state, then, low)
    if low.is_imported(node.func, "collections.deque") and len(node.args) <= 1:
        return _queue(node.args, state, then, low)
    if low.is_imported(node.func, "collections.defaultdict") and len(node.args) == 1:
        factory = node.args[0]
        if low.is_builtin(factory, *_FACTORIES, *_MUTABLE_FACTORIES):
            kind = f"{DEFAULTING}{factory.id}"  # type: ignore[attr-defined]
            return then(Built(kind, collections.EMPTY), state)
        return None
    if low.is_builtin(node.func, "dict") and len(node.args) <= 1:
        return _copied_dict(node.args, state, then, low)
    match node.func:
        case ast.Attribute(value=ast.Name() as owner, attr="fromkeys"):
            if low.is_builtin(owner, "dict") and 1 <= len(node.args) <= 2:
                return _from_keys(node.args, state, then, low)
    return None


def is_dict(kind: str) -> bool:
    """Return whether a collection of this kind maps keys to values."""
    return kind in {"dict", "counter"} or kind.startswith(DEFAULTING)


def _counter(args: list[ast.expr], state: State, then: WithValue, low: Lowering) -> Tree | None:
    """Lower `Counter(x)` as a loop over x that increments each element's count."""
    if not args:
        return then(Built("counter", collections.EMPTY), state)
    if _is_mapping(args[0], state, low):
        return None
    into = low.hidden()
    names = [into, *rounds.carried([args[0]], state, low)]

    def one(element: Term, now: State, again: Then) -> Tree:
        held = now.names[into]
        if not isinstance(held, Built):
            raise UnsupportedError("a shared counter")

        def write(number: Value, s: State) -> Tree:
            if isinstance(number, Built):
                raise UnsupportedError("a collection that is counted")
            return collections.put(
                held, element, number, s, lambda b, s2: again(s2.bind(into, b)), low
            )

        def more(old: Value, s: State) -> Tree:
            return operations.calculated(ast.Add(), old, constant(1), s, write, low)  # type: ignore[arg-type]

        return item(into, held, element, now, more, low)

    begun = state.bind(into, Built("counter", collections.EMPTY, "int"))
    return low.go_through(args[0], begun, names, one, lambda s: then(s.names[into], s.unbind(into)))


def _is_mapping(node: ast.expr, state: State, low: Lowering) -> bool:
    """Return whether a value may be a dict, whose values `Counter` would take as counts."""
    if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.List | ast.Set):
        return False
    held = low.held(node, state)
    if held is not None:
        return is_dict(held.kind)
    if isinstance(node, ast.Name):
        value = state.names.get(node.id)
        known = isinstance(value, tuple) and base_of(kind_of(value)) in {"list", "set", "str"}
        return not known
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="split" | "splitlines")):
            return not _is_text(owner, state)
        case ast.Call(func=function):
            return not low.is_builtin(function, "list", "set", "sorted", "map", "filter", "range")
    return True


def _is_text(node: ast.expr, state: State) -> bool:
    """Return whether an expression is always a string: a parameter, or the result of a string
    method."""
    match node:
        case ast.Constant(value=str()) | ast.JoinedStr():
            return True
        case ast.Name(id=name):
            value = state.names.get(name)
            return isinstance(value, tuple) and kind_of(value) == "str"
        case ast.Call(
            func=ast.Attribute(value=owner, attr="lower" | "upper" | "strip" | "casefold")
        ):
            return _is_text(owner, state)
    return False


def _queue(args: list[ast.expr], state: State, then: WithValue, low: Lowering) -> Tree:
    empty = Built("deque", collections.EMPTY)
    if not args:
        return then(empty, state)

    def filled(value: Value, s: State) -> Tree:
        if not isinstance(value, Built):
            raise UnsupportedError("a shared queue")
        return then(Built("deque", value.term, value.inside), s)

    into = Built("list", collections.EMPTY)
    return collections.extended(into, args[0], state, filled, low)


def _copied_dict(args: list[ast.expr], state: State, then: WithValue, low: Lowering) -> Tree | None:
    """Lower `dict(x)` for a known dict."""
    if not args:
        return then(Built("dict", collections.EMPTY), state)
    if isinstance(args[0], ast.GeneratorExp | ast.ListComp):
        return None

    def copy(value: Value, s: State) -> Tree:
        if isinstance(value, Built) and is_dict(value.kind):
            return then(Built("dict", value.term, value.inside), s)
        return low.machine.keep(value, s, copied)

    def copied(value: Term, s: State) -> Tree:
        if base_of(kind_of(value)) == "dict":
            inside = value_kind(kind_of(value))
            return then(Built("dict", ("all", value, s.version), inside), s)
        return low.machine.make("dict", (value,), s, then)

    held = low.held(args[0], state)
    return copy(held, state) if held is not None else low.any(args[0], state, copy)


def _from_keys(args: list[ast.expr], state: State, then: WithValue, low: Lowering) -> Tree | None:
    """Lower `dict.fromkeys(x)`: each key once, in the order of x.

    The value is evaluated before x is iterated, so only constants are supported.
    """
    value = args[1] if len(args) == 2 else ast.Constant(None)
    if not isinstance(value, ast.Constant):
        return None

    def keyed(keys: Value, s: State) -> Tree:
        if not isinstance(keys, Built):
            raise UnsupportedError("shared keys")
        term: Term = ("keyed", keys.term, constant(value.value))
        return then(Built("dict", term, kind_of(constant(value.value))), s)

    return once(args[0], state, keyed, low)


def once(source: ast.expr, state: State, then: WithValue, low: Lowering) -> Tree:
    """Lower a list of the distinct elements of an iterable.

    If hash and equality may disagree, it differs from a loop with `not in`.
    """
    into = low.hidden()
    names = [into, *rounds.carried([source], state, low)]

    def one(element: Term, now: State, again: Then) -> Tree:
        held = now.names[into]
        if not isinstance(held, Built):
            raise UnsupportedError("shared keys")
        inside = collections.inside_of(held, element)
        name = "once" if is_steady(element) else "once by key"
        new = Built("list", (name, held.term, element), inside)
        return collections.hashed(element, now, lambda s: again(s.bind(into, new)), low)

    begun = state.bind(into, Built("list", collections.EMPTY))
    return low.go_through(source, begun, names, one, lambda s: then(s.names[into], s.unbind(into)))


def item(name: str, held: Built, key: Term, state: State, then: WithValue, low: Lowering) -> Tree:
    """Read the value at a key of a private collection."""
    if held.kind == "counter":
        return looked_up(held, key, state, then, lambda s: then(constant(0), s), low)
    if held.kind.startswith(DEFAULTING):
        return looked_up(
            held, key, state, then, lambda s: _missing(name, held, key, s, then, low), low
        )
    if held.kind == "list" and key[:2] == ("c", "int"):
        element = operations.part(held, int(key[2]), state)
        if element is not None:
            return then(element, state)
    return there(held, key, state, then, low)


def _missing(
    name: str, held: Built, key: Term, state: State, then: WithValue, low: Lowering
) -> Tree:
    """Add the default for a key that a `defaultdict` does not have."""
    factory = held.kind.removeprefix(DEFAULTING)

    def put(value: Term, s: State) -> Tree:
        return collections.put(
            held, key, value, s, lambda b, s2: then(value, s2.bind(name, b)), low
        )

    if factory in _FACTORIES:
        return put(_FACTORIES[factory], state)
    return low.machine.keep(Built(factory, collections.EMPTY), state, put)


def there(held: Built, key: Term, state: State, then: WithValue, low: Lowering) -> Tree:
    """Read the value at a key, which raises if the key is missing."""
    kind = held.inside or "" if is_dict(held.kind) or held.kind == "list" else ""
    label = "dict" if is_dict(held.kind) else held.kind
    asked = state.reads.get(("in", key, ("dict", held.term)))
    is_read = ("held item", label, held.term, key) in state.reads
    if asked is not None and state.fixed.get(("true", asked)) and not is_read and label == "dict":
        return then(("op", "held", held.term, key, kind), state)
    return low.machine.read("held item", (label, held.term, key), state, then, kind)


def asked(held: Built, key: Term, state: State, yes: Then, no: Then, low: Lowering) -> Tree:
    """Branch on whether a key exists. The key is hashed even if the collection is empty."""
    label = "dict" if is_dict(held.kind) else held.kind

    def known(value: Value, s: State) -> Tree:
        hashed = s
        if label in {"dict", "set"}:
            hashed = replace(s, reads={**s.reads, ("hash", key): NONE})
        return low.truth(value, hashed, yes, no)

    return low.machine.read("in", (key, (label, held.term)), state, known, "bool")


def has(owner: Term, key: Term, state: State, yes: Then, no: Then, low: Lowering) -> Tree:
    """Branch on whether a shared value contains another one. A dict or set hashes it."""
    kind = kind_of(owner)
    is_hashing = base_of(kind) in {"dict", "set", "frozenset"}
    is_known = is_hashing or base_of(kind) == "list"
    if is_known and is_steady(key) and is_steady_kind(element_kind(kind)):
        where: Term = owner[2:-1] if owner[:2] == ("op", "frozen") else (owner, state.version)
        return low.truth(("op", "in", key, *where, "bool"), state, yes, no)

    def known(value: Term, s: State) -> Tree:
        hashed = replace(s, reads={**s.reads, ("hash", key): NONE}) if is_hashing else s
        return low.truth(value, hashed, yes, no)

    # An iterator may be exhausted the next time.
    is_used_up = base_of(kind) in {"", "file", "iter"} and owner[0] not in {"c", "tuple", "set of"}
    ask = low.machine.make if is_used_up else low.machine.read
    return ask("in", (key, owner), state, known, "bool")


def looked_up(
    held: Built, key: Term, state: State, then: WithValue, missing: Then, low: Lowering
) -> Tree:
    """Read the value at a key, or continue another way if the key is missing."""
    return asked(held, key, state, lambda s: there(held, key, s, then, low), missing, low)
