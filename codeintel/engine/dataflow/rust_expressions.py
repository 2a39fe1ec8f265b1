"""From Rust's syntax trees to the form of :mod:`codeintel.engine.dataflow.ir`: expressions,
patterns and macros."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeintel.engine.dataflow.ir import (
    Argument,
    Assign,
    Assignment,
    Block,
    Call,
    Closure,
    Evaluate,
    Expr,
    Join,
    Keyed,
    Literal,
    Member,
    Name,
    Test,
)
from codeintel.engine.dataflow.rust_macros import INLINE, MARK
from codeintel.engine.dataflow.rust_types import Types
from codeintel.engine.dataflow.statements import StatementLowerer
from codeintel.engine.dataflow.tree import Span, span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ast_grep_py import SgNode

_NOTHING = frozenset({"None", "Err", "false"})
"""A pattern of these holds if the value is none that was wanted."""
_MAPPING = frozenset({"map", "and_then", "filter_map", "flat_map", "for_each"})
_WRITES = frozenset({"write!", "writeln!"})
_PIECES = frozenset(
    [
        "chars",
        "bytes",
        "char_indices",
        "components",
        "split",
        "split_whitespace",
        "as_bytes",
        "iter",
        "lines",
    ]
)


class RustExpressionLowerer(StatementLowerer):
    """Lowers expressions of Rust."""

    def __init__(self, root: SgNode) -> None:
        super().__init__()
        self._types = Types(root)
        self._exprs = {
            "if_expression": self._as_block,
            "match_expression": self._as_block,
            "let_condition": self._let_condition,
            "tuple_struct_pattern": self._tuple_struct,
            "struct_pattern": self._struct,
            "field_expression": self._field_access,
            "reference_expression": self._reference,
            "type_cast_expression": self._number,
            "struct_expression": self._literal_struct,
            "closure_expression": self._lambda,
        }

    def expr(self, node: SgNode) -> Expr:
        handler = self._exprs.get(node.kind())
        return handler(node) if handler is not None else super().expr(node)

    def _as_block(self, node: SgNode) -> Expr:
        return Block(span(node), self.statements(node))

    def _lambda(self, node: SgNode) -> Expr:
        return Closure(span(node), self.function(node))

    def _number(self, node: SgNode) -> Expr:
        return Test(span(node), (self.expr(node.named_children()[0]),), "cast")

    def _reference(self, node: SgNode) -> Expr:
        value = node.field("value")
        return Join(span(node), (self.expr(value),) if value is not None else ())

    def _literal_struct(self, node: SgNode) -> Expr:
        body = node.field("body")
        if body is None:
            return Literal(span(node), node.text())
        return self._keyed(body)._replace(span=span(node))

    def _field_access(self, node: SgNode) -> Expr:
        made = self._member(node, "field_expression")
        parent = node.parent()
        called = parent is not None and parent.kind() == "call_expression"
        if isinstance(made, Member) and not called and made.name in self._types.plain_fields:
            return Test(span(node), (made,), "cast")
        return made

    def _let_condition(self, node: SgNode) -> Expr:
        pattern, value = node.field("pattern"), node.field("value")
        if pattern is None or value is None:
            return Join(span(node), self._parts(node))
        made = Assignment(span(node), self.expr(pattern), self.expr(value), False)
        if pattern.text().partition("(")[0] in _NOTHING:
            return Test(span(node), (made,), "!")
        return made

    def _tuple_struct(self, node: SgNode) -> Expr:
        _, *inner = node.named_children()
        return Join(span(node), tuple(self.expr(child) for child in inner))

    def _struct(self, node: SgNode) -> Expr:
        entries: list[tuple[str | None, Expr]] = []
        for child in node.named_children():
            if child.kind() == "field_pattern":
                first, *rest = child.named_children()
                target = rest[-1] if rest else first
                if first.text() not in self._types.plain_fields:
                    entries.append((first.text(), self.expr(target)))
        return Keyed(span(node), tuple(entries))

    def _call(self, node: SgNode, kind: str) -> Expr:
        made = super()._call(node, kind)
        if not isinstance(made, Call):
            return made
        if isinstance(made.callee, Name) and made.callee.id.endswith((MARK, "!")):
            return self._macro(node, made, made.callee)
        if isinstance(made.callee, Member) and made.args:
            function = made.args[0].value
            if made.callee.name in _MAPPING and isinstance(function, Name) and function.id != "?":
                return Call(made.span, function, (Argument(made.callee.object, None),))
            return _asked_of_pieces(made, made.callee)
        return made

    def _macro(self, node: SgNode, call: Call, callee: Name) -> Expr:
        name = callee.id.rpartition(".")[2][:-1] + "!"
        args = call.args
        if name == "matches!" and len(args) > 1:
            one_of = isinstance(args[1].value, Literal | Join)
            asked = (args[0].value, args[1].value)
            return Test(call.span, asked, "in" if one_of else "matches")
        texts = [n for n, each in enumerate(args) if _is_text(each.value)]
        if texts:
            first = texts[0]
            joined = Span(args[first].value.span.start, call.span.end - 1)
            parts = (*_inlined(args[first].value), *(each.value for each in args[first + 1 :]))
            args = (*args[:first], Argument(Join(joined, parts), None))
        made = Call(call.span, Name(callee.span, name), args)
        if name in _WRITES and len(args) > 1:
            added = Assign(call.span, args[0].value, args[1].value, augments=True)
            return Block(call.span, (added, Evaluate(call.span, made._replace(args=args[1:]))))
        return made


def _is_text(value: Expr) -> bool:
    return isinstance(value, Literal)


def _inlined(text: Expr) -> Iterator[Expr]:
    """The variables that a format names within its text."""
    for match in INLINE.finditer(text.text if isinstance(text, Literal) else ""):
        yield Name(text.span, match[1])


def _asked_of_pieces(call: Call, callee: Member) -> Expr:
    """A value with any bad piece is one of which not all pieces are good; and one that contains any
    of some characters contains the first."""
    given = call.args[0].value
    of_pieces = gives_pieces(callee.object)
    if callee.name in ("any", "contains") and isinstance(given, Closure):
        if of_pieces or callee.name == "contains":
            asked = call._replace(callee=callee._replace(name="all"))
            return Test(call.span, (asked,), "!")
    if callee.name == "contains":
        while isinstance(given, Join) and len(given.parts) == 1:
            given = given.parts[0]
        if isinstance(given, Join) and given.parts and isinstance(given.parts[0], Literal):
            first = next((p for p in given.parts if getattr(p, "text", "") in ("/", "..")), None)
            return call._replace(args=(Argument(first or given.parts[0], None),))
    return call


def gives_pieces(expr: Expr) -> bool:
    """Whether an expression is the pieces of a value, one after the other."""
    callee = expr.callee if isinstance(expr, Call) else None
    return isinstance(callee, Member) and callee.name in _PIECES
