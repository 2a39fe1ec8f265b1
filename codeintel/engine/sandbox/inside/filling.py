"""`zip_longest`: what the shorter side is filled up with."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def uses(nodes: Iterable[ast.AST]) -> Iterator[bool]:
    """The calls of `zip_longest`, each with whether calls can show what it meets: it stands in a
    function, has two sides, and fills up with a constant."""
    for node in nodes:
        for each in ast.walk(node):
            if isinstance(each, ast.Call) and _name(each) == "zip_longest":
                has_two = len(each.args) == 2
                is_starred = any(isinstance(side, ast.Starred) for side in each.args)
                named = [keyword.arg for keyword in each.keywords]
                is_constant = all(isinstance(word.value, ast.Constant) for word in each.keywords)
                is_plain = (
                    has_two and not is_starred and is_constant and named in ([], ["fillvalue"])
                )
                yield is_plain and isinstance(node, _FUNCTIONS)


def filled(call: ast.Call) -> ast.expr:
    """The constant that it fills up with."""
    return call.keywords[0].value if call.keywords else ast.Constant(None)


def _name(call: ast.Call) -> str:
    name: str = getattr(call.func, "attr", getattr(call.func, "id", ""))
    return name
