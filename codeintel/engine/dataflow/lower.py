"""From syntax trees to the form of :mod:`codeintel.engine.dataflow.ir`: expressions."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from codeintel.engine.dataflow import kinds
from codeintel.engine.dataflow.csharp import conditional_access, initializer
from codeintel.engine.dataflow.ir import (
    Argument,
    Assignment,
    Block,
    Call,
    Choice,
    Closure,
    Expr,
    Function,
    Index,
    Join,
    Literal,
    Member,
    Name,
    Stmt,
    Test,
)
from codeintel.engine.dataflow.lower_calls import CallLowerer
from codeintel.engine.dataflow.nodes import (
    child_of,
    dotted_identifier,
    field_of,
    operator_of,
    unquoted,
)
from codeintel.engine.dataflow.switches import lower_choice
from codeintel.engine.dataflow.tree import Span, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_NUMBER_TYPE = re.compile(r"int|float|double|long|bool|boolean|byte|short|char|integer|number")


class ExpressionLowerer(CallLowerer):
    """Lowers expressions; statements are the subclass's."""

    slash_joins = False
    """Whether `/` puts paths together, besides dividing numbers."""
    heredocs: Mapping[Span, SgNode] = {}
    """Ruby's texts that stand below the line where they begin, by where they begin."""

    def statements(self, node: SgNode) -> tuple[Stmt, ...]:
        """The statements of a node that is one, or holds some."""
        raise NotImplementedError

    def is_statement(self, kind: str) -> bool:
        """Whether nodes of the kind are statements."""
        raise NotImplementedError

    def function(self, node: SgNode) -> Function:
        """The function of a definition or closure."""
        raise NotImplementedError

    def expr(self, node: SgNode) -> Expr:
        """The expression of a node of any kind."""
        kind = node.kind()
        if kind == "dynamic_variable_name" and (inner := child_of(node, "variable_name")):
            return Index(span(node), Name(Span(0, 0), "$GLOBALS"), self.expr(inner))  # PHP's $$x
        if kind in kinds.IDENTIFIERS:
            return Name(span(node), dotted_identifier(node.text()))
        if kind in kinds.STRINGS:
            return self._string(node)
        if kind == "heredoc_beginning" and (body := self.heredocs.get(span(node))) is not None:
            return self._string(body)._replace(span=span(node))
        if kind in kinds.INCLUDES:
            args = tuple(Argument(part, None) for part in self._parts(node))
            return Call(span(node), Name(span(node), node.children()[0].text()), args)
        if kind in kinds.CALLS:
            return self._call(node, kind)
        if kind in kinds.MEMBERS:
            return self._member(node, kind)
        if kind in kinds.INDEXES:
            return self._index(node)
        if kind in kinds.OPERATIONS:
            return self._operation(node)
        if kind in kinds.TESTS:
            return Test(span(node), self._parts(node), operator_of(node))
        if kind in ("unary_expression", "unary", "unary_operator", "prefix_unary_expression",
                    "unary_op_expression", "update_expression"):  # fmt: skip
            operator = operator_of(node)
            parts = self._parts(node)
            return (Test(span(node), parts, operator) if operator in kinds.UNARY_TESTS
                    else Join(span(node), parts))  # fmt: skip
        if kind in kinds.CHOICES:
            return self._choice(node)
        if kind in kinds.ASSIGNMENTS:
            return self._assignment(node)
        if kind == "initializer_expression":
            return initializer(self, node)
        if kind in kinds.KEYED:
            return self._keyed(node)
        if kind == "object_pattern":
            return self._object_pattern(node)
        if kind in kinds.COMPREHENSIONS:
            return self._comprehension(node)
        if kind == "conditional_access_expression":
            return conditional_access(self, node)
        if kind == "declaration_expression":  # C#: `out var x`
            return self.expr(node.named_children()[-1])
        if kind in kinds.CLOSURES and node.field("body") is not None:
            return Closure(span(node), self.function(node))
        if kind in ("cast_expression", "type_conversion_expression", "as_expression"):
            return self._cast(node)
        if self.is_statement(kind):
            return Block(span(node), self.statements(node))
        if not node.named_children():
            return Literal(span(node), unquoted(node.text()))
        return Join(span(node), self._parts(node))

    def _appended(self, node: SgNode) -> Expr | None:
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
        added = Join(place, tuple(self.expr(each) for each in values))
        return Assignment(Span(span(node).start, place.end), self._target(node), added, True)

    def _target(self, node: SgNode) -> Expr:
        """What is assigned to; `object.name = value` is a call in Ruby."""
        found = self.expr(node)
        if isinstance(found, Call) and isinstance(found.callee, Member) and not found.args:
            return found.callee
        return found

    def _string(self, node: SgNode) -> Expr:
        parts: list[Expr] = []
        for child in node.named_children():
            kind = child.kind()
            if kind in kinds.INTERPOLATIONS:
                inner = self.expr(child)
                if not isinstance(inner, Literal):
                    parts.append(inner)
            elif kind not in kinds.TEXT_PARTS and child.named_children():
                parts.append(self.expr(child))
        if parts:
            found: Expr = Join(span(node), tuple(parts))
        else:
            found = Literal(span(node), unquoted(node.text()))
        if node.kind() in ("shell_command_expression", "subshell"):
            return Call(span(node), Name(span(node), "`"), (Argument(found, None),))
        return found

    def _operation(self, node: SgNode) -> Expr:
        operator = operator_of(node)
        if operator == "<<" and (appended := self._appended(node)) is not None:
            return appended
        parts = self._parts(node)
        if operator in kinds.CHOOSING and operator != "//":
            return Choice(span(node), parts)
        if operator in kinds.COMPARING and not (operator == "/" and self.slash_joins):
            if operator == "&&" and node.kind() == "binary":
                operator = "and"  # Ruby's gives one of its parts, as Python's
            return Test(span(node), parts, operator)
        return Join(span(node), parts)

    def _choice(self, node: SgNode) -> Expr:
        condition = field_of(node, "condition")
        if node.kind() == "switch_expression":
            return lower_choice(self, node, condition or node.named_children()[0])
        parts = self._parts(node)
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

    def _assignment(self, node: SgNode) -> Expr:
        left, right = field_of(node, "left", "name"), field_of(node, "right", "value")
        if left is None or right is None:
            return Join(span(node), self._parts(node))
        augments = operator_of(node) not in ("=", ":=", "", "?=")
        return Assignment(span(node), self._target(left), self.expr(right), augments)

    def _cast(self, node: SgNode) -> Expr:
        value = field_of(node, "value", "operand", "argument") or node.named_children()[-1]
        type_ = field_of(node, "type")
        if type_ is None and node.kind() == "as_expression":
            value = node.named_children()[0]
        if type_ is not None and _NUMBER_TYPE.fullmatch(type_.text().lower()):
            return Test(span(node), (self.expr(value),), "cast")
        if type_ is not None and type_.text() == "string":  # PHP, C#
            return Call(
                span(node), Name(span(type_), "strval"), (Argument(self.expr(value), None),)
            )
        return Join(span(node), (self.expr(value),))
