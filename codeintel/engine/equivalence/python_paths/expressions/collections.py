"""Track collections that only one variable refers to: their elements, in order."""

from __future__ import annotations

import ast
from collections.abc import Sequence
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
from codeintel.engine.equivalence.python_paths import bounds, operations
from codeintel.engine.equivalence.python_paths.expressions import loops, rounds
from codeintel.engine.equivalence.python_paths.kinds import (
    base_of,
    is_steady,
    is_steady_kind,
    parts_of,
)
from codeintel.engine.equivalence.python_paths.lowering import Lowering, loaded_names

EMPTY: Term = ("empty",)


def inside_of(held: Built, value: Term) -> str:
    """Return the kind of all elements after one more is added."""
    kind = kind_of(value)
    return kind if held.inside in {None, kind} else ""


def added(held: Built, value: Term, state: State, then: WithValue, low: Lowering) -> Tree:
    """Add an element to a list or a set."""
    new = Built(held.kind, ("with", held.term, value), inside_of(held, value))
    if held.kind == "set":
        return hashed(value, state, lambda s: then(new, s), low)
    return then(new, state)


def hashed(value: Term, state: State, then: Then, low: Lowering) -> Tree:
    """Hash a value, which raises if the value is unhashable."""
    if is_steady(value):
        return then(state)
    return low.machine.read("hash", (value,), state, lambda _, s: then(s))


def put(held: Built, key: Term, value: Term, state: State, then: WithValue, low: Lowering) -> Tree:
    """Add an item to a dict."""
    base = held.term
    if base[0] == "with" and len(base) == 4 and base[2] == key:
        base = base[1]  # the same key again: only the last value remains
    new = Built(held.kind, ("with", base, key, value), inside_of(held, value))

    def done(s: State) -> Tree:
        reads = {**s.reads, ("held item", "dict", new.term, key): value}
        return then(new, replace(s, reads=reads))

    return hashed(key, state, done, low)


def displayed(node: ast.List | ast.Set, state: State, then: WithValue, low: Lowering) -> Tree:
    """Lower `[a, *b]`."""
    kind = "list" if isinstance(node, ast.List) else "set"
    if kind == "set" and any(isinstance(each, ast.Starred) for each in node.elts):
        raise UnsupportedError("a set with a star")

    def go(left: list[ast.expr], held: Built, now: State) -> Tree:
        if not left:
            return then(held, now)
        first, *rest = left
        if isinstance(first, ast.Starred):
            return extended(held, first.value, now, lambda b, s: go(rest, _built(b), s), low)
        return low.value(
            first, now, lambda v, s: added(held, v, s, lambda b, s2: go(rest, _built(b), s2), low)
        )

    return go(list(node.elts), Built(kind, EMPTY), state)


def _built(value: Value) -> Built:
    if not isinstance(value, Built):
        raise UnsupportedError("a shared collection")
    return value


def displayed_dict(node: ast.Dict, state: State, then: WithValue, low: Lowering) -> Tree:
    """Lower `{a: b}`."""

    def go(left: list[tuple[ast.expr | None, ast.expr]], held: Built, now: State) -> Tree:
        if not left:
            return then(held, now)
        (key, value), *rest = left
        if key is None:
            return low.value(
                value,
                now,
                lambda v, s: low.machine.make(
                    "unpacked dict",
                    (v,),
                    s,
                    lambda e, s2: go(rest, Built("dict", ("and", held.term, e), ""), s2),
                ),
            )
        return low.values(
            [key, value],
            now,
            lambda vs, s: put(held, vs[0], vs[1], s, lambda b, s2: go(rest, _built(b), s2), low),
        )

    return go(list(zip(node.keys, node.values, strict=True)), Built("dict", EMPTY), state)


