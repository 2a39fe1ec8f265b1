"""Loops that look for something, and `any` and `all`."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.loops.shapes import is_own, taken_apart
from codeintel.engine.equivalence.normal_form.purity import may_move_inside
from codeintel.engine.equivalence.normal_form.values.truth import again_not, is_constant, truth

_LOAD = ast.Load()


def searched(last: ast.stmt, new: ast.stmt, context: Context) -> ast.stmt | None:
    """`for x in y: if x: return True` and `return False` is `return any(...)`."""
    if not isinstance(last, ast.For) or not isinstance(new, ast.Return) or last.orelse:
        return None
    inner = taken_apart(last)
    if inner is None or not inner[0][0].ifs or not is_own(last, context):
        return None
    generators, statement = inner
    if not isinstance(statement, ast.Return) or statement.value is None or new.value is None:
        return None
    found = is_constant(statement.value, True) and is_constant(new.value, False)
    missing = is_constant(statement.value, False) and is_constant(new.value, True)
    if not (found or missing) or not context.means_builtin("any"):
        return None
    condition = generators[0].ifs[0]
    if not may_move_inside(condition) or not may_move_inside(generators[0].iter):
        return None
    context.took("loops that only search")
    call = search(condition, generators[0], context)
    return ast.Return(again_not(call, context) if missing else call)


def search(condition: ast.expr, over: ast.comprehension, context: Context) -> ast.expr:
    """`any(...)` of a condition."""
    element = truth(condition, context)
    generator = ast.comprehension(over.target, over.iter, [], over.is_async)
    return ast.Call(ast.Name("any", _LOAD), [ast.GeneratorExp(element, [generator])], [])


def every(node: ast.Call, context: Context) -> ast.AST | None:
    """`all(x for ...)` is `not any(not x for ...)`; of an element only its truth is asked."""
    match node:
        case ast.Call(
            func=function, args=[ast.GeneratorExp(elt=element, generators=over)], keywords=[]
        ):
            if not context.is_builtin(function, "any", "all") or not context.means_builtin("any"):
                return None
        case _:
            return None
    asked = truth(element, context)
    if context.is_builtin(function, "any"):
        if asked is element:
            return None
        return ast.Call(function, [ast.GeneratorExp(asked, over)], [])
    context.took("all() as any()")
    generator = ast.GeneratorExp(again_not(asked, context), over)
    return again_not(ast.Call(ast.Name("any", _LOAD), [generator], []), context)
