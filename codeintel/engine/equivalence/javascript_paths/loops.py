"""Lower loops: the effect of one iteration on the variables, and the arrays that are visited."""

from __future__ import annotations

from tree_sitter import Node

from codeintel.engine.equivalence.javascript_paths import arrays, objects
from codeintel.engine.equivalence.javascript_paths.lowering import Control, Lowering
from codeintel.engine.equivalence.javascript_paths.source import (
    bare,
    field,
    parts,
    statements_in,
    text,
    walk,
)
from codeintel.engine.equivalence.path_trees import (
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
    kind_of,
)
from codeintel.engine.equivalence.path_trees.machine import has_effects


def while_loop(node: Node, state: State, control: Control, then: Then, low: Lowering) -> Tree:
    """Lower `while (a) {}`."""
    condition, body = field(node, "condition"), field(node, "body")
    names = low.carried([condition, body], state)

    def one(now: State, again: Then) -> Tree:
        inner = Control(control.returned, then, again)
        return low.test(
            condition, now, lambda s: low.block(statements_in(body), s, inner, again), then
        )

    return low.machine.loop(("while",), state, names, one, _never)


def counting(node: Node, state: State, control: Control, then: Then, low: Lowering) -> Tree:
    """Lower `for (let i = 0; i < n; i++)`."""
    begin = node.child_by_field_name("initializer")
    condition = node.child_by_field_name("condition")
    step, body = node.child_by_field_name("increment"), field(node, "body")
    if condition is not None and condition.type == "expression_statement":
        condition = parts(condition)[0]
    if condition is not None and condition.type == "empty_statement":
        condition = None
    by_place = _by_places(node, state, control, then, low)
    if by_place is not None:
        return by_place

    def begun(start: State) -> Tree:
        names = low.carried([e for e in (condition, step, body) if e is not None], start)

        def one(now: State, again: Then) -> Tree:
            def further(s: State) -> Tree:
                return again(s) if step is None else low.any(step, s, lambda _, s2: again(s2))

            inner = Control(control.returned, then, further)

            def round_(s: State) -> Tree:
                return low.block(statements_in(body), s, inner, further)

            return round_(now) if condition is None else low.test(condition, now, round_, then)

        return low.machine.loop(("while",), start, names, one, _never)

    if begin is None or begin.type == "empty_statement":
        return begun(state)
    return low.block([begin], state, control, begun)


def _by_places(
    node: Node, state: State, control: Control, then: Then, low: Lowering
) -> Tree | None:
    """Lower `for (let i = 0; i < a.length; i++)` as a loop over the elements, if nothing can change
    the array.

    Return None for other loops.
    """
    begin, body = node.child_by_field_name("initializer"), field(node, "body")
    if begin is None or begin.type != "lexical_declaration" or len(parts(begin)) != 1:
        return None
    declared = parts(begin)[0]
    variable, source = field(declared, "name"), None
    name = low.names.of(variable)
    condition = text(field(node, "condition")).rstrip("; ")
    step = text(node.child_by_field_name("increment") or variable)
    counter = text(variable)
    value = declared.child_by_field_name("value")
    if (
        value is None
        or text(value) != "0"
        or step
        not in {
            *(f"{counter}++", f"++{counter}", f"{counter} += 1", f"{counter}+=1"),
        }
    ):
        return None
    compared = field(node, "condition")
    for each in walk(compared):
        if each.type == "identifier" and text(each) != counter:
            source = each
    if source is None or condition.replace(" ", "") != f"{counter}<{text(source)}.length":
        return None
    key = low.names.of(source)
    array = state.names.get(key)
    if not isinstance(array, tuple) or kind_of(array).partition("<")[0] != "array":
        return None
    changes = {
        low.names.of(each)
        for target in walk(body)
        if target.type
        in {"assignment_expression", "augmented_assignment_expression", "update_expression"}
        for each in walk(target.children[0] if target.type != "update_expression" else target)
        if each.type == "identifier"
    }
    if name in changes or key in changes:
        return None
    names = [n for n in low.carried([body], state) if n != name]

    def one(element: Term, place: Term, now: State, again: Then) -> Tree:
        reads = {**now.reads, ("item", array, place): element}
        known = State(now.names, now.count, reads, now.facts, now.fixed, now.regions)
        inner = Control(control.returned, then, again)
        return low.block(statements_in(body), known.bind(name, place), inner, again)

    tree = arrays.go_through(source, "array method", state, names, one, then, low)
    inner_tree = tree
    while inner_tree[0] == "event":
        inner_tree = inner_tree[3]
    fits = inner_tree[0] == "loop" and not has_effects(inner_tree[4])
    return tree if fits else None


def going_through(node: Node, state: State, control: Control, then: Then, low: Lowering) -> Tree:
    """Lower `for (const a of b) {}` and `for (const a in b) {}`."""
    if node.child_by_field_name("kind") is None or any(e.type == "await" for e in node.children):
        raise UnsupportedError("a loop over outer variables")
    target, source, body = field(node, "left"), field(node, "right"), field(node, "body")
    operator = text(field(node, "operator"))
    names = low.carried([target, body], state)
    if operator == "in":
        return low.value(
            source,
            state,
            lambda v, s: low.machine.loop(
                ("for in", v),
                s,
                names,
                lambda now, again: objects.bind(
                    target,
                    ("x", f"{s.count}", "string"),
                    now,
                    low,
                    lambda s2: low.block(
                        statements_in(body), s2, Control(control.returned, then, again), again
                    ),
                ),
                then,
            ),
        )
    found = _entries(bare(source))
    if found is not None and target.type == "array_pattern" and arrays.is_array(found, state, low):
        source = found

    def one(element: Term, place: Term, now: State, again: Then) -> Tree:
        inner = Control(control.returned, then, again)
        given: Term = (
            ("tuple", place, element) if found is not None and source is found else element
        )
        return objects.bind(
            target, given, now, low, lambda s: low.block(statements_in(body), s, inner, again)
        )

    return arrays.go_through(source, "for of", state, names, one, then, low)


def _entries(node: Node) -> Node | None:
    """Return `a` of `a.entries()`, or None."""
    if node.type != "call_expression" or parts(field(node, "arguments")):
        return None
    function = bare(field(node, "function"))
    if function.type == "member_expression" and text(field(function, "property")) == "entries":
        return field(function, "object")
    return None


def _never(_state: State) -> Tree:
    return ("never",)
