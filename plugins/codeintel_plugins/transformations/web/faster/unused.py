"""Calls that make what nobody asks for."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from codeintel_plugins.transformations.web.rules import (
    Context,
    Piece,
    Rule,
    arguments,
    begins_statement,
    method_of,
    replaced,
)
from codeintel_plugins.transformations.web.trees import text
from codeintel_plugins.transformations.web.type_inference.declared import STRING


def _regexp_test(context: Context) -> Iterator[list[Piece]]:
    """`text.match(/re/)` where only the truth counts."""
    for call in context.each("call_expression"):
        found, given = method_of(call), arguments(call)
        if found is None or given is None or len(given) != 1 or found[1] != "match":
            continue
        if given[0].type != "regex" or context.sorts.of(found[0]) != STRING:
            continue
        outer = call.parent
        if outer is None or begins_statement(call):
            continue
        test = f"{text(given[0])}.test({text(found[0])})"
        if context.has_comment(call.start_byte, call.end_byte):
            continue
        if outer.type == "binary_expression" and len(outer.children) == 3:
            operator, right = text(outer.children[1]), outer.children[2]
            if outer.children[0] == call and right.type == "null":
                if operator in ("!==", "!="):
                    yield replaced(outer, test)
                elif operator in ("===", "=="):
                    yield replaced(outer, f"!{test}")
        elif is_asked(call):
            yield replaced(call, test)


def is_asked(node: Node) -> bool:
    """Whether only the truth of a value counts."""
    outer = node.parent
    if outer is None:
        return False
    if outer.type == "unary_expression":
        return text(outer.children[0]) == "!"
    if outer.type == "parenthesized_expression" and outer.parent is not None:
        return outer.parent.type in ("if_statement", "while_statement", "do_statement") and (
            outer.parent.child_by_field_name("condition") == outer
        )
    return outer.type == "ternary_expression" and outer.children[0] == node


REGEXP_TEST = Rule("prefer-regexp-test", "Only whether it matches is asked for.", _regexp_test)
