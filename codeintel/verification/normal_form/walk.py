"""Steps taken over a whole tree, from the leaves up."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from codeintel.verification.normal_form import (
    blocks,
    builds,
    calls,
    classes,
    comparisons,
    functions,
    imports,
    loops,
    spellings,
    strings,
    truth,
)
from codeintel.verification.normal_form.context import Context
from codeintel.verification.normal_form.scopes import Scope

Step = Callable[[Any, Context], ast.AST | None]
_MODULES = (strings, truth, comparisons, spellings, builds, calls, classes, loops, imports)
STEPS: dict[type[ast.AST], list[Step]] = {}
for _module in _MODULES:
    for _kind, _steps in _module.STEPS.items():
        STEPS.setdefault(_kind, []).extend(_steps)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_MAX_STEPS = 30
_Function = ast.FunctionDef | ast.AsyncFunctionDef


class Walk:
    """One walk over a tree, which is changed in place."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def module(self, tree: ast.Module) -> ast.Module:
        """Bring a whole module into normal form."""
        self._context.scopes.append(Scope(tree, self._context.facts.bound))
        classes.clean_docstring(tree, self._context)
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
            node.annotation = self._annotation(node.annotation)
            self._fields(node, "target", "value")
        elif isinstance(node, _COMPREHENSIONS):
            # A function of its own, as far as `super()` is concerned.
            self._context.enclosing.append((node, None))
            self._fields(node, *node._fields)
            self._context.enclosing.pop()
        elif isinstance(node, ast.Try):
            self._context.tries += 1
            self._fields(node, "body")
            self._context.tries -= 1
            self._fields(node, "handlers", "orelse", "finalbody")
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

    def _annotation(self, node: ast.expr) -> ast.expr:
        self._context.in_annotation += 1
        unquoted = spellings.unquoted(node, self._context)
        visited = self._visit(unquoted)
        self._context.in_annotation -= 1
        return visited  # type: ignore[return-value]

    def _function(self, node: _Function) -> None:
        # In the scope around: where the names of a class, but not those of the function, count.
        self._fields(node, "decorator_list", "args")
        if node.returns is not None:
            node.returns = self._annotation(node.returns)
        self._within(node, node)

    def _within(self, node: _Function | ast.Lambda, function: _Function | None) -> None:
        context = self._context
        context.scopes.append(Scope(node, context.facts.bound))
        context.enclosing.append((node, context.classes[-1] if context.classes else None))
        context.classes.append(None)
        if function is not None:
            classes.clean_docstring(function, context)
        self._fields(node, "body")
        if function is not None:
            functions.tidy(function, context, again)
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
        classes.clean_docstring(node, context)
        self._fields(node, "body")
        context.enclosing.pop()
        context.classes.pop()

    def _block(self, body: list[ast.stmt]) -> list[ast.stmt]:
        visited: list[ast.stmt] = []
        for statement in body:
            new = self._visit(statement)
            if isinstance(new, ast.stmt):  # it always is: no step turns one into anything else
                visited.append(new)
        # Loops first: they are told by how they are written.
        visited = loops.tidy(visited, self._context)
        return blocks.tidy(visited, self._context, again)


def again(node: ast.AST, context: Context) -> ast.AST:
    """Take what steps there are at a node whose parts are in normal form."""
    for _ in range(_MAX_STEPS):
        for step in STEPS.get(type(node), ()):
            new = step(node, context)
            if new is not None:
                node = new
                break
        else:
            break
    return node
