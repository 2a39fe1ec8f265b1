"""Conditions and blocks that can be flatter."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from codeintel_plugins.transformations.web.rules import Context, Piece, Rule, grouped
from codeintel_plugins.transformations.web.scopes import FUNCTIONS
from codeintel_plugins.transformations.web.trees import listed, text
from codeintel_plugins.transformations.web.type_inference import BOOLEAN

_LEAVING = frozenset({"return_statement", "throw_statement"})
_DECLARING = listed(
    """
    lexical_declaration class_declaration function_declaration
    generator_function_declaration type_alias_declaration interface_declaration
    enum_declaration abstract_class_declaration
    """
)
_JOINED = frozenset({"&&", "===", "!==", "==", "!=", "<", ">", "<=", ">=", "+", "-", "*", "in"})


def _else_return(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("if_statement"):
        one = node.child_by_field_name("consequence")
        alternative = node.child_by_field_name("alternative")
        first = _beginning(node)
        if one is None or alternative is None or first is None or not _is_in_block(first):
            continue
        block = alternative.named_children[-1]
        if context.has_comment(one.end_byte, block.start_byte):
            continue
        if block.type != "statement_block":
            continue
        inner = block.named_children
        if not inner or any(each.type in _DECLARING for each in inner):
            continue
        if inner[0].start_point.row == block.start_point.row or is_broken(block):
            continue
        body = _dedented(context, first, block, inner)
        if body is not None:
            yield [Piece(one.end_byte, alternative.end_byte, body)]


def _beginning(node: Node) -> Node | None:
    """Return the first condition of a chain, if nothing behind the chain is reached from what it
    and the others up to this one lead to."""
    while True:
        one = node.child_by_field_name("consequence")
        if one is None or not _leaves(one):
            return None
        outer = node.parent
        if outer is None or outer.type != "else_clause" or outer.parent is None:
            return node
        node = outer.parent


def _leaves(node: Node) -> bool:
    """Return whether a statement never continues with the statement after it."""
    if node.type in _LEAVING:
        return True
    inner = [each for each in node.named_children if each.type != "comment"]
    return node.type == "statement_block" and bool(inner) and inner[-1].type in _LEAVING


def _is_in_block(node: Node) -> bool:
    return node.parent is not None and node.parent.type in ("statement_block", "program")


def is_broken(node: Node) -> bool:
    """Return whether the node contains a multi-line text, whose spaces count."""
    stack = [node]
    while stack:
        each = stack.pop()
        if each.type in ("template_string", "string", "jsx_text", "comment") and (
            each.start_point.row != each.end_point.row
        ):
            return True
        stack.extend(each.children)
    return False


def _dedented(context: Context, node: Node, block: Node, inner: list[Node]) -> str | None:
    """Return the block's lines, as far in as the condition."""
    outer = indentation(context, node)
    depth = indentation(context, inner[0])
    if outer is None or depth is None or not depth.startswith(outer):
        return None
    end = "\r\n" if b"\r\n" in context.code else "\n"
    content = context.code[block.start_byte + 1 : block.end_byte - 1].decode()
    lines = content.split(end)
    if any(line.strip() and not line.startswith(depth) for line in lines[1:]) or lines[0].strip():
        return None
    moved = [outer + line[len(depth) :] if line.strip() else "" for line in lines[1:-1]]
    return end + end.join(moved) if not lines[-1].strip() else None


def indentation(context: Context, node: Node) -> str | None:
    """Return the indentation of a node, if only white space precedes it on its line."""
    start = max(context.code.rfind(b"\n", 0, node.start_byte), -1) + 1
    before = context.code[start : node.start_byte].decode()
    return before if not before.strip() else None


