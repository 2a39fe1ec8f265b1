"""What steps may ask about the place at which they are taken."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterator, Set as AbstractSet

from codeintel.engine.equivalence.normal_form.facts.kinds import element_of, gone_through, kind_of
from codeintel.engine.equivalence.normal_form.facts.program import Facts, names_bound
from codeintel.engine.equivalence.normal_form.facts.scopes import Scope

_BUILTINS = frozenset(dir(builtins))


def hand_on(node: ast.AST) -> None:
    """Note that an expression is an argument or an index."""
    node._is_handed_on = True  # type: ignore[attr-defined]


def is_handed_on(node: ast.AST) -> bool:
    """Whether an expression is an argument or an index: what is done with it nobody knows."""
    return getattr(node, "_is_handed_on", False)


class Context:
    """Facts of the program, the functions around, and the steps taken so far."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self.scopes: list[Scope] = []
        self.classes: list[ast.ClassDef | None] = []
        self.enclosing: list[tuple[ast.AST, ast.ClassDef | None]] = []
        self.in_annotation = 0
        self.in_types = False
        self.is_for_checkers = False
        self.in_bases = 0
        self.tries = 0
        self.comprehensions: list[tuple[int, dict[str, str]]] = []
        self.steps: Counter[str] = Counter()

    def took(self, step: str) -> None:
        """Count a step; its name is for people."""
        self.steps[step] += 1

    @property
    def scope(self) -> Scope:
        """That of the innermost function."""
        return self.scopes[-1]

    @property
    def has_lazy_annotations(self) -> bool:
        """Whether nobody evaluates the annotation that stands here."""
        return self.facts.lazy_annotations or self.is_for_checkers

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
        """`dict`, `list`, `set`, `str`, `int`, `float` or `bool` where an expression is surely one;
        else empty."""
        match node:
            case ast.Constant(value=value) if not isinstance(value, str):
                return ""
        return kind_of(node, self.shadowed, self.facts.origins, self.kind_of_name) or ""

    def scope_of(self, node: ast.AST) -> Scope:
        """The scope of a function, or of the module, that stands here."""
        return Scope(node, self.shadowed, self.facts.origins, self.kind_of_name)

    @property
    def shadowed(self) -> AbstractSet[str]:
        """Names that need not mean here what they usually do."""
        facts = self.facts
        if not facts.knows_builtins:
            return facts.shadowed | _BUILTINS
        in_class = bool(self.classes) and self.classes[-1] is not None
        return facts.shadowed | facts.bound_in_classes if in_class else facts.shadowed

    def kind_of_name(self, name: str) -> str:
        """The kind of what a name means here, in the functions around or in the module."""
        if not self.is_visible(name):
            return ""
        for depth, kinds in self.comprehensions[::-1]:
            if name in kinds:
                within = any(scope.binds(name) for scope in self.scopes[depth:])
                return "" if within else kinds[name]
        scopes = self.scopes[::-1]
        while scopes:
            scope = scopes.pop(0)
            if name in scope.outer:
                scopes = self.scopes[:1]
            elif scope.binds(name):
                return "" if scope.is_module and self.facts.dynamic else scope.kind(name)
        return ""

    def enter(self, generators: list[ast.comprehension]) -> None:
        """Go into a comprehension: with the kinds of its variables, as far as they are clear."""
        read = {n.id for each in generators for n in ast.walk(each.iter) if isinstance(n, ast.Name)}
        kinds: dict[str, str] = {}
        for each in generators:
            given = gone_through(each.target, each.iter, self.shadowed, self.facts.origins)
            for part in ast.walk(each.target):
                for name in names_bound(part):
                    is_clear = not each.is_async and name not in read | kinds.keys()
                    source = given.get(name, "") if is_clear else ""
                    if isinstance(source, ast.expr):
                        where = self.shadowed, self.facts.origins
                        source = element_of(source, *where, self.kind_of_name) or ""
                    kinds[name] = source
        self.comprehensions.append((len(self.scopes), kinds))

    def exports(self) -> Iterator[str]:
        """What the module says that others may import from it."""
        kept = self.facts.exported | self.facts.quoted
        for name, origin in sorted(self.facts.origins.items()):
            if name in kept or self.facts.dynamic:
                yield f"{name}={origin}"
