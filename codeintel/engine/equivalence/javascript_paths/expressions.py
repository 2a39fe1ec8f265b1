"""Lower expressions: their values, and their effects on variables and objects."""

from __future__ import annotations

from collections.abc import Callable

from tree_sitter import Node

from codeintel.engine.equivalence.javascript_paths import arrays, closures, objects, source
from codeintel.engine.equivalence.javascript_paths.lowering import (
    FALSE,
    NULL,
    TRUE,
    UNDEFINED,
    Lowering,
    number,
    string,
)
from codeintel.engine.equivalence.javascript_paths.operators import (
    as_text,
    binary,
    calculated,
    choice,
    joined,
    unary,
)
from codeintel.engine.equivalence.javascript_paths.source import bare, field, parts, text
from codeintel.engine.equivalence.path_trees import (
    Built,
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
    Value,
    WithValue,
    kind_of,
)


def evaluate(node: Node, state: State, then: WithValue, low: Lowering) -> Tree:
    """Lower an expression to its value."""
    node = bare(node)
    simple = _CONSTANTS.get(node.type)
    if simple is not None:
        return then(simple, state)
    handler = _EXPRESSIONS.get(node.type)
    if handler is None:
        raise UnsupportedError(node.type)
    return handler(node, state, then, low)


def _identifier(node: Node, state: State, then: WithValue, low: Lowering) -> Tree:
    name = low.names.of(node)
    if text(node) == "undefined" and not name:
        return then(UNDEFINED, state)
    if name in state.names:
        return low.read_name(name, state, then)
    given = low.program.constants.get(name)
    if given is not None:
        return low.any(given, state, then)
    if name and name not in low.program.top:
        raise UnsupportedError("a variable that may have no value yet")
    if name in low.names.assigned:
        return low.machine.read("global", (text(node),), state, then)
    return then(("g", text(node), "own") if name else ("g", text(node)), state)


def _string(node: Node, state: State, then: WithValue, _low: Lowering) -> Tree:
    return then(string(source.string(node)), state)


def _number(node: Node, state: State, then: WithValue, _low: Lowering) -> Tree:
    return then(source.number(node), state)


def _template(node: Node, state: State, then: WithValue, low: Lowering) -> Tree:
    pieces: list[str | Node] = []
    end = 1
    raw = (node.text or b"")[:-1]
    for each in node.children:
        if each.type == "template_substitution":
            start = each.start_byte - node.start_byte
            pieces.append(source.fixed(raw[end:start]))
            pieces.append(parts(each)[0])
            end = each.end_byte - node.start_byte
    pieces.append(source.fixed(raw[end:]))

    def go(left: list[str | Node], done: list[Term], now: State) -> Tree:
        if not left:
            return then(joined(done), now)
        first, *rest = left
        if isinstance(first, str):
            return go(rest, [*done, string(first)], now)
        return low.value(
            first, now, lambda v, s: as_text(v, s, lambda t, s2: go(rest, [*done, t], s2), low)
        )

    return go(pieces, [], state)


def chained(
    node: Node,
    state: State,
    then: WithValue,
    short: Then,
    low: Lowering,
) -> Tree:
    """Lower `a.b`, `a[b]` and `a(b)`, which `?.` can end early."""
    node = node if node.type == "parenthesized_expression" else bare(node)
    is_optional = any(each.type == "optional_chain" for each in node.children)

    def guarded(value: Term, s: State, go: Callable[[State], Tree]) -> Tree:
        return low.nullish(value, s, short, go) if is_optional else go(s)

    if node.type == "member_expression":
        name = text(field(node, "property"))
        owner = field(node, "object")
        return _owner(
            owner,
            state,
            lambda v, s: guarded(v, s, lambda s2: objects.attribute(v, name, s2, then, low)),
            short,
            low,
        )
    if node.type == "subscript_expression":
        return _owner(
            field(node, "object"),
            state,
            lambda v, s: guarded(
                v,
                s,
                lambda s2: low.value(
                    field(node, "index"), s2, lambda i, s3: objects.item(v, i, s3, then, low)
                ),
            ),
            short,
            low,
        )
    if node.type == "call_expression":
        return _called(node, state, then, short, guarded, low)
    return low.any(node, state, then)


def _owner(
    node: Node, state: State, then: Callable[[Term, State], Tree], short: Then, low: Lowering
) -> Tree:
    return chained(node, state, lambda v, s: low.machine.keep(v, s, then), short, low)


