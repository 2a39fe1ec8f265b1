"""Lower operators and conditions."""

from __future__ import annotations

import ast
from collections.abc import Callable

from tree_sitter import Node

from codeintel.engine.equivalence.javascript_paths import arrays
from codeintel.engine.equivalence.javascript_paths.lowering import (
    FALSE,
    NULL,
    PRIMITIVE,
    TRUE,
    UNDEFINED,
    Lowering,
    number,
    string,
)
from codeintel.engine.equivalence.javascript_paths.source import bare, field, text
from codeintel.engine.equivalence.path_trees import (
    State,
    Term,
    Then,
    Tree,
    UnsupportedError,
    WithValue,
    kind_of,
)

_ARITHMETIC = frozenset({"-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", ">>>"})


_MIRRORED = {">": "<", ">=": "<="}


_ASKING = frozenset({"===", "!==", "==", "!=", "!", "&&", "||"})


def binary(node: Node, state: State, then: WithValue, low: Lowering) -> Tree:
    """Lower `a + b`, `a && b` and similar expressions to their value."""
    operator = text(field(node, "operator"))
    left, right = field(node, "left"), field(node, "right")
    if operator in {"&&", "||", "??"}:
        return _joint(operator, left, right, state, then, low)
    if operator in _ASKING:
        return low.test(node, state, lambda s: then(TRUE, s), lambda s: then(FALSE, s))
    return low.value(
        left,
        state,
        lambda a, s: low.value(right, s, lambda b, s2: calculated(operator, a, b, s2, then, low)),
    )


def _joint(
    operator: str, left: Node, right: Node, state: State, then: WithValue, low: Lowering
) -> Tree:
    def decide(value: Term, s: State) -> Tree:
        def stop(s2: State) -> Tree:
            return then(value, s2)

        def on(s2: State) -> Tree:
            return low.any(right, s2, then)

        if operator == "??":
            return low.nullish(value, s, on, stop)
        return low.truth(value, s, on, stop) if operator == "&&" else low.truth(value, s, stop, on)

    return low.value(left, state, decide)


def calculated(
    operator: str, a: Term, b: Term, state: State, then: WithValue, low: Lowering
) -> Tree:
    """Compute a binary operation."""
    kinds = {kind_of(a), kind_of(b)}
    if operator == "+":
        if "string" in kinds and kinds <= PRIMITIVE:
            return as_text(
                a,
                state,
                lambda x, s: as_text(b, s, lambda y, s2: then(joined([x, y]), s2), low),
                low,
            )
        if kinds == {"number"}:
            return then(("op", "+", a, b, "number"), state)
        kind = "string" if "string" in kinds else ""
        return low.machine.read("+", (a, b), state, then, kind)
    if operator in _ARITHMETIC:
        if kinds == {"number"}:
            return then(("op", operator, a, b, "number"), state)
        return low.machine.read(operator, (a, b), state, then)
    if operator in _MIRRORED:
        operator, a, b = _MIRRORED[operator], b, a
    if operator in {"<", "<="}:
        if kinds == {"number"} or kinds == {"string"}:
            return then(("op", operator, a, b, "boolean"), state)
        return low.machine.read(operator, (a, b), state, then, "boolean")
    if operator in {"instanceof", "in", "==", "!="}:
        return low.machine.read(operator, (a, b), state, then, "boolean")
    raise UnsupportedError(operator)


def as_text(value: Term, state: State, then: Callable[[Term, State], Tree], low: Lowering) -> Tree:
    """Convert a value to text as `${...}` does.

    For an object, that is the result of its `toString`.
    """
    kind = kind_of(value)
    if kind == "string":
        return then(value, state)
    if kind in PRIMITIVE:
        return then(("op", "text", value, "string"), state)
    return low.machine.read("text", (value,), state, then, "string")


