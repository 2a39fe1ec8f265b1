"""Loops that build, look for or hand on something."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.loops.builds import appended, built
from codeintel.engine.equivalence.normal_form.loops.searches import every, searched
from codeintel.engine.equivalence.normal_form.loops.shapes import is_own
from codeintel.engine.equivalence.normal_form.loops.sources import gone_through, pairs, source
from codeintel.engine.equivalence.normal_form.text import same


def tidy(body: list[ast.stmt], context: Context) -> list[ast.stmt]:
    """A block, with its loops in a shorter form where there is one."""
    done: list[ast.stmt] = []
    for statement in body:
        new = _loop(statement, context) if isinstance(statement, ast.For) else statement
        last = done[-1] if done else None
        together = built(last, new, context) or searched(last, new, context) if last else None
        if together is None:
            done.append(new)
        else:
            done[-1] = together
    return done


def _loop(node: ast.For, context: Context) -> ast.stmt:
    node.iter = source(node, context)
    pairs(node, context)
    if node.orelse or node.type_comment or not is_own(node, context):
        return node
    return _handed_on(node, context) or appended(node, context) or node


def _handed_on(node: ast.For, context: Context) -> ast.stmt | None:
    """`for x in y: yield x` is `yield from y` for who only goes through it."""
    match node.body:
        case [ast.Expr(value=ast.Yield(value=value))] if value is not None:
            if same(value, node.target) and not context.facts.words & {"send", "throw"}:
                context.took("`yield from`")
                return ast.Expr(ast.YieldFrom(node.iter))
    return None


STEPS = {ast.Call: [every], ast.comprehension: [gone_through]}