def _boolean_return(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("if_statement"):
        condition, one = (
            node.child_by_field_name("condition"),
            node.child_by_field_name("consequence"),
        )
        if condition is None or one is None or not _is_in_block(node):
            continue
        alternative = node.child_by_field_name("alternative")
        last = (
            alternative.named_children[-1] if alternative is not None else node.next_named_sibling
        )
        first_value, last_value = _returned(one), _returned(last)
        if last is None or {first_value, last_value} != {"true", "false"}:
            continue
        value = condition.named_children[0] if len(condition.named_children) == 1 else None
        if value is None or context.types.of(value) != BOOLEAN:
            continue
        end = node.end_byte if alternative is not None else last.end_byte
        if not context.has_comment(node.start_byte, end):
            code = text(value) if first_value == "true" else f"!{grouped(value)}"
            yield [Piece(node.start_byte, end, f"return {code};")]


def _returned(node: Node | None) -> str:
    """Return the only word that a statement returns."""
    if node is not None and node.type == "statement_block" and len(node.named_children) == 1:
        node = node.named_children[0]
    if node is None or node.type != "return_statement" or len(node.named_children) != 1:
        return ""
    return node.named_children[0].type


def _nested_if(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("if_statement"):
        block = node.child_by_field_name("consequence")
        if (
            block is None
            or block.type != "statement_block"
            or node.child_by_field_name("alternative")
        ):
            continue
        inner = block.named_children[0] if len(block.named_children) == 1 else None
        if (
            inner is None
            or inner.type != "if_statement"
            or inner.child_by_field_name("alternative")
        ):
            continue
        body = inner.child_by_field_name("consequence")
        first, second = (
            node.child_by_field_name("condition"),
            inner.child_by_field_name("condition"),
        )
        if body is None or body.type != "statement_block" or first is None or second is None:
            continue
        if len(first.named_children) != 1 or len(second.named_children) != 1 or is_broken(body):
            continue
        statements = body.named_children
        if not statements or statements[0].start_point.row == body.start_point.row:
            continue
        if context.has_comment(first.end_byte, inner.start_byte) or (
            context.has_comment(inner.start_byte, body.start_byte)
        ):
            continue
        if node.parent is not None and node.parent.type == "else_clause":
            continue
        moved = dedented_by(context, node, inner, body)
        if moved is None:
            continue
        both = f"({_part(first.named_children[0])} && {_part(second.named_children[0])}) "
        yield [
            Piece(first.start_byte, body.start_byte, both),
            Piece(body.start_byte, block.end_byte, moved),
        ]


def _part(node: Node) -> str:
    """Return an operand of `&&`, in parentheses if necessary."""
    if node.type == "binary_expression":
        return text(node) if text(node.children[1]) in _JOINED else f"({text(node)})"
    return text(node) if node.type == "unary_expression" else grouped(node)


def dedented_by(context: Context, node: Node, inner: Node, body: Node) -> str | None:
    outer, depth = indentation(context, node), indentation(context, inner)
    if outer is None or depth is None or not depth.startswith(outer):
        return None
    end = "\r\n" if b"\r\n" in context.code else "\n"
    lines = text(body).split(end)
    if any(line.strip() and not line.startswith(depth) for line in lines[1:]) or len(lines) < 2:
        return None
    return end.join(
        [lines[0], *(outer + line[len(depth) :] if line.strip() else "" for line in lines[1:])]
    )


def _useless_return(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("return_statement"):
        block = node.parent
        if node.named_children or block is None or block.parent is None:
            continue
        if block.type != "statement_block" or block.parent.type not in FUNCTIONS:
            continue
        if block.named_children[-1] != node or len(block.named_children) < 2:
            continue
        before = node.prev_named_sibling
        if before is None or before.type == "comment" or not text(before).endswith((";", "}")):
            continue
        if not context.has_comment(before.end_byte, block.end_byte):
            yield [Piece(before.end_byte, node.end_byte, "")]


ELSE_RETURN = Rule("no-else-return", "Remove `else` after `return`.", _else_return)
BOOLEAN_RETURN = Rule("return-condition", "Return the condition directly.", _boolean_return)
NESTED_IF = Rule("no-lonely-nested-if", "Merge nested conditions.", _nested_if)
USELESS_RETURN = Rule("no-useless-return", "Remove an unnecessary `return`.", _useless_return)
