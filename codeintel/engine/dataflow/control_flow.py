"""From syntax trees to the form of :mod:`codeintel.engine.dataflow.ir`: control flow, which is
branches, loops, handlers, and what leaves them or a function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeintel.engine.dataflow import kinds
from codeintel.engine.dataflow.functions import FunctionLowerer
from codeintel.engine.dataflow.ir import (
    FINALLY,
    HANDLER,
    Branch,
    Evaluate,
    Expr,
    Join,
    Leave,
    Literal,
    Loop,
    Return,
    Sequence,
    Stmt,
)
from codeintel.engine.dataflow.nodes import child_of, field_of
from codeintel.engine.dataflow.switches import lower_switch
from codeintel.engine.dataflow.tree import Span, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_HANDLER = Literal(Span(0, 0), HANDLER)
_HANDLERS = {
    "catch_clause": HANDLER,
    "except_clause": HANDLER,
    "rescue": HANDLER,
    "finally_clause": FINALLY,
}


class ControlFlowLowerer(FunctionLowerer):
    """Lowers control flow; other statements are the subclass's."""

    def _statement(self, node: SgNode) -> Stmt:
        raise NotImplementedError

    def _block(self, node: SgNode) -> Stmt:
        raise NotImplementedError

    def _branch(self, node: SgNode) -> Stmt:
        condition = field_of(node, "condition", "value")
        first = field_of(node, "initializer")
        then = field_of(node, "consequence", "body")
        rest = node.field_children("alternative")
        otherwise: tuple[Stmt, ...] = ()
        for alternative in reversed(rest):
            made = self._statement(alternative)
            if isinstance(made, Branch):
                otherwise = (made._replace(otherwise=made.otherwise or otherwise),)
            else:
                otherwise = made.body if isinstance(made, Sequence) else (made,)
        test = self.expr(condition) if condition is not None else Literal(span(node), "")
        ways = self.statements(then) if then is not None else ()
        if node.kind() in ("unless", "unless_modifier"):
            ways, otherwise = otherwise, ways
        branch = Branch(span(node), test, ways, otherwise)
        if first is None:
            return branch
        return Sequence(span(node), (*self.statements(first), branch))

    def _loop(self, node: SgNode) -> Stmt:
        inner = child_of(node, "range_clause", "for_clause") or node
        target = field_of(inner, "left", "name", "pattern", "declarator")
        source = field_of(inner, "right", "value", "condition")
        body = field_of(node, "body", "consequence")
        if node.kind() == "foreach_statement":
            return self._foreach(node)
        if node.kind() == "for_statement" and inner.kind() == "for_clause":
            target, source = None, field_of(inner, "condition")
        start = field_of(inner, "initializer")
        before = self.statements(start) if start is not None else ()
        loop = Loop(
            span(node),
            self.expr(target) if target is not None and source is not None else None,
            self.expr(source) if source is not None else None,
            self.statements(body) if body is not None else (),
        )
        return Sequence(span(node), (*before, loop)) if before else loop

    def _foreach(self, node: SgNode) -> Stmt:
        body = node.field("body")
        named = [c for c in node.named_children() if c.kind() not in kinds.IGNORED]
        if body is not None:
            place = span(body)
            named = [child for child in named if span(child) != place]
        left, right = field_of(node, "left"), field_of(node, "right")
        if left is not None and right is not None:  # C#
            source, target = right, left
        elif len(named) >= 2:
            source, target = named[0], named[1]
        else:
            return self._block(node)
        return Loop(
            span(node),
            self.expr(target),
            self.expr(source),
            self.statements(body) if body is not None else (),
        )

    def _switch(self, node: SgNode) -> Stmt:
        value = field_of(node, "value", "condition", "subject")
        if value is not None:
            return lower_switch(self, node, value)
        made: list[Stmt] = []
        for child in node.named_children():
            if child.kind() in kinds.IGNORED:
                continue
            ways = self.statements(child)
            made.extend(Branch(each.span, Literal(each.span, ""), (each,), ()) for each in ways)
        return Sequence(span(node), tuple(made))

    def _return(self, node: SgNode) -> Stmt:
        parts = self._parts(node)
        if node.kind() == "yield_statement" and len(parts) == 1 and "return" not in node.text():
            return Evaluate(span(node), parts[0])  # the value of a way through Java's switch
        value: Expr | None = None
        if len(parts) == 1:
            value = parts[0]
        elif parts:
            value = Join(span(node), parts)
        return Return(span(node), value)

    def _leave(self, node: SgNode) -> Stmt:
        parts = self._parts(node)
        value = Join(span(node), parts) if parts else None
        return Leave(span(node), value, not parts and node.text().strip(" ;") == "break")

    def _try(self, node: SgNode) -> Stmt:
        made: list[Stmt] = []
        for child in node.named_children():
            if child.kind() in kinds.IGNORED:
                continue
            found = self.statements(child)
            if (handles := _HANDLERS.get(child.kind())) is not None:
                made.append(Branch(span(child), Literal(Span(0, 0), handles), found, ()))
            else:
                made.extend(found)
        return Sequence(span(node), tuple(made))

    def _rescue(self, node: SgNode) -> Stmt:
        """Ruby's handler, which may not be gone through."""
        body = child_of(node, "then")
        return Branch(
            span(node),
            _HANDLER,
            self.statements(body) if body is not None else (),
            (),
        )

    def _ensure(self, node: SgNode) -> Stmt:
        """What Ruby does in any case."""
        made = self._block(node)
        body = made.body if isinstance(made, Sequence) else (made,)
        return Branch(span(node), Literal(Span(0, 0), FINALLY), body, ())
