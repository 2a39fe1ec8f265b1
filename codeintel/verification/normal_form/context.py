"""What steps may ask about the place at which they are taken."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterator

from codeintel.verification.normal_form.facts import Facts
from codeintel.verification.normal_form.scopes import Scope

_BUILTINS = frozenset(dir(builtins))


class Context:
    """Facts of the program, the functions around, and the steps taken so far."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.scopes: list[Scope] = []
        self.classes: list[ast.ClassDef | None] = []
        self.enclosing: list[tuple[ast.AST, ast.ClassDef | None]] = []
        self.in_annotation = 0
        self.in_bases = 0
        self.tries = 0
        self.steps: Counter[str] = Counter()

    def took(self, step: str) -> None:
        """Count a step; its name is for people."""
        self.steps[step] += 1

    @property
    def scope(self) -> Scope:
        """That of the innermost function."""
        return self.scopes[-1]

    def is_visible(self, name: str) -> bool:
        """Whether the name is not that of a member of the class whose body this is. Methods do not
        see those, but what stands around them, such as annotations, does."""
        if name not in self.facts.bound_in_classes:
            return True
        return not self.classes or self.classes[-1] is None

    def is_builtin(self, node: ast.AST, *names: str) -> bool:
        """Whether a node names one of these builtins, and nothing else can be meant."""
        return isinstance(node, ast.Name) and node.id in names and self.means_builtin(node.id)

    def means_builtin(self, name: str) -> bool:
        """Whether a name is that of a builtin here."""
        facts = self.facts
        return (
            name in _BUILTINS
            and name not in facts.bound
            and facts.origins.get(name) in {None, f"builtins.{name}", f"io.{name}"}
            and facts.knows_builtins
            and self.is_visible(name)
        )

    def kind(self, node: ast.expr) -> str:
        """`dict`, `list`, `set`, `str` or `int` where an expression is surely one; else empty."""
        match node:
            case ast.Name(id=name):
                return self.scope.kind(name) if name not in self.scope.captured else ""
            case ast.Dict() | ast.DictComp():
                return "dict"
            case ast.List() | ast.ListComp():
                return "list"
            case ast.Set() | ast.SetComp():
                return "set"
            case ast.JoinedStr():
                return "str"
            case ast.Constant(value=str()):
                return "str"
            case ast.Call(func=function) if self.is_builtin(function, "str", "repr"):
                return "str"
            case ast.Call(func=function) if self.is_builtin(function, "len", "int", "ord"):
                return "int"
            case ast.Call(func=function) if self.is_builtin(function, "dict", "list", "set"):
                return function.id if isinstance(function, ast.Name) else ""
        return ""

    def exports(self) -> Iterator[str]:
        """What the module says that others may import from it."""
        kept = self.facts.exported | self.facts.quoted
        for name, origin in sorted(self.facts.origins.items()):
            if name in kept or self.facts.dynamic:
                yield f"{name}={origin}"
