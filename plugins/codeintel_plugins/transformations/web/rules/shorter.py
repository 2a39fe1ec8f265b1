"""Redundant code that can be removed, and functions that can be written shorter."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from codeintel_plugins.transformations.web.rules import Context, Piece, Rule, arguments
from codeintel_plugins.transformations.web.rules.blocks import dedented_by, is_broken
from codeintel_plugins.transformations.web.rules.syntax import is_callback, needs_its_own
from codeintel_plugins.transformations.web.scopes import FUNCTIONS, Binding, leaves
from codeintel_plugins.transformations.web.trees import child_of, text

_NAMED_BY_PLACE = frozenset(
    {"arrow_function", "function_expression", "class", "generator_function"}
)
_PLACES = frozenset({"statement_block", "program", "switch_case", "switch_default"})
_TYPED = ("variable_declarator", "required_parameter", "public_field_definition")
_INFERRED = {
    "number": ("number",),
    "string": ("string", "template_string"),
    "boolean": ("true", "false"),
}
_BEHIND = (b";", b")", b",", b"]", b"}")
_MAX_DEPTH = 3


def _immediate_return(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("return_statement"):
        declaration = node.prev_named_sibling
        if len(node.named_children) != 1 or node.named_children[0].type != "identifier":
            continue
        if declaration is None or declaration.type not in (
            *("lexical_declaration", "variable_declaration"),
        ):
            continue
        declarators = declaration.named_children
        if len(declarators) != 1 or declarators[0].type != "variable_declarator":
            continue
        name, value = (
            declarators[0].child_by_field_name("name"),
            declarators[0].child_by_field_name("value"),
        )
        binding = context.scopes.binding(node.named_children[0])
        if name is None or value is None or binding is None or context.scopes.is_dynamic:
            continue
        if binding.declared != [name] or len(binding.uses) != 1 or value.type in _NAMED_BY_PLACE:
            continue
        if context.has_comment(declaration.start_byte, node.end_byte) or not _is_typed_as_well(
            declarators[0], value, node, context
        ):
            continue
        end = ";" if text(node).endswith(";") else ""
        yield [
            Piece(declaration.start_byte, value.start_byte, "return "),
            Piece(value.end_byte, node.end_byte, end),
        ]


def _is_typed_as_well(declarator: Node, value: Node, node: Node, context: Context) -> bool:
    """Return whether the type checker infers the same about the value where it is returned."""
    if context.language != "typescript":
        return True
    if value.type in ("object", "array"):
        return False
    if declarator.child_by_field_name("type") is None:
        return True
    outer: Node | None = node
    while outer is not None and outer.type not in FUNCTIONS:
        outer = outer.parent
    returned = outer.child_by_field_name("return_type") if outer is not None else None
    return returned is not None and text(returned) == text(declarator.child_by_field_name("type"))


def _extra_parentheses(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("parenthesized_expression"):
        inner, outer = node.named_children, node.parent
        if len(inner) != 1 or outer is None or inner[0].type == "sequence_expression":
            continue
        if len(node.children) != 3 or node.start_point.row != node.end_point.row:
            continue
        if _is_value(node, outer) and not context.has_comment(node.start_byte, node.end_byte):
            before = context.code[node.start_byte - 1 : node.start_byte]
            space = " " if before.isalnum() or before in (b"_", b"$") else ""
            yield [
                Piece(node.start_byte, inner[0].start_byte, space),
                Piece(inner[0].end_byte, node.end_byte, ""),
            ]


def _is_value(node: Node, outer: Node) -> bool:
    """Return whether the node is the whole expression."""
    if outer.type == "parenthesized_expression":
        return node.named_children[0].type != "assignment_expression"  # that says: it is meant
    if outer.type in ("return_statement", "throw_statement"):
        return True
    if outer.type in ("variable_declarator", "public_field_definition", "field_definition"):
        return outer.child_by_field_name("value") == node
    if outer.type == "assignment_expression":
        return outer.child_by_field_name("right") == node
    simple = node.named_children[0].type in (
        *("identifier", "member_expression", "call_expression", "number", "string"),
        *("subscript_expression", "this"),
    )
    return simple and outer.type == "ternary_expression"


def _inferred_types(context: Context) -> Iterator[list[Piece]]:
    for node in context.each(*_TYPED):
        type_, value = node.child_by_field_name("type"), node.child_by_field_name("value")
        if type_ is None or value is None or len(type_.named_children) != 1:
            continue
        if value.type not in _INFERRED.get(text(type_.named_children[0]), ()):
            continue
        if context.has_comment(type_.start_byte, value.start_byte) or not _may_change(
            node, context
        ):
            continue
        yield [Piece(type_.start_byte, type_.end_byte, "")]


def _may_change(node: Node, context: Context) -> bool:
    """Return whether the type checker widens the type anyway. A constant has the type of its
    value."""
    if node.type == "public_field_definition":
        return child_of(node, "readonly") is None
    if node.type == "required_parameter":
        return True
    outer = node.parent
    binding = context.scopes.binding(node.children[0])
    if outer is None or binding is None or text(outer.children[0]) not in ("let", "var"):
        return False
    return bool(binding.writes)


def _lonely_if(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("else_clause"):
        block = node.named_children[-1]
        if block.type != "statement_block" or len(block.named_children) != 1:
            continue
        inner = block.named_children[0]
        outer = node.parent
        if inner.type != "if_statement" or outer is None:
            continue
        if context.has_comment(node.start_byte, inner.start_byte) or (
            context.has_comment(inner.end_byte, node.end_byte)
        ):
            continue
        while outer.parent is not None and outer.parent.type == "else_clause":
            outer = outer.parent.parent or outer
        if outer.parent is None or outer.parent.type not in _PLACES:
            continue  # another `else` behind it would belong to the inner condition
        if inner.start_point.row == inner.end_point.row:
            moved: str | None = text(inner)
        elif is_broken(inner):
            continue  # the spaces of its lines count
        else:
            moved = dedented_by(context, outer, inner, inner)
        if moved is not None:
            yield [Piece(block.start_byte, block.end_byte, moved)]


IMMEDIATE_RETURN = Rule("prefer-immediate-return", "Return the value directly.", _immediate_return)
EXTRA_PARENTHESES = Rule("no-extra-parens", "Remove unnecessary parentheses.", _extra_parentheses)
INFERRED_TYPES = Rule("no-inferrable-types", "Remove a type that can be inferred.", _inferred_types)
LONELY_IF = Rule("no-lonely-if", "Replace `else { if` with `else if`.", _lonely_if)


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
    """Return whether the node is in the head of a loop, where `in` would be parsed as a part of
    it."""
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
    """Return whether a function is only called, or passed to functions that only call it.

    The code does not create objects with it or inspect its prototype.
    """
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


ARROW_BODY = Rule("arrow-body-style", "Replace a function body with an expression.", _arrow_body)
NAMED_ARROW = Rule("prefer-arrow-function", "Use an arrow function.", _named_arrow)
