"""Lookups in dicts, and beginnings and ends of texts, with something else where there is none."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.purity import is_repeatable, is_simple
from codeintel.engine.equivalence.normal_form.text import same

_LOAD = ast.Load()
_CUT = {"startswith": "removeprefix", "endswith": "removesuffix"}


def looked_up(node: ast.IfExp, context: Context) -> ast.AST | None:
    """`d[k] if k in d else 0` is `d.get(k, 0)` of a dict."""
    match node:
        case ast.IfExp(
            test=ast.Compare(left=key, ops=[ast.In()], comparators=[owner]),
            body=ast.Subscript(value=value, slice=index),
            orelse=default,
        ):
            pass
        case _:
            return None
    if context.kind(owner) != "dict" or not is_simple(owner) or not same(owner, value):
        return None
    if not same(key, index) or not is_repeatable(key, context) or not _is_fixed(default):
        return None
    context.took("get() of a dict")
    given = [key] if isinstance(default, ast.Constant) and default.value is None else [key, default]
    return ast.Call(ast.Attribute(owner, "get", _LOAD), given, [])


def _is_fixed(node: ast.expr) -> bool:
    """Whether it may as well be evaluated where it is not needed."""
    match node:
        case ast.Constant() | ast.List(elts=[]) | ast.Tuple(elts=[]) | ast.Dict(keys=[]):
            return True
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float())):
            return True
    return False


def cut(node: ast.If, context: Context) -> ast.AST | None:
    """`if s.startswith("ab"): s = s[2:]` is `s = s.removeprefix("ab")` of a text."""
    match node:
        case ast.If(
            test=test,
            body=[ast.Assign(targets=[ast.Name(id=name) as target], value=value)],
            orelse=[],
        ):
            new = _without(test, value, ast.Name(name, _LOAD), context)
            return ast.Assign([target], new) if new is not None else None
    return None


def chosen(node: ast.IfExp, context: Context) -> ast.AST | None:
    """`s[2:] if s.startswith("ab") else s`."""
    return _without(node.test, node.body, node.orelse, context)


def _without(test: ast.expr, value: ast.expr, text: ast.expr, context: Context) -> ast.expr | None:
    """A text without its beginning or end, if it has it."""
    match test:
        case ast.Call(
            func=ast.Attribute(value=asked, attr=attribute),
            args=[ast.Constant(value=str(affix)) as given],
            keywords=[],
        ) if attribute in _CUT and affix:
            pass
        case _:
            return None
    match value:
        case ast.Subscript(value=whole, slice=ast.Slice(lower=lower, upper=upper, step=None)):
            pass
        case _:
            return None
    kept = (lower, upper) if attribute == "startswith" else (upper, lower)
    count = kept[0] if attribute == "startswith" else _negated(kept[0])
    cuts = isinstance(count, ast.Constant) and count.value == len(affix) and kept[1] is None
    if not cuts or not isinstance(text, ast.Name) or context.kind(text) != "str":
        return None
    if not same(asked, text) or not same(whole, text):
        return None
    context.took("beginnings and ends that are cut off")
    return ast.Call(ast.Attribute(text, _CUT[attribute], _LOAD), [given], [])


def _negated(node: ast.expr | None) -> ast.expr | None:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return node.operand
    return None


STEPS = {ast.IfExp: [looked_up, chosen], ast.If: [cut]}
