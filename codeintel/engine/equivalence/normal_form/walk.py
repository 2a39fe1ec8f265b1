"""Apply the steps to a whole tree, from the leaves up."""

from __future__ import annotations

import ast
import doctest
import inspect
import warnings
from collections.abc import Callable
from typing import Any

from codeintel.engine.equivalence.normal_form import (
    blocks,
    calls,
    collections,
    comparisons,
    definitions,
    loops,
    names,
    strings,
    truth,
)
from codeintel.engine.equivalence.normal_form.context import Context, hand_on, is_handed_on

# The formatter decides the indentation and outer whitespace of docstrings.
_PROMPT = ">>>"
_Documented = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def clean(node: _Documented, context: Context) -> None:
    """Strip whitespace around a docstring and at the ends of its lines.

    The code and the expected output of doctest examples must stay equal to the letter.
    """
    match node.body:
        case [ast.Expr(value=ast.Constant(value=str(text))), *rest]:
            pass
        case _:
            return
    if "__doc__" in context.facts.words:
        return
    examples = _examples(text)
    if examples is None:
        return
    lines = (line.rstrip() for line in inspect.cleandoc(text).expandtabs().splitlines())
    cleaned = "\n".join(lines).strip()
    if cleaned != text:
        context.took("whitespace of docstrings")
    node.body = [ast.Expr(ast.Constant(cleaned + examples)), *rest]


def _examples(text: str) -> str | None:
    """Return the doctest examples of a docstring as text, or None if `doctest` cannot parse
    them."""
    if _PROMPT not in text:
        return ""
    try:
        found = doctest.DocTestParser().get_examples(text)
    except ValueError:
        return None
    parts = [(_does(each.source), each.want, each.exc_msg, each.options) for each in found]
    return repr(parts)


