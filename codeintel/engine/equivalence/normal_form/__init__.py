"""Compute the normal form of a Python program: a tree made by steps that keep the meaning.

Each program is normalized on its own. A step applies only where the code shows its conditions, so
two programs with equal forms mean the same. Where the conditions cannot be seen, the forms differ
and the change is refused. The evidence states the assumptions.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import hashlib
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

import msgspec

from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.facts import HARMLESS, Facts
from codeintel.engine.equivalence.normal_form.walk import Walk
from codeintel.engine.equivalence.python_trees import text_of
from codeintel.engine.syntax import parsed_python

__all__ = ["HARMLESS", "MODULE", "Form", "TooDeepError", "form"]

_DEPTH = 30_000
"""The recursion limit.

These are Python calls, which do not use the machine stack. The parser does use the stack, so it
keeps the usual limit and rejects code that is nested more deeply.
"""
MODULE = "the module's own statements"
Function = ast.FunctionDef | ast.AsyncFunctionDef


class TooDeepError(Exception):
    """The code is nested too deeply."""


class Walked(NamedTuple):
    """A program in normal form.

    Its tree must not be changed.

    :ivar statements: the number of statements in the program.
    :ivar plain: a digest of the tree before any step.
    """

    module: ast.Module
    context: Context
    statements: int
    plain: str


class Form(msgspec.Struct, frozen=True):
    """The digests of a program in normal form.

    :param units: a digest per function by dotted name, and one for the rest.
    :param steps: how often each step was applied.
    :param statements: the number of statements in the program.
    :param tree: a digest of the tree before any step.
    """

    units: dict[str, str]
    steps: Counter[str]
    statements: int
    tree: str

    def differences(self, other: Form) -> list[str]:
        """Return where two forms differ: names of functions, or `MODULE`."""
        names = {**self.units, **other.units}
        return [name for name in names if self.units.get(name) != other.units.get(name)]

    def is_plain(self, other: Form) -> bool:
        """Return whether the programs are equal without any step."""
        return self.tree == other.tree


def form(code: str) -> Form:
    """Return the normal form of a program.

    :raises SyntaxError: if the code does not parse.
    :raises TooDeepError: if the code is nested too deeply.
    """
    return form_of(walked(code))


def walked(code: str) -> Walked:
    """Bring a program into normal form.

    :raises SyntaxError: if the code does not parse.
    :raises TooDeepError: if the code is nested too deeply.
    """
    try:
        tree = parsed_python(code)
        with deep():
            statements = sum(isinstance(node, ast.stmt) for node in ast.walk(tree))
            plain = _digest(text_of(tree))
            context = Context(Facts(tree))
            return Walked(Walk(context).module(tree), context, statements, plain)
    except (RecursionError, MemoryError):
        raise TooDeepError from None
    except ValueError as error:
        raise SyntaxError(str(error)) from None


def form_of(program: Walked) -> Form:
    """Return the digests of a program in normal form.

    :raises TooDeepError: if the code is nested too deeply.
    """
    units: dict[str, str] = {}
    seen: Counter[str] = Counter()
    body, context = program.module.body, program.context
    try:
        with deep():
            for name, node in functions(body):
                seen[name] += 1
                unit = name if seen[name] == 1 else f"{name}#{seen[name]}"
                units[unit] = _digest(text_of(node))
            outline = ast.Module(list(outlined(body)), [])
            units[MODULE] = _digest(text_of(outline) + "\n".join(context.exports()))
    except (RecursionError, MemoryError):
        raise TooDeepError from None
    return Form(units, context.steps, program.statements, program.plain)


@contextlib.contextmanager
def deep() -> Iterator[None]:
    """Raise the recursion limit for deep trees."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def functions(body: list[ast.stmt], path: str = "") -> Iterator[tuple[str, Function]]:
    """Yield the functions of a module and its classes, by dotted name."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from functions(node.body, f"{path}{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield f"{path}{node.name}", node


def outlined(
    body: list[ast.stmt], dropped: Collection[str] = (), path: str = ""
) -> Iterator[ast.stmt]:
    """Yield the statements of a module, with a mark instead of each function, so that order and
    position count.

    Skip the dropped functions and names.
    """
    for node in body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                if f"{path}{name}" not in dropped:
                    yield ast.Expr(ast.Constant(f"function {path}{name}"))
            case ast.ClassDef():
                owner = copy.copy(node)
                owner.body = list(outlined(node.body, dropped, f"{path}{node.name}."))
                yield owner
            case (
                ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name))
            ) if not path and name in dropped:
                pass
            case _:
                yield node


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
