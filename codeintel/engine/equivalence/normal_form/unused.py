"""What a function binds and nobody reads."""

from __future__ import annotations

import ast
from itertools import pairwise

from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.facts.program import HARMLESS
from codeintel.engine.equivalence.normal_form.purity import is_pure

_BLOCKS = ("body", "orelse", "finalbody")
_MARK = "_is_returned"


def _is_unread(name: str, context: Context) -> bool:
    """Whether a name is one of the function's own that nothing in it reads."""
    scope = context.scope
    in_class = bool(context.classes) and context.classes[-1] is not None
    if scope.is_module or in_class or context.facts.dynamic:
        return False
    return name not in scope.reads | scope.captured | scope.declared


def mark(tree: ast.Module) -> None:
    """Mark the variables that are only there to be returned in the next statement."""
    for node in ast.walk(tree):
        for name in _BLOCKS:
            body = getattr(node, name, None)
            for one, two in pairwise(body) if isinstance(body, list) else ():
                match (one, two):
                    case (
                        ast.Assign(targets=[ast.Name(id=bound)]),
                        ast.Return(value=ast.Name(id=read)),
                    ) if bound == read:
                        setattr(one, _MARK, True)
                        setattr(two.value, _MARK, True)


def is_marked(node: ast.AST) -> bool:
    """Whether a node is a variable that is returned, or its assignment."""
    return getattr(node, _MARK, False)


def assigned(node: ast.Assign, context: Context) -> ast.AST | None:
    """A variable that is not read: what remains is to evaluate its value, if that may fail."""
    names = [target.id for target in node.targets if isinstance(target, ast.Name)]
    if len(names) != len(node.targets) or is_marked(node):
        return None
    if not all(_is_unread(name, context) for name in names):
        return None
    if _is_there(node.value, context):
        context.took("variables that are not read")
        return ast.Pass()
    if isinstance(node.value, ast.Call) and is_pure(node.value, context):
        context.took("variables that are not read")
        return ast.Expr(node.value)
    return None


def _is_there(node: ast.expr, context: Context) -> bool:
    """Whether evaluating can neither fail nor do anything."""
    match node:
        case ast.Constant():
            return True
        case ast.Name(id=name):
            scope = context.scope
            return name in scope.parameters and name not in scope.deleted | scope.captured
        case ast.List(elts=elements) | ast.Tuple(elts=elements):
            return all(_is_there(each, context) for each in elements)
        case ast.Dict(keys=keys, values=values):
            fixed = all(isinstance(key, ast.Constant) for key in keys)
            return fixed and all(_is_there(each, context) for each in values)
    return False


def caught(node: ast.ExceptHandler, context: Context) -> ast.AST | None:
    """`except A as e` where nobody asks for `e`."""
    if node.name is not None and _is_unread(node.name, context):
        context.took("exceptions that are not read")
        node.name = None
    return None


def imported(node: ast.Import | ast.ImportFrom, context: Context) -> ast.AST | None:
    """Imports of the standard library within a function; one that may fail is another thing."""
    if context.tries or (isinstance(node, ast.ImportFrom) and node.level):
        return None
    kept = [alias for alias in node.names if not _is_needless(node, alias, context)]
    if len(kept) == len(node.names):
        return None
    context.took("imports that are not read")
    if not kept:
        return ast.Pass()
    node.names = kept
    return None


def _is_needless(node: ast.Import | ast.ImportFrom, alias: ast.alias, context: Context) -> bool:
    name = alias.name if isinstance(node, ast.Import) else node.module or ""
    if "." in name or alias.name == "*" or name not in HARMLESS:
        return False
    return _is_unread(alias.asname or alias.name, context)


STEPS = {
    ast.Assign: [assigned],
    ast.ExceptHandler: [caught],
    ast.Import: [imported],
    ast.ImportFrom: [imported],
}
