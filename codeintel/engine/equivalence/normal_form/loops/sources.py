"""What loops go through."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.purity import UNCHANGING, has, is_pure, mentions

_LOAD = ast.Load()
_OTHER_PAIRS = frozenset({"xml", "lxml", "etree", "bs4", "email", "mailbox"})


def source(node: ast.For, context: Context) -> ast.expr:
    """What is gone through."""
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
                context.took("copies that are only gone through")
                return value
    return node.iter


def _is_quiet(node: ast.AST, context: Context) -> bool:
    """Whether no list is changed, which may be known by another name."""
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
    """`for _, v in d.items()` is `for v in d.values()`."""
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
        return  # there may be pairs, but no `values()`
    unseen = context.scope.leaking | context.scope.captured | context.scope.declared
    if first and first not in unseen and not mentions(node.body, first):
        kept, attribute = two, "values"
    elif isinstance(two, ast.Name) and two.id not in unseen and not mentions(node.body, two.id):
        kept, attribute = one, "keys"
    else:
        return
    context.took("half of a dict's items")
    node.target = kept
    node.iter = ast.Call(ast.Attribute(value, attribute, _LOAD), [], [])
    node.iter = source(node, context)


def gone_through(node: ast.comprehension, context: Context) -> ast.AST | None:
    """`for k in d.keys()` is `for k in d`."""
    match node.iter:
        case ast.Call(func=ast.Attribute(value=value, attr="keys"), args=[], keywords=[]):
            if context.kind(value) == "dict":
                context.took("keys() of a dict")
                node.iter = value
    return None