def extended(
    held: Built,
    source: ast.expr,
    state: State,
    then: WithValue,
    low: Lowering,
    name: str | None = None,
) -> Tree:
    """Extend a list or set with all elements of an iterable.

    :param name: the variable whose list is extended, for code that sees it after an error.
    """
    known = low.held(source, state)
    if known is not None and held.term == EMPTY:
        filled = _of_held(held.kind, known)
        if filled is not None:
            return then(filled, state)
    if isinstance(source, ast.ListComp):
        if held.term == EMPTY and held.kind == "list":
            return low.any(source, state, then)
        # Nothing sees the list before it is complete.
        source, name = ast.GeneratorExp(source.elt, source.generators), None
    if name is not None and name in loaded_names([source]):
        if not isinstance(source, ast.Name):
            raise UnsupportedError("a list that is read while it is extended")
        name = None
    into = low.hidden() if name is None else name
    begun = state.bind(into, held)
    names = [into, *rounds.carried([source], state, low)]

    def one(element: Term, now: State, again: Then) -> Tree:
        return added(
            _built(now.names[into]), element, now, lambda b, s: again(s.bind(into, b)), low
        )

    return low.go_through(
        source,
        begun,
        names,
        one,
        lambda s: then(s.names[into], s if into == name else s.unbind(into)),
    )


def _of_held(kind: str, known: Built) -> Built | None:
    """Return a list or set of the elements of a private collection, or None."""
    inside = known.inside
    if known.kind == kind:
        return known
    if known.term[0] == "keyed" and kind == "list":
        return Built(kind, known.term[1])
    if known.kind in {"list", "deque", "set"}:
        if kind == "set" and is_steady_kind(inside or ""):
            return Built(kind, known.term, inside)
        if kind == "list":
            term = ("listed", known.term) if known.kind == "set" else known.term
            return Built(kind, term, inside)
    return None


def comprehended(
    node: ast.ListComp | ast.SetComp, state: State, then: WithValue, low: Lowering
) -> Tree:
    """Lower `[x for x in y if z]`."""
    kind = "list" if isinstance(node, ast.ListComp) else "set"
    return gathered(kind, node.elt, node.generators, state, then, low)


def gathered(
    kind: str,
    element: ast.expr,
    over: list[ast.comprehension],
    state: State,
    then: WithValue,
    low: Lowering,
) -> Tree:
    """Lower a comprehension to a collection."""
    for each in (n for part in (element, *over) for n in ast.walk(part)):
        if isinstance(each, ast.Name) and each.id in {"super", "__class__"}:
            raise UnsupportedError("a comprehension that needs its frame")
    into = low.hidden()
    begun = state.bind(into, Built(kind, EMPTY))
    whole = ast.ListComp(element, over)
    names = [into, *rounds.carried([whole], state, low)]

    def one(now: State, again: Then) -> Tree:
        return low.value(
            element,
            now,
            lambda v, s: added(
                _built(s.names[into]), v, s, lambda b, s2: again(s2.bind(into, b)), low
            ),
        )

    return rounds.generators(
        over, begun, names, one, lambda s: then(s.names[into], s.unbind(into)), low
    )


def comprehended_dict(node: ast.DictComp, state: State, then: WithValue, low: Lowering) -> Tree:
    """Lower `{k: v for k, v in y}`.

    A loop evaluates the value first. If neither evaluation has effects, use that order here, too.
    """
    into = low.hidden()
    begun = state.bind(into, Built("dict", EMPTY))
    names = [into, *rounds.carried([node], state, low)]

    def one(now: State, again: Then) -> Tree:
        def placed(key: Term, value: Term, s: State) -> Tree:
            return put(
                _built(s.names[into]), key, value, s, lambda b, s2: again(s2.bind(into, b)), low
            )

        effects = low.machine.effects
        tried = low.values([node.value, node.key], now, lambda _vs, _s: ("probe",))
        del tried
        if low.machine.effects == effects:
            return low.values([node.value, node.key], now, lambda vs, s: placed(vs[1], vs[0], s))
        return low.values([node.key, node.value], now, lambda vs, s: placed(vs[0], vs[1], s))

    return rounds.generators(
        node.generators, begun, names, one, lambda s: then(s.names[into], s.unbind(into)), low
    )


def texts_joined(
    separator: Term, source: ast.expr, state: State, then: WithValue, low: Lowering
) -> Tree:
    """Lower `separator.join(...)`."""
    held = low.held(source, state)
    if held is not None:
        return _join(separator, held, state, then, low)
    if isinstance(source, ast.GeneratorExp):
        rounds.check_scope(source)
        return gathered(
            "list",
            source.elt,
            source.generators,
            state,
            lambda b, s: _join(separator, b, s, then, low),
            low,
        )
    return low.any(source, state, lambda b, s: _join(separator, b, s, then, low))


