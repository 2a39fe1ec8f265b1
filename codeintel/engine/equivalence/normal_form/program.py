"""A program's normal form."""

from __future__ import annotations

import ast
import hashlib
import sys
import warnings
from collections import Counter
from collections.abc import Iterator

import msgspec

from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.facts.program import Facts
from codeintel.engine.equivalence.normal_form.text import text_of
from codeintel.engine.equivalence.normal_form.walk import Walk

_DEPTH = 30_000
"""Calls on the stack: these are of Python's own, which take no room on that of the machine. The
parser, which does, works under the usual limit and so refuses what nests more deeply than this."""
MODULE = "the module's own statements"


class TooDeepError(Exception):
    """The code nests too deeply."""


class Form(msgspec.Struct, frozen=True):
    """What a program comes down to.

    :param units: a digest for each function by its dotted name, and one for the rest.
    :param steps: how often each step was taken.
    :param statements: how many there are in the program.
    :param tree: a digest of the tree before any step.
    """

    units: dict[str, str]
    steps: Counter[str]
    statements: int
    tree: str

    def differences(self, other: Form) -> list[str]:
        """Where two differ: names of functions, or `MODULE`."""
        names = {**self.units, **other.units}
        return [name for name in names if self.units.get(name) != other.units.get(name)]

    def is_plain(self, other: Form) -> bool:
        """Whether no step was needed."""
        return self.tree == other.tree


def form(code: str) -> Form:
    """The normal form of a program.

    :raises SyntaxError: for what does not parse.
    :raises TooDeepError: for what nests too deeply.
    """
    limit = sys.getrecursionlimit()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code.removeprefix("\ufeff"))
        sys.setrecursionlimit(max(limit, _DEPTH))
        return _form(tree)
    except (RecursionError, MemoryError):
        raise TooDeepError from None
    except ValueError as error:
        raise SyntaxError(str(error)) from None
    finally:
        sys.setrecursionlimit(limit)


def _form(tree: ast.Module) -> Form:
    statements = sum(isinstance(node, ast.stmt) for node in ast.walk(tree))
    plain = _digest(text_of(tree))
    context = Context(Facts(tree))
    module = Walk(context).module(tree)
    units: dict[str, str] = {}
    seen: Counter[str] = Counter()
    for name, node in _taken_out(module.body, ""):
        seen[name] += 1
        units[name if seen[name] == 1 else f"{name}#{seen[name]}"] = _digest(text_of(node))
    units[MODULE] = _digest(text_of(module) + "\n".join(context.exports()))
    return Form(units=units, steps=context.steps, statements=statements, tree=plain)


def _taken_out(body: list[ast.stmt], path: str) -> Iterator[tuple[str, ast.stmt]]:
    """The functions of a module and its classes, each replaced by a mark of its name, so that
    their order and place still count."""
    for place, node in enumerate(body):
        if isinstance(node, ast.ClassDef):
            yield from _taken_out(node.body, f"{path}{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            name = f"{path}{node.name}"
            body[place] = ast.Expr(ast.Constant(f"function {name}"))
            yield name, node


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
