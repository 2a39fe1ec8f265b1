"""Loops that build lists and dicts."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.loops.shapes import is_own, taken_apart
from codeintel.engine.equivalence.normal_form.purity import is_repeatable, may_move_inside, mentions
from codeintel.engine.equivalence.normal_form.text import same
from codeintel.engine.equivalence.normal_form.values.builds import plain
from codeintel.engine.equivalence.normal_form.values.dicts import copied

_LOAD = ast.Load()


def appended(node: ast.For, context: Context) -> ast.stmt | None:
    """`for x in y: z.append(x)` is `z.extend(x for x in y)`."""
    inner = taken_apart(node)
    if inner is None:
        return None
    generators, statement = inner
    match statement:
        case ast.Expr(
            value=ast.Call(
                func=ast.Attribute(value=ast.Name(id=name) as to, attr="append"),
                args=[element],
                keywords=[],
            )
        ) if not isinstance(element, ast.Starred):
            pass
        case _:
            return None
    parts = [element, *(each for g in generators for each in (g.iter, *g.ifs))]
    if context.kind(to) != "list" or not _may_build(name, parts, context):
        return None
    context.took("lists built by loops")
    new = ast.GeneratorExp(element, generators)
    over = generators[0]
    if same(element, over.target) and not over.ifs and isinstance(element, ast.Name):
        return ast.Expr(ast.Call(ast.Attribute(to, "extend", _LOAD), [over.iter], []))
    return ast.Expr(ast.Call(ast.Attribute(to, "extend", _LOAD), [new], []))


def built(last: ast.stmt, new: ast.stmt, context: Context) -> ast.stmt | None:
    """An empty collection and the loop that fills it."""
    match last:
        case ast.Assign(targets=[ast.Name(id=name)], value=empty):
            pass
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as empty):
            pass
        case _:
            return None
    value = _list_value(name, empty, new, context) or _dict_value(name, empty, new, context)
    if value is None:
        return None
    if isinstance(last, ast.AnnAssign):
        return ast.AnnAssign(last.target, last.annotation, value, last.simple)
    return ast.Assign(last.targets, value)


def _list_value(name: str, empty: ast.expr, new: ast.stmt, context: Context) -> ast.expr | None:
    match (empty, new):
        case (
            ast.List(elts=[]),
            ast.Expr(
                value=ast.Call(
                    func=ast.Attribute(value=ast.Name(id=to), attr="extend"),
                    args=[source],
                    keywords=[],
                )
            ),
        ) if to == name:
            pass
        case _:
            return None
    if not _may_build(name, [source] if not isinstance(source, ast.GeneratorExp) else [], context):
        return None
    if isinstance(source, ast.GeneratorExp):
        if mentions(source, name) or not may_move_inside(source):
            return None
        made = ast.ListComp(source.elt, source.generators)
        return plain(made, context) or made  # type: ignore[return-value]
    if not context.means_builtin("list") or isinstance(source, ast.Starred):
        return None
    return ast.Call(ast.Name("list", _LOAD), [source], [])


def _dict_value(name: str, empty: ast.expr, new: ast.stmt, context: Context) -> ast.expr | None:
    """`d = {}; for x in y: d[x] = f(x)` is `d = {x: f(x) for x in y}`."""
    if not (isinstance(empty, ast.Dict) and not empty.keys and isinstance(new, ast.For)):
        return None
    inner = taken_apart(new)
    if inner is None or new.orelse or not is_own(new, context):
        return None
    generators, statement = inner
    match statement:
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=to), slice=key)], value=value) if (
            to == name
        ):
            pass
        case _:
            return None
    parts = [key, value, *(each for g in generators for each in (g.iter, *g.ifs))]
    # A loop evaluates the value before the key, a comprehension after it.
    repeatable = is_repeatable(key, context) and is_repeatable(value, context)
    if not (repeatable or _is_steady(key, context)) or not _may_build(name, parts, context):
        return None
    context.took("dicts built by loops")
    made = ast.DictComp(key, value, generators)
    return copied(made, context) or made  # type: ignore[return-value]


def _may_build(name: str, parts: list[ast.expr], context: Context) -> bool:
    """Whether nothing sees a collection while it is built."""
    hidden = not context.tries and name not in context.scope.captured | context.scope.declared
    return hidden and all(may_move_inside(each) and not mentions(each, name) for each in parts)


def _is_steady(node: ast.expr, context: Context) -> bool:
    """Whether a value is the same whatever else is evaluated before: a constant, or a variable
    that only the code here can bind."""
    if isinstance(node, ast.Name):
        seen = context.scope.captured | context.scope.declared
        return not context.scope.is_module and node.id not in seen
    return isinstance(node, ast.Constant)