def joined(terms: list[Term]) -> Term:
    """Concatenate strings, and merge adjacent constants."""
    flat: list[Term] = []
    for term in terms:
        inner = list(term[2:-1]) if term[0] == "op" and term[1] == "joined" else [term]
        for each in inner:
            if each == string(""):
                continue
            last = flat[-1] if flat else None
            if last is not None and last[0] == each[0] == "c":
                flat[-1] = string(_unquoted(last) + _unquoted(each))
            else:
                flat.append(each)
    if not flat:
        return string("")
    if len(flat) == 1:
        return flat[0]
    return ("op", "joined", *flat, "string")


def _unquoted(term: Term) -> str:
    return str(ast.literal_eval(term[2]))


def unary(node: Node, state: State, then: WithValue, low: Lowering) -> Tree:
    """Lower `-a`, `!a` and similar expressions to their value."""
    operator = text(field(node, "operator"))
    if operator == "!":
        return low.test(
            field(node, "argument"), state, lambda s: then(FALSE, s), lambda s: then(TRUE, s)
        )
    if operator == "delete":
        raise UnsupportedError("delete")

    def go(value: Term, s: State) -> Tree:
        if operator == "typeof":
            return then(("op", "typeof", value, "string"), s)
        if operator == "void":
            return then(UNDEFINED, s)
        if value[:2] == ("c", "number") and operator == "-":
            return then(number(-float(value[2])), s)
        if kind_of(value) == "number":
            return then(value if operator == "+" else ("op", operator, value, "number"), s)
        kind = "number" if operator == "+" else ""
        return low.machine.read(f"unary {operator}", (value,), s, then, kind)

    argument = bare(field(node, "argument"))
    if operator == "typeof" and argument.type == "identifier" and not low.names.of(argument):
        return then(("op", "typeof name", text(argument), "string"), state)
    return low.value(argument, state, go)


def choice(node: Node, state: State, then: WithValue, low: Lowering) -> Tree:
    """Lower `a ? b : c` to its value."""
    return low.test(
        field(node, "condition"),
        state,
        lambda s: low.any(field(node, "consequence"), s, then),
        lambda s: low.any(field(node, "alternative"), s, then),
    )


def ask(node: Node, state: State, yes: Then, no: Then, low: Lowering) -> Tree:
    """Branch on whether an expression is true."""
    node = bare(node)
    if node.type == "unary_expression" and text(field(node, "operator")) == "!":
        return low.test(field(node, "argument"), state, no, yes)
    if node.type == "ternary_expression":
        return low.test(
            field(node, "condition"),
            state,
            lambda s: low.test(field(node, "consequence"), s, yes, no),
            lambda s: low.test(field(node, "alternative"), s, yes, no),
        )
    if node.type == "call_expression":
        searched = arrays.searched(node, state, yes, no, low)
        if searched is not None:
            return searched
    if node.type == "binary_expression":
        operator = text(field(node, "operator"))
        left, right = field(node, "left"), field(node, "right")
        if operator == "&&":
            return low.test(left, state, lambda s: low.test(right, s, yes, no), no)
        if operator == "||":
            return low.test(left, state, yes, lambda s: low.test(right, s, yes, no))
        if operator in {"===", "!==", "==", "!="}:
            if operator in {"!==", "!="}:
                yes, no = no, yes
            return low.values(
                [left, right],
                state,
                lambda vs, s: _equal(len(operator) == 3, vs[0], vs[1], s, yes, no, low),
            )
    return low.any(node, state, lambda v, s: low.truth(v, s, yes, no))


def _equal(
    strict: bool, a: Term, b: Term, state: State, yes: Then, no: Then, low: Lowering
) -> Tree:
    """Branch on `===`, or on `==` with its rules for primitives, null and undefined."""
    if strict or (kind_of(a) == kind_of(b) and kind_of(a) in PRIMITIVE):
        return low.same(a, b, state, yes, no)
    if b in {NULL, UNDEFINED}:
        return low.nullish(a, state, yes, no)
    if a in {NULL, UNDEFINED}:
        return low.nullish(b, state, yes, no)
    return low.machine.read("==", (a, b), state, lambda v, s: low.truth(v, s, yes, no), "boolean")
