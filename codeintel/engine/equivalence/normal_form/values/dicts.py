"""Ways to build dicts."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.purity import has, may_be_eager
from codeintel.engine.equivalence.normal_form.text import same

_LOAD = ast.Load()


def made(node: ast.Call, context: Context) -> ast.AST | None:
    """`dict(a=1)` is `{"a": 1}`."""
    if not node.args:
        names = [keyword.arg or "" for keyword in node.keywords]
        keys: list[ast.expr | None] = [ast.Constant(name) for name in names]
        return ast.Dict(keys, [keyword.value for keyword in node.keywords])
    if len(node.args) != 1 or node.keywords:
        return None
    inner = node.args[0]
    if isinstance(inner, ast.GeneratorExp | ast.ListComp):
        pair = inner.elt
        if isinstance(pair, ast.Tuple) and len(pair.elts) == 2 and may_be_eager(inner):
            if has(pair, ast.Starred):
                return None
            key, value = pair.elts
            new = ast.DictComp(key, value, inner.generators)
            return copied(new, context) or new
    if isinstance(inner, ast.Dict | ast.DictComp):
        return inner
    if isinstance(inner, ast.List | ast.Tuple):
        pairs = [each.elts for each in inner.elts if isinstance(each, ast.Tuple | ast.List)]
        all_are = len(pairs) == len(inner.elts) and all(len(pair) == 2 for pair in pairs)
        if all_are and not has(inner, ast.Starred):
            return ast.Dict([pair[0] for pair in pairs], [pair[1] for pair in pairs])
    return None


def copied(node: ast.DictComp, context: Context) -> ast.AST | None:
    """`{k: v for k, v in y.items()}` is `dict(y.items())`, and one value for all is `fromkeys`."""
    match node.generators:
        case [ast.comprehension(target=target, iter=over, ifs=[], is_async=0)]:
            pass
        case _:
            return None
    if not context.means_builtin("dict"):
        return None
    function = ast.Name("dict", _LOAD)
    pair = ast.Tuple([node.key, node.value], _LOAD)
    if _gives_pairs(over, context) and same(target, pair):
        context.took("comprehensions that only copy")
        return ast.Call(function, [over], [])
    is_key = isinstance(target, ast.Name) and same(target, node.key)
    if is_key and isinstance(node.value, ast.Constant):
        context.took("dict.fromkeys()")
        given = [over] if node.value.value is None else [over, node.value]
        return ast.Call(ast.Attribute(function, "fromkeys", _LOAD), given, [])
    return None


def _gives_pairs(node: ast.expr, context: Context) -> bool:
    """Whether something is an iterable of pairs, and not a mapping."""
    match node:
        case ast.Call(func=ast.Attribute(attr="items"), args=[]):
            return True
        case ast.Call(func=function):
            return context.is_builtin(function, "zip", "enumerate")
    return False


def fromkeys(node: ast.Call, context: Context) -> ast.AST | None:
    """`dict.fromkeys(x, None)` is `dict.fromkeys(x)`."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=function, attr="fromkeys"),
            args=[over, ast.Constant(value=None)],
            keywords=[],
        ) if not isinstance(over, ast.Starred) and context.is_builtin(function, "dict"):
            return ast.Call(node.func, [over], [])
    return None


def unpacked(node: ast.Dict, context: Context) -> ast.AST | None:
    """`{**{"a": 1}}` is `{"a": 1}`."""
    if not any(
        k is None and isinstance(v, ast.Dict) for k, v in zip(node.keys, node.values, strict=True)
    ):
        return None
    keys: list[ast.expr | None] = []
    values: list[ast.expr] = []
    for key, value in zip(node.keys, node.values, strict=True):
        if key is None and isinstance(value, ast.Dict):
            keys.extend(value.keys)
            values.extend(value.values)
        else:
            keys.append(key)
            values.append(value)
    context.took("dicts within dicts")
    return ast.Dict(keys, values)
