"""Loops as what comprehensions are made of."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.context import Context


def taken_apart(node: ast.For) -> tuple[list[ast.comprehension], ast.stmt] | None:
    """A loop as what a comprehension is made of, and the statement inside."""
    generators: list[ast.comprehension] = []
    inner: ast.stmt = node
    while isinstance(inner, ast.For | ast.If):
        if inner.orelse or len(inner.body) != 1:
            return None
        if isinstance(inner, ast.For):
            if generators:
                return None
            generators.append(ast.comprehension(inner.target, inner.iter, [], 0))
        elif isinstance(inner, ast.If):
            generators[-1].ifs.append(inner.test)
        inner = inner.body[0]
    for generator in generators:
        if len(generator.ifs) > 1:
            values: list[ast.expr] = []
            for each in generator.ifs:
                is_and = isinstance(each, ast.BoolOp) and isinstance(each.op, ast.And)
                values.extend(each.values if is_and and isinstance(each, ast.BoolOp) else [each])
            generator.ifs = [ast.BoolOp(ast.And(), values)]
    return generators, inner


def is_own(node: ast.For, context: Context) -> bool:
    """Whether nobody sees the loop's variables outside of it."""
    parts = ast.walk(node.target)
    if any(
        not isinstance(each, ast.Name | ast.Tuple | ast.List | ast.expr_context) for each in parts
    ):
        return False
    scope = context.scope
    seen = scope.leaking | scope.captured | scope.declared
    return not _names(node.target) & seen and not context.facts.dynamic


def _names(target: ast.expr) -> set[str]:
    return {each.id for each in ast.walk(target) if isinstance(each, ast.Name)}
