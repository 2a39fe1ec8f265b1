"""Simpler ways to say the same."""

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
from codeintel_plugins.transformations.web.type_inference.declared import BOOLEAN

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


def _boolean_ternary(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("ternary_expression"):
        parts = [each for each in node.named_children if each.type != "comment"]
        if len(parts) != 3 or context.has_comment(node.start_byte, node.end_byte):
            continue
        condition, one, other = parts
        if {one.type, other.type} != {"true", "false"}:
            continue
        if context.sorts.of(condition) == BOOLEAN:
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
    """Whether only the truth of a value counts."""
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
            continue  # a comment stands in between
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
        if context.sorts.of(left) != BOOLEAN or context.has_comment(left.end_byte, node.end_byte):
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
    "no-unneeded-ternary", "The condition is the value already.", _boolean_ternary
)
DOUBLE_NEGATION = Rule(
    "no-extra-boolean-cast", "A condition needs no conversion.", _double_negation
)
NEGATED = Rule("no-negated-comparison", "The opposite comparison says it.", _negated_comparison)
TRUE_OR_FALSE = Rule(
    "no-boolean-literal-compare", "A boolean need not be compared.", _true_or_false
)
YODA = Rule("no-yoda", "What is compared comes first.", _yoda)
DOT = Rule("dot-notation", "A property with a name is reached with a dot.", _dot_notation)
UNDEFINED = Rule("no-undef-init", "It is undefined without being told.", _undefined)
