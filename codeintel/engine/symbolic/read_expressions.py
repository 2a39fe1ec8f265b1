"""From syntax trees to expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeintel.engine.symbolic.read_calls import CallReader
from codeintel.engine.symbolic.syntax import (
    AddressOf,
    Assign,
    Binary,
    Cast,
    Conditional,
    CType,
    Deref,
    Expr,
    Field,
    Number,
    Several,
    SizeOf,
    Step,
    Subscript,
    Unary,
)

if TYPE_CHECKING:
    from ast_grep_py import SgNode


class ExpressionReader(CallReader):
    """Reads expressions; names are resolved in the scopes that the subclass keeps."""

    def expr(self, node: SgNode) -> Expr:
        """The expression of a node of any kind."""
        self.deeper()
        handler = _HANDLERS.get(node.kind())
        found = handler(self, node) if handler is not None else self._several(node)
        self._depth -= 1
        return found

    def _comma(self, node: SgNode) -> Expr:
        parts = tuple(self.expr(child) for child in node.named_children())
        return Several(self.span(node), parts, last=True)

    def _unary(self, node: SgNode) -> Expr:
        operand = node.field("argument")
        op = node.field("operator")
        if operand is None or op is None:
            return self._several(node)
        value = self.expr(operand)
        sign = {"not": "!", "compl": "~"}.get(op.text(), op.text())
        if sign == "-" and isinstance(value, Number):
            return Number(self.span(node), -value.value)
        return Unary(self.span(node), sign, value)

    def _pointer(self, node: SgNode) -> Expr:
        operand = node.field("argument")
        if operand is None:
            return self._several(node)
        value = self.expr(operand)
        if node.text().startswith("&"):
            return AddressOf(self.span(node), value)
        return Deref(self.span(node), value)

    def _step(self, node: SgNode) -> Expr:
        operand = node.field("argument")
        if operand is None:
            return self._several(node)
        text = node.text()
        prefix = text.startswith(("++", "--"))
        by = 1 if (text[:2] if prefix else text[-2:]) == "++" else -1
        return Step(self.span(node), by, self.expr(operand), prefix)

    def _binary(self, node: SgNode) -> Expr:
        left, right, op = node.field("left"), node.field("right"), node.field("operator")
        if left is None or right is None or op is None:
            return self._several(node)
        sign = {"and": "&&", "or": "||", "not_eq": "!=", "bitand": "&", "bitor": "|"}.get(
            op.text(), op.text()
        )
        return Binary(self.span(node), sign, self.expr(left), self.expr(right))

    def _assign(self, node: SgNode) -> Expr:
        left, right, op = node.field("left"), node.field("right"), node.field("operator")
        if left is None or right is None or op is None:
            return self._several(node)
        return Assign(self.span(node), op.text()[:-1], self.expr(left), self.expr(right))

    def _field(self, node: SgNode) -> Expr:
        whole, part = node.field("argument"), node.field("field")
        if whole is None or part is None:
            return self._several(node)
        op = node.field("operator")
        arrow = op is not None and op.text() == "->"
        return Field(self.span(node), self.expr(whole), part.text(), arrow)

    def _subscript(self, node: SgNode) -> Expr:
        whole = node.field("argument")
        key = node.field("index") or node.field("indices")
        if whole is None or key is None:
            return self._several(node)
        if key.kind() == "subscript_argument_list":
            return Subscript(self.span(node), self.expr(whole), self._inner(key))
        return Subscript(self.span(node), self.expr(whole), self.expr(key))

    def _cast(self, node: SgNode) -> Expr:
        type_, value = node.field("type"), node.field("value")
        if type_ is None or value is None:
            return self._several(node)
        return Cast(self.span(node), self.type_of(type_), self.expr(value))

    def _sizeof(self, node: SgNode) -> Expr:
        type_, value = node.field("type"), node.field("value")
        if type_ is not None:
            return SizeOf(self.span(node), self.type_of(type_), None)
        if value is None:
            return self._several(node)
        text = value.text().strip("() ")
        known = text in self.typedefs or f"struct {text}" in self.records
        if known and not self.is_local(text):
            return SizeOf(self.span(node), CType(text), None)
        return SizeOf(self.span(node), None, self.expr(value))

    def _conditional(self, node: SgNode) -> Expr:
        condition, then = node.field("condition"), node.field("consequence")
        otherwise = node.field("alternative")
        if condition is None or otherwise is None:
            return self._several(node)
        test = self.expr(condition)
        chosen = self.expr(then) if then is not None else test
        return Conditional(self.span(node), test, chosen, self.expr(otherwise))

    def _list(self, node: SgNode) -> Expr:
        parts, keys = [], []
        for child in node.named_children():
            if child.kind() == "comment":
                continue
            key = ""
            if child.kind() == "initializer_pair":
                designator = child.field("designator")
                key = designator.text() if designator is not None else ""
                value = child.field("value")
                child = value if value is not None else child
            parts.append(self.expr(child))
            keys.append(key)
        return Several(self.span(node), tuple(parts), tuple(keys))


_HANDLERS = {
    "number_literal": ExpressionReader._number,
    "char_literal": ExpressionReader._character,
    "string_literal": ExpressionReader._string,
    "raw_string_literal": ExpressionReader._string,
    "concatenated_string": ExpressionReader._string,
    "identifier": ExpressionReader._name,
    "field_identifier": ExpressionReader._name,
    "type_identifier": ExpressionReader._name,
    "qualified_identifier": ExpressionReader._qualified,
    "null": ExpressionReader._constant,
    "true": ExpressionReader._constant,
    "false": ExpressionReader._constant,
    "this": ExpressionReader._this,
    "unary_expression": ExpressionReader._unary,
    "pointer_expression": ExpressionReader._pointer,
    "update_expression": ExpressionReader._step,
    "binary_expression": ExpressionReader._binary,
    "assignment_expression": ExpressionReader._assign,
    "field_expression": ExpressionReader._field,
    "subscript_expression": ExpressionReader._subscript,
    "cast_expression": ExpressionReader._cast,
    "sizeof_expression": ExpressionReader._sizeof,
    "conditional_expression": ExpressionReader._conditional,
    "initializer_list": ExpressionReader._list,
    "compound_literal_expression": ExpressionReader._cast,
    "new_expression": ExpressionReader._new,
    "delete_expression": ExpressionReader._delete,
    "lambda_expression": ExpressionReader._lambda,
    "gnu_asm_expression": ExpressionReader._asm,
    "call_expression": ExpressionReader._call,
    "comma_expression": ExpressionReader._comma,
    "parenthesized_expression": ExpressionReader._inner,
    "condition_clause": ExpressionReader._inner,
}
