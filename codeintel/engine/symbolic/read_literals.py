"""From syntax trees to names, numbers and text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.tree import Span
from codeintel.engine.symbolic.poly import MAX_NUMBER
from codeintel.engine.symbolic.reader import Reader
from codeintel.engine.symbolic.syntax import Expr, Number, Several, Text, Var

if TYPE_CHECKING:
    from ast_grep_py import SgNode


_INTEGER = re.compile(r"(0[xX][0-9a-fA-F']+|0[bB][01']+|[0-9][0-9']*)(?:[uUlLzZ]*)\Z")
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]+|[0-7]{1,3}|u[0-9a-fA-F]{4}|.)", re.DOTALL)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "f": "\f", "v": "\v"}


class LiteralReader(Reader):
    """Reads what has no parts."""

    def expr(self, node: SgNode) -> Expr:
        """The expression of a node of any kind."""
        raise NotImplementedError

    def _several(self, node: SgNode) -> Expr:
        parts = tuple(
            self.expr(child) for child in node.named_children() if child.kind() != "comment"
        )
        return Several(self.span(node), parts)

    def _inner(self, node: SgNode) -> Expr:
        named = [child for child in node.named_children() if child.kind() != "comment"]
        return self.expr(named[0]) if len(named) == 1 else self._several(node)

    def _number(self, node: SgNode) -> Expr:
        text = node.text()
        sign = -1 if text.startswith("-") else 1
        if found := _INTEGER.match(text.lstrip("+-")):
            digits = found[1].replace("'", "")
            if digits.startswith("0") and digits.isdigit() and len(digits) > 1:
                digits = f"0o{digits.lstrip('0') or '0'}"
            try:
                value = int(digits, 0)
            except ValueError:  # more digits than are converted
                value = MAX_NUMBER + 1
            if value <= MAX_NUMBER:
                return Number(self.span(node), sign * value)
        return Several(self.span(node), ())

    def _character(self, node: SgNode) -> Expr:
        inner = unescaped(node.text().partition("'")[2].rpartition("'")[0])
        return Number(self.span(node), ord(inner[0]) if inner else 0)

    def _string(self, node: SgNode) -> Expr:
        if node.kind() == "concatenated_string":
            parts: list[str] = []
            for child in node.named_children():
                part = self.expr(child)
                if not isinstance(part, Text):  # a macro such as PRIu64
                    return Text(self.span(node), "".join(parts) + "%s")
                parts.append(part.text)
            return Text(self.span(node), "".join(parts))
        text = node.text()
        if node.kind() == "raw_string_literal":
            inner = text.partition("(")[2].rpartition(")")[0]
        else:
            inner = unescaped(text.partition('"')[2].rpartition('"')[0])
        return Text(self.span(node), inner)

    def _name(self, node: SgNode) -> Expr:
        text = node.text()
        if not self.is_local(text) and text in self.constants:
            return _moved(self.constants[text], self.span(node))
        return Var(self.span(node), self.resolve(text))

    def _qualified(self, node: SgNode) -> Expr:
        text = node.text().removeprefix("::").removeprefix("std::")
        last = text.rpartition("::")[2]
        if last in self.constants:
            return _moved(self.constants[last], self.span(node))
        return Var(self.span(node), text)

    def _constant(self, node: SgNode) -> Expr:
        return Number(self.span(node), 1 if node.kind() == "true" else 0)

    def _this(self, node: SgNode) -> Expr:
        return Var(self.span(node), "this")


def unescaped(text: str) -> str:
    """The characters that a literal's text stands for."""

    def character(found: re.Match[str]) -> str:
        code = found[1]
        if code[0] in "xu" and len(code) > 1:
            return chr(int(code[1:], 16) & 0x10FFFF)
        if code[0] in "01234567":
            return chr(int(code, 8))
        return _ESCAPES.get(code, code)

    return _ESCAPE.sub(character, text)


def _moved(expr: Expr, place: Span) -> Expr:
    """A constant where its name stands."""
    return expr._replace(span=place)
