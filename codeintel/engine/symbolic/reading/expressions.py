"""Read syntax trees into expressions. Calls of the file's macros are expanded."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.tree import Span, span
from codeintel.engine.symbolic.reading.reader import Reader
from codeintel.engine.symbolic.reading.types import named_type
from codeintel.engine.symbolic.syntax import (
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
    New,
    Number,
    Several,
    SizeOf,
    Step,
    Subscript,
    Text,
    Unary,
    Var,
)
from codeintel.engine.symbolic.values.polynomials import MAX_NUMBER

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_INTEGER = re.compile(r"(0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9][0-9']*)(?:[uUlLzZ]*)\Z")
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]+|[0-7]{1,3}|u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}
_CASTS = ("static_cast", "reinterpret_cast", "const_cast", "dynamic_cast")


def inner(reader: Reader, node: SgNode) -> Expr:
    named = [child for child in node.named_children() if child.kind() != "comment"]
    return reader.expr(named[0]) if len(named) == 1 else reader.several(node)


def number(reader: Reader, node: SgNode) -> Expr:
    text = node.text()
    sign = -1 if text.startswith("-") else 1
    if found := _INTEGER.match(text.lstrip("+-")):
        digits = found[1].replace("'", "")
        if digits.startswith("0") and digits.isdigit() and len(digits) > 1:
            digits = f"0o{digits.lstrip('0') or '0'}"
        try:
            value = int(digits, 0)
        except ValueError:  # too many digits to convert
            value = MAX_NUMBER + 1
        if value <= MAX_NUMBER:
            return Number(reader.span(node), sign * value)
    return Several(reader.span(node), ())


def character(reader: Reader, node: SgNode) -> Expr:
    inner = unescaped(node.text().partition("'")[2].rpartition("'")[0])
    return Number(reader.span(node), ord(inner[0]) if inner else 0)


def string(reader: Reader, node: SgNode) -> Expr:
    if node.kind() == "concatenated_string":
        parts: list[str] = []
        for child in node.named_children():
            part = reader.expr(child)
            if not isinstance(part, Text):  # a macro such as PRIu64
                return Text(reader.span(node), "".join(parts) + "%s")
            parts.append(part.text)
        return Text(reader.span(node), "".join(parts))
    text = node.text()
    if node.kind() == "raw_string_literal":
        inner = text.partition("(")[2].rpartition(")")[0]
    else:
        inner = unescaped(text.partition('"')[2].rpartition('"')[0])
    return Text(reader.span(node), inner)


def name(reader: Reader, node: SgNode) -> Expr:
    text = node.text()
    if not reader.is_local(text) and text in reader.constants:
        return _moved(reader.constants[text], reader.span(node))
    return Var(reader.span(node), reader.resolve(text))


def qualified(reader: Reader, node: SgNode) -> Expr:
    text = node.text().removeprefix("::").removeprefix("std::")
    last = text.rpartition("::")[2]
    if last in reader.constants:
        return _moved(reader.constants[last], reader.span(node))
    return Var(reader.span(node), text)


def fixed_number(reader: Reader, node: SgNode) -> Expr:
    return Number(reader.span(node), 1 if node.kind() == "true" else 0)


def this(reader: Reader, node: SgNode) -> Expr:
    return Var(reader.span(node), "this")


def unescaped(text: str) -> str:
    """Return the characters that a literal's text stands for."""

    def character(found: re.Match[str]) -> str:
        code = found[1]
        if code[0] in "xu" and len(code) > 1:
            return chr(int(code[1:], 16) & 0x10FFFF)
        if code[0] in "01234567":
            return chr(int(code, 8))
        return _ESCAPES.get(code, code)

    return _ESCAPE.sub(character, text)


def _moved(expr: Expr, place: Span) -> Expr:
    """Return a constant with the place of the name that stands for it."""
    return expr._replace(span=place)


def new(reader: Reader, node: SgNode) -> Expr:
    type_ = node.field("type")
    if type_ is None:
        return reader.several(node)
    made = named_type(type_, reader)
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
        return reader.several(placement)  # placement new allocates nothing
    return New(
        reader.span(node),
        made,
        reader.expr(length) if length is not None else None,
        read_arguments(reader, node.field("arguments")),
        placement is not None,
    )


def delete(reader: Reader, node: SgNode) -> Expr:
    named = node.named_children()
    if not named:
        return reader.several(node)
    array = "[" in node.text()[: span(named[-1]).start - span(node).start]
    return Delete(reader.span(node), reader.expr(named[-1]), array)


def asm(reader: Reader, node: SgNode) -> Expr:
    """Read inline assembly as a call that may set all variables it names."""
    named = node.find_all(kind="identifier")
    args = tuple(AddressOf(reader.span(each), reader.expr(each)) for each in named)
    return Call(reader.span(node), "asm", None, args)


# Calls


def read_arguments(reader: Reader, node: SgNode | None) -> tuple[Expr, ...]:
    """Return the arguments in an argument list."""
    if node is None:
        return ()
    return tuple(reader.expr(child) for child in node.named_children() if child.kind() != "comment")


