"""Expressions and comparisons that can say the same in a simpler way."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from codeintel_plugins.transformations.web.rules import (
    Context,
    Piece,
    Rule,
    arguments,
    grouped,
    replaced,
)
from codeintel_plugins.transformations.web.trees import text
from codeintel_plugins.transformations.web.type_inference import (
    BOOLEAN,
    NOTHING,
    NUMBER,
    RuntimeTypes,
)

_NAME = re.compile(r"[A-Za-z_$][\w$]*\Z")
_NEGATED = {"===": "!==", "!==": "===", "==": "!=", "!=": "=="}
_FLIPPED = {"===": "===", "!==": "!==", "==": "==", "!=": "!=", "<": ">", ">": "<"} | {
    "<=": ">=",
    ">=": "<=",
}
_LITERALS = frozenset({"string", "number", "null", "true", "false"})
_LOOSER = frozenset(
    {"ternary_expression", "assignment_expression", "augmented_assignment_expression"}
    | {"sequence_expression", "arrow_function", "yield_expression"}
)
_APART = frozenset({"variable_declarator", "return_statement", "arguments", "pair"})
_SIMPLE = frozenset(
    {"identifier", "string", "number", "array", "object", "true", "false", "call_expression"}
    | {"member_expression", "subscript_expression", "null", "template_string"}
)


def _boolean_ternary(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("ternary_expression"):
        parts = [each for each in node.named_children if each.type != "comment"]
        if len(parts) != 3 or context.has_comment(node.start_byte, node.end_byte):
            continue
        condition, one, other = parts
        if {one.type, other.type} != {"true", "false"}:
            continue
        if context.types.of(condition) == BOOLEAN:
            if one.type == "true":
                yield [Piece(condition.end_byte, node.end_byte, "")]
            elif node.parent is not None and node.parent.type in ("return_statement", "arguments"):
                yield replaced(node, f"!{grouped(condition)}")


def _double_negation(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("unary_expression"):
        inner = node.children[-1]
        if text(node.children[0]) != "!" or inner.type != "unary_expression":
            continue
        if text(inner.children[0]) != "!" or not _is_condition(node):
            continue
        value = inner.children[-1]
        if not context.has_comment(node.start_byte, value.start_byte):
            yield [Piece(node.start_byte, value.start_byte, "")]
    for call in context.each("call_expression"):
        function, given = call.child_by_field_name("function"), arguments(call)
        if function is None or given is None or len(given) != 1 or not _is_condition(call):
            continue
        if (context.scopes.is_global(function, "Boolean") and given[0].type not in _LOOSER) and (
            not context.has_comment(call.start_byte, call.end_byte)
        ):
            yield replaced(call, grouped(given[0]))


def _is_condition(node: Node) -> bool:
    """Return whether only the truth of a value counts."""
    outer = node.parent
    if outer is not None and outer.type == "parenthesized_expression" and outer.parent is not None:
        return outer.parent.type in ("if_statement", "while_statement", "do_statement") and (
            outer.parent.child_by_field_name("condition") == outer
        )
    return outer is not None and outer.type == "ternary_expression" and outer.children[0] == node


def _negated_comparison(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("unary_expression"):
        inner = node.children[-1]
        if text(node.children[0]) != "!" or inner.type != "parenthesized_expression":
            continue
        compared = inner.named_children
        if len(compared) != 1 or compared[0].type != "binary_expression":
            continue
        if len(compared[0].children) != 3:
            continue  # a comment is between them
        left, operator, right = compared[0].children
        negated = _NEGATED.get(text(operator))
        outer = node.parent
        if negated is None or outer is None or context.has_comment(node.start_byte, node.end_byte):
            continue
        if outer.type in ("binary_expression", "unary_expression", "await_expression"):
            if text(outer.children[1]) not in ("&&", "||"):
                continue
        elif outer.type not in (
            *("parenthesized_expression", "return_statement", "variable_declarator", "arguments"),
            *("assignment_expression", "arrow_function", "ternary_expression"),
        ):
            continue
        yield replaced(node, f"{text(left)} {negated} {text(right)}")


def _true_or_false(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("binary_expression"):
        left, operator, right = node.children[0], text(node.children[1]), node.children[-1]
        if right.type not in ("true", "false") or operator not in ("===", "!=="):
            continue
        if context.types.of(left) != BOOLEAN or context.has_comment(left.end_byte, node.end_byte):
            continue
        if (operator == "===") == (right.type == "true"):
            yield [Piece(left.end_byte, node.end_byte, "")]
        elif node.parent is not None and node.parent.type in (
            *("parenthesized_expression", "return_statement", "variable_declarator", "arguments"),
        ):
            yield replaced(node, f"!{grouped(left)}")


def _yoda(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("binary_expression"):
        left, operator, right = node.children[0], text(node.children[1]), node.children[-1]
        if left.type not in _LITERALS or operator not in _FLIPPED or right.type in _LITERALS:
            continue
        if right.type not in ("identifier", "member_expression", "call_expression"):
            continue
        if right.type != "identifier" and operator in ("<", ">", "<=", ">="):
            continue
        if not context.has_comment(node.start_byte, node.end_byte):
            yield replaced(node, f"{text(right)} {_FLIPPED[operator]} {text(left)}")


def _dot_notation(context: Context) -> Iterator[list[Piece]]:
    if context.language == "typescript":
        return  # its checker tells them apart
    for node in context.each("subscript_expression"):
        object_, index = node.child_by_field_name("object"), node.child_by_field_name("index")
        if object_ is None or index is None or index.type != "string" or len(node.children) != 4:
            continue
        name = text(index)[1:-1]
        if not _NAME.match(name) or object_.type in ("number", "super"):
            continue
        if not context.has_comment(object_.end_byte, node.end_byte):
            yield [Piece(object_.end_byte, node.end_byte, f".{name}")]


def _undefined(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("variable_declarator"):
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or value is None or name.type != "identifier" or node.parent is None:
            continue
        binding = context.scopes.binding(name)
        if binding is None or not binding.writes:
            continue  # it becomes a constant, which needs a value
        end = node.child_by_field_name("type") or name
        if (text(node.parent.children[0]) == "let" and text(value) == "undefined") and (
            not context.has_comment(end.end_byte, node.end_byte)
        ):
            yield [Piece(end.end_byte, node.end_byte, "")]


BOOLEAN_TERNARY = Rule(
    "no-unneeded-ternary", "Replace a ternary with its condition.", _boolean_ternary
)
DOUBLE_NEGATION = Rule("no-extra-boolean-cast", "Remove a conversion to boolean.", _double_negation)
NEGATED = Rule(
    "no-negated-comparison", "Use the opposite comparison operator.", _negated_comparison
)
TRUE_OR_FALSE = Rule(
    "no-boolean-literal-compare", "Remove a comparison with a boolean.", _true_or_false
)
YODA = Rule("no-yoda", "Move the literal to the right of a comparison.", _yoda)
DOT = Rule("dot-notation", "Access the property with a dot.", _dot_notation)
UNDEFINED = Rule("no-undef-init", "Remove the initial value `undefined`.", _undefined)


def _strict_equality(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("binary_expression"):
        if len(node.children) != 3:
            continue
        left, operator, right = node.children
        if text(operator) not in ("==", "!="):
            continue
        one, other = context.types.of(left), context.types.of(right)
        if one is None or other is None or one <= NOTHING or other <= NOTHING:
            continue  # callers without arguments may expect it despite the type
        if _is_same(one, other):
            yield [Piece(operator.start_byte, operator.end_byte, f"{text(operator)}=")]


def _is_same(one: RuntimeTypes, other: RuntimeTypes) -> bool:
    """Return whether no two such values are equal only because of conversion.

    Null and undefined are equal, and so are some primitive values of different kinds. Null and
    undefined do not equal any other value.
    """
    return all(
        left == right or ((left in NOTHING) != (right in NOTHING))
        for left in one
        for right in other
    )


def _default(context: Context) -> Iterator[list[Piece]]:
    """`x ? x : y`, and `x === undefined ? y : x` where it cannot be null."""
    for node in context.each("ternary_expression"):
        parts = [each for each in node.named_children if each.type != "comment"]
        outer = node.parent
        if len(parts) != 3 or outer is None or outer.type not in _APART:
            continue
        condition, one, other = parts
        while condition.type == "parenthesized_expression" and len(condition.named_children) == 1:
            condition = condition.named_children[0]
        if context.has_comment(node.start_byte, node.end_byte) or _is_broken(node):
            continue
        if condition.type != "identifier" or text(condition) != text(one):
            continue
        if other.type in _SIMPLE and _is_known(one, context):
            yield replaced(node, f"{text(one)} || {text(other)}")


def _missing(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("ternary_expression"):
        parts = [each for each in node.named_children if each.type != "comment"]
        outer = node.parent
        if len(parts) != 3 or outer is None or outer.type not in _APART:
            continue
        condition, one, other = parts
        while condition.type == "parenthesized_expression" and len(condition.named_children) == 1:
            condition = condition.named_children[0]
        if condition.type != "binary_expression" or len(condition.children) != 3:
            continue
        left, operator, right = condition.children
        if text(operator) not in ("===", "!==") or left.type != "identifier":
            continue
        value, default = (other, one) if text(operator) == "===" else (one, other)
        if text(value) != text(left) or default.type not in _SIMPLE or _is_broken(node):
            continue
        of = context.types.of(left)
        if of is None or of & NOTHING != context.types.of(right):
            continue
        if not context.has_comment(node.start_byte, node.end_byte):
            yield replaced(node, f"{text(left)} ?? {text(default)}")


def _assign_missing(context: Context) -> Iterator[list[Piece]]:
    """`if (!x) x = y;`, and `if (x === undefined) x = y;` where it cannot be null."""
    for node in context.each("if_statement"):
        condition, one = (
            node.child_by_field_name("condition"),
            node.child_by_field_name("consequence"),
        )
        if condition is None or one is None or node.child_by_field_name("alternative") is not None:
            continue
        if len(condition.named_children) != 1 or _is_alternative(node):
            continue
        if one.type == "statement_block":
            if len(one.named_children) != 1:
                continue
            one = one.named_children[0]
        if one.type != "expression_statement" or not text(one).endswith(";"):
            continue
        assigned = one.named_children[0]
        left = assigned.child_by_field_name("left")
        right = assigned.child_by_field_name("right")
        if assigned.type != "assignment_expression" or left is None or right is None:
            continue
        operator = _operator(condition.named_children[0], left, context)
        if operator and not context.has_comment(node.start_byte, node.end_byte):
            pieces = [
                Piece(node.start_byte, left.start_byte, ""),
                Piece(left.end_byte, right.start_byte, f" {operator} "),
                Piece(one.end_byte, node.end_byte, ""),
            ]
            yield [piece for piece in pieces if piece.start < piece.end]


def _operator(condition: Node, left: Node, context: Context) -> str:
    if left.type != "identifier" or not _is_known(left, context):
        return ""
    if condition.type == "unary_expression" and text(condition.children[0]) == "!":
        return "||=" if text(condition.children[-1]) == text(left) else ""
    if condition.type != "binary_expression" or len(condition.children) != 3:
        return ""
    first, operator, second = condition.children
    if text(first) != text(left) or first.type != "identifier":
        return ""
    asked = context.types.of(second)
    if text(operator) == "==" and asked is not None and asked <= NOTHING:
        return "??="
    of = context.types.of(left)
    same = of is not None and asked is not None and bool(asked) and of & NOTHING == asked
    return "??=" if text(operator) == "===" and same else ""


def _is_known(name: Node, context: Context) -> bool:
    binding = context.scopes.binding(name)
    return binding is not None and binding.kind in ("var", "let", "const", "parameter")


def _is_alternative(node: Node) -> bool:
    return node.parent is not None and node.parent.type == "else_clause"


def _is_broken(node: Node) -> bool:
    return node.start_point.row != node.end_point.row


def _number_checks(context: Context) -> Iterator[list[Piece]]:
    """`isNaN(number)`, which need not convert."""
    for call in context.each("call_expression"):
        function, given = (
            call.child_by_field_name("function"),
            call.child_by_field_name("arguments"),
        )
        if function is None or given is None or len(given.named_children) != 1:
            continue
        if not context.scopes.is_global(function, "isNaN", "isFinite"):
            continue
        if any(binding.name == "Number" for binding in context.scopes.bindings):
            continue
        if context.types.of(given.named_children[0]) == NUMBER:
            yield [Piece(function.start_byte, function.start_byte, "Number.")]


STRICT_EQUALITY = Rule(
    "strict-equality", "Use strict equality for values of the same type.", _strict_equality
)
DEFAULT = Rule("prefer-logical-or", "Replace a ternary with `||`.", _default)
MISSING = Rule("prefer-nullish-default", "Replace a null check with `??`.", _missing)
ASSIGN_MISSING = Rule("logical-assignment", "Use a logical assignment operator.", _assign_missing)
NUMBER_CHECKS = Rule("prefer-number-checks", "Use the function of `Number`.", _number_checks)
