"""Lower functions as values, and calls of functions whose body is known."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from tree_sitter import Node

from codeintel.engine.equivalence.javascript_paths import objects
from codeintel.engine.equivalence.javascript_paths.lowering import UNDEFINED, Control, Lowering
from codeintel.engine.equivalence.javascript_paths.source import (
    FUNCTIONS,
    bare,
    field,
    parameters,
    parts,
    text,
    walk,
)
from codeintel.engine.equivalence.path_trees import (
    POISON,
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
    Value,
    WithValue,
)

_OWN = frozenset({"this", "super", "new.target", "meta_property"})
_CALLING = frozenset(
    {
        *("map", "filter", "forEach", "some", "every", "find", "findIndex", "flatMap", "reduce"),
        *("reduceRight", "sort", "findLast", "findLastIndex", "then", "catch", "finally"),
        *("on", "once", "addEventListener"),
    }
)
"""Methods of arrays, promises and emitters that call the functions that they receive."""


def uses_own(node: Node) -> bool:
    """Return whether a function depends on how it was called."""
    return any(
        each.type in _OWN or (each.type == "identifier" and text(each) == "arguments")
        for each in walk(node)
    )


def marks(node: Node) -> str:
    """Return the marks of a function: asynchronous, generator, or dependent on how it is called."""
    words = [each.type for each in node.children if each.type in {"async", "*"}]
    if "generator" in node.type:
        words.append("*")
    if node.type != "arrow_function" and uses_own(node):
        words.append("own")
    return " ".join(dict.fromkeys(words))


def has_directives(node: Node) -> bool:
    """Return whether a function or one within it begins with a directive, as `"use strict"`."""
    return any(
        next(directives(field(each, "body")), None) is not None
        for each in walk(node)
        if each.type in FUNCTIONS and each.child_by_field_name("body") is not None
    )


def directives(body: Node) -> Iterator[Node]:
    """Yield the statements with which a function or program begins and that are only a string."""
    for each in parts(body):
        if each.type != "expression_statement" or parts(each)[0].type != "string":
            return
        yield each


def is_constructor(node: Node) -> bool:
    """Return whether `new` can construct objects with a function."""
    plain = node.type in {"function_expression", "function_declaration", "function"}
    return plain and not any(each.type in {"async", "*"} for each in node.children)


def is_defaulted(node: Node) -> bool:
    """Return whether a parameter has a default, which does not count towards a function's
    length."""
    return node.type == "assignment_pattern" or node.child_by_field_name("value") is not None


def required(node: Node) -> int:
    """Return the length of a function: the number of parameters before the first default."""
    defaults = [is_defaulted(each) for each in parameters(node)]
    return defaults.index(True) if True in defaults else len(defaults)


def _is_only_called(node: Node) -> bool:
    """Return whether a function is passed to a method that only calls it."""
    outer = node.parent
    call = outer.parent if outer is not None and outer.type == "arguments" else None
    if call is None or call.type != "call_expression":
        return False
    method = bare(field(call, "function"))
    return method.type == "member_expression" and text(field(method, "property")) in _CALLING


def body_of(node: Node) -> tuple[list[Node], Node | None]:
    """Return the statements of a function, or its single expression."""
    body = field(node, "body")
    if body.type == "statement_block":
        return parts(body), None
    return [], body


def function(node: Node, state: State, then: WithValue, low: Lowering) -> Tree:
    """Lower a function that can be called at any time.

    :raises UnsupportedError: if it uses a variable whose value can change.
    """
    if node.type == "function_expression" and node.child_by_field_name("name") is not None:
        raise UnsupportedError("a function expression with a name")
    used: set[str] = set()
    for each in walk(node):
        if each.type not in {"identifier", "shorthand_property_identifier"}:
            continue
        name = low.names.of(each)
        if name and name not in low.program.top and not _is_inside(name, node):
            used.add(name)
    for name in used:
        kind = low.names.kinds.get(name, "")
        steady = name not in low.names.assigned and kind in {"const", "let", "each", "param"}
        if not steady or name not in state.names or state.names[name] == POISON:
            raise UnsupportedError("a variable of a closure that changes")

    def rest(s: State) -> Tree:
        start = State({n: s.names[n] for n in used}, s.count + 1, {}, {}, s.fixed)
        tree = whole(node, start, low, f"{s.count}.")
        made = "new" if is_constructor(node) and not _is_only_called(node) else ""
        head = (marks(node), made, required(node), len(parameters(node)))
        return then(("fn", *head, tree), s)

    return _kept(sorted(used), state, rest, low)


def _is_inside(name: str, node: Node) -> bool:
    """Return whether a variable is declared within a node."""
    start, end = (int(each) for each in name.rpartition("@")[2].split("."))
    return node.start_byte <= start and end <= node.end_byte


def _kept(names: Sequence[str], state: State, then: Then, low: Lowering) -> Tree:
    if not names:
        return then(state)
    first, *rest = names
    return low.machine.keep(
        state.names[first], state, lambda v, s: _kept(rest, s.bind(first, v), then, low)
    )


def whole(node: Node, state: State, low: Lowering, prefix: str = "") -> Tree:
    """Lower a whole function: its parameters, then its body."""
    kinds = {name: kind for name, kind in low.names.kinds.items() if kind == "var"}
    inside = {n: UNDEFINED for n in kinds if _is_inside(n, node)}
    start = replace(state, names={**state.names, **inside})

    def returned(value: Term, _end: State) -> Tree:
        return ("return", value)

    given = parameters(node)
    if any(_is_rest(each) for each in given):
        raise UnsupportedError("parameters with a rest")
    values: list[Term] = [("p", f"{prefix}{place}", _promised(e)) for place, e in enumerate(given)]
    return _bound(given, values, start, lambda s: _run(node, s, Control(returned), low), low)


def _is_rest(node: Node) -> bool:
    inner = node.child_by_field_name("pattern") or node
    return inner.type == "rest_pattern"


def _promised(node: Node) -> str:
    """Return the kind that a parameter's annotation promises, or an empty string."""
    annotation = node.child_by_field_name("type")
    if annotation is None or node.type == "optional_parameter":
        return ""
    if node.child_by_field_name("value") is not None:
        return ""
    return kind_of_type(annotation.named_children[0])


