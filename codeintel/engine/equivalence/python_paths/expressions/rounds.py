"""Lower loops over one value or in a comprehension: the variables they carry, and each
iteration's input."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace

from codeintel.engine.equivalence.normal_form.purity import may_move_inside
from codeintel.engine.equivalence.path_trees import (
    Built,
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
    Value,
    constant,
    kind_of,
)
from codeintel.engine.equivalence.python_paths import operations, texts
from codeintel.engine.equivalence.python_paths.kinds import (
    base_of,
    element_kind,
    is_steady_kind,
    parts_of,
    value_kind,
)
from codeintel.engine.equivalence.python_paths.lowering import (
    Lowering,
    Round,
    loaded_names,
    stored_names,
)


def carried(nodes: Sequence[ast.AST], state: State, low: Lowering) -> list[str]:
    """Return the variables that code can change when it runs in a loop, sorted."""
    nodes = _with_functions(nodes, state)
    held = {n for n in loaded_names(nodes) if isinstance(state.names.get(n), Built)}
    stored = {n for n in stored_names(nodes) if n in low.local or n in state.names}
    return sorted(held | stored)


def _with_functions(nodes: Sequence[ast.AST], state: State) -> list[ast.AST]:
    """Return the code with the bodies of local functions that it may call."""
    found, seen = list(nodes), set[str]()
    while True:
        new = loaded_names(found) - seen
        seen |= new
        values = [state.names.get(name) for name in sorted(new)]
        bodies = [v[1] for v in values if isinstance(v, tuple) and v[0] == "def"]
        if not bodies:
            return found
        found.extend(bodies)


def of_value(
    value: Value, state: State, names: list[str], each: Round, after: Then, low: Lowering
) -> Tree:
    """Iterate over a value whose kind alone is known, or over a new collection."""
    if isinstance(value, Built):
        return of_held(value, "keys", state, names, each, after, low)
    term = value
    if kind_of(term).startswith("dict"):
        kind = value_kind(kind_of(term))
        return _through(term, "keys", state, names, each, after, low, kind)
    return _plain(term, state, names, each, after, low)


def of_held(
    held: Built, part: str, state: State, names: list[str], each: Round, after: Then, low: Lowering
) -> Tree:
    """Iterate over a private collection."""
    if held.term[0] == "keyed" and part == "keys":
        return _plain(("built", "list", held.term[1]), state, names, each, after, low)
    if held.kind in {"list", "set", "deque"}:
        kind = "set" if held.kind == "set" else "list"
        return _plain(("built", kind, held.term), state, names, each, after, low, held.inside or "")
    term = ("built", "dict", held.term)
    return _through(term, part, state, names, each, after, low, held.inside or "")


_FEW = 3
"""The number of elements up to which they are visited without a loop."""


def of_several(
    values: tuple[Term, ...],
    state: State,
    names: list[str],
    each: Round,
    after: Then,
    low: Lowering,
) -> Tree:
    """Iterate over the elements of a literal."""
    if len(values) > _FEW:
        return _plain(("tuple", *values), state, names, each, after, low)

    def go(place: int, s: State) -> Tree:
        low.machine.step()
        if place == len(values):
            return after(s)
        return each(values[place], s, lambda s2: go(place + 1, s2))

    return go(0, state)


def _plain(
    term: Term,
    state: State,
    names: list[str],
    each: Round,
    after: Then,
    low: Lowering,
    kind: str = "",
) -> Tree:
    kind = kind or element_kind(kind_of(term))
    if term[0] == "op" and term[1] == "range":
        kind = "int"
    element: Term = ("x", f"{state.count}", kind)
    steady, total = _sureness(term, ("for", term), state)
    return low.machine.loop(
        ("for", term),
        state,
        names,
        lambda s, again: each(element, s, again),
        after,
        is_steady=steady,
        total=total,
        rounds=_length(term, state) if steady else None,
    )


def _length(term: Term, state: State) -> Term | None:
    """Return the number of iterations of a loop that is never left early, or None."""
    if term[0] == "built":
        return operations.size(Built(term[1], term[2]), state)
    return operations.size(term, state)


def _sureness(term: Term, head: Term, state: State) -> tuple[bool, Term | None]:
    """Return whether iterating changes nothing, and the head of a loop that always ends.

    The head of a shared value includes its version.
    """
    if term[0] in {"built", "tuple"} or term[:2] == ("op", "range") or kind_of(term) == "str":
        return True, head
    if term[:2] == ("op", "frozen"):
        return True, head
    if base_of(kind_of(term)) in {"list", "set", "dict", "frozenset"}:
        return True, (*head, state.version)
    return False, None


def of_part(
    value: Term, part: str, state: State, names: list[str], each: Round, after: Then, low: Lowering
) -> Tree:
    """Iterate over the keys, values or items of an apparent dict."""
    if kind_of(value).startswith("dict"):
        kind = value_kind(kind_of(value))
        return _through(value, part, state, names, each, after, low, kind)
    return low.machine.make(
        "call method",
        (value, part),
        state,
        lambda v, s: _plain(v, s, names, each, after, low),
    )


def _through(
    term: Term,
    part: str,
    state: State,
    names: list[str],
    each: Round,
    after: Then,
    low: Lowering,
    kind: str,
) -> Tree:
    """Iterate over a dict by keys, values or items."""
    key = ("x", f"{state.count}.0", element_kind(kind_of(term)))
    value = ("x", f"{state.count}.1", kind)
    element = {"keys": key, "values": value, "items": ("tuple", key, value)}[part]
    owner = term
    read = ("held item", "dict", term[2], key) if term[0] == "built" else ("item", owner, key)

    def one(state: State, again: Then) -> Tree:
        # A key has already been hashed.
        reads = {**state.reads, read: value, ("hash", key): constant(None)}
        known = replace(state, reads=reads)
        return each(element, known, again)

    head: Term = ("for", ("items", term))
    steady, total = _sureness(term, head, state)
    return low.machine.loop(head, state, names, one, after, is_steady=steady, total=total)


class NotFollowedError(Exception):
    """The searched value may not be a string, or a group may not take part."""


def matches(
    method: str,
    pattern: Term,
    kind: str,
    text: Term,
    state: State,
    names: list[str],
    each: Round,
    after: Then,
    low: Lowering,
) -> Tree:
    """Iterate over all matches of a pattern, or over the results of `findall`.

    :raises NotFollowedError: if the type of the results is unknown.
    """
    match: Term = ("x", f"{state.count}", kind)
    head: Term = ("for", ("matches", pattern, text))
    element = texts.element(method, match)
    if element is None:
        raise NotFollowedError

    def one(s: State, again: Then) -> Tree:
        return each(element, s, again)

    return low.machine.loop(head, state, names, one, after, is_steady=True, total=head)


def bind_target(target: ast.expr, value: Value, state: State, then: Then, low: Lowering) -> Tree:
    """Bind a value to a name, or unpack it into several."""
    match target:
        case ast.Name(id=name):
            return then(state.bind(name, value))
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            if any(isinstance(each, ast.Starred) for each in parts):
                raise UnsupportedError("a target with a star")
            if isinstance(value, Built) and value.kind != "list":
                return low.machine.keep(
                    value, state, lambda v, s: bind_target(target, v, s, then, low)
                )
            return _taken_apart(parts, value, state, then, low)
    return low.store(target, value, state, then)


def _taken_apart(
    targets: list[ast.expr], value: Value, state: State, then: Then, low: Lowering
) -> Tree:
    """Unpack a value into exactly as many targets. Another number of values raises."""
    count = len(targets)
    known: Sequence[Term | None] = []
    if isinstance(value, Built):
        if operations.known_size(value, state) == count:
            known = [operations.part(value, place, state) for place in range(count)]
    elif base_of(kind_of(value)) == "tuple" and len(parts_of(kind_of(value))) == count:
        known = [operations.element(value, place) for place in range(count)]
    elif value[0] == "tuple" and len(value) - 1 == count:
        known = value[1:]
    if len(known) == count and all(each is not None for each in known):
        return _parts(list(zip(targets, known, strict=True)), state, then, low)  # type: ignore[arg-type]

    def unpacked(given: Term, s: State) -> Tree:
        pairs: list[tuple[ast.expr, Term]] = [
            (each, ("part", given, place)) for place, each in enumerate(targets)
        ]
        return _parts(pairs, s, then, low)

    if isinstance(value, Built) and is_steady_kind(value.inside or ""):
        kind = value.inside

        def cut(_: Term, s: State) -> Tree:
            pairs: list[tuple[ast.expr, Term]] = [
                (each, ("op", "at", value.term, place, kind)) for place, each in enumerate(targets)
            ]
            return _parts(pairs, s, then, low)

        return low.machine.read("unpack", (("built", "list", value.term), count), state, cut)
    return low.machine.keep(
        value, state, lambda v, s: low.machine.make("unpack", (v, count), s, unpacked)
    )


def _parts(pairs: list[tuple[ast.expr, Term]], state: State, then: Then, low: Lowering) -> Tree:
    if not pairs:
        return then(state)
    (target, value), *rest = pairs
    return bind_target(target, value, state, lambda s: _parts(rest, s, then, low), low)


def check_scope(node: ast.GeneratorExp) -> None:
    """Reject a generator that ends an iteration, which becomes another error there, or that
    needs the frame."""
    if not may_move_inside(node):
        raise UnsupportedError("a generator that ends an iteration or needs its frame")


def _targets(over: list[ast.comprehension]) -> set[str]:
    return {n for each in over for n in stored_names([each.target])}


def _check_bound(over: list[ast.comprehension]) -> None:
    """Reject variables of a comprehension that are read before they are bound."""
    bound = set[str]()
    for place, each in enumerate(over):
        later = _targets(over[place:]) - bound
        if place and loaded_names([each.iter]) & later:
            raise UnsupportedError("a variable of a comprehension that has no value yet")
        bound |= _targets([each])
        if loaded_names(each.ifs) & (later - bound):
            raise UnsupportedError("a variable of a comprehension that has no value yet")


def outside(over: list[ast.comprehension], state: State) -> Callable[[State], State]:
    """Return a function that leaves the scope of a comprehension, whose variables may hide outer
    ones."""
    targets = _targets(over)
    outer = {name: state.names.get(name) for name in targets}

    def back(now: State) -> State:
        kept = {k: v for k, v in now.names.items() if k not in targets}
        kept.update({k: v for k, v in outer.items() if v is not None})
        return replace(now, names=kept)

    return back


def generators(
    over: list[ast.comprehension],
    state: State,
    names: list[str],
    inside: Callable[[State, Then], Tree],
    after: Then,
    low: Lowering,
) -> Tree:
    """Lower the loops of a comprehension, whose variables are separate from those of the
    function."""
    targets = _targets(over)
    restored = outside(over, state)
    _check_bound(over)
    # An error inside leaves the hidden variables as they are now.
    low.machine.note(state)

    def go(place: int, now: State, again: Then) -> Tree:
        one = over[place]
        if one.is_async:
            raise UnsupportedError("an asynchronous comprehension")

        def round_(element: Term, s: State, further: Then) -> Tree:
            def checked(s2: State) -> Tree:
                return filtered(list(one.ifs), s2)

            def filtered(left: list[ast.expr], s2: State) -> Tree:
                if left:
                    return low.test(left[0], s2, lambda s3: filtered(left[1:], s3), further)
                if place + 1 < len(over):
                    return go(place + 1, s2, further)
                return inside(s2, further)

            return bind_target(one.target, element, s, checked, low)

        return low.go_through(one.iter, now, [n for n in names if n not in targets], round_, again)

    return go(0, state, lambda s: after(restored(s)))
