"""Calls that do more than is needed."""

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
from codeintel_plugins.transformations.web.scopes import is_written, leaves
from codeintel_plugins.transformations.web.trees import listed, text, walk
from codeintel_plugins.transformations.web.type_inference import ARRAY, STRING

_PURE = listed(
    """
    identifier number string true false null undefined binary_expression unary_expression
    member_expression property_identifier parenthesized_expression string_fragment
    arrow_function formal_parameters required_parameter type_annotation predefined_type
    type_identifier
    """
)


def _called(node: Node | None, method: str, context: Context) -> tuple[Node, Node] | None:
    """Return the name and the argument of `array.method(function)`."""
    if node is None:
        return None
    found = method_of(node)
    given = arguments(node) if found is not None else None
    if found is None or given is None or found[1] != method or len(given) != 1:
        return None
    if context.types.of_object(found[0]) != ARRAY:
        return None
    function = node.child_by_field_name("function")
    name = function.child_by_field_name("property") if function is not None else None
    return (name, given[0]) if name is not None else None


def _is_pure(function: Node) -> bool:
    """Return whether a function only reads its argument and compares, so that fewer calls make
    no difference."""
    parameter = function.child_by_field_name("parameter") or function.child_by_field_name(
        "parameters"
    )
    if function.type != "arrow_function" or parameter is None:
        return False
    each_parameter = parameter.named_children or [parameter]
    names = {text(leaf) for each in each_parameter for leaf in leaves(each)}
    if any(
        node.type == "member_expression" and text(node.child_by_field_name("object")) not in names
        for node in walk(function)
    ):
        return False  # deeper properties may be missing in an element that is no longer visited
    return all(
        node.type in _PURE and text(node) not in ("delete", "in", "instanceof")
        for node in walk(function)
        if node.is_named or node.type in ("delete", "in", "instanceof")
    )


def _find(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("subscript_expression"):
        call, index = node.child_by_field_name("object"), node.child_by_field_name("index")
        if call is None or index is None or text(index) != "0" or len(node.children) != 4:
            continue
        found = _called(call, "filter", context)
        outer = node.parent
        if found is None or not _is_pure(found[1]) or outer is None or is_written(node):
            continue
        if outer.type in (
            "variable_declarator",
            "return_statement",
            "arguments",
            "member_expression",
        ):
            yield [
                Piece(found[0].start_byte, found[0].end_byte, "find"),
                Piece(call.end_byte, node.end_byte, ""),
            ]


def _flat_map(context: Context) -> Iterator[list[Piece]]:
    for call in context.each("call_expression"):
        outer = method_of(call)
        given = arguments(call) if outer is not None else None
        if outer is None or outer[1] != "flat" or given != []:
            continue
        found = _called(outer[0], "map", context)
        if found is not None and not context.has_comment(outer[0].end_byte, call.end_byte):
            yield [
                Piece(found[0].start_byte, found[0].end_byte, "flatMap"),
                Piece(outer[0].end_byte, call.end_byte, ""),
            ]


def _some(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("binary_expression"):
        left, operator, right = node.children[0], text(node.children[1]), text(node.children[-1])
        if left.type != "member_expression" or right != "0" or operator not in (">", "!==", "==="):
            continue
        call = left.child_by_field_name("object")
        found = _called(call, "filter", context)
        if found is None or call is None or text(left.child_by_field_name("property")) != "length":
            continue
        if not _is_pure(found[1]) or context.has_comment(call.end_byte, node.end_byte):
            continue
        pieces = [
            Piece(found[0].start_byte, found[0].end_byte, "some"),
            Piece(call.end_byte, node.end_byte, ""),
        ]
        if operator == "===":
            pieces.insert(0, Piece(node.start_byte, node.start_byte, "!"))
        yield pieces


def _starts_with(context: Context) -> Iterator[list[Piece]]:
    for node in context.each("binary_expression"):
        call, operator, right = node.children[0], text(node.children[1]), text(node.children[-1])
        found, given = method_of(call), arguments(call)
        if found is None or given is None or len(given) != 1 or found[1] != "indexOf":
            continue
        if right != "0" or operator not in ("===", "!=="):
            continue
        if context.types.of_object(found[0]) != STRING or context.types.of(given[0]) != STRING:
            continue
        function = call.child_by_field_name("function")
        name = function.child_by_field_name("property") if function is not None else None
        if name is None or context.has_comment(call.end_byte, node.end_byte):
            continue
        pieces = [
            Piece(name.start_byte, name.end_byte, "startsWith"),
            Piece(call.end_byte, node.end_byte, ""),
        ]
        if operator == "!==":
            pieces.insert(0, Piece(node.start_byte, node.start_byte, "!"))
        yield pieces


FIND = Rule("prefer-array-find", "Use `find`, which stops at the first match.", _find)
FLAT_MAP = Rule("prefer-array-flat-map", "Use `flatMap`, which makes only one array.", _flat_map)
SOME = Rule("prefer-array-some", "Use `some`, which stops at the first match.", _some)
STARTS_WITH = Rule(
    "prefer-string-starts-with", "Use `startsWith`, which compares only the start.", _starts_with
)


def _regexp_test(context: Context) -> Iterator[list[Piece]]:
    """`text.match(/re/)` where only the truth counts."""
    for call in context.each("call_expression"):
        found, given = method_of(call), arguments(call)
        if found is None or given is None or len(given) != 1 or found[1] != "match":
            continue
        if given[0].type != "regex" or context.types.of(found[0]) != STRING:
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
    """Return whether only the truth of a value counts."""
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


REGEXP_TEST = Rule("prefer-regexp-test", "Use `test`, because the match is not used.", _regexp_test)
