"""Lower array methods that visit all elements to loops."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tree_sitter import Node

from codeintel.engine.equivalence.javascript_paths import closures, objects, source
from codeintel.engine.equivalence.javascript_paths.lowering import (
    EMPTY,
    FALSE,
    TRUE,
    UNDEFINED,
    Lowering,
    number,
)
from codeintel.engine.equivalence.javascript_paths.source import bare, field, parts, text
from codeintel.engine.equivalence.path_trees import (
    Built,
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
    WithValue,
    kind_of,
)
from codeintel.engine.equivalence.path_trees.machine import has_effects

Round = Callable[[Term, Term, State, Then], Tree]
"""One iteration, given an element, its index, and the continuation that starts the next
iteration."""
_GOING = frozenset({"map", "filter", "forEach", "some", "every", "find"})


def called(
    node: Node,
    function: Node,
    given: Sequence[Node],
    state: State,
    then: WithValue,
    low: Lowering,
) -> Tree | None:
    """Lower a call of a known method, or return None for others."""
    if function.type == "identifier" and not low.names.of(function):
        if text(function) == "Boolean" and len(given) == 1:
            return low.test(given[0], state, lambda s: then(TRUE, s), lambda s: then(FALSE, s))
        if text(function) == "String" and len(given) == 1:
            return None
    if function.type != "member_expression":
        return None
    if any(each.type == "optional_chain" for each in (*function.children, *node.children)):
        return None
    name = text(field(function, "property"))
    owner = bare(field(function, "object"))
    held = low.held(owner, state)
    if held is not None:
        changing = _of_held(held, name, given, state, then, low)
        if changing is not None:
            return changing
    if name in {"some", "every", "includes"}:
        return (
            low.test(node, state, lambda s: then(TRUE, s), lambda s: then(FALSE, s))
            if _may_search(owner, name, given, state, low)
            else None
        )
    if name in _GOING and len(given) == 1 and is_array(owner, state, low):
        return _gone(name, owner, given[0], state, then, low)
    return None


def _of_held(
    held: tuple[str, Built],
    name: str,
    given: Sequence[Node],
    state: State,
    then: WithValue,
    low: Lowering,
) -> Tree | None:
    variable, value = held
    adding = {"array": "push", "Set": "add"}.get(value.kind)
    if name != adding or len(given) != 1 or given[0].type == "spread_element":
        return None

    def add(element: Term, s: State) -> Tree:
        now = s.names.get(variable)
        if not isinstance(now, Built):
            raise UnsupportedError("an array that is passed on while it changes")
        size: Term = ("pushed", now.kind, now.term)
        return then(size, s.bind(variable, objects.added(now, element)))

    return low.value(given[0], state, add)


def is_array(node: Node, state: State, low: Lowering) -> bool:
    """Return whether an expression always yields an array."""
    node = bare(node)
    if node.type == "array":
        return True
    if node.type == "identifier":
        value = state.names.get(low.names.of(node))
        return value is not None and kind_of(value).partition("<")[0] == "array"
    if node.type == "call_expression":
        function = bare(field(node, "function"))
        if function.type != "member_expression":
            return False
        name, owner = text(field(function, "property")), bare(field(function, "object"))
        if text(owner) == "Object" and name in {"keys", "values", "entries"}:
            return not low.names.of(owner)
        return name in {"map", "filter", "slice"} and is_array(owner, state, low)
    return False


def go_through(
    node: Node,
    tag: str,
    state: State,
    names: list[str],
    each: Round,
    after: Then,
    low: Lowering,
) -> Tree:
    """Loop over the elements of an expression.

    :param tag: the kind of loop. Array methods and loops do the same as long as nothing else
        changes.
    """

    def through(value: object, s: State) -> Tree:
        if isinstance(value, Built):
            term: Term = ("built", value.kind, value.term)
            kind, is_known = "", True
        else:
            term = value  # type: ignore[assignment]
            kind = kind_of(term).partition("<")[2].rstrip(">")
            is_known = kind_of(term).partition("<")[0] == "array"
        element: Term = ("x", f"{s.count}", kind)
        counter = low.hidden()
        begun = s.bind(counter, number(0))

        def one(now: State, again: Then) -> Tree:
            place: Term = now.names[counter]  # type: ignore[assignment]

            def further(end: State) -> Tree:
                old = end.names[counter]
                return again(end.bind(counter, ("op", "+", old, number(1), "number")))

            return each(element, place, now, further)

        def loop(head: str) -> Tree:
            return low.machine.loop(
                (head, term), begun, [*names, counter], one, lambda e: after(e.unbind(counter))
            )

        tree = loop("for" if is_known else tag)
        inner = tree
        while inner[0] == "event":
            inner = inner[3]
        quiet = inner[0] == "loop" and not has_effects(inner[4])
        if not is_known or quiet or isinstance(value, Built):
            return tree
        return loop(tag)

    fused = _fused(bare(node), tag, state, names, each, after, low)
    if fused is not None:
        return fused
    held = low.held(bare(node), state)
    if held is not None and held[0] not in names and held[1].kind != "object":
        return through(held[1], state)
    return low.any(node, state, through)


def _fused(
    node: Node,
    tag: str,
    state: State,
    names: list[str],
    each: Round,
    after: Then,
    low: Lowering,
) -> Tree | None:
    """Lower a loop over `a.filter(f)` or `a.map(f)` as one loop over `a`, if neither the
    callback nor the loop body changes anything."""
    if node.type != "call_expression":
        return None
    function, given = bare(field(node, "function")), field(node, "arguments")
    if function.type != "member_expression" or given.type != "arguments":
        return None
    name, nodes = text(field(function, "property")), parts(given)
    owner = field(function, "object")
    if name not in {"map", "filter"} or len(nodes) != 1 or not is_array(owner, state, low):
        return None
    if not _is_followed(nodes[0], low):
        return None
    counter = low.hidden()

    def one(element: Term, place: Term, now: State, again: Then) -> Tree:
        def mapped(value: Term, s: State) -> Tree:
            if name == "map":
                return each(value, place, s, again)
            return low.truth(value, s, kept, again)

        def kept(s: State) -> Tree:
            number_of: Term = s.names[counter]  # type: ignore[assignment]
            further: Term = ("op", "+", number_of, number(1), "number")
            return each(element, number_of, s.bind(counter, further), again)

        return _callback(
            nodes[0],
            element,
            place,
            now,
            lambda v, s: low.machine.keep(v, s, mapped),
            low,
        )

    begun = state.bind(counter, number(0))
    inner_names = [*names, counter, *(n for n in low.carried(nodes, state) if n not in names)]
    tree = go_through(owner, tag, begun, inner_names, one, lambda s: after(s.unbind(counter)), low)
    inner = tree
    while inner[0] == "event":
        inner = inner[3]
    is_quiet = inner[0] == "loop" and not has_effects(inner[4], "!~")
    return tree if is_quiet else None


def _callback(
    node: Node, element: Term, place: Term, state: State, then: WithValue, low: Lowering
) -> Tree:
    """Enter a callback with an element and its index."""
    node = bare(node)
    return closures.entered(node, (element, place), state, then, low)


def _is_followed(node: Node, low: Lowering) -> bool:
    return closures.is_plain(bare(node), low)


def _gone(
    name: str, owner: Node, function: Node, state: State, then: WithValue, low: Lowering
) -> Tree | None:
    if not _is_followed(function, low):
        return None
    into = low.hidden()
    begun = state if name in {"forEach", "find"} else state.bind(into, Built("array", EMPTY))
    names = [into, *low.carried([owner, function], state)]

    def one(element: Term, place: Term, now: State, again: Then) -> Tree:
        def mapped(value: object, s: State) -> Tree:
            if name == "forEach":
                return again(s)
            return low.machine.keep(value, s, lambda v, s2: take(v, s2))  # type: ignore[arg-type]

        def take(value: Term, s: State) -> Tree:
            if name == "map":
                return again(s.bind(into, objects.added(_built(s.names[into]), value)))
            if name == "find":
                return low.truth(value, s, lambda s2: then(element, s2), again)
            return low.truth(
                value,
                s,
                lambda s2: again(s2.bind(into, objects.added(_built(s2.names[into]), element))),
                again,
            )

        return _callback(function, element, place, now, mapped, low)

    def after(s: State) -> Tree:
        if name in {"forEach", "find"}:
            return then(UNDEFINED, s)
        return then(s.names[into], s.unbind(into))

    return go_through(owner, "array method", begun, names, one, after, low)


def _built(value: object) -> Built:
    if not isinstance(value, Built):
        raise UnsupportedError("a shared array")
    return value


def _may_search(owner: Node, name: str, given: Sequence[Node], state: State, low: Lowering) -> bool:
    if len(given) != 1:
        return False
    if name == "includes":
        return _constants(owner, low) is not None
    return is_array(owner, state, low) and _is_followed(given[0], low)


def _constants(node: Node, low: Lowering) -> list[Node] | None:
    """Return the elements of an array of constants, or None."""
    node = bare(node)
    if node.type == "identifier":
        node = low.program.constants.get(low.names.of(node), node)
    if node.type != "array":
        return None
    elements = source.elements(node)
    kinds = {each.type for each in elements}
    return elements if elements and kinds <= {"string", "number", "true", "false", "null"} else None


def searched(node: Node, state: State, yes: Then, no: Then, low: Lowering) -> Tree | None:
    """Lower a call that only answers yes or no, or return None for others."""
    function, given = bare(field(node, "function")), field(node, "arguments")
    if given.type != "arguments":
        return None
    nodes = parts(given)
    if function.type == "identifier" and text(function) == "Boolean" and len(nodes) == 1:
        return None if low.names.of(function) else low.test(nodes[0], state, yes, no)
    if function.type != "member_expression":
        return None
    name, owner = text(field(function, "property")), bare(field(function, "object"))
    if name not in {"some", "every", "includes"}:
        return None
    if not _may_search(owner, name, nodes, state, low):
        return None
    if name == "includes":
        elements = _constants(owner, low) or []
        return low.values(
            [nodes[0], *elements], state, lambda vs, s: _one_of(vs[0], vs[1:], s, yes, no, low)
        )
    names = low.carried([owner, nodes[0]], state)

    def one(element: Term, place: Term, now: State, again: Then) -> Tree:
        def decide(value: object, s: State) -> Tree:
            if name == "some":
                return low.truth(value, s, yes, again)  # type: ignore[arg-type]
            return low.truth(value, s, again, no)  # type: ignore[arg-type]

        return _callback(nodes[0], element, place, now, decide, low)

    after = no if name == "some" else yes
    return go_through(owner, "array method", state, names, one, after, low)


def _one_of(
    value: Term, elements: tuple[Term, ...], state: State, yes: Then, no: Then, low: Lowering
) -> Tree:
    if not elements:
        return no(state)
    return low.same(
        value,
        elements[0],
        state,
        yes,
        lambda s: _one_of(value, elements[1:], s, yes, no, low),
    )
