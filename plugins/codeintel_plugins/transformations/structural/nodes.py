"""Small questions about nodes that several edits ask."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeintel_plugins.transformations.structural.patches import Edit
from codeintel_plugins.transformations.structural.reading import Reading

if TYPE_CHECKING:
    from ast_grep_py import SgNode

BLOCKS = frozenset({"block", "compound_statement"})
COMMENTS = frozenset({"comment", "line_comment", "block_comment"})
FUNCTIONS = frozenset(
    {
        *("method_declaration", "function_definition", "function_declaration", "function_item"),
        *("lambda_expression", "constructor_declaration", "func_literal", "closure_expression"),
        *(
            "local_function_statement",
            "anonymous_function",
            "arrow_function",
            "accessor_declaration",
        ),
        *("anonymous_method_expression", "anonymous_function_creation_expression", "method"),
        *("property_declaration", "operator_declaration", "conversion_operator_declaration"),
        *("compact_constructor_declaration", "static_initializer", "destructor_declaration"),
    }
)
_COMPARES = frozenset(
    {*("==", "!=", "<", ">", "<=", ">=", "===", "!==", "<>", "&&", "||", "instanceof", "is")}
)


def named(node: SgNode) -> list[SgNode]:
    """Its named children, without comments."""
    return [
        each for each in node.children() if each.is_named() and str(each.kind()) not in COMMENTS
    ]


def statements(block: SgNode) -> list[SgNode]:
    """The statements of a block; Go has them in a list of their own, and Rust's expressions are
    statements without being called so."""
    found = named(block)
    if len(found) == 1 and found[0].kind() == "statement_list":
        found = named(found[0])
    return found


def only_statement(body: SgNode | None) -> SgNode | None:
    """The statement of a body that has a single one."""
    if body is None:
        return None
    if str(body.kind()) not in BLOCKS:
        return body if body.kind() != "else_clause" else only_statement(_first(body))
    found = statements(body)
    return found[0] if len(found) == 1 else None


def _first(node: SgNode) -> SgNode | None:
    return next(iter(named(node)), None)


def field(node: SgNode, *names: str) -> SgNode | None:
    """The child in the first of the fields that it has."""
    return next((found for name in names if (found := node.field(name)) is not None), None)


def inner(node: SgNode | None) -> SgNode | None:
    """What stands in the parentheses that a grammar makes part of a condition."""
    if node is not None and str(node.kind()) in ("parenthesized_expression", "condition_clause"):
        found = named(node)
        return found[0] if len(found) == 1 else None
    return node


def operator(node: SgNode) -> str:
    """The operator of a binary or unary expression."""
    held = node.field("operator")
    if held is not None:
        return held.text()
    return next((each.text() for each in node.children() if not each.is_named()), "")


def is_boolean(node: SgNode | None) -> bool:
    """Whether an expression is a comparison, or such expressions together: a truth value."""
    if node is None:
        return False
    kind = str(node.kind())
    if kind in ("true", "false", "boolean_literal", "boolean", "instanceof_expression"):
        return True
    if kind in ("is_expression", "is_pattern_expression"):
        return True
    if kind == "parenthesized_expression":
        return is_boolean(inner(node))
    if kind in ("unary_expression", "prefix_unary_expression", "unary_op_expression"):
        return operator(node) == "!"
    if kind != "binary_expression" or operator(node) not in _COMPARES:
        return False
    if operator(node) in ("&&", "||"):
        return is_boolean(node.field("left")) and is_boolean(node.field("right"))
    return True


def function_of(node: SgNode) -> SgNode | None:
    """The function that a node stands in."""
    return next((each for each in node.ancestors() if str(each.kind()) in FUNCTIONS), None)


def result_type(node: SgNode) -> str:
    """What the function returns in which a node stands; nothing where that is not written."""
    function = function_of(node)
    if function is None or str(function.kind()) in ("lambda_expression", "accessor_declaration"):
        return ""
    typed = field(function, "type", "returns", "result", "return_type")
    declarator = function.field("declarator")
    if declarator is not None and declarator.kind() != "function_declarator":
        return ""
    return typed.text() if typed is not None else ""


def dedented(reading: Reading, node: SgNode, start: int, like: SgNode) -> list[Edit]:
    """Edits that move the lines of a node from `start` on to the left, so that they begin where
    those of another node do; what stands in texts of several lines stays where it is."""
    by = _indent(reading, node) - _indent(reading, like)
    end = reading.span(node).end
    if by <= 0:
        return []
    texts = [place for place in reading.long_texts if place.start < end and start < place.end]
    lines = re.compile(r"[\r\n](?=[ \t]{" + str(by) + "})")
    return [
        Edit(found.end(), found.end() + by, "", quiet=True)
        for found in lines.finditer(reading.text, start, end)
        if reading.text[found.end()] not in "\r\n"
        and not any(place.start < found.end() < place.end for place in texts)
    ]


def _indent(reading: Reading, node: SgNode) -> int:
    start = reading.span(node).start
    begin = max(reading.text.rfind("\n", 0, start), reading.text.rfind("\r", 0, start)) + 1
    line = reading.text[begin:start]
    return len(line) - len(line.lstrip(" \t"))
