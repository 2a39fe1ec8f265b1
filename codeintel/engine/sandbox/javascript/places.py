"""Tell where an expression or a statement stands, and what follows from it."""

from __future__ import annotations

from typing import Any

from tree_sitter import Node

from codeintel.engine.sandbox.javascript.source import FUNCTIONS, text_of

_NOT_RUN = frozenset(
    (
        *("comment", "empty_statement", "function_declaration", "generator_function_declaration"),
        *("hash_bang_line", "statement_identifier"),
    )
)


def is_logic(node: Node) -> bool:
    """Return whether an expression joins others by `&&`, `||` or `??`."""
    if node.type == "parenthesized_expression" and node.named_children:
        return is_logic(node.named_children[0])
    return node.type == "binary_expression" and text_of(node.child_by_field_name("operator")) in (
        "&&",
        "||",
        "??",
    )


def is_statement(node: Node) -> bool:
    """Return whether a statement may follow another one that runs."""
    if node.type == "expression_statement" and node.named_children:
        return node.named_children[0].type != "string"
    return node.type not in _NOT_RUN


def is_body(node: Node, child: Node) -> bool:
    """Return whether a statement is the branch or body of another."""
    if node.type == "else_clause":
        return child.type != "comment"
    return child in (node.child_by_field_name("body"), node.child_by_field_name("consequence"))


def is_listed(node: Node, child: Node) -> bool:
    """Return whether a statement belongs to a case of `switch`."""
    return child.is_named and child != node.child_by_field_name("value") and is_statement(child)


def is_fixed(node: Node) -> bool:
    """Return whether a loop counts to a constant."""
    if node.type != "for_statement":
        return False
    test = text_of(next(iter(node.children_by_field_name("condition")), None)).rstrip(";")
    return test.split(" ")[-1].isdigit()


def is_counted(left: Node, right: Node) -> bool:
    """Return whether an index is compared with a length, which it never exceeds."""
    return any(
        each.type == "member_expression" and text_of(each).endswith((".length", ".size"))
        for each in (left, right)
    )


def in_loop_test(node: Node) -> bool:
    """Return whether an expression belongs to the condition of a loop."""
    outer = node.parent
    while outer is not None and outer.type not in FUNCTIONS:
        if outer.type in ("for_statement", "while_statement"):
            return node in outer.children_by_field_name("condition") or (
                node.parent is not None and node.parent.type == "parenthesized_expression"
            )
        if outer.type == "statement_block":
            return False
        outer = outer.parent
    return False


def parameters_of(function: Node) -> list[Node]:
    """Return the patterns of a function's parameters."""
    single = function.child_by_field_name("parameter")
    if single is not None:
        return [single]
    listed = function.child_by_field_name("parameters")
    return [e for e in listed.named_children if e.type != "comment"] if listed is not None else []


def operator(node: Node) -> str:
    """Return the operator of an expression."""
    return text_of(node.child_by_field_name("operator"))


def constant(node: Node) -> Any:
    """Return the value of a number or string."""
    text = text_of(node)
    if node.type == "string":
        return text[1:-1]
    try:
        return float(text) if not text.isdigit() else int(text)
    except ValueError:
        return 0


def literal_kind(node: Node) -> Any:
    """Return the kind of a constant, or None for other expressions."""
    if node.type in ("true", "false"):
        return "boolean"
    if node.type in ("number", "string"):
        return node.type
    if node.type == "template_string":
        return "string"
    if node.type == "array":
        return ["array", "any"]
    return ["object", {}] if node.type == "object" else None
