"""Functions that are written as expressions."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.purity import has
from codeintel.engine.equivalence.normal_form.text import words

_NAMES = frozenset({"__name__", "__qualname__"})
_LOOKING = frozenset(
    words(
        "pickle copyreg shelve marshal multiprocessing concurrent dis inspect traceback cProfile"
        " profile getattr"
    )
)
"""What sees that a function has a name."""


def named(node: ast.Assign, context: Context) -> ast.AST | None:
    """`f = lambda x: y` is `def f(x): return y`, but for the name that it says it has."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Lambda(args=given, body=body)):
            pass
        case _:
            return None
    facts = context.facts
    if facts.attributes & _NAMES or facts.words & _LOOKING or facts.dynamic:
        return None
    if has(body, ast.Yield, ast.YieldFrom, ast.NamedExpr):
        return None
    context.took("lambdas with a name")
    new = ast.parse(f"def {name}(): pass").body[0]
    if isinstance(new, ast.FunctionDef):
        new.args, new.body = given, [ast.Return(body)]
    return new


def made(node: ast.Call, context: Context) -> ast.AST | None:
    """`field(default_factory=lambda: [])` is `field(default_factory=list)`."""
    if not isinstance(node.func, ast.Name) or node.func.id != "dataclasses.field":
        return None
    keywords = [_with_type(each, context) for each in node.keywords]
    if all(new is old for new, old in zip(keywords, node.keywords, strict=True)):
        return None
    context.took("types that make defaults")
    return ast.Call(node.func, node.args, keywords)


def _with_type(keyword: ast.keyword, context: Context) -> ast.keyword:
    match keyword:
        case ast.keyword(arg="default_factory", value=ast.Lambda(args=given, body=body)):
            name = _type_of_empty(body)
            takes_none = not has(given, ast.arg)
            if name and takes_none and context.means_builtin(name):
                return ast.keyword(keyword.arg, ast.Name(name, ast.Load()))
    return keyword


def _type_of_empty(node: ast.expr) -> str:
    match node:
        case ast.List(elts=[]):
            return "list"
        case ast.Dict(keys=[]):
            return "dict"
    return ""


STEPS = {ast.Assign: [named], ast.Call: [made]}
