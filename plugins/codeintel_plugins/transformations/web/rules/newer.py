"""Calls and joined strings for which the language has something newer."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from codeintel_plugins.transformations.web.rules import (
    Context,
    Piece,
    Rule,
    arguments,
    begins_statement,
    grouped,
    method_of,
    replaced,
)
from codeintel_plugins.transformations.web.scopes import is_written
from codeintel_plugins.transformations.web.trees import text
from codeintel_plugins.transformations.web.type_inference import ARRAY, STRING

_FOUND = {("!==", "-1"), ("!=", "-1"), (">", "-1"), (">=", "0")}
_MISSING = {("===", "-1"), ("==", "-1"), ("<", "0")}
_LAST = re.compile(r"(.+)\.length - ([1-9][0-9]?)")
_BASES = frozenset(
    {"identifier", "member_expression", "call_expression", "number", "parenthesized_expression"}
)
_TIGHTER = frozenset(
    {"unary_expression", "await_expression", "update_expression", "as_expression"}
    | {"member_expression", "subscript_expression", "call_expression", "new_expression"}
    | {"non_null_expression", "satisfies_expression", "type_assertion"}
)
_OCTAL = re.compile(r"\\[0-9]")
_TOKEN = re.compile(r"\\(?P<escaped>.)|(?P<own>`|\$(?=\{|\Z))", re.DOTALL)


def _prefer_includes(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("binary_expression"):
        call, operator, right = node.children[0], text(node.children[1]), text(node.children[2])
        found = method_of(call)
        given = arguments(call)
        if found is None or found[1] != "indexOf" or given is None or len(given) != 1:
            continue
        if not _finds_the_same(found[0], given[0], context):
            continue
        name = call.child_by_field_name("function")
        property_ = name.child_by_field_name("property") if name is not None else None
        if property_ is None or (operator, right) not in _FOUND | _MISSING:
            continue
        pieces = [
            Piece(property_.start_byte, property_.end_byte, "includes"),
            Piece(call.end_byte, node.end_byte, ""),
        ]
        if (operator, right) in _MISSING:
            pieces.insert(0, Piece(node.start_byte, node.start_byte, "!"))
        if not context.has_comment(call.end_byte, node.end_byte):
            yield pieces


def _finds_the_same(where: Node, what: Node, context: Context) -> bool:
    """Return whether `includes` finds the same values as `indexOf`.

    In an array, only `includes` finds NaN. In a string, only `indexOf` takes regular expressions.
    """
    of = context.types.of_object(where)
    if of == STRING:
        return context.types.is_primitive(what)
    literal = what.type in ("number", "true", "false", "null")
    return of == ARRAY and (literal or context.types.of(what) == STRING)


def _prefer_exponent(context: Context) -> Iterator[list[Piece]]:
    for call in context.each("call_expression"):
        found, given = method_of(call), arguments(call)
        if found is None or given is None or len(given) != 2 or found[1] != "pow":
            continue
        if not context.scopes.is_global(found[0], "Math"):
            continue
        outer = call.parent
        if outer is None or outer.type in _TIGHTER or _is_power(outer):
            continue
        if context.has_comment(call.start_byte, call.end_byte):
            continue
        base = text(given[0]) if given[0].type in _BASES else f"({text(given[0])})"
        yield replaced(call, f"{base} ** {grouped(given[1])}")


def _is_power(node: Node) -> bool:
    return node.type == "binary_expression" and text(node.children[1]) == "**"


def _prefer_spread_object(context: Context) -> Iterator[list[Piece]]:
    for call in context.each("call_expression"):
        found, given = method_of(call), arguments(call)
        if found is None or not given or len(given) < 2 or found[1] != "assign":
            continue
        if not context.scopes.is_global(found[0], "Object") or text(given[0]) != "{}":
            continue
        if begins_statement(call) or context.has_comment(call.start_byte, call.end_byte):
            continue
        # All are evaluated before the first is copied, which only names do not notice.
        if all(each.type in ("identifier", "this") for each in given[1:]):
            yield replaced(call, "{ " + ", ".join(f"...{text(each)}" for each in given[1:]) + " }")


def _prefer_has_own(context: Context) -> Iterator[list[Piece]]:
    for call in context.each("call_expression"):
        found, given = method_of(call), arguments(call)
        if found is None or given is None or len(given) != 2 or found[1] != "call":
            continue
        owner = found[0]
        if text(owner) not in ("Object.prototype.hasOwnProperty", "{}.hasOwnProperty"):
            continue
        if "Object" in context.scopes.root.names or any(
            binding.name == "Object" for binding in context.scopes.bindings
        ):
            continue
        function = call.child_by_field_name("function")
        if function is not None and not begins_statement(call):
            yield [Piece(function.start_byte, function.end_byte, "Object.hasOwn")]


def _prefer_at(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("subscript_expression"):
        object_, index = node.child_by_field_name("object"), node.child_by_field_name("index")
        if object_ is None or index is None or is_written(node):
            continue
        if object_.type != "identifier" and text(object_.children[0]) != "this":
            continue
        outer = node.parent
        if outer is None or outer.type == "unary_expression" or _is_target(node, outer):
            continue
        if context.language == "typescript" and not _may_be_undefined(outer):
            continue
        known = context.types.of_object(object_) in (ARRAY, STRING)
        last = _LAST.fullmatch(" ".join(text(index).split()))
        if known and len(node.children) == 4 and last and last[1] == text(object_):
            yield [Piece(object_.end_byte, node.end_byte, f".at(-{last[2]})")]


def _may_be_undefined(outer: Node) -> bool:
    """Return whether the type checker permits undefined at this position, which is a possible
    result of `at`."""
    if outer.type != "binary_expression":
        return outer.type in ("parenthesized_expression", "template_substitution")
    operator = text(outer.child_by_field_name("operator"))
    return operator in ("===", "!==", "==", "!=", "&&", "??")


def _is_target(node: Node, outer: Node) -> bool:
    """Return whether the node is called or assigned to, possibly through a pattern or an
    assertion."""
    if outer.type in ("call_expression", "new_expression", "update_expression", "for_in_statement"):
        return outer.children[0] == node or outer.type != "call_expression"
    if outer.type in ("assignment_expression", "augmented_assignment_expression"):
        return outer.children[0] == node
    return outer.type in ("array", "array_pattern", "pair", "pair_pattern", "rest_pattern") or (
        outer.type in ("non_null_expression", "parenthesized_expression", "as_expression")
        or outer.type in ("assignment_pattern", "spread_element", "template_string")
    )


def _prefer_literal(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("new_expression"):
        constructor, given = node.child_by_field_name("constructor"), arguments(node)
        if constructor is None or given is None or given:
            continue
        if context.has_comment(node.start_byte, node.end_byte):
            continue
        if node.child_by_field_name("type_arguments") is not None or begins_statement(node):
            continue
        if context.scopes.is_global(constructor, "Array", "Object"):
            outer = node.parent
            if outer is not None and outer.type not in ("member_expression", "call_expression"):
                yield replaced(node, "[]" if text(constructor) == "Array" else "{}")


PREFER_INCLUDES = Rule("prefer-includes", "Use `includes`.", _prefer_includes)
PREFER_EXPONENT = Rule("prefer-exponentiation", "Replace `Math.pow` with `**`.", _prefer_exponent)
PREFER_OBJECT_SPREAD = Rule(
    "prefer-object-spread", "Replace `Object.assign` with a spread.", _prefer_spread_object
)
PREFER_HAS_OWN = Rule("prefer-object-has-own", "Use `Object.hasOwn`.", _prefer_has_own)
PREFER_AT = Rule("prefer-at", "Read the last element with `at(-1)`.", _prefer_at)
PREFER_LITERAL = Rule("prefer-literals", "Use an array or object literal.", _prefer_literal)


def _prefer_template(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("binary_expression"):
        if not _is_sum(node) or (node.parent is not None and _is_sum(node.parent)):
            continue
        operands = _operands(node)
        joined = _joined(operands, context) if not _is_in_template(node) else None
        if joined is None or node.start_point.row != node.end_point.row:
            continue
        if not context.has_comment(node.start_byte, node.end_byte):
            yield replaced(node, joined)


def _is_sum(node: Node) -> bool:
    return node.type == "binary_expression" and text(node.child_by_field_name("operator")) == "+"


def _is_in_template(node: Node) -> bool:
    """Return whether the node is part of a template. Nested templates are hard to read."""
    outer = node.parent
    while outer is not None and outer.type not in ("statement_block", "program"):
        if outer.type == "template_substitution":
            return True
        outer = outer.parent
    return False


def _operands(node: Node) -> list[Node]:
    found: list[Node] = []
    while _is_sum(node):
        found.append(node.children[2])
        node = node.children[0]
    return [node, *reversed(found)]


def _joined(operands: list[Node], context: Context) -> str | None:
    """Return the template, if the first or second operand is a string: then all are joined from
    left to right. Each other one has to be a primitive value, which has one text only."""
    first = [context.types.of(operand) for operand in operands[:2]]
    if STRING not in first or not all(map(context.types.is_primitive, operands)):
        return None
    literals = sum(operand.type == "string" for operand in operands)
    if literals == 0 or literals == len(operands):
        return None
    parts = [_part(operand) for operand in operands]
    return None if None in parts else f"`{''.join(part or '' for part in parts)}`"


def _part(operand: Node) -> str | None:
    code = text(operand)
    if operand.type == "string":
        inner = code[1:-1]
        if _OCTAL.search(inner) or "\n" in inner or "\r" in inner:
            return None
        return _TOKEN.sub(_in_template, inner)
    if operand.type == "template_string":
        inner = code[1:-1]
        return None if inner.endswith("$") else inner
    while operand.type == "parenthesized_expression" and len(operand.named_children) == 1:
        operand = operand.named_children[0]
    code = text(operand)
    return None if "`" in code or "\n" in code or "{" in code else f"${{{code}}}"


def _in_template(token: re.Match[str]) -> str:
    """Return a token of a string as templates have it."""
    if token["own"]:
        return f"\\{token['own']}"
    return token["escaped"] if token["escaped"] in "'\"" else token[0]


PREFER_TEMPLATE = Rule("prefer-template", "Use a template literal.", _prefer_template)
