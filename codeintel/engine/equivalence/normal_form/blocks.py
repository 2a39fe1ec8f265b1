"""Normalize sequences of statements, and remove bindings that nothing reads."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable
from itertools import pairwise

from codeintel.engine.equivalence.normal_form import names
from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.facts import HARMLESS
from codeintel.engine.equivalence.normal_form.purity import is_pure, is_reckoned, is_there
from codeintel.engine.equivalence.normal_form.truth import flattened, is_negative, opposite
from codeintel.engine.equivalence.python_trees import same, text_of

Again = Callable[[ast.AST, Context], ast.AST]
_JUMPS = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def tidy(body: list[ast.stmt], context: Context, again: Again) -> list[ast.stmt]:
    """Bring a block of normalized statements into normal form."""
    todo = names.sorted_blocks(_without_fillers(body, context), context)[::-1]
    done: list[ast.stmt] = []
    while todo:
        statement = _inside(todo.pop(), context, again)
        after = _following(statement, context)
        if after:
            todo.extend(reversed(after))
        done.append(statement)
        while len(done) > 1:
            one = _together(done[-2], done[-1], context, again)
            if one is None:
                break
            done[-2:] = [one]
    return _returns(done, context, again) or [ast.Pass()]


def _returns(done: list[ast.stmt], context: Context, again: Again) -> list[ast.stmt]:
    """Merge pairs from the end, because a merged pair can pair up with the statement before it."""
    place = len(done) - 1
    while place > 0:
        one = _together(done[place - 1], done[place], context, again)
        if one is not None:
            done[place - 1 : place + 1] = [one]
        place -= 1
    return done


def ends(body: list[ast.stmt]) -> bool:
    """Return whether control cannot continue after a block."""
    last = body[-1] if body else None
    if isinstance(last, ast.If):
        return bool(last.orelse) and ends(last.body) and ends(last.orelse)
    return isinstance(last, _JUMPS)


def _without_fillers(body: list[ast.stmt], context: Context) -> list[ast.stmt]:
    """Remove `pass` and constants that do nothing."""
    kept = [each for each in body if not _is_filler(each)]
    if len(kept) != len(body) and kept:
        if _is_text(kept[0]) and not _is_text(body[0]):
            # The text would become a docstring.
            return body
        context.took("statements that do nothing")
    return kept


def _is_text(node: ast.stmt) -> bool:
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return True
    return False


def _is_filler(node: ast.stmt) -> bool:
    match node:
        case ast.Pass():
            return True
        case ast.Expr(value=ast.Constant(value=value)):
            return not isinstance(value, str)
    return False


def _inside(node: ast.stmt, context: Context, again: Again) -> ast.stmt:
    """Apply the steps within one statement."""
    if isinstance(node, ast.Return) and node.value is None:
        return ast.Return(ast.Constant(None))
    if isinstance(node, ast.With):
        return _with(node, context)
    if isinstance(node, ast.If):
        return _if(node, context, again)
    return node


def _with(node: ast.With, context: Context) -> ast.stmt:
    match node.body:
        case [ast.With(items=items, body=body)]:
            context.took("nested contexts")
            return _with(ast.With([*node.items, *items], body), context)
    match node.items:
        case [
            ast.withitem(
                context_expr=ast.Call(
                    func=ast.Name(id="contextlib.suppress"), args=types, keywords=[]
                ),
                optional_vars=None,
            )
        ]:
            # The types are looked up before anything is raised, or when it is.
            if types and all(is_there(each, context) for each in types):
                context.took("suppressed exceptions")
                kind = types[0] if len(types) == 1 else ast.Tuple(types, ast.Load())
                handler = ast.ExceptHandler(kind, None, [ast.Pass()])
                return ast.Try(node.body, [handler], [], [])
    return node


def _if(node: ast.If, context: Context, again: Again) -> ast.stmt:
    """Normalize an `if`, without the steps of `_following`."""
    if _is_empty(node.orelse):
        node.orelse = []
    if node.orelse and not ends(node.body):
        turned = _turned(node, context)
        if turned is not None:
            return _if(turned, context, again)
    match node:
        case ast.If(test=test, body=[ast.If(test=inner, body=body, orelse=[])], orelse=[]):
            context.took("nested `if` statements")
            both = ast.BoolOp(ast.And(), [test, inner])
            return _if(ast.If(_again(both, context, again), body, []), context, again)
        case ast.If(body=body, orelse=[ast.If(body=other) as following]) if _same(body, other):
            context.took("conditions with the same outcome")
            either = ast.BoolOp(ast.Or(), [node.test, following.test])
            new = ast.If(_again(either, context, again), body, following.orelse)
            return _if(new, context, again)
        case ast.If(
            body=[ast.Assign(targets=[one], value=value)],
            orelse=[ast.Assign(targets=[two], value=other)],
        ) if same(one, two):
            context.took("conditional values")
            choice = again(ast.IfExp(node.test, value, other), context)
            return ast.Assign([one], choice)  # type: ignore[arg-type]
    return _clamped(node, context, again) or node


def _again(node: ast.expr, context: Context, again: Again) -> ast.expr:
    return again(flattened(node, context) or node, context)  # type: ignore[arg-type, return-value]


def _is_empty(body: list[ast.stmt]) -> bool:
    return all(_is_filler(each) for each in body)


def _turned(node: ast.If, context: Context) -> ast.If | None:
    if not is_negative(node.test, context):
        return None
    context.took("choices turned round")
    return ast.If(opposite(node.test, context), node.orelse, node.body)


def _clamped(node: ast.If, context: Context, again: Again) -> ast.stmt | None:
    """Turn `if a < b: a = b` into `a = b if a < b else a`."""
    match node:
        case ast.If(
            test=ast.Compare(
                left=left, ops=[ast.Lt() | ast.Gt() | ast.LtE() | ast.GtE()], comparators=[right]
            ),
            body=[ast.Assign(targets=[ast.Name(id=name) as target], value=value)],
            orelse=[],
        ):
            sides = {text_of(left), text_of(right)}
            old = ast.Name(name, ast.Load())
            if not _is_bound_where_read(name, context):
                return None
            if sides == {text_of(old), text_of(value)} and is_reckoned(value, context):
                context.took("conditional values")
                choice = again(ast.IfExp(node.test, value, old), context)
                return ast.Assign([target], choice)  # type: ignore[arg-type]
    return None


def _is_bound_where_read(name: str, context: Context) -> bool:
    """Return whether a name that is written is read from the same scope.

    A class can read the module's name, and a module can read a builtin.
    """
    in_class = bool(context.classes) and context.classes[-1] is not None
    is_local = not context.scope.is_module and name not in context.scope.declared
    return not in_class and (is_local or not hasattr(builtins, name))


def _following(node: ast.stmt, context: Context) -> list[ast.stmt]:
    """Return the statements of an `else` that can follow instead, and remove the `else`."""
    if isinstance(node, ast.If) and node.orelse and ends(node.body):
        context.took("`else` after a jump")
    elif isinstance(node, ast.For | ast.AsyncFor | ast.While) and node.orelse:
        if _breaks(node.body):
            return []
        context.took("`else` of a loop without `break`")
    else:
        return []
    following, node.orelse = node.orelse, []
    return following


def _breaks(body: list[ast.stmt]) -> bool:
    """Return whether `break` can leave a loop with this body."""
    stack: list[ast.AST] = list(body)
    while stack:
        node = stack.pop()
        if isinstance(node, ast.Break):
            return True
        if isinstance(node, ast.For | ast.AsyncFor | ast.While):
            stack.extend(node.orelse)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.expr):
            stack.extend(ast.iter_child_nodes(node))
    return False


def _together(one: ast.stmt, two: ast.stmt, context: Context, again: Again) -> ast.stmt | None:
    """Merge two statements into one, or return None."""
    match (one, two):
        case (ast.If(body=[ast.Return(value=first)], orelse=[]), ast.Return(value=second)) if first:
            context.took("conditional return values")
            choice = ast.IfExp(one.test, first, second or ast.Constant(None))
            return ast.Return(again(choice, context))  # type: ignore[arg-type]
        case (ast.If(body=body, orelse=[]), ast.If(body=other, orelse=[])):
            if ends(body) and _same(body, other):
                context.took("conditions with the same outcome")
                either = ast.BoolOp(ast.Or(), [one.test, two.test])
                return ast.If(_again(either, context, again), body, [])
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value),
            ast.Return(value=ast.Name(id=read)),
        ):
            if name == read and _is_for_itself(name, context):
                context.took("variables only returned")
                return ast.Return(value)
    return None


def _is_for_itself(name: str, context: Context) -> bool:
    """Return whether only the code that follows can see a variable."""
    scope = context.scope
    if context.facts.dynamic or (context.tries and name in scope.reads):
        return False
    return not scope.is_module and name not in scope.declared | scope.captured | scope.read_late


def _same(one: list[ast.stmt], other: list[ast.stmt]) -> bool:
    return len(one) == len(other) and all(map(same, one, other))


_BLOCKS = ("body", "orelse", "finalbody")
_MARK = "_is_returned"


def _is_unread(name: str, context: Context) -> bool:
    """Return whether a local name is never read."""
    scope = context.scope
    in_class = bool(context.classes) and context.classes[-1] is not None
    if scope.is_module or in_class or context.facts.dynamic:
        return False
    return name not in scope.reads | scope.captured | scope.declared


def mark(tree: ast.Module) -> None:
    """Mark the variables that only exist to be returned by the next statement."""
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
    """Return whether a node is such a variable or its assignment."""
    return getattr(node, _MARK, False)


def assigned(node: ast.Assign, context: Context) -> ast.AST | None:
    """Remove a variable that nothing reads. Its value is still evaluated if that may fail."""
    names = [target.id for target in node.targets if isinstance(target, ast.Name)]
    if len(names) != len(node.targets) or is_marked(node):
        return None
    if not all(_is_unread(name, context) for name in names):
        return None
    if _is_there(node.value, context):
        context.took("unused variables")
        return ast.Pass()
    if isinstance(node.value, ast.Call) and is_pure(node.value, context):
        context.took("unused variables")
        return ast.Expr(node.value)
    return None


def _is_there(node: ast.expr, context: Context) -> bool:
    """Return whether evaluating an expression can neither fail nor have an effect."""
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
    """Remove the name in `except A as e` if nothing reads `e`."""
    if node.name is not None and _is_unread(node.name, context):
        context.took("unused names of exceptions")
        node.name = None
    return None


def imported(node: ast.Import | ast.ImportFrom, context: Context) -> ast.AST | None:
    """Remove unread standard library imports within a function, unless a `try` may handle their
    failure."""
    if context.tries or (isinstance(node, ast.ImportFrom) and node.level):
        return None
    kept = [alias for alias in node.names if not _is_needless(node, alias, context)]
    if len(kept) == len(node.names):
        return None
    context.took("unused imports")
    if not kept:
        return ast.Pass()
    node.names = kept
    return None


def _is_needless(node: ast.Import | ast.ImportFrom, alias: ast.alias, context: Context) -> bool:
    name = alias.name if isinstance(node, ast.Import) else node.module or ""
    if "." in name or alias.name == "*" or name not in HARMLESS:
        return False
    return _is_unread(alias.asname or alias.name, context)
