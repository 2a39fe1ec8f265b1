"""What can be left out."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from codeintel_plugins.transformations.web.rules import Context, Piece, Rule
from codeintel_plugins.transformations.web.scopes import FUNCTIONS
from codeintel_plugins.transformations.web.simpler.blocks import dedented_by, is_broken
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
    """Whether the checker knows as much of the value where it is returned."""
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
    """Whether it is all that stands there."""
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
    """Whether the checker takes it as the wide type anyway: a constant is its value."""
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


IMMEDIATE_RETURN = Rule(
    "prefer-immediate-return", "What is returned at once needs no name.", _immediate_return
)
EXTRA_PARENTHESES = Rule(
    "no-extra-parens", "Nothing else is there to be kept apart.", _extra_parentheses
)
INFERRED_TYPES = Rule("no-inferrable-types", "The value tells the type.", _inferred_types)
LONELY_IF = Rule("no-lonely-if", "A condition behind `else` needs no block.", _lonely_if)
