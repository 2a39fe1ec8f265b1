"""From syntax trees to expressions. Calls of macros that the file defines are replaced by what the
macros stand for."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from codeintel_plugins.flow.tree import span
from codeintel_plugins.symbolic.constants import constant_value
from codeintel_plugins.symbolic.program import Source
from codeintel_plugins.symbolic.read_literals import LiteralReader
from codeintel_plugins.symbolic.read_types import named_type, record
from codeintel_plugins.symbolic.reader import WORD
from codeintel_plugins.symbolic.syntax import (
    AddressOf,
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    CType,
    Delete,
    Deref,
    Expr,
    Field,
    Lambda,
    New,
    Number,
    Several,
    SizeOf,
    Step,
    Subscript,
    Unary,
    Var,
)
from codeintel_plugins.symbolic.types import Types
from codeintel_plugins.symbolic.walk import walk

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_MAX_PARTS = 40
_CASTS = ("static_cast", "reinterpret_cast", "const_cast", "dynamic_cast")


class ExpressionReader(LiteralReader):
    """Reads expressions; names are resolved in the scopes that the subclass keeps."""

    # What the statements' reader does

    def define(self, node: SgNode) -> None:
        """Note the structure, class or enumeration that a node with a body defines."""
        place = span(node)
        if place in self._defined_at:
            return
        self._defined_at.add(place)
        self.deeper()
        if node.kind() == "enum_specifier":
            self._enumeration(node)
        else:
            known = record(node, self)
            self.records[known.name] = known
        self._depth -= 1

    def _enumeration(self, node: SgNode) -> None:
        body = node.field("body")
        value: int | None = -1
        for child in body.named_children() if body is not None else ():
            name, given = child.field("name"), child.field("value")
            if name is None:
                continue
            if given is not None:
                value = constant_value(self.expr(given), self.types())
            else:
                value = value + 1 if value is not None else None
            if value is None:
                self.constants.pop(name.text(), None)
            else:
                self.constants[name.text()] = Number(span(child), value)

    def types(self) -> Types:
        """The types that were read so far."""
        return Types(
            Source({}, self.records, self.typedefs, self.constants, {}, {}, {}, self.language)
        )

    def constant(self, name: str, value: Expr) -> None:
        """Note what a name stands for. What consists of numbers is a number itself; what is long
        is not noted, as it would get longer each time that another name stands for it."""
        parts = list(islice(walk(value), _MAX_PARTS + 1))
        if all(isinstance(part, Number | Unary | Binary) for part in parts):
            number = constant_value(value, self.types())
            if number is not None:
                value, parts = Number(value.span, number), []
        if len(parts) <= _MAX_PARTS:
            self.constants[name] = value

    # Expressions

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

    def type_of(self, node: SgNode) -> CType:
        """The type of a type descriptor."""
        return named_type(node, self)

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

    def _compound(self, node: SgNode) -> Expr:
        type_, value = node.field("type"), node.field("value")
        if type_ is None or value is None:
            return self._several(node)
        return Cast(self.span(node), self.type_of(type_), self.expr(value))

    def _new(self, node: SgNode) -> Expr:
        type_ = node.field("type")
        if type_ is None:
            return self._several(node)
        made = named_type(type_, self)
        length, declarator = None, node.field("declarator")
        for _ in range(4):  # `new char*[n]`
            if declarator is None:
                break
            if declarator.kind() == "new_declarator":
                length = declarator.field("length")
                break
            made = made._replace(pointers=made.pointers + 1)
            declarator = next(iter(declarator.named_children()), None)
        placement = node.field("placement")
        if placement is not None and "nothrow" not in placement.text():
            return self._several(placement)  # it allocates nothing
        return New(
            self.span(node),
            made,
            self.expr(length) if length is not None else None,
            self.arguments(node.field("arguments")),
            placement is not None,
        )

    def _delete(self, node: SgNode) -> Expr:
        named = node.named_children()
        if not named:
            return self._several(node)
        array = "[" in node.text()[: span(named[-1]).start - span(node).start]
        return Delete(self.span(node), self.expr(named[-1]), array)

    def _lambda(self, node: SgNode) -> Expr:
        self.lambda_body(node)
        names = {self.resolve(name) for name in WORD.findall(node.text())}
        return Lambda(self.span(node), tuple(sorted(names)))

    def _asm(self, node: SgNode) -> Expr:
        """Assembler may set all variables that it names."""
        named = node.find_all(kind="identifier")
        args = tuple(AddressOf(self.span(each), self.expr(each)) for each in named)
        return Call(self.span(node), "asm", None, args)

    # Calls

    def arguments(self, node: SgNode | None) -> tuple[Expr, ...]:
        """The arguments in a list of them."""
        if node is None:
            return ()
        return tuple(
            self.expr(child) for child in node.named_children() if child.kind() != "comment"
        )

    def _call(self, node: SgNode) -> Expr:
        callee, arguments = node.field("function"), node.field("arguments")
        if callee is None:
            return self._several(node)
        kind, text = callee.kind(), callee.text()
        if kind == "identifier":
            expanded = self._expanded(text, arguments)
            if expanded is not None:
                with self.expanding(text, node):
                    return self.expr(expanded)
        args = self.arguments(arguments)
        place = self.span(node)
        if kind == "field_expression":
            whole, name = callee.field("argument"), callee.field("field")
            if whole is not None and name is not None:
                return Call(place, name.text().partition("<")[0], self.expr(whole), args)
        if kind == "primitive_type" and len(args) == 1:
            return Cast(place, named_type(callee, self), args[0])
        head, _, type_ = text.partition("<")
        name_ = head.strip().removeprefix("::").removeprefix("std::")
        if name_ in _CASTS and len(args) == 1:
            listed = callee.field("arguments")
            named = listed.named_children() if listed is not None else []
            made = self.type_of(named[0]) if named else CType("")
            return Cast(place, made, args[0], name_)
        if kind in ("identifier", "qualified_identifier", "template_function"):
            self.calls[name_] = self.calls.get(name_, 0) + 1
            if kind == "identifier" and self.is_local(name_):
                return Call(place, "", Var(place, self.resolve(name_)), args)
            return Call(place, name_, None, args, type_.removesuffix(">"))
        return Call(place, "", self.expr(callee), args)

    def _expanded(self, name: str, arguments: SgNode | None) -> SgNode | None:
        """What a call of a macro stands for, if it is an expression."""
        text = self.expansion(name, arguments)
        if text is None:
            return None
        from ast_grep_py import SgRoot

        root = SgRoot(f"void f(void) {{ x = ({text}); }}", self.language).root()
        found = root.find(kind="assignment_expression")
        right = found.field("right") if found is not None else None
        if right is None or right.kind() != "parenthesized_expression" or root.find(kind="ERROR"):
            return None
        return right


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
    "compound_literal_expression": ExpressionReader._compound,
    "new_expression": ExpressionReader._new,
    "delete_expression": ExpressionReader._delete,
    "lambda_expression": ExpressionReader._lambda,
    "gnu_asm_expression": ExpressionReader._asm,
    "call_expression": ExpressionReader._call,
    "comma_expression": ExpressionReader._comma,
    "parenthesized_expression": ExpressionReader._inner,
    "condition_clause": ExpressionReader._inner,
}
