"""Normalize the construction of dicts, lists, tuples and sets, and the builtins that build them."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form import definitions
from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.purity import (
    has,
    is_pure,
    may_move_inside,
)
from codeintel.engine.equivalence.python_trees import same, text_of

_LOAD = ast.Load()


def made(node: ast.Call, context: Context) -> ast.AST | None:
    """Turn `dict(a=1)` into `{"a": 1}`."""
    if not node.args:
        names = [keyword.arg or "" for keyword in node.keywords]
        keys: list[ast.expr | None] = [ast.Constant(name) for name in names]
        return ast.Dict(keys, [keyword.value for keyword in node.keywords])
    if len(node.args) != 1 or node.keywords:
        return None
    inner = node.args[0]
    if isinstance(inner, ast.GeneratorExp | ast.ListComp):
        pair = inner.elt
        if isinstance(pair, ast.Tuple) and len(pair.elts) == 2 and may_move_inside(inner):
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
    """Turn `{k: v for k, v in y.items()}` into `dict(y.items())`, and one value for all keys
    into `fromkeys`."""
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
    """Return whether an expression is an iterable of pairs and no mapping."""
    match node:
        case ast.Call(func=ast.Attribute(attr="items"), args=[]):
            return True
        case ast.Call(func=function):
            return context.is_builtin(function, "zip", "enumerate")
    return False


def fromkeys(node: ast.Call, context: Context) -> ast.AST | None:
    """Turn `dict.fromkeys(x, None)` into `dict.fromkeys(x)`."""
    match node:
        case ast.Call(
            func=ast.Attribute(value=function, attr="fromkeys"),
            args=[over, ast.Constant(value=None)],
            keywords=[],
        ) if not isinstance(over, ast.Starred) and context.is_builtin(function, "dict"):
            return ast.Call(node.func, [over], [])
    return None


def unpacked(node: ast.Dict, context: Context) -> ast.AST | None:
    """Turn `{**{"a": 1}}` into `{"a": 1}`."""
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
    context.took("nested dicts")
    return ast.Dict(keys, values)


def built(node: ast.Call, context: Context) -> ast.AST | None:
    """Normalize a call of a builtin that builds a collection."""
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name not in _BUILDERS or not context.is_builtin(node.func, name):
        return None
    if any(isinstance(each, ast.Starred) for each in node.args):
        return None
    if any(each.arg is None for each in node.keywords):
        return None
    new = _BUILDERS[name](node, context)
    if new is not None:
        context.took("construction of collections")
    return new


def _list(node: ast.Call, context: Context) -> ast.AST | None:
    if node.keywords or len(node.args) > 1:
        return None
    if not node.args:
        return ast.List([], _LOAD)
    inner = node.args[0]
    if isinstance(inner, ast.GeneratorExp) and may_move_inside(inner):
        return _comprehension(ast.ListComp(inner.elt, inner.generators), context)
    if isinstance(inner, ast.ListComp):
        return inner
    if isinstance(inner, ast.List | ast.Tuple):
        return ast.List(inner.elts, _LOAD)
    if _is_call(inner, context, "sorted"):
        return inner
    mapped = definitions.mapped(inner, context)
    if mapped is not None:
        return _comprehension(ast.ListComp(mapped.elt, mapped.generators), context)
    return _recast(node, context)


def _tuple(node: ast.Call, context: Context) -> ast.AST | None:
    if node.keywords or len(node.args) > 1:
        return None
    if not node.args:
        return ast.Tuple([], _LOAD)
    inner = node.args[0]
    if isinstance(inner, ast.Tuple | ast.List):
        return ast.Tuple(inner.elts, _LOAD)
    if isinstance(inner, ast.ListComp) and may_move_inside(inner):
        return ast.Call(node.func, [ast.GeneratorExp(inner.elt, inner.generators)], [])
    return _recast(node, context)


def _set(node: ast.Call, context: Context) -> ast.AST | None:
    if node.keywords or len(node.args) != 1:
        return None
    inner = node.args[0]
    if isinstance(inner, ast.GeneratorExp | ast.ListComp | ast.SetComp) and may_move_inside(inner):
        return _comprehension(ast.SetComp(inner.elt, inner.generators), context)
    if isinstance(inner, ast.Tuple | ast.List | ast.Set):
        return ast.Set(inner.elts) if inner.elts else ast.Call(node.func, [], [])
    mapped = definitions.mapped(inner, context)
    if mapped is not None:
        return _comprehension(ast.SetComp(mapped.elt, mapped.generators), context)
    return _recast(node, context)


def _frozenset(node: ast.Call, context: Context) -> ast.AST | None:
    return _recast(node, context) if len(node.args) == 1 and not node.keywords else None


def _sorted(node: ast.Call, context: Context) -> ast.AST | None:
    """Turn `sorted(list(x))` into `sorted(x)`, but not for a set, which removes duplicates."""
    if len(node.args) != 1:
        return None
    inner = _uncast(node.args[0], context, ("list", "tuple"))
    if inner is None and isinstance(node.args[0], ast.ListComp) and may_move_inside(node.args[0]):
        inner = ast.GeneratorExp(node.args[0].elt, node.args[0].generators)
    return None if inner is None else ast.Call(node.func, [inner], node.keywords)


def _recast(node: ast.Call, context: Context) -> ast.AST | None:
    """Turn `set(list(x))` into `set(x)`."""
    casts = {
        "list": ("list", "tuple"),
        "tuple": ("list", "tuple"),
        "set": ("list", "tuple", "set"),
        "frozenset": ("list", "tuple", "set", "frozenset"),
    }
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    inner = _uncast(node.args[0], context, casts[name])
    if inner is None and name == "set":
        inner = _uncast(node.args[0], context, ("sorted", "reversed"))
        if inner is not None and not _is_of_one_type(inner, context):
            return None
    if inner is None:
        return None
    if isinstance(inner, ast.List) and not inner.elts:
        return None
    new = ast.Call(node.func, [inner], [])
    return built(new, context) or new


def _is_of_one_type(node: ast.expr, context: Context) -> bool:
    """Return whether all elements are strings or all are integers.

    These can be compared, and equal ones are interchangeable.
    """
    if isinstance(node, ast.List | ast.Tuple):
        kinds = {type(each.value) if isinstance(each, ast.Constant) else None for each in node.elts}
        return len(kinds) == 1 and kinds <= {str, bytes, int}
    return context.kind(node) == "str"


def _uncast(node: ast.expr, context: Context, names: tuple[str, ...]) -> ast.expr | None:
    match node:
        case ast.Call(func=function, args=[inner], keywords=[]):
            if context.is_builtin(function, *names) and not isinstance(inner, ast.Starred):
                return inner
    return None


def _consumed(node: ast.Call, context: Context) -> ast.AST | None:
    """Turn `any([...])` into `any(...)` and `sum([...])` into `sum(...)` if the elements have no
    effects, because `any` stops early."""
    match node:
        case ast.Call(args=[ast.ListComp() as inner], keywords=[]):
            if may_move_inside(inner) and is_pure(inner, context):
                return ast.Call(node.func, [ast.GeneratorExp(inner.elt, inner.generators)], [])
    return None


_BUILDERS = {
    "list": _list,
    "tuple": _tuple,
    "set": _set,
    "frozenset": _frozenset,
    "sorted": _sorted,
    "dict": made,
    **dict.fromkeys(("any", "all", "sum", "min", "max"), _consumed),
}


def _is_call(node: ast.expr, context: Context, name: str) -> bool:
    return isinstance(node, ast.Call) and context.is_builtin(node.func, name)


def _comprehension(node: ast.ListComp | ast.SetComp, context: Context) -> ast.AST:
    return plain(node, context) or node


def plain(node: ast.ListComp | ast.SetComp, context: Context) -> ast.AST | None:
    """Turn `[x for x in y]` into `list(y)`."""
    match node.generators:
        case [ast.comprehension(target=target, iter=over, ifs=[], is_async=0)]:
            name = "set" if isinstance(node, ast.SetComp) else "list"
            same_name = isinstance(target, ast.Name) and isinstance(node.elt, ast.Name)
            if same_name and same(target, node.elt) and context.means_builtin(name):
                context.took("comprehensions that only copy")
                return ast.Call(ast.Name(name, _LOAD), [over], [])
    return None


def once(node: ast.Set, context: Context) -> ast.AST | None:
    """Turn `{1, 1}` into `{1}`."""
    seen: set[str] = set()
    kept: list[ast.expr] = []
    for each in node.elts:
        text = text_of(each) if isinstance(each, ast.Constant) else ""
        if not text or text not in seen:
            kept.append(each)
        seen.add(text)
    if len(kept) == len(node.elts):
        return None
    context.took("duplicates in a set")
    return ast.Set(kept)