def _join(separator: Term, value: Value, state: State, then: WithValue, low: Lowering) -> Tree:
    if isinstance(value, Built):
        if value.kind == "list" and (value.inside == "str" or value.term == EMPTY):
            return then(("op", "joined", separator, value.term, "str"), state)
        return low.machine.read("join", (separator, (value.kind, value.term)), state, then, "str")
    return low.machine.make("join", (separator, value), state, then, "str")


_SMALLEST, _LARGEST = "heapq.nsmallest", "heapq.nlargest"


def _is_ordered(kind: str) -> bool:
    """Return whether any two values of this kind have an order and comparing them cannot raise."""
    if base_of(kind) == "tuple":
        parts = parts_of(kind)
        return bool(parts) and all(_is_ordered(each) for each in parts)
    return kind in {"int", "str"}


def in_order(
    held: Built, keywords: Sequence[ast.keyword], state: State, low: Lowering
) -> Built | None:
    """Return a sorted list, if sorting has no visible effect, or None."""
    given = {each.arg: each.value for each in keywords}
    turned = given.get("reverse", ast.Constant(False))
    if not isinstance(turned, ast.Constant) or given.keys() - {"key", "reverse"}:
        return None
    key = _key(given.get("key"), held.inside or "", state, low)
    if key is None:
        return None
    term: Term = ("in order", held.term, key, bool(turned.value))
    return Built("list", term, held.inside)


def _key(node: ast.expr | None, inside: str, state: State, low: Lowering) -> Term | None:
    """Return the sort key in terms of an element.

    Return None if computing it may have a visible effect or its values may have no order.
    """
    element: Term = ("x", "key", inside)
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return element if _is_ordered(inside) else None
    found: list[Term] = []

    def note(value: Value, _end: State) -> Tree:
        if isinstance(value, Built):
            raise UnsupportedError("a list as a key")
        found.append(value)
        return ("key", value)

    try:
        tree = _applied(node, element, state, note, low)
    except UnsupportedError:
        return None
    if tree is None or len(found) != 1 or tree != ("key", found[0]):
        return None
    return found[0] if _is_ordered(kind_of(found[0])) else None


def _applied(
    node: ast.expr, element: Term, state: State, then: WithValue, low: Lowering
) -> Tree | None:
    match node:
        case ast.Lambda(args=ast.arguments(args=[_], defaults=[], vararg=None, kwarg=None)) if (
            not node.args.kwonlyargs and not node.args.posonlyargs
        ):
            return loops.applied(node, element, state, then, low)
        case ast.Call(func=function, args=[ast.Constant(value=int(place))], keywords=[]):
            if low.is_imported(function, "operator.itemgetter") and not isinstance(place, bool):
                return operations.item(element, constant(place), state, then, low)
    return None


def first(node: ast.Call, state: State, then: WithValue, low: Lowering) -> Tree | None:
    """Lower `heapq.nsmallest(n, x)` as `sorted(x)[:n]` if n is not negative, or return None."""
    if not low.is_imported(node.func, _SMALLEST, _LARGEST) or len(node.args) != 2:
        return None
    if any(each.arg != "key" for each in node.keywords):
        return None
    keywords = list(node.keywords)
    if node.func.id == _LARGEST:  # type: ignore[attr-defined]
        keywords.append(ast.keyword("reverse", ast.Constant(True)))

    def ordered(count: Term, value: Value, s: State) -> Tree:
        if not isinstance(value, Built):
            raise UnsupportedError("a shared list")
        least, _ = bounds.limits(count, s)
        found = in_order(value, keywords, s, low)
        if found is None or kind_of(count) != "int" or least is None or least < 0:
            raise _UnsureError
        end: Term = ("slice", constant(None), count, constant(None))
        return then(Built("list", ("cut", found.term, end), found.inside), s)

    into = Built("list", EMPTY)
    try:
        return low.value(
            node.args[0],
            state,
            lambda n, s: extended(into, node.args[1], s, lambda v, s2: ordered(n, v, s2), low),
        )
    except _UnsureError:
        return None


class _UnsureError(Exception):
    """Sorting may have a visible effect."""
