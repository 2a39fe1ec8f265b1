"""Ways to build lists, tuples and sets, and the builtins that make collections."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.purity import is_pure, may_be_eager, may_move_inside
from codeintel.engine.equivalence.normal_form.text import same, text_of
from codeintel.engine.equivalence.normal_form.values import dicts, maps

_LOAD = ast.Load()


def built(node: ast.Call, context: Context) -> ast.AST | None:
    """A call of a builtin that makes a collection."""
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name not in _BUILDERS or not context.is_builtin(node.func, name):
        return None
    if any(isinstance(each, ast.Starred) for each in node.args):
        return None
    if any(each.arg is None for each in node.keywords):
        return None
    new = _BUILDERS[name](node, context)
    if new is not None:
        context.took("ways to build collections")
    return new


def _list(node: ast.Call, context: Context) -> ast.AST | None:
    if node.keywords or len(node.args) > 1:
        return None
    if not node.args:
        return ast.List([], _LOAD)
    inner = node.args[0]
    if isinstance(inner, ast.GeneratorExp) and may_be_eager(inner):
        return _comprehension(ast.ListComp(inner.elt, inner.generators), context)
    if isinstance(inner, ast.ListComp):
        return inner
    if isinstance(inner, ast.List | ast.Tuple):
        return ast.List(inner.elts, _LOAD)
    if _is_call(inner, context, "sorted"):
        return inner
    mapped = maps.mapped(inner, context)
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
    if isinstance(inner, ast.ListComp) and may_be_eager(inner):
        return ast.Call(node.func, [ast.GeneratorExp(inner.elt, inner.generators)], [])
    return _recast(node, context)


def _set(node: ast.Call, context: Context) -> ast.AST | None:
    if node.keywords or len(node.args) != 1:
        return None
    inner = node.args[0]
    if isinstance(inner, ast.GeneratorExp | ast.ListComp | ast.SetComp) and may_be_eager(inner):
        return _comprehension(ast.SetComp(inner.elt, inner.generators), context)
    if isinstance(inner, ast.Tuple | ast.List | ast.Set):
        return ast.Set(inner.elts) if inner.elts else ast.Call(node.func, [], [])
    mapped = maps.mapped(inner, context)
    if mapped is not None:
        return _comprehension(ast.SetComp(mapped.elt, mapped.generators), context)
    return _recast(node, context)


def _frozenset(node: ast.Call, context: Context) -> ast.AST | None:
    return _recast(node, context) if len(node.args) == 1 and not node.keywords else None


def _sorted(node: ast.Call, context: Context) -> ast.AST | None:
    """`sorted(list(x))` is `sorted(x)`; not of a set, which leaves things out."""
    if len(node.args) != 1:
        return None
    inner = _uncast(node.args[0], context, ("list", "tuple"))
    if inner is None and isinstance(node.args[0], ast.ListComp) and may_be_eager(node.args[0]):
        inner = ast.GeneratorExp(node.args[0].elt, node.args[0].generators)
    return None if inner is None else ast.Call(node.func, [inner], node.keywords)


def _recast(node: ast.Call, context: Context) -> ast.AST | None:
    """`set(list(x))` is `set(x)`."""
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
    """Whether all elements are texts, or all are integers: these can be compared, and of equal
    ones it does not matter which is kept."""
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
    """`any([...])` is `any(...)`, and `sum([...])` is `sum(...)`, where nothing in it has an
    effect: one stops early, the other takes all anyway."""
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
    "dict": dicts.made,
    **dict.fromkeys(("any", "all", "sum", "min", "max"), _consumed),
}


def _is_call(node: ast.expr, context: Context, name: str) -> bool:
    return isinstance(node, ast.Call) and context.is_builtin(node.func, name)


def _comprehension(node: ast.ListComp | ast.SetComp, context: Context) -> ast.AST:
    return plain(node, context) or node


def plain(node: ast.ListComp | ast.SetComp, context: Context) -> ast.AST | None:
    """`[x for x in y]` is `list(y)`."""
    match node.generators:
        case [ast.comprehension(target=target, iter=over, ifs=[], is_async=0)]:
            name = "set" if isinstance(node, ast.SetComp) else "list"
            same_name = isinstance(target, ast.Name) and isinstance(node.elt, ast.Name)
            if same_name and same(target, node.elt) and context.means_builtin(name):
                context.took("comprehensions that only copy")
                return ast.Call(ast.Name(name, _LOAD), [over], [])
    return None


def once(node: ast.Set, context: Context) -> ast.AST | None:
    """`{1, 1}` is `{1}`."""
    seen: set[str] = set()
    kept: list[ast.expr] = []
    for each in node.elts:
        text = text_of(each) if isinstance(each, ast.Constant) else ""
        if not text or text not in seen:
            kept.append(each)
        seen.add(text)
    if len(kept) == len(node.elts):
        return None
    context.took("elements twice in a set")
    return ast.Set(kept)


STEPS = {
    ast.Call: [built, dicts.fromkeys],
    ast.ListComp: [plain],
    ast.SetComp: [plain],
    ast.DictComp: [dicts.copied],
    ast.Dict: [dicts.unpacked],
    ast.Set: [once],
}