def _called(
    node: Node,
    state: State,
    then: WithValue,
    short: Then,
    guarded: Callable[[Term, State, Callable[[State], Tree]], Tree],
    low: Lowering,
) -> Tree:
    function = bare(field(node, "function"))
    given = field(node, "arguments")
    if given.type != "arguments":
        raise UnsupportedError("a tagged template")
    found = arrays.called(node, function, parts(given), state, then, low)
    if found is not None:
        return found
    inlined = closures.inlined(function, parts(given), state, then, low)
    if inlined is not None:
        return inlined
    if function.type == "member_expression":
        name = text(field(function, "property"))
        optional = any(each.type == "optional_chain" for each in function.children)

        def with_owner(owner: Term, s: State) -> Tree:
            def go(s2: State) -> Tree:
                return objects.arguments(
                    parts(given),
                    s2,
                    lambda vs, s3: objects.method(owner, name, vs, s3, then, low),
                    low,
                )

            if any(each.type == "optional_chain" for each in node.children):
                raise UnsupportedError("a method that may be missing")
            return low.nullish(owner, s, short, go) if optional else go(s)

        return _owner(field(function, "object"), state, with_owner, short, low)

    def with_function(value: Term, s: State) -> Tree:
        return guarded(
            value,
            s,
            lambda s2: objects.arguments(
                parts(given),
                s2,
                lambda vs, s3: low.machine.effect("call", (value, *vs), s3, then),
                low,
            ),
        )

    if function.type in {"super", "import"}:
        raise UnsupportedError(function.type)
    return _owner(function, state, with_function, short, low)


def _chain(node: Node, state: State, then: WithValue, low: Lowering) -> Tree:
    return chained(node, state, then, lambda s: then(UNDEFINED, s), low)


def _assignment(node: Node, state: State, then: WithValue, low: Lowering) -> Tree:
    target = bare(field(node, "left"))
    return objects.assigned(target, field(node, "right"), state, then, low)


def _augmented(node: Node, state: State, then: WithValue, low: Lowering) -> Tree:
    operator = text(field(node, "operator"))[:-1]
    target, right = bare(field(node, "left")), field(node, "right")
    if operator in {"&&", "||", "??"}:
        raise UnsupportedError("a conditional assignment")

    def change(old: Term, s: State, write: Callable[[Value, State], Tree]) -> Tree:
        return low.value(right, s, lambda new, s2: calculated(operator, old, new, s2, write, low))

    return objects.changed(target, state, change, then, low)


def _update(node: Node, state: State, then: WithValue, low: Lowering) -> Tree:
    operator = text(field(node, "operator"))
    argument = bare(field(node, "argument"))
    is_prefix = node.children[0].type == operator

    def change(old: Term, s: State, write: Callable[[Value, State], Tree]) -> Tree:
        if kind_of(old) == "number":
            return write(("op", operator[0], old, number(1), "number"), s)
        return low.machine.read(operator, (old,), s, write)

    def finished(value: Value, s: State) -> Tree:
        if is_prefix or source.is_statement(node):
            return then(value, s)
        raise UnsupportedError("a value before it is incremented")

    return objects.changed(argument, state, change, finished, low)


def _new(node: Node, state: State, then: WithValue, low: Lowering) -> Tree:
    function = field(node, "constructor")
    given = node.child_by_field_name("arguments")
    is_set = text(function) == "Set" and not low.names.of(function)
    if is_set and given is not None and not parts(given):
        return then(Built("Set", ("empty",)), state)
    return low.value(
        function,
        state,
        lambda v, s: objects.arguments(
            parts(given) if given is not None else [],
            s,
            lambda vs, s2: low.machine.effect("new", (v, *vs), s2, then),
            low,
        ),
    )


def _await(node: Node, state: State, then: WithValue, low: Lowering) -> Tree:
    return low.value(parts(node)[0], state, lambda v, s: low.machine.effect("await", (v,), s, then))


def _yield(node: Node, state: State, then: WithValue, low: Lowering) -> Tree:
    if any(each.type == "*" for each in node.children):
        raise UnsupportedError("yield*")
    given = parts(node)
    if not given:
        return low.machine.effect("yield", (UNDEFINED,), state, then)
    return low.value(given[0], state, lambda v, s: low.machine.effect("yield", (v,), s, then))


def _regex(node: Node, state: State, then: WithValue, low: Lowering) -> Tree:
    return low.machine.make("regex", (text(node),), state, then)


def _this(_node: Node, state: State, then: WithValue, _low: Lowering) -> Tree:
    return then(("this",), state)


_CONSTANTS = {"true": TRUE, "false": FALSE, "null": NULL, "undefined": UNDEFINED}


_EXPRESSIONS: dict[str, Callable[..., Tree]] = {
    "identifier": _identifier,
    "shorthand_property_identifier": _identifier,
    "string": _string,
    "number": _number,
    "template_string": _template,
    "binary_expression": binary,
    "unary_expression": unary,
    "ternary_expression": choice,
    "member_expression": _chain,
    "subscript_expression": _chain,
    "call_expression": _chain,
    "assignment_expression": _assignment,
    "augmented_assignment_expression": _augmented,
    "update_expression": _update,
    "new_expression": _new,
    "await_expression": _await,
    "yield_expression": _yield,
    "regex": _regex,
    "this": _this,
    "array": objects.array,
    "object": objects.displayed,
    "arrow_function": closures.function,
    "function_expression": closures.function,
}
