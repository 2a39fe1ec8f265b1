"""From syntax trees to the form of :mod:`codeintel.engine.dataflow.ir`: expressions."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeintel.engine.dataflow import kinds
from codeintel.engine.dataflow.ir import (
    Argument,
    Assignment,
    Block,
    Call,
    Choice,
    Closure,
    Expr,
    Index,
    Join,
    Literal,
    Member,
    Name,
    Test,
)
from codeintel.engine.dataflow.lowering.calls import lower_parts
from codeintel.engine.dataflow.lowering.lowerer import Lowerer
from codeintel.engine.dataflow.lowering.switches import lower_choice
from codeintel.engine.dataflow.nodes import (
    child_of,
    dotted_identifier,
    field_of,
    operator_of,
    unquoted,
)
from codeintel.engine.dataflow.tree import Span, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_NUMBER_TYPE = re.compile(r"int|float|double|long|bool|boolean|byte|short|char|integer|number")


def lower_dynamic_variable(lowerer: Lowerer, node: SgNode) -> Expr:
    """PHP's `$$x`."""
    inner = child_of(node, "variable_name")
    if inner is None:
        return lower_identifier(lowerer, node)
    return Index(span(node), Name(Span(0, 0), "$GLOBALS"), lowerer.expr(inner))


def lower_identifier(_lowerer: Lowerer, node: SgNode) -> Expr:
    return Name(span(node), dotted_identifier(node.text()))


def lower_heredoc(lowerer: Lowerer, node: SgNode) -> Expr:
    body = lowerer.heredocs.get(span(node))
    return (
        lower_string(lowerer, body)._replace(span=span(node))
        if body is not None
        else lower_other(lowerer, node)
    )


def lower_include(lowerer: Lowerer, node: SgNode) -> Expr:
    args = tuple(Argument(part, None) for part in lower_parts(lowerer, node))
    return Call(span(node), Name(span(node), node.children()[0].text()), args)


def lower_tested(lowerer: Lowerer, node: SgNode) -> Expr:
    return Test(span(node), lower_parts(lowerer, node), operator_of(node))


def lower_unary(lowerer: Lowerer, node: SgNode) -> Expr:
    operator, parts = operator_of(node), lower_parts(lowerer, node)
    if operator in kinds.UNARY_TESTS:
        return Test(span(node), parts, operator)
    return Join(span(node), parts)


def lower_declaration_expression(lowerer: Lowerer, node: SgNode) -> Expr:
    """C#'s `out var x`."""
    return lowerer.expr(node.named_children()[-1])


def lower_closure(lowerer: Lowerer, node: SgNode) -> Expr:
    if node.field("body") is None:
        return lower_other(lowerer, node)
    return Closure(span(node), lowerer.function(node))


def lower_other(lowerer: Lowerer, node: SgNode) -> Expr:
    """The expression of a node of a kind that no function is for."""
    if lowerer.is_statement(node.kind()):
        return Block(span(node), lowerer.statements(node))
    if not node.named_children():
        return Literal(span(node), unquoted(node.text()))
    return Join(span(node), lower_parts(lowerer, node))


def _lower_appended(lowerer: Lowerer, node: SgNode) -> Expr | None:
    """Ruby's `target << value << value`, which changes the target."""
    values: list[SgNode] = []
    while node.kind() == "binary" and operator_of(node) == "<<":
        left, right = node.field("left"), node.field("right")
        if left is None or right is None:
            return None
        values.insert(0, right)
        node = left
    if not values or node.kind() not in kinds.IDENTIFIERS | kinds.INDEXES | {"call"}:
        return None
    place = Span(span(values[0]).start, span(values[-1]).end)
    added = Join(place, tuple(lowerer.expr(each) for each in values))
    return Assignment(Span(span(node).start, place.end), _lower_target(lowerer, node), added, True)


def _lower_target(lowerer: Lowerer, node: SgNode) -> Expr:
    """What is assigned to; `object.name = value` is a call in Ruby."""
    found = lowerer.expr(node)
    if isinstance(found, Call) and isinstance(found.callee, Member) and not found.args:
        return found.callee
    return found


def lower_string(lowerer: Lowerer, node: SgNode) -> Expr:
    parts: list[Expr] = []
    for child in node.named_children():
        kind = child.kind()
        if kind in kinds.INTERPOLATIONS:
            inner = lowerer.expr(child)
            if not isinstance(inner, Literal):
                parts.append(inner)
        elif kind not in kinds.TEXT_PARTS and child.named_children():
            parts.append(lowerer.expr(child))
    if parts:
        found: Expr = Join(span(node), tuple(parts))
    else:
        found = Literal(span(node), unquoted(node.text()))
    if node.kind() in ("shell_command_expression", "subshell"):
        return Call(span(node), Name(span(node), "`"), (Argument(found, None),))
    return found


def lower_operation(lowerer: Lowerer, node: SgNode) -> Expr:
    operator = operator_of(node)
    if operator == "<<" and (appended := _lower_appended(lowerer, node)) is not None:
        return appended
    parts = lower_parts(lowerer, node)
    if operator in kinds.CHOOSING and operator != "//":
        return Choice(span(node), parts)
    if operator in kinds.COMPARING and not (operator == "/" and lowerer.slash_joins):
        if operator == "&&" and node.kind() == "binary":
            operator = "and"  # Ruby's gives one of its parts, as Python's
        return Test(span(node), parts, operator)
    return Join(span(node), parts)


def choice_expression(lowerer: Lowerer, node: SgNode) -> Expr:
    condition = field_of(node, "condition")
    if node.kind() == "switch_expression":
        return lower_choice(lowerer, node, condition or node.named_children()[0])
    parts = lower_parts(lowerer, node)
    if condition is not None:
        place = span(condition)
        rest = tuple(part for part in parts if part.span != place)
        found = next((part for part in parts if part.span == place), None)
        if len(rest) == 1 and found is not None:  # PHP's `a ?: b`
            return Choice(span(node), (found, *rest))
        return Choice(span(node), rest, found)
    if len(parts) == 3:  # Python's has no fields: value, condition, other value
        return Choice(span(node), (parts[0], parts[2]), parts[1])
    return Choice(span(node), parts)


def lower_assignment(lowerer: Lowerer, node: SgNode) -> Expr:
    left, right = field_of(node, "left", "name"), field_of(node, "right", "value")
    if left is None or right is None:
        return Join(span(node), lower_parts(lowerer, node))
    augments = operator_of(node) not in ("=", ":=", "", "?=")
    return Assignment(span(node), _lower_target(lowerer, left), lowerer.expr(right), augments)


def lower_cast(lowerer: Lowerer, node: SgNode) -> Expr:
    value = field_of(node, "value", "operand", "argument") or node.named_children()[-1]
    type_ = field_of(node, "type")
    if type_ is None and node.kind() == "as_expression":
        value = node.named_children()[0]
    if type_ is not None and _NUMBER_TYPE.fullmatch(type_.text().lower()):
        return Test(span(node), (lowerer.expr(value),), "cast")
    if type_ is not None and type_.text() == "string":  # PHP, C#
        return Call(span(node), Name(span(type_), "strval"), (Argument(lowerer.expr(value), None),))
    return Join(span(node), (lowerer.expr(value),))
