"""From Rust's syntax trees to the form of :mod:`codeintel.engine.dataflow.ir`: parameters,
functions, `match`, and loops that check."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeintel.engine.dataflow import kinds
from codeintel.engine.dataflow.ir import (
    Assign,
    Branch,
    Call,
    Evaluate,
    Expr,
    Function,
    Join,
    Leave,
    Literal,
    Loop,
    Member,
    Name,
    Param,
    Sequence,
    Stmt,
    Test,
)
from codeintel.engine.dataflow.rust_expressions import RustExpressionLowerer, gives_pieces
from codeintel.engine.dataflow.rust_leaving import may_leave, refusing
from codeintel.engine.dataflow.rust_types import bindings, routed_functions
from codeintel.engine.dataflow.tree import Span, span

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ast_grep_py import SgNode

_DEMANDS = frozenset({"ensure!", "assert!", "debug_assert!"})
_MAX_NESTED = 40


class RustLowerer(RustExpressionLowerer):
    """Lowers a file of Rust whose macros are exposed."""

    def __init__(self, root: SgNode) -> None:
        super().__init__(root)
        self._routed = routed_functions(root)
        self._handlers |= {"if_expression": self._branch, "match_expression": self._match}

    # Parameters

    def params(self, node: SgNode | None) -> Iterator[Param]:
        for child in node.named_children() if node is not None else ():
            if child.kind() == "self_parameter":
                yield Param(span(child), "self", "", "")
                continue
            if child.kind() in kinds.IGNORED:
                continue
            pattern = child.field("pattern") or child
            type_ = child.field("type") if child.kind() == "parameter" else None
            for name, text in bindings(pattern, type_, self._types):
                yield Param(span(name), name.text(), text, child.text())

    def _all_params(self, node: SgNode | None) -> list[Param]:
        return list(self.params(node))

    # Statements

    def function(self, node: SgNode) -> Function:
        made = super().function(node)
        decoration = made.decoration + ("\nrouted" if made.name in self._routed else "")
        return made._replace(body=refusing(made.body), decoration=decoration)

    def _as_statement(self, value: Expr) -> Stmt:
        if isinstance(value, Call) and isinstance(value.callee, Name) and value.args:
            if value.callee.id in _DEMANDS:
                leave = Leave(value.span, None)
                return Branch(value.span, value.args[0].value, (), (leave,))
        return super()._as_statement(value)

    def _declare(self, node: SgNode) -> Stmt:
        pattern, value, other = map(node.field, ("pattern", "value", "alternative"))
        if node.kind() != "let_declaration" or pattern is None:
            return super()._declare(node)
        type_ = node.field("type")
        made = Assign(
            span(node),
            self.expr(pattern),
            self.expr(value) if value is not None else Literal(Span(0, 0), ""),
            type=self._types.told(type_.text()) if type_ is not None else "",
            declares=True,
        )
        if other is None:
            return made
        otherwise = Branch(span(other), made.value, (), self.statements(other))
        return Sequence(span(node), (made, otherwise))

    def _loop(self, node: SgNode) -> Stmt:
        """A loop over the pieces of a value that it may leave checks the value."""
        made = super()._loop(node)
        if not isinstance(made, Loop) or made.source is None or not may_leave(made.body):
            return made
        if not gives_pieces(made.source):
            return made
        place = made.source.span
        asked = Call(place, Member(place, made.source, "all"), ())
        check = Branch(place, asked, (), (Leave(place, None),))
        return Sequence(made.span, (made, check))

    def _match(self, node: SgNode) -> Stmt:
        value, body = node.field("value"), node.field("body")
        if value is None or body is None:
            return self._block(node)
        asked = self.expr(value)
        arms = [child for child in body.named_children() if child.kind() == "match_arm"]
        rest: tuple[Stmt, ...] = ()
        for position, arm in reversed(list(enumerate(arms))):
            nested = () if len(arms) > _MAX_NESTED else rest
            made = self._arm(arm, asked, nested, is_last=position == len(arms) - 1)
            rest = made if len(arms) <= _MAX_NESTED else (*made, *rest)
        return Sequence(span(node), (Evaluate(span(value), asked), *rest))

    def _arm(
        self, arm: SgNode, asked: Expr, rest: tuple[Stmt, ...], *, is_last: bool
    ) -> tuple[Stmt, ...]:
        """What is done if an arm's pattern holds, and otherwise the rest."""
        whole, value = arm.field("pattern"), arm.field("value")
        if whole is None or value is None:
            return rest
        guard = whole.field("condition")
        pattern = whole.named_children()[0] if whole.named_children() else None
        then = self.statements(value)
        bound: tuple[Stmt, ...] = ()
        labels = _constants(pattern) if pattern is not None else []
        if pattern is not None and labels is None:
            bound = (Assign(span(pattern), self.expr(pattern), asked, declares=True),)
        if guard is not None:
            return (*bound, Branch(span(arm), self.expr(guard), then, rest))
        if labels:
            place = span(whole)
            among = Join(place, tuple(Literal(span(each), each.text()) for each in labels))
            return (Branch(span(arm), Test(place, (asked, among), "in"), then, rest),)
        if is_last or pattern is None or pattern.kind() == "identifier":
            return (*bound, *then)
        return (Branch(span(arm), Literal(Span(0, 0), ""), (*bound, *then), rest),)


def _constants(pattern: SgNode) -> list[SgNode] | None:
    """The constants that a pattern is, or None if it is more."""
    kind, text = pattern.kind(), pattern.text()
    if kind == "or_pattern":
        found: list[SgNode] = []
        for child in pattern.named_children():
            inner = _constants(child)
            if inner is None:
                return None
            found += inner
        return found
    if kind in kinds.STRINGS or kind.endswith("_literal") or kind == "range_pattern":
        return [pattern]
    if kind == "scoped_identifier" or (kind == "identifier" and text.isupper()):
        return [pattern]
    if kind == "tuple_struct_pattern" and text.startswith(("Some(", "Ok(")):
        inner = [each for child in pattern.named_children()[1:] for each in _constants(child) or ()]
        return inner or None
    return None
