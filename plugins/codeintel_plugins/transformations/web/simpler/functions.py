"""Functions that can be written in a shorter way."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from codeintel_plugins.transformations.web.modern.syntax import is_callback, needs_its_own
from codeintel_plugins.transformations.web.rules import Context, Piece, Rule, arguments
from codeintel_plugins.transformations.web.scopes import Binding, leaves
from codeintel_plugins.transformations.web.trees import child_of, text

_BEHIND = (b";", b")", b",", b"]", b"}")
_MAX_DEPTH = 3


def _arrow_body(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("arrow_function"):
        body = node.child_by_field_name("body")
        if body is None or body.type != "statement_block" or len(body.named_children) != 1:
            continue
        returned = body.named_children[0]
        if returned.type != "return_statement" or len(returned.named_children) != 1:
            continue
        value = returned.named_children[0]
        if value.start_point.row != value.end_point.row or _is_in_head(node):
            continue
        following = context.code[node.end_byte :].lstrip()[:1]
        if following not in _BEHIND or context.has_comment(body.start_byte, body.end_byte):
            continue
        code = text(value)
        wrapped = (
            f"({code})" if code.startswith("{") or value.type == "sequence_expression" else code
        )
        yield [Piece(body.start_byte, body.end_byte, wrapped)]


def _is_in_head(node: Node) -> bool:
    """Whether it stands in the head of a loop, where `in` would be read as a part of it."""
    inner, outer = node, node.parent
    while outer is not None:
        if outer.type in ("for_statement", "for_in_statement"):
            return outer.child_by_field_name("body") != inner
        inner, outer = outer, outer.parent
    return False


def _named_arrow(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("function_expression"):
        declarator = node.parent
        body, parameters = node.child_by_field_name("body"), node.child_by_field_name("parameters")
        if declarator is None or body is None or parameters is None:
            continue
        if declarator.type != "variable_declarator" or context.scopes.is_dynamic:
            continue
        binding = context.scopes.binding(declarator.children[0])
        if binding is None or binding.kind != "const" or not _is_only_called(binding, context):
            continue
        if declarator.parent is None or declarator.parent.parent is None:
            continue
        if declarator.parent.parent.type == "export_statement":
            continue
        if node.child_by_field_name("name") is not None or needs_its_own(node):
            continue
        names = [text(leaf) for each in parameters.named_children for leaf in leaves(each)]
        word = child_of(node, "function")
        begin = node.child_by_field_name("type_parameters") or parameters
        if word is None or len(set(names)) != len(names):
            continue
        if not context.has_comment(word.start_byte, body.start_byte):
            yield [
                Piece(word.start_byte, begin.start_byte, ""),
                Piece(body.start_byte, body.start_byte, "=> "),
            ]


def _is_only_called(binding: Binding, context: Context, depth: int = 0) -> bool:
    """Whether a function is only called, or handed to what only calls it: nobody makes objects with
    it, or looks at its prototype."""
    if depth > _MAX_DEPTH or binding.writes or len(binding.declared) != 1:
        return False
    for use in binding.uses:
        outer = use.node.parent
        if outer is None or use.node.type != "identifier":
            return False
        if outer.type == "call_expression" and outer.children[0] == use.node:
            continue
        if outer.type == "arguments" and outer.parent is not None:
            given = arguments(outer.parent)
            if given is not None and is_callback(use.node, outer.parent, context):
                continue
        if outer.type != "variable_declarator" or outer.children[0].type != "identifier":
            return False
        other = context.scopes.binding(outer.children[0])
        if other is None or not _is_only_called(other, context, depth + 1):
            return False
    return bool(binding.uses)


ARROW_BODY = Rule("arrow-body-style", "The value is returned without a block.", _arrow_body)
NAMED_ARROW = Rule("prefer-arrow-function", "A function without `this` is an arrow.", _named_arrow)
