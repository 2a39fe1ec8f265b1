"""Lower statements: their effects on variables, and where control continues."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tree_sitter import Node

from codeintel.engine.equivalence.javascript_paths import objects
from codeintel.engine.equivalence.javascript_paths.loops import counting, going_through, while_loop
from codeintel.engine.equivalence.javascript_paths.lowering import UNDEFINED, Control, Lowering
from codeintel.engine.equivalence.javascript_paths.source import (
    field,
    parts,
    statements_in,
    walk,
)
from codeintel.engine.equivalence.path_trees import (
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
)

Leave = Callable[[State, Then], Tree]


def block(nodes: Sequence[Node], state: State, control: Control, then: Then, low: Lowering) -> Tree:
    """Lower a sequence of statements.

    Function declarations come first, because they are hoisted.
    """
    named = ("function_declaration", "generator_function_declaration")
    for each in nodes:
        if each.type in named:
            _check_nested(each, low)
            state = state.bind(low.names.of(field(each, "name")), ("def", each))
    left = [each for each in nodes if each.type not in named]
    return _row(left, state, control, then, low)


def _check_nested(node: Node, low: Lowering) -> None:
    """Reject a nested function that uses outer variables which can change."""
    start, end = node.start_byte, node.end_byte
    for each in walk(node):
        if each.type not in {"identifier", "shorthand_property_identifier"}:
            continue
        name = low.names.of(each)
        if not name or name in low.program.top:
            continue
        first, last = (int(part) for part in name.rpartition("@")[2].split("."))
        is_inside = start <= first and last <= end
        kind = low.names.kinds.get(name)
        changes = name in low.names.assigned or kind not in {"const", "param"}
        if not is_inside and changes and name != low.names.of(field(node, "name")):
            raise UnsupportedError("a function that uses variables that change")


def _row(nodes: Sequence[Node], state: State, control: Control, then: Then, low: Lowering) -> Tree:
    if not nodes:
        return then(state)
    first, *rest = nodes
    return statement(first, state, control, lambda s: _row(rest, s, control, then, low), low)


def statement(node: Node, state: State, control: Control, then: Then, low: Lowering) -> Tree:
    """Lower one statement and everything after it."""
    low.machine.step()
    handler = _STATEMENTS.get(node.type)
    if handler is None:
        raise UnsupportedError(node.type)
    return handler(node, state, control, then, low)


def _expression(node: Node, state: State, _control: Control, then: Then, low: Lowering) -> Tree:
    inner = parts(node)[0]
    if inner.type == "sequence_expression":
        raise UnsupportedError("a sequence")
    return low.any(inner, state, lambda _v, s: then(s))


def _declaration(node: Node, state: State, _control: Control, then: Then, low: Lowering) -> Tree:
    def go(left: list[Node], s: State) -> Tree:
        if not left:
            return then(s)
        first, *rest = left
        name, value = field(first, "name"), first.child_by_field_name("value")
        if value is None:
            if node.type == "variable_declaration":
                return go(rest, s)
            return objects.bind(name, UNDEFINED, s, low, lambda s2: go(rest, s2))
        return low.any(
            value,
            s,
            lambda v, s2: objects.bind(name, v, s2, low, lambda s3: go(rest, s3)),
        )

    return go(parts(node), state)


def _return(node: Node, state: State, control: Control, _then: Then, low: Lowering) -> Tree:
    given = parts(node)
    if not given:
        return control.returned(UNDEFINED, state)
    return low.value(given[0], state, control.returned)


def _if(node: Node, state: State, control: Control, then: Then, low: Lowering) -> Tree:
    other = node.child_by_field_name("alternative")
    otherwise = [] if other is None else statements_in(parts(other)[0]) if parts(other) else []
    return low.test(
        field(node, "condition"),
        state,
        lambda s: low.block(statements_in(field(node, "consequence")), s, control, then),
        lambda s: low.block(otherwise, s, control, then),
    )


def _throw(node: Node, state: State, _control: Control, _then: Then, low: Lowering) -> Tree:
    return low.value(parts(node)[0], state, lambda v, _s: ("throw", v))


def _break(node: Node, state: State, control: Control, _then: Then, _low: Lowering) -> Tree:
    if control.broken is None or parts(node):
        raise UnsupportedError("a jump to a label")
    return control.broken(state)


def _continue(node: Node, state: State, control: Control, _then: Then, _low: Lowering) -> Tree:
    if control.again is None or parts(node):
        raise UnsupportedError("a jump to a label")
    return control.again(state)


def _try(node: Node, state: State, control: Control, then: Then, low: Lowering) -> Tree:
    handler = node.child_by_field_name("handler")
    finalizer = node.child_by_field_name("finalizer")
    if finalizer is not None:
        return _finally(node, handler, finalizer, state, control, then, low)
    return _caught(parts(field(node, "body")), handler, state, control, then, low)


def _caught(
    body: Sequence[Node],
    handler: Node | None,
    state: State,
    control: Control,
    then: Then,
    low: Lowering,
) -> Tree:
    if handler is None:
        return low.block(body, state, control, then)
    caught = handler

    def inside(within: State, leave: Leave) -> Tree:
        inner = Control(
            lambda v, s: leave(s, lambda s2: control.returned(v, s2)),
            _around(control.broken, leave),
            _around(control.again, leave),
        )
        return low.block(body, within, inner, lambda s: leave(s, then))

    def aside(after: State) -> tuple[Tree, ...]:
        given = caught.child_by_field_name("parameter")
        error: Term = ("x", f"{after.count}!", "")

        def handled(s: State) -> Tree:
            return low.block(parts(field(caught, "body")), s, control, then)

        return (
            handled(after) if given is None else objects.bind(given, error, after, low, handled),
        )

    return low.machine.region("try", (), state, inside, aside)


def _around(then: Then | None, leave: Leave) -> Then | None:
    return None if then is None else (lambda s: leave(s, then))


def _finally(
    node: Node,
    handler: Node | None,
    finalizer: Node,
    state: State,
    control: Control,
    then: Then,
    low: Lowering,
) -> Tree:
    last = parts(field(finalizer, "body"))

    def inside(within: State, leave: Leave) -> Tree:
        def lastly(follow: Then) -> Then:
            return lambda s: leave(s, lambda s2: low.block(last, s2, control, follow))

        inner = Control(
            lambda v, s: lastly(lambda s2: control.returned(v, s2))(s),
            None if control.broken is None else lastly(control.broken),
            None if control.again is None else lastly(control.again),
        )
        return _caught(parts(field(node, "body")), handler, within, inner, lastly(then), low)

    def aside(after: State) -> tuple[Tree, ...]:
        return (low.block(last, after, control, lambda _s: ("propagated",)),)

    return low.machine.region("finally", (), state, inside, aside)


def _switch(node: Node, state: State, control: Control, then: Then, low: Lowering) -> Tree:
    """Lower a `switch`. Cases are tested in order, and everything from the first match on runs."""
    cases = parts(field(node, "body"))
    bodies = [[e for e in parts(each) if e != each.child_by_field_name("value")] for each in cases]
    inner = Control(control.returned, then, control.again)

    def run(place: int, s: State) -> Tree:
        row = [each for body in bodies[place:] for each in body]
        flat = [e for each in row for e in statements_in(each)]
        return low.block(flat, s, inner, then)

    default = next((i for i, each in enumerate(cases) if each.type == "switch_default"), None)

    def go(place: int, value: Term, s: State) -> Tree:
        if place == len(cases):
            return then(s) if default is None else run(default, s)
        if cases[place].type == "switch_default":
            return go(place + 1, value, s)
        return low.value(
            field(cases[place], "value"),
            s,
            lambda v, s2: low.same(
                value,
                v,
                s2,
                lambda s3: run(place, s3),
                lambda s3: go(place + 1, value, s3),
            ),
        )

    return low.value(field(node, "value"), state, lambda v, s: go(0, v, s))


def _nothing(_node: Node, state: State, _control: Control, then: Then, _low: Lowering) -> Tree:
    return then(state)


def _block(node: Node, state: State, control: Control, then: Then, low: Lowering) -> Tree:
    return low.block(parts(node), state, control, then)


_STATEMENTS: dict[str, Callable[[Node, State, Control, Then, Lowering], Tree]] = {
    "expression_statement": _expression,
    "lexical_declaration": _declaration,
    "variable_declaration": _declaration,
    "return_statement": _return,
    "if_statement": _if,
    "throw_statement": _throw,
    "break_statement": _break,
    "continue_statement": _continue,
    "while_statement": while_loop,
    "for_statement": counting,
    "for_in_statement": going_through,
    "try_statement": _try,
    "switch_statement": _switch,
    "empty_statement": _nothing,
    "statement_block": _block,
    "interface_declaration": _nothing,
    "type_alias_declaration": _nothing,
}
