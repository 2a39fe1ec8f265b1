"""`map` with a `lambda`, where what it gives is only gone through."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.purity import is_pure, may_move_inside

_READERS = (
    *("all", "any", "dict", "enumerate", "frozenset", "list", "max", "min", "set", "sorted"),
    *("sum", "tuple"),
)
ENDING = frozenset({"StopIteration", "StopAsyncIteration", "next", "__next__", "throw", "send"})
"""Words without which nothing here ends an iteration: `map` lets that through, and a generator
makes another error of it."""


def mapped(node: ast.expr, context: Context) -> ast.GeneratorExp | None:
    """`map(lambda x: ..., y)` as a generator."""
    match node:
        case ast.Call(func=function, args=[ast.Lambda(args=given, body=body), over], keywords=[]):
            pass
        case _:
            return None
    only = len(given.args) == 1 and not (given.posonlyargs or given.kwonlyargs)
    if not only or given.defaults or given.vararg or given.kwarg or isinstance(over, ast.Starred):
        return None
    if not context.is_builtin(function, "map") or not may_move_inside(body):
        return None
    if not is_pure(body, context) and context.facts.words & ENDING:
        return None
    target = ast.Name(given.args[0].arg, ast.Store())
    return ast.GeneratorExp(body, [ast.comprehension(target, over, [], 0)])


def read(node: ast.Call, context: Context) -> ast.AST | None:
    """What a call goes through before it returns."""
    if not node.args:
        return None
    reads = context.is_builtin(node.func, *_READERS) or _is_join(node.func)
    first = mapped(node.args[0], context) if reads else None
    if first is not None:
        context.took("map() as generators")
        return ast.Call(node.func, [first, *node.args[1:]], node.keywords)
    return None


def _is_join(node: ast.expr) -> bool:
    match node:
        case ast.Attribute(value=ast.Constant(value=str()), attr="join"):
            return True
    return False


def unpacked(node: ast.Starred, context: Context) -> ast.AST | None:
    """`f(*map(lambda x: ..., y))`: gone through before the call."""
    new = mapped(node.value, context) if isinstance(node.ctx, ast.Load) else None
    if new is None:
        return None
    context.took("map() as generators")
    return ast.Starred(new, node.ctx)


def gone_through(node: ast.For | ast.comprehension, context: Context) -> ast.AST | None:
    """What a loop goes through."""
    if isinstance(node, ast.comprehension) and node.is_async:
        return None
    new = mapped(node.iter, context)
    if new is not None:
        context.took("map() as generators")
        node.iter = new
    return None


STEPS = {
    ast.Call: [read],
    ast.Starred: [unpacked],
    ast.For: [gone_through],
    ast.comprehension: [gone_through],
}
