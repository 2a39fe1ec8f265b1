"""Normalize loops that build collections, search or yield, and their iterables."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.collections import copied, plain
from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.purity import (
    UNCHANGING,
    has,
    is_pure,
    is_repeatable,
    may_move_inside,
    mentions,
)
from codeintel.engine.equivalence.normal_form.truth import again_not, is_constant, truth
from codeintel.engine.equivalence.python_trees import same

_LOAD = ast.Load()


def taken_apart(node: ast.For) -> tuple[list[ast.comprehension], ast.stmt] | None:
    """Split a loop into the generators of a comprehension and the inner statement, or return
    None."""
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
    """Return whether nothing outside a loop sees its variables."""
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


_OTHER_PAIRS = frozenset({"xml", "lxml", "etree", "bs4", "email", "mailbox"})


def source(node: ast.For, context: Context) -> ast.expr:
    """Return the normalized iterable of a loop."""
    match node.iter:
        case ast.Call(func=ast.Attribute(value=value, attr="keys"), args=[], keywords=[]):
            if context.kind(value) == "dict":
                context.took("keys() of a dict")
                return value
        case ast.Call(
            func=ast.Attribute(value=ast.Name(id=name) as file, attr="readlines"),
            args=[],
            keywords=[],
        ):
            ends = any(has(each, ast.Break, ast.Return) for each in node.body)
            if not mentions(node.body, name) and not ends:
                context.took("lines of a file")
                return file
        case ast.Call(func=function, args=[ast.Name(id=name) as value], keywords=[]):
            known = context.is_builtin(function, "list", "tuple") and context.kind(value) == "list"
            quiet = all(_is_quiet(each, context) for each in _without_print(node.body, context))
            if known and quiet and not mentions(node.body, name):
                context.took("copies that are only iterated over")
                return value
    return node.iter


def _is_quiet(node: ast.AST, context: Context) -> bool:
    """Return whether evaluating changes no list, which could have another name."""
    for each in ast.walk(node):
        if isinstance(each, ast.AugAssign) and context.kind(each.target) not in UNCHANGING:
            return False
        if isinstance(each, ast.Attribute | ast.Subscript) and not isinstance(each.ctx, ast.Load):
            return False
    return is_pure(node, context)


def _without_print(body: list[ast.stmt], context: Context) -> list[ast.AST]:
    nodes: list[ast.AST] = []
    for statement in body:
        match statement:
            case ast.Expr(value=ast.Call(func=function) as call) if context.is_builtin(
                function, "print"
            ):
                nodes.extend([*call.args, *(keyword.value for keyword in call.keywords)])
            case _:
                nodes.append(statement)
    return nodes


def pairs(node: ast.For, context: Context) -> None:
    """Turn `for _, v in d.items()` into `for v in d.values()`."""
    match (node.target, node.iter):
        case (
            ast.Tuple(elts=[ast.Name(id=first) as one, two]),
            ast.Call(func=ast.Attribute(value=value, attr="items"), args=[], keywords=[]),
        ):
            pass
        case (
            ast.Tuple(elts=[one, two]),
            ast.Call(func=ast.Attribute(value=value, attr="items"), args=[], keywords=[]),
        ):
            first = ""
        case _:
            return
    facts = context.facts
    is_own = "items" in facts.bound_in_classes or not facts.is_alone
    if context.kind(value) != "dict" and (is_own or facts.words & _OTHER_PAIRS):
        return  # such objects can have pairs but no `values()`
    unseen = context.scope.leaking | context.scope.captured | context.scope.declared
    if first and first not in unseen and not mentions(node.body, first):
        kept, attribute = two, "values"
    elif isinstance(two, ast.Name) and two.id not in unseen and not mentions(node.body, two.id):
        kept, attribute = one, "keys"
    else:
        return
    context.took("keys or values of items()")
    node.target = kept
    node.iter = ast.Call(ast.Attribute(value, attribute, _LOAD), [], [])
    node.iter = source(node, context)


def gone_through(node: ast.comprehension, context: Context) -> ast.AST | None:
    """Turn `for k in d.keys()` into `for k in d`."""
    match node.iter:
        case ast.Call(func=ast.Attribute(value=value, attr="keys"), args=[], keywords=[]):
            if context.kind(value) == "dict":
                context.took("keys() of a dict")
                node.iter = value
    return None


def appended(node: ast.For, context: Context) -> ast.stmt | None:
    """Turn `for x in y: z.append(x)` into `z.extend(x for x in y)`."""
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
    """Merge an empty collection with the loop that fills it."""
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
    """Turn `d = {}; for x in y: d[x] = f(x)` into `d = {x: f(x) for x in y}`."""
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
    # A loop evaluates the value before the key, a comprehension the key first.
    repeatable = is_repeatable(key, context) and is_repeatable(value, context)
    if not (repeatable or _is_steady(key, context)) or not _may_build(name, parts, context):
        return None
    context.took("dicts built by loops")
    made = ast.DictComp(key, value, generators)
    return copied(made, context) or made  # type: ignore[return-value]


def _may_build(name: str, parts: list[ast.expr], context: Context) -> bool:
    """Return whether nothing sees a collection while it is built."""
    hidden = not context.tries and name not in context.scope.captured | context.scope.declared
    return hidden and all(may_move_inside(each) and not mentions(each, name) for each in parts)


def _is_steady(node: ast.expr, context: Context) -> bool:
    """Return whether other evaluations cannot change a value: it is a constant, or a variable
    that only this code can bind."""
    if isinstance(node, ast.Name):
        seen = context.scope.captured | context.scope.declared
        return not context.scope.is_module and node.id not in seen
    return isinstance(node, ast.Constant)


def searched(last: ast.stmt, new: ast.stmt, context: Context) -> ast.stmt | None:
    """Turn `for x in y: if x: return True` with `return False` into `return any(...)`."""
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
    context.took("search loops")
    call = search(condition, generators[0], context)
    return ast.Return(again_not(call, context) if missing else call)


def search(condition: ast.expr, over: ast.comprehension, context: Context) -> ast.expr:
    """Return `any(...)` of a condition."""
    element = truth(condition, context)
    generator = ast.comprehension(over.target, over.iter, [], over.is_async)
    return ast.Call(ast.Name("any", _LOAD), [ast.GeneratorExp(element, [generator])], [])


def every(node: ast.Call, context: Context) -> ast.AST | None:
    """Turn `all(x for ...)` into `not any(not x for ...)`.

    Only the truth of each element counts.
    """
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


def tidy(body: list[ast.stmt], context: Context) -> list[ast.stmt]:
    """Normalize the loops of a block."""
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
    """Turn `for x in y: yield x` into `yield from y` where only iteration matters."""
    match node.body:
        case [ast.Expr(value=ast.Yield(value=value))] if value is not None:
            if same(value, node.target) and not context.facts.words & {"send", "throw"}:
                context.took("`yield from`")
                return ast.Expr(ast.YieldFrom(node.iter))
    return None
