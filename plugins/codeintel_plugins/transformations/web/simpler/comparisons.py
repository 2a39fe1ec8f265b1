"""Comparisons that convert nothing, and values that stand for missing ones."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from codeintel_plugins.transformations.web.rules import Context, Piece, Rule, replaced
from codeintel_plugins.transformations.web.trees import text
from codeintel_plugins.transformations.web.type_inference.declared import NOTHING, NUMBER, Sorts

_APART = frozenset({"variable_declarator", "return_statement", "arguments", "pair"})
_SIMPLE = frozenset(
    {"identifier", "string", "number", "array", "object", "true", "false", "call_expression"}
    | {"member_expression", "subscript_expression", "null", "template_string"}
)


def _strict_equality(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("binary_expression"):
        if len(node.children) != 3:
            continue
        left, operator, right = node.children
        if text(operator) not in ("==", "!="):
            continue
        one, other = context.sorts.of(left), context.sorts.of(right)
        if one is None or other is None or one <= NOTHING or other <= NOTHING:
            continue  # whoever asks for nothing may expect it in spite of the type
        if _is_same(one, other):
            yield [Piece(operator.start_byte, operator.end_byte, f"{text(operator)}=")]


def _is_same(one: Sorts, other: Sorts) -> bool:
    """Whether no two such values are equal only because they are converted: null and undefined
    are, and primitive values of different sorts, but nothing else is equal to nothing."""
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
        of = context.sorts.of(left)
        if of is None or of & NOTHING != context.sorts.of(right):
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
    asked = context.sorts.of(second)
    if text(operator) == "==" and asked is not None and asked <= NOTHING:
        return "??="
    of = context.sorts.of(left)
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
        if context.sorts.of(given.named_children[0]) == NUMBER:
            yield [Piece(function.start_byte, function.start_byte, "Number.")]


STRICT_EQUALITY = Rule(
    "strict-equality", "Both are of one kind, so nothing has to be converted.", _strict_equality
)
DEFAULT = Rule("prefer-logical-or", "`||` takes the first that is something.", _default)
MISSING = Rule("prefer-nullish-default", "`??` asks whether there is a value.", _missing)
ASSIGN_MISSING = Rule(
    "logical-assignment", "The operator assigns only if it has to.", _assign_missing
)
NUMBER_CHECKS = Rule("prefer-number-checks", "`Number` has it, without converting.", _number_checks)
