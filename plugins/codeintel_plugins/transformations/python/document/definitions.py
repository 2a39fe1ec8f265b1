"""The functions, methods and classes of a module, and what each is."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

Function = ast.FunctionDef | ast.AsyncFunctionDef
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_ACCESSORS = frozenset({"setter", "deleter", "getter"})
_PROPERTIES = frozenset(
    {"property", "cached_property", "abstractproperty", "hybrid_property", "classproperty"}
)


class Definition(NamedTuple):
    """A definition in its place: the class it stands in, if it does so directly, and whether it or
    what is around it begins with an underscore, or it is out of reach in a function."""

    node: Function | ast.ClassDef
    owner: ast.ClassDef | None
    private: bool
    decorators: frozenset[str]

    @property
    def rule(self) -> str:
        """The id of the rule that describes it."""
        return f"docstring-{self.noun.replace(' ', '-')}"

    @property
    def noun(self) -> str:
        """What people call it."""
        node = self.node
        if isinstance(node, ast.ClassDef):
            return "class"
        if self.owner is None:
            return "function"
        if self.is_property:
            return "property"
        if node.name == "__init__":
            return "initializer"
        return "special method" if is_special(node.name) else "method"

    @property
    def is_property(self) -> bool:
        """Whether it is read as an attribute."""
        return self.owner is not None and not self.decorators.isdisjoint(_PROPERTIES)

    @property
    def is_accessor(self) -> bool:
        """Whether it writes or deletes a property, whose getter has the docstring."""
        return not self.decorators.isdisjoint(_ACCESSORS)

    @property
    def bases(self) -> tuple[str, ...]:
        """The last names of the base classes: its own, or those of the class it stands in."""
        of = self.node if isinstance(self.node, ast.ClassDef) else self.owner
        return tuple(last_name(base) for base in of.bases) if of is not None else ()


def definitions(tree: ast.Module) -> Iterator[Definition]:
    """Yield them in order of place."""
    stack: list[tuple[ast.stmt, ast.ClassDef | None, bool]] = [
        (statement, None, False) for statement in reversed(tree.body)
    ]
    while stack:
        node, owner, private = stack.pop()
        if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
            private = private or _is_private(node.name)
            names = frozenset(last_name(each) for each in node.decorator_list)
            yield Definition(node, owner, private, names)
            owner = node if isinstance(node, ast.ClassDef) else None
            private = private or owner is None
        stack.extend((inner, owner, private) for inner in reversed([*inner_statements(node)]))


def inner_statements(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements directly in a statement."""
    for name in ("body", "handlers", "cases", "orelse", "finalbody"):
        inner = getattr(node, name, ())
        for each in inner if isinstance(inner, list) else ():
            if isinstance(each, ast.stmt):
                yield each
            else:
                yield from each.body


def last_name(node: ast.expr) -> str:
    """`c` of `a.b.c`, of `c(...)` and of `c[...]`; empty where there is none."""
    while isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def is_special(name: str) -> bool:
    """Whether Python itself gives a name its meaning."""
    return name.startswith("__") and name.endswith("__") and len(name) > 4


def _is_private(name: str) -> bool:
    return name.startswith("_") and not is_special(name)
