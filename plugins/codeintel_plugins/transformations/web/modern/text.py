"""Joined strings that can be templates."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from codeintel_plugins.transformations.web.rules import Context, Piece, Rule, replaced
from codeintel_plugins.transformations.web.trees import text
from codeintel_plugins.transformations.web.type_inference.declared import STRING

_OCTAL = re.compile(r"\\[0-9]")
_TOKEN = re.compile(r"\\(?P<escaped>.)|(?P<own>`|\$(?=\{|\Z))", re.DOTALL)


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
    """Whether it is a part of a template already: one within another is hard to read."""
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
    """The template, if the first or second operand is a string: then all are joined from left to
    right. Each other one has to be a primitive value, which has one text only."""
    first = [context.sorts.of(operand) for operand in operands[:2]]
    if STRING not in first or not all(map(context.sorts.is_primitive, operands)):
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
    """A token of a string as templates have it."""
    if token["own"]:
        return f"\\{token['own']}"
    return token["escaped"] if token["escaped"] in "'\"" else token[0]


PREFER_TEMPLATE = Rule("prefer-template", "Joined strings become a template.", _prefer_template)