def kind_of_type(node: Node) -> str:
    """Return the kind of values that a type holds, or an empty string."""
    written = text(node)
    if written in {"string", "number", "boolean"}:
        return written
    if node.type == "array_type":
        inside = text(node.named_children[0])
        return f"array<{inside}>" if inside in {"string", "number", "boolean"} else "array"
    if node.type == "readonly_type":
        return kind_of_type(node.named_children[0])
    if node.type == "generic_type":
        name = text(field(node, "name"))
        return "array" if name in {"Array", "ReadonlyArray"} else ""
    return ""


def _bound(
    targets: Sequence[Node], values: Sequence[Term], state: State, then: Then, low: Lowering
) -> Tree:
    if not targets:
        return then(state)
    return objects.bind(
        targets[0],
        values[0],
        state,
        low,
        lambda s: _bound(targets[1:], values[1:], s, then, low),
    )


def _run(node: Node, state: State, control: Control, low: Lowering) -> Tree:
    statements, only = body_of(node)
    if only is not None:
        return low.value(only, state, control.returned)
    return low.block(statements, state, control, lambda s: control.returned(UNDEFINED, s))


def is_plain(node: Node, _low: Lowering) -> bool:
    """Return whether a call of this function does just what the body says."""
    if node.type not in FUNCTIONS or marks(node):
        return False
    if any(_is_rest(each) for each in parameters(node)):
        return False
    own = [each for each in walk(field(node, "body")) if each.type in FUNCTIONS]
    return not own and not any(each.type == "variable_declaration" for each in walk(node))


def entered(
    node: Node, values: tuple[Term, ...], state: State, then: WithValue, low: Lowering
) -> Tree:
    """Lower the body of a function that is called immediately."""
    given = parameters(node)
    if len(given) > len(values):
        raise UnsupportedError("a missing argument")

    def back(value: Value, s: State) -> Tree:
        return then(value, s)

    return _bound(
        given,
        values[: len(given)],
        state,
        lambda s: _body(node, s, back, low),
        low,
    )


def _body(node: Node, state: State, then: WithValue, low: Lowering) -> Tree:
    statements, only = body_of(node)
    if only is not None:
        return low.any(only, state, then)
    return low.block(statements, state, Control(then), lambda s: then(UNDEFINED, s))


def inlined(
    function: Node, given: Sequence[Node], state: State, then: WithValue, low: Lowering
) -> Tree | None:
    """Inline a call of a function of this program, or return None if the callee is unknown."""
    function = bare(function)
    if function.type != "identifier":
        return None
    name = low.names.of(function)
    value = state.names.get(name)
    nested = isinstance(value, tuple) and value[0] == "def"
    helper: Node | None = value[1] if nested else low.program.helpers.get(name)  # type: ignore[index]
    if helper is None or (helper.type == "arrow_function" and uses_own(helper)):
        return None
    if name in low.calls:
        raise UnsupportedError("a function that calls itself")
    if not is_plain(helper, low) or len(given) != len(parameters(helper)):
        if nested:
            raise UnsupportedError("a nested function")
        return None
    if any(each.type == "spread_element" for each in given):
        return None
    simple = all(
        bare(e.child_by_field_name("pattern") or e).type == "identifier"
        and e.child_by_field_name("value") is None
        for e in parameters(helper)
    )
    if not simple:
        return None

    def enter(values: tuple[Term, ...], s: State) -> Tree:
        low.calls.append(name)

        def back(result: Value, end: State) -> Tree:
            low.calls.pop()
            try:
                return then(result, end)
            finally:
                low.calls.append(name)

        try:
            return _bound(
                parameters(helper), values, s, lambda s2: _body(helper, s2, back, low), low
            )
        finally:
            low.calls.pop()

    return low.values(given, state, enter)