def call(reader: Reader, node: SgNode) -> Expr:
    callee, arguments = node.field("function"), node.field("arguments")
    if callee is None:
        return reader.several(node)
    kind, text = callee.kind(), callee.text()
    if kind == "identifier":
        expanded = _expanded(reader, text, arguments)
        if expanded is not None:
            with reader.expanding(text, node):
                return reader.expr(expanded)
    args = read_arguments(reader, arguments)
    place = reader.span(node)
    if kind == "field_expression":
        whole, name = callee.field("argument"), callee.field("field")
        if whole is not None and name is not None:
            return Call(place, name.text().partition("<")[0], reader.expr(whole), args)
    if kind == "primitive_type" and len(args) == 1:
        return Cast(place, named_type(callee, reader), args[0])
    head, _, type_ = text.partition("<")
    name_ = head.strip().removeprefix("::").removeprefix("std::")
    if name_ in _CASTS and len(args) == 1:
        listed = callee.field("arguments")
        named = listed.named_children() if listed is not None else []
        made = named_type(named[0], reader) if named else CType("")
        return Cast(place, made, args[0], name_)
    if kind in ("identifier", "qualified_identifier", "template_function"):
        reader.calls[name_] = reader.calls.get(name_, 0) + 1
        if kind == "identifier" and reader.is_local(name_):
            return Call(place, "", Var(place, reader.resolve(name_)), args)
        return Call(place, name_, None, args, type_.removesuffix(">"))
    return Call(place, "", reader.expr(callee), args)


def _expanded(reader: Reader, name: str, arguments: SgNode | None) -> SgNode | None:
    """Return the expansion of a macro call, or None if it is not an expression."""
    text = reader.expansion(name, arguments)
    if text is None:
        return None
    from ast_grep_py import SgRoot

    root = SgRoot(f"void f(void) {{ x = ({text}); }}", reader.language).root()
    found = root.find(kind="assignment_expression")
    right = found.field("right") if found is not None else None
    if right is None or right.kind() != "parenthesized_expression" or root.find(kind="ERROR"):
        return None
    return right


def comma(reader: Reader, node: SgNode) -> Expr:
    parts = tuple(reader.expr(child) for child in node.named_children())
    return Several(reader.span(node), parts, last=True)


def unary(reader: Reader, node: SgNode) -> Expr:
    operand = node.field("argument")
    op = node.field("operator")
    if operand is None or op is None:
        return reader.several(node)
    value = reader.expr(operand)
    sign = {"not": "!", "compl": "~"}.get(op.text(), op.text())
    if sign == "-" and isinstance(value, Number):
        return Number(reader.span(node), -value.value)
    return Unary(reader.span(node), sign, value)


def pointer(reader: Reader, node: SgNode) -> Expr:
    operand = node.field("argument")
    if operand is None:
        return reader.several(node)
    value = reader.expr(operand)
    if node.text().startswith("&"):
        return AddressOf(reader.span(node), value)
    return Deref(reader.span(node), value)


def step(reader: Reader, node: SgNode) -> Expr:
    operand = node.field("argument")
    if operand is None:
        return reader.several(node)
    text = node.text()
    prefix = text.startswith(("++", "--"))
    by = 1 if (text[:2] if prefix else text[-2:]) == "++" else -1
    return Step(reader.span(node), by, reader.expr(operand), prefix)


def binary(reader: Reader, node: SgNode) -> Expr:
    left, right, op = node.field("left"), node.field("right"), node.field("operator")
    if left is None or right is None or op is None:
        return reader.several(node)
    sign = {"and": "&&", "or": "||", "not_eq": "!=", "bitand": "&", "bitor": "|"}.get(
        op.text(), op.text()
    )
    return Binary(reader.span(node), sign, reader.expr(left), reader.expr(right))


def assign(reader: Reader, node: SgNode) -> Expr:
    left, right, op = node.field("left"), node.field("right"), node.field("operator")
    if left is None or right is None or op is None:
        return reader.several(node)
    return Assign(reader.span(node), op.text()[:-1], reader.expr(left), reader.expr(right))


def field(reader: Reader, node: SgNode) -> Expr:
    whole, part = node.field("argument"), node.field("field")
    if whole is None or part is None:
        return reader.several(node)
    op = node.field("operator")
    arrow = op is not None and op.text() == "->"
    return Field(reader.span(node), reader.expr(whole), part.text(), arrow)


def subscript(reader: Reader, node: SgNode) -> Expr:
    whole = node.field("argument")
    key = node.field("index") or node.field("indices")
    if whole is None or key is None:
        return reader.several(node)
    if key.kind() == "subscript_argument_list":
        return Subscript(reader.span(node), reader.expr(whole), inner(reader, key))
    return Subscript(reader.span(node), reader.expr(whole), reader.expr(key))


def cast(reader: Reader, node: SgNode) -> Expr:
    type_, value = node.field("type"), node.field("value")
    if type_ is None or value is None:
        return reader.several(node)
    return Cast(reader.span(node), named_type(type_, reader), reader.expr(value))


def sizeof(reader: Reader, node: SgNode) -> Expr:
    type_, value = node.field("type"), node.field("value")
    if type_ is not None:
        return SizeOf(reader.span(node), named_type(type_, reader), None)
    if value is None:
        return reader.several(node)
    text = value.text().strip("() ")
    known = text in reader.typedefs or f"struct {text}" in reader.records
    if known and not reader.is_local(text):
        return SizeOf(reader.span(node), CType(text), None)
    return SizeOf(reader.span(node), None, reader.expr(value))


def conditional(reader: Reader, node: SgNode) -> Expr:
    condition, then = node.field("condition"), node.field("consequence")
    otherwise = node.field("alternative")
    if condition is None or otherwise is None:
        return reader.several(node)
    test = reader.expr(condition)
    chosen = reader.expr(then) if then is not None else test
    return Conditional(reader.span(node), test, chosen, reader.expr(otherwise))


def initialiser_list(reader: Reader, node: SgNode) -> Expr:
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
        parts.append(reader.expr(child))
        keys.append(key)
    return Several(reader.span(node), tuple(parts), tuple(keys))
