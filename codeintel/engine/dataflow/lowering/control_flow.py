"""From syntax trees to the form of :mod:`codeintel.engine.dataflow.ir`: control flow, which is
branches, loops, handlers, and what leaves them or a function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codeintel.engine.dataflow import kinds
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
from codeintel.engine.dataflow.lowering.calls import lower_parts
from codeintel.engine.dataflow.lowering.lowerer import Lowerer
from codeintel.engine.dataflow.lowering.statements import lower_block
from codeintel.engine.dataflow.lowering.switches import lower_switch
from codeintel.engine.dataflow.nodes import child_of, field_of
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


def lower_branch(lowerer: Lowerer, node: SgNode) -> Stmt:
    condition = field_of(node, "condition", "value")
    first = field_of(node, "initializer")
    then = field_of(node, "consequence", "body")
    rest = node.field_children("alternative")
    otherwise: tuple[Stmt, ...] = ()
    for alternative in reversed(rest):
        made = lowerer.statement(alternative)
        if isinstance(made, Branch):
            otherwise = (made._replace(otherwise=made.otherwise or otherwise),)
        else:
            otherwise = made.body if isinstance(made, Sequence) else (made,)
    test = lowerer.expr(condition) if condition is not None else Literal(span(node), "")
    ways = lowerer.statements(then) if then is not None else ()
    if node.kind() in ("unless", "unless_modifier"):
        ways, otherwise = otherwise, ways
    branch = Branch(span(node), test, ways, otherwise)
    if first is None:
        return branch
    return Sequence(span(node), (*lowerer.statements(first), branch))


def lower_loop(lowerer: Lowerer, node: SgNode) -> Stmt:
    inner = child_of(node, "range_clause", "for_clause") or node
    target = field_of(inner, "left", "name", "pattern", "declarator")
    source = field_of(inner, "right", "value", "condition")
    body = field_of(node, "body", "consequence")
    if node.kind() == "foreach_statement":
        return _foreach(lowerer, node)
    if node.kind() == "for_statement" and inner.kind() == "for_clause":
        target, source = None, field_of(inner, "condition")
    start = field_of(inner, "initializer")
    before = lowerer.statements(start) if start is not None else ()
    loop = Loop(
        span(node),
        lowerer.expr(target) if target is not None and source is not None else None,
        lowerer.expr(source) if source is not None else None,
        lowerer.statements(body) if body is not None else (),
    )
    return Sequence(span(node), (*before, loop)) if before else loop


def _foreach(lowerer: Lowerer, node: SgNode) -> Stmt:
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
        return lower_block(lowerer, node)
    return Loop(
        span(node),
        lowerer.expr(target),
        lowerer.expr(source),
        lowerer.statements(body) if body is not None else (),
    )


def switch_statement(lowerer: Lowerer, node: SgNode) -> Stmt:
    value = field_of(node, "value", "condition", "subject")
    if value is not None:
        return lower_switch(lowerer, node, value)
    made: list[Stmt] = []
    for child in node.named_children():
        if child.kind() in kinds.IGNORED:
            continue
        ways = lowerer.statements(child)
        made.extend(Branch(each.span, Literal(each.span, ""), (each,), ()) for each in ways)
    return Sequence(span(node), tuple(made))


def lower_return(lowerer: Lowerer, node: SgNode) -> Stmt:
    parts = lower_parts(lowerer, node)
    if node.kind() == "yield_statement" and len(parts) == 1 and "return" not in node.text():
        return Evaluate(span(node), parts[0])  # the value of a way through Java's switch
    value: Expr | None = None
    if len(parts) == 1:
        value = parts[0]
    elif parts:
        value = Join(span(node), parts)
    return Return(span(node), value)


def lower_leave(lowerer: Lowerer, node: SgNode) -> Stmt:
    parts = lower_parts(lowerer, node)
    value = Join(span(node), parts) if parts else None
    return Leave(span(node), value, not parts and node.text().strip(" ;") == "break")


def lower_try(lowerer: Lowerer, node: SgNode) -> Stmt:
    made: list[Stmt] = []
    for child in node.named_children():
        if child.kind() in kinds.IGNORED:
            continue
        found = lowerer.statements(child)
        if (handles := _HANDLERS.get(child.kind())) is not None:
            made.append(Branch(span(child), Literal(Span(0, 0), handles), found, ()))
        else:
            made.extend(found)
    return Sequence(span(node), tuple(made))


def lower_rescue(lowerer: Lowerer, node: SgNode) -> Stmt:
    """Ruby's handler, which may not be gone through."""
    body = child_of(node, "then")
    return Branch(
        span(node),
        _HANDLER,
        lowerer.statements(body) if body is not None else (),
        (),
    )


def lower_ensure(lowerer: Lowerer, node: SgNode) -> Stmt:
    """What Ruby does in any case."""
    made = lower_block(lowerer, node)
    body = made.body if isinstance(made, Sequence) else (made,)
    return Branch(span(node), Literal(Span(0, 0), FINALLY), body, ())
