"""Calls that can be written in fewer words."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.calls.arguments import (
    cached,
    got,
    opened,
    printed,
    process,
    ranged,
)
from codeintel.engine.equivalence.normal_form.calls.literals import (
    encoded,
    literal,
    split,
    type_of_literal,
)
from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.purity import is_reckoned
from codeintel.engine.equivalence.normal_form.text import same

_LOAD = ast.Load()


def called(node: ast.Call, context: Context) -> ast.AST | None:
    """The steps for one call. How many arguments `*a` and `**b` are nobody knows."""
    starred = any(isinstance(each, ast.Starred) for each in node.args)
    starred = starred or any(keyword.arg is None for keyword in node.keywords)
    for step in (_spread,) if starred else _CALLS:
        new = step(node, context)
        if new is not None:
            return new
    return None


def _zipped(node: ast.Call, context: Context) -> ast.AST | None:
    """`zip(d.keys(), d.values())` is `d.items()`."""
    match node:
        case ast.Call(
            func=function,
            args=[
                ast.Call(func=ast.Attribute(value=one, attr="keys"), args=[]),
                ast.Call(func=ast.Attribute(value=two, attr="values"), args=[]),
            ],
            keywords=[],
        ):
            known = context.is_builtin(function, "zip") and context.kind(one) == "dict"
            if known and same(one, two):
                context.took("items() of a dict")
                return ast.Call(ast.Attribute(one, "items", _LOAD), [], [])
    return None


def _attribute(node: ast.Call, context: Context) -> ast.AST | None:
    """`getattr(x, "a")` is `x.a`."""
    match node:
        case ast.Call(func=function, args=[value, ast.Constant(value=str(name))], keywords=[]):
            usual = name.isidentifier() and not name.startswith("__")
            if usual and context.is_builtin(function, "getattr"):
                context.took("attributes by name")
                return ast.Attribute(value, name, _LOAD)
    return None


def _of_none(node: ast.Call, context: Context) -> ast.AST | None:
    """`isinstance(x, type(None))` is `x is None`."""
    match node:
        case ast.Call(
            func=function, args=[value, ast.Call(func=kind, args=[ast.Constant(value=None)])]
        ) if context.is_builtin(function, "isinstance") and context.is_builtin(kind, "type"):
            context.took("the type of None")
            return ast.Compare(value, [ast.Is()], [ast.Constant(None)])
    return None


def _spread(node: ast.Call, context: Context) -> ast.AST | None:
    """`f(**{"a": 1})` is `f(a=1)`."""
    keywords: list[ast.keyword] = []
    for keyword in node.keywords:
        value = keyword.value
        if keyword.arg is None and isinstance(value, ast.Dict) and _are_names(value.keys):
            pairs = zip(value.keys, value.values, strict=True)
            keywords.extend(
                ast.keyword(str(k.value), v) for k, v in pairs if isinstance(k, ast.Constant)
            )
        else:
            keywords.append(keyword)
    names = [keyword.arg for keyword in keywords if keyword.arg]
    spread = sum(each.arg is None for each in node.keywords)
    if spread == sum(each.arg is None for each in keywords) or len(set(names)) != len(names):
        return None
    context.took("keywords in a dict")
    return ast.Call(node.func, node.args, keywords)


def _are_names(keys: list[ast.expr | None]) -> bool:
    values = [key.value if isinstance(key, ast.Constant) else None for key in keys]
    return all(isinstance(value, str) and value.isidentifier() for value in values)


def _largest(node: ast.Call, context: Context) -> ast.AST | None:
    """`max(a, b)` is `b if a < b else a`."""
    if not context.is_builtin(node.func, "max", "min") or node.keywords or len(node.args) != 2:
        return None
    one, two = node.args
    simple = is_reckoned(one, context) and is_reckoned(two, context)
    if not simple or not context.facts.plain or not isinstance(node.func, ast.Name):
        return None
    context.took("the larger or smaller of two")
    pair = (one, two) if node.func.id == "max" else (two, one)
    return ast.IfExp(ast.Compare(pair[0], [ast.Lt()], [pair[1]]), two, one)


def _digest(node: ast.Call, context: Context) -> ast.AST | None:
    """`h.digest().hex()` is `h.hexdigest()`."""
    match node:
        case ast.Call(
            func=ast.Attribute(
                value=ast.Call(
                    func=ast.Attribute(value=value, attr="digest"), args=[], keywords=[]
                ),
                attr="hex",
            ),
            args=[],
            keywords=[],
        ) if "hashlib" in context.facts.words:
            context.took("hexadecimal digests")
            return ast.Call(ast.Attribute(value, "hexdigest", _LOAD), [], [])
    return None


_CALLS = (
    opened,
    ranged,
    got,
    _zipped,
    literal,
    encoded,
    _attribute,
    printed,
    _of_none,
    type_of_literal,
    _spread,
    cached,
    process,
    _largest,
    _digest,
    split,
)
STEPS = {ast.Call: [called]}
