"""The ends of functions."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form import blocks
from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.values.truth import is_constant


def tidy(
    node: ast.FunctionDef | ast.AsyncFunctionDef, context: Context, again: blocks.Again
) -> None:
    """What falls off the end returns None: it is written out."""
    before = len(node.body)
    node.body = _completed(node.body, context, again)
    if len(node.body) != before:
        context.took("what a function returns at its end")


def _completed(body: list[ast.stmt], context: Context, again: blocks.Again) -> list[ast.stmt]:
    body = list(body)
    while body and _is_none(body[-1]):
        body.pop()
    last = body[-1] if body else None
    if isinstance(last, ast.If):
        last.body = _completed(last.body, context, again)
        last.orelse = _completed(last.orelse, context, again)
    elif isinstance(last, ast.With | ast.AsyncWith):
        last.body = _completed(last.body, context, again)
    elif not blocks.ends(body):
        if len(body) == 1 and isinstance(body[0], ast.Pass):
            body = []
        return [*body, ast.Return(ast.Constant(None))]
    return blocks.tidy(body, context, again)


def _is_none(node: ast.stmt) -> bool:
    match node:
        case ast.Return(value=value):
            return value is None or is_constant(value, None)
    return False