def _does(source: str) -> str:
    """Return the tree of an example's code as text, or the code if it does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.dump(ast.parse(source))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return source


def tidy(
    node: ast.FunctionDef | ast.AsyncFunctionDef, context: Context, again: blocks.Again
) -> None:
    """Write out the None that a function returns at its end."""
    before = len(node.body)
    node.body = _completed(node.body, context, again)
    if len(node.body) != before:
        context.took("implicit return values")


def _completed(body: list[ast.stmt], context: Context, again: blocks.Again) -> list[ast.stmt]:
    body = list(body)
    while body and _is_none(body[-1]):
        body.pop()
    last = body[-1] if body else None
    if isinstance(last, ast.If):
        last.body = _completed(last.body, context, again)
        last.orelse = _completed(last.orelse, context, again)
    elif isinstance(last, ast.With | ast.AsyncWith):
        last.body = _completed(last.body, context, again)
    elif not blocks.ends(body):
        if len(body) == 1 and isinstance(body[0], ast.Pass):
            body = []
        return [*body, ast.Return(ast.Constant(None))]
    return blocks.tidy(body, context, again)


def _is_none(node: ast.stmt) -> bool:
    match node:
        case ast.Return(value=value):
            return value is None or truth.is_constant(value, None)
    return False


Step = Callable[[Any, Context], ast.AST | None]
STEPS: dict[type[ast.AST], tuple[Step, ...]] = {
    ast.JoinedStr: (strings.joined,),
    ast.FormattedValue: (strings.converted,),
    ast.BinOp: (strings.added, strings.percent, names.united),
    ast.Call: (
        *(strings.formatted, truth.made_bool, collections.built, collections.fromkeys),
        *(definitions.read, calls.called, definitions.above, loops.every, definitions.emptied),
    ),
    ast.UnaryOp: (truth.negated,),
    ast.BoolOp: (truth.flattened, truth.decided, comparisons.merged),
    ast.Compare: (comparisons.compared,),
    ast.If: (truth.tested, truth.cut),
    ast.While: (truth.tested,),
    ast.Assert: (truth.tested,),
    ast.IfExp: (truth.chosen, truth.looked_up, truth.affixed),
    ast.match_case: (truth.guarded,),
    ast.Return: (truth.returned,),
    ast.For: (definitions.gone_through,),
    ast.comprehension: (truth.filtered, definitions.gone_through, loops.gone_through),
    ast.ListComp: (collections.plain,),
    ast.SetComp: (collections.plain,),
    ast.DictComp: (collections.copied,),
    ast.Dict: (collections.unpacked,),
    ast.Set: (collections.once,),
    ast.Starred: (definitions.unpacked,),
    ast.Name: (names.spelled, names.in_full),
    ast.Attribute: (names.attribute,),
    ast.Subscript: (names.subscripted,),
    ast.ClassDef: (definitions.derived,),
    ast.Raise: (definitions.raised,),
    ast.ExceptHandler: (definitions.caught, blocks.caught),
    ast.Assign: (definitions.defined, blocks.assigned),
    ast.Import: (blocks.imported,),
    ast.ImportFrom: (blocks.imported,),
}
"""The steps for each kind of node, in order."""
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_MAX_STEPS = 30
_FILES = frozenset({"io.open", "io.StringIO", "io.BytesIO", "gzip.open", "zipfile.ZipFile"})
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Walk:
    """A walk over a tree, which is changed in place."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def module(self, tree: ast.Module) -> ast.Module:
        """Bring a whole module into normal form."""
        blocks.mark(tree)
        self._context.scopes.append(self._context.scope_of(tree))
        clean(tree, self._context)
        tree.body = self._block(tree.body)
        return tree

    def _visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            self._function(node)
        elif isinstance(node, ast.Lambda):
            node.args = self._visit(node.args)  # type: ignore[assignment]
            self._within(node, None)
        elif isinstance(node, ast.ClassDef):
            self._class(node)
        elif isinstance(node, ast.AnnAssign):
            # Within a function, the annotation is never evaluated.
            in_class = bool(self._context.classes) and self._context.classes[-1] is not None
            self._context.is_for_checkers = not in_class and not self._context.scope.is_module
            node.annotation = self._annotation(node.annotation)
            self._context.is_for_checkers = False
            self._fields(node, "target")
            self._with_types(names.is_alias(node, self._context), node, "value")
        elif isinstance(node, ast.Assign):
            self._fields(node, "targets")
            self._with_types(names.is_alias(node, self._context), node, "value")
        elif isinstance(node, ast.Call):
            self._call(node)
        elif isinstance(node, ast.Subscript):
            hand_on(node.slice)
            self._fields(node, "value", "slice")
        elif isinstance(node, _COMPREHENSIONS):
            # It is a separate function for `super()`.
            self._context.enclosing.append((node, None))
            self._context.enter(node.generators)
            self._fields(node, *node._fields)
            self._context.comprehensions.pop()
            self._context.enclosing.pop()
        elif isinstance(node, ast.Try | ast.TryStar):
            self._guarded(node, True)
            # A `finally` sees what these raise.
            self._guarded(node, bool(node.finalbody), "handlers", "orelse")
            self._fields(node, "finalbody")
        elif isinstance(node, ast.With | ast.AsyncWith):
            self._fields(node, "items")
            self._guarded(node, not _hands_on_errors(node, self._context))
        elif isinstance(node, ast.arg):
            if node.annotation is not None:
                node.annotation = self._annotation(node.annotation)
        else:
            self._fields(node, *node._fields)
        return again(node, self._context)

    def _fields(self, node: ast.AST, *names: str) -> None:
        for name in names:
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                setattr(node, name, self._visit(value))
            elif isinstance(value, list) and value:
                if isinstance(value[0], ast.stmt):
                    setattr(node, name, self._block(value))
                else:
                    visited = [self._visit(v) if isinstance(v, ast.AST) else v for v in value]
                    setattr(node, name, visited)

    def _guarded(self, node: ast.AST, catches: bool, *names: str) -> None:
        """Walk the body or other parts of a statement that may catch their exceptions."""
        self._context.tries += catches
        self._fields(node, *(names or ("body",)))
        self._context.tries -= catches

    def _annotation(self, node: ast.expr) -> ast.expr:
        outside, self._context.in_types = self._context.in_types, True
        self._context.in_annotation += 1
        unquoted = names.unquoted(node, self._context)
        visited = self._visit(unquoted)
        self._context.in_annotation -= 1
        self._context.in_types = outside
        return visited  # type: ignore[return-value]

    def _with_types(self, are_types: bool, node: ast.AST, *names: str) -> None:
        """Walk parts of a node as types or as values."""
        outside, self._context.in_types = self._context.in_types, are_types
        self._fields(node, *names)
        self._context.in_types = outside

    def _call(self, node: ast.Call) -> None:
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            hand_on(argument)
        place = names.place_of_type(node, self._context)
        self._with_types(False, node, "func")
        visited: list[ast.expr] = []
        for number, each in enumerate(node.args):
            one = ast.Expr(each)
            self._with_types(number == place, one, "value")
            visited.append(one.value)
        node.args = visited
        self._with_types(False, node, "keywords")

    def _function(self, node: _Function) -> None:
        # These belong to the outer scope, which sees the names of a class but not those of the
        # function.
        self._fields(node, "decorator_list", "args")
        if node.returns is not None:
            node.returns = self._annotation(node.returns)
        self._within(node, node)

    def _within(self, node: _Function | ast.Lambda, function: _Function | None) -> None:
        context = self._context
        context.scopes.append(context.scope_of(node))
        context.enclosing.append((node, context.classes[-1] if context.classes else None))
        context.classes.append(None)
        if function is not None:
            clean(function, context)
        self._fields(node, "body")
        if function is not None:
            tidy(function, context, again)
        context.classes.pop()
        context.enclosing.pop()
        context.scopes.pop()

    def _class(self, node: ast.ClassDef) -> None:
        context = self._context
        self._fields(node, "decorator_list")
        context.in_bases += 1
        self._fields(node, "bases", "keywords")
        context.in_bases -= 1
        context.classes.append(node)
        context.enclosing.append((node, None))
        clean(node, context)
        self._fields(node, "body")
        context.enclosing.pop()
        context.classes.pop()

    def _block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        visited: list[ast.stmt] = []
        for statement in body:
            new = self._visit(statement)
            # always true: no step turns a statement into anything else
            if isinstance(new, ast.stmt):
                visited.append(new)
        # Loops come first, because their steps depend on how they are written.
        visited = loops.tidy(visited, self._context)
        return blocks.tidy(visited, self._context, again)


def _hands_on_errors(node: ast.With | ast.AsyncWith, context: Context) -> bool:
    """Return whether a `with` catches no exception. Others may, as `suppress` does."""
    return all(
        isinstance(item.context_expr, ast.Call)
        and (
            context.is_builtin(item.context_expr.func, "open")
            or getattr(item.context_expr.func, "id", "") in _FILES
        )
        for item in node.items
    )


def again(node: ast.AST, context: Context) -> ast.AST:
    """Apply the steps of a node whose children are in normal form."""
    for _ in range(_MAX_STEPS):
        for step in STEPS.get(type(node), ()):
            new = step(node, context)
            if new is not None:
                if is_handed_on(node):
                    hand_on(new)
                node = new
                break
        else:
            break
    return node
