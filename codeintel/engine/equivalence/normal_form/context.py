"""Provide the context of a step: scopes, and the surrounding program."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Set as AbstractSet

from codeintel.engine.equivalence.normal_form.facts import Facts, names_bound
from codeintel.engine.equivalence.normal_form.kinds import (
    Named,
    added_to,
    annotated,
    element_of,
    gone_through,
    joined,
    kind_of,
)

Outside = Callable[[str], str]

_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSION = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Scope:
    """The names of a function, collected before the function is changed.

    `reads` are read anywhere, `leaking` outside the loops that bind them, `captured` in nested
    functions, `read_late` in a `finally`. `declared` are global or nonlocal, `outer` global.
    `deleted` can also be unbound.

    :param shadowed: names that may not have their usual meaning.
    :param origins: the full names of imported names.
    :param outside: returns the kind of a name from an outer scope.
    """

    def __init__(
        self,
        node: ast.AST,
        shadowed: AbstractSet[str],
        origins: Mapping[str, str],
        outside: Outside,
    ) -> None:
        self._shadowed = shadowed
        self._origins = origins
        self._outside = outside
        self.leaking: set[str] = set()
        self.captured: set[str] = set()
        self.read_late: set[str] = set()
        self.declared: set[str] = set()
        self.parameters: set[str] = set()
        self.is_module = isinstance(node, ast.Module)
        self.yields = False
        self.stored: set[str] = set()
        self.outer: set[str] = set()
        self.reads: set[str] = set()
        self.deleted: set[str] = set()
        self._kinds: dict[str, set[str]] = {}
        self._values: dict[str, list[tuple[str, ast.AST]]] = {}
        if isinstance(node, _FUNCTION):
            self._signature(node.args)
        body = getattr(node, "body", [])
        for each in body if isinstance(body, list) else [body]:
            self._look(each, frozenset(), False)
        self._resolve()

    def binds(self, name: str) -> bool:
        """Return whether a name is local to this function."""
        return name in self._known and name not in self.declared

    def kind(self, name: str) -> str:
        """Return `dict`, `list`, `set`, `str`, `int`, `float` or `bool` if every binding of the
        name has that kind, or an empty string."""
        return self._known.get(name, "") if name not in self.declared else ""

    def _signature(self, arguments: ast.arguments) -> None:
        named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        missing = len(named) - len(arguments.defaults) - len(arguments.kw_defaults)
        defaults = [*[None] * missing, *arguments.defaults, *arguments.kw_defaults]
        for each, default in zip(named, defaults, strict=True):
            self.parameters.add(each.arg)
            is_none = isinstance(default, ast.Constant) and default.value is None
            kind = "" if is_none else self._annotated(each.annotation)
            self._kinds.setdefault(each.arg, set()).add(kind)
        for star, kind in ((arguments.vararg, ""), (arguments.kwarg, "dict")):
            if star is not None:
                self.parameters.add(star.arg)
                self._kinds.setdefault(star.arg, set()).add(kind)

    def _look(self, node: ast.AST, looped: frozenset[str], late: bool) -> None:
        """Record the names in a node.

        :param looped: the names that surrounding loops bind.
        :param late: whether the node is in a `finally`.
        """
        if isinstance(node, ast.Name):
            self._name(node, looped, late)
        elif isinstance(node, _FUNCTION):
            self._nested(node, looped, late)
        elif isinstance(node, ast.ClassDef):
            self._binds(node.name)
            self._capture(node, frozenset())
        elif isinstance(node, _COMPREHENSION):
            self._comprehension(node, looped, late)
        elif isinstance(node, ast.For | ast.AsyncFor):
            names = {each.id for each in ast.walk(node.target) if isinstance(each, ast.Name)}
            self._goes_through(node)
            self.leaking |= names & looped  # later code in the surrounding loop reads it
            for part in (node.iter, *node.orelse):
                self._look(part, looped, late)
            for part in (node.target, *node.body):
                self._look(part, looped | names, late)
        else:
            self._other(node, looped, late)

    def _other(self, node: ast.AST, looped: frozenset[str], late: bool) -> None:
        if isinstance(node, ast.Global | ast.Nonlocal):
            self.declared.update(node.names)
            if isinstance(node, ast.Global):
                self.outer.update(node.names)
        elif isinstance(node, ast.Yield | ast.YieldFrom):
            self.yields = True
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            self._given_by(node.targets[0], "value", node.value)
        elif isinstance(node, ast.NamedExpr):
            self._given_by(node.target, "value", node.value)
        elif isinstance(node, ast.AugAssign):
            self._given_by(node.target, "added", node)
            if isinstance(node.target, ast.Name):
                self.reads.add(node.target.id)
        elif isinstance(node, ast.AnnAssign):
            self._assigned(node.target, self._annotated(node.annotation))
        for bound in names_bound(node):
            self._binds(bound)
        for name, value in ast.iter_fields(node):
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, ast.AST):
                    self._look(each, looped, late or name == "finalbody")

    def _binds(self, name: str) -> None:
        """Record a binding of unknown kind."""
        self.stored.add(name)
        self._kinds.setdefault(name, set()).add("")

    def _goes_through(self, node: ast.For | ast.AsyncFor) -> None:
        if isinstance(node, ast.AsyncFor):
            return
        given = gone_through(node.target, node.iter, self._shadowed, self._origins)
        for part in ast.walk(node.target):
            found = given.get(part.id, "") if isinstance(part, ast.Name) else ""
            if isinstance(found, ast.expr):
                self._given_by(part, "element", found)  # type: ignore[arg-type]
            elif found:
                self._assigned(part, found)  # type: ignore[arg-type]

    def _given_by(self, target: ast.expr, how: str, node: ast.AST) -> None:
        if isinstance(target, ast.Name):
            self._values.setdefault(target.id, []).append((how, node))
            target._kind_known = True  # type: ignore[attr-defined]

    def _assigned(self, target: ast.expr, kind: str) -> None:
        if isinstance(target, ast.Name):
            self._kinds.setdefault(target.id, set()).add(kind)
            target._kind_known = True  # type: ignore[attr-defined]

    def _name(self, node: ast.Name, looped: frozenset[str], late: bool) -> None:
        if isinstance(node.ctx, ast.Del):
            self.deleted.add(node.id)
        if not isinstance(node.ctx, ast.Store) and not getattr(node, "_is_returned", False):
            self.reads.add(node.id)
        if isinstance(node.ctx, ast.Load):
            if node.id not in looped:
                self.leaking.add(node.id)
            if late:
                self.read_late.add(node.id)
            return
        self.stored.add(node.id)
        if not getattr(node, "_kind_known", False):
            self._kinds.setdefault(node.id, set()).add("")

    def _nested(
        self,
        node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda,
        looped: frozenset[str],
        late: bool,
    ) -> None:
        outside: list[ast.AST] = [*node.args.defaults, *filter(None, node.args.kw_defaults)]
        if not isinstance(node, ast.Lambda):
            self._binds(node.name)
            outside += node.decorator_list
        for each in outside:
            self._look(each, looped, late)
        own = {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
        for each in node.body if isinstance(node.body, list) else [node.body]:
            self._capture(each, frozenset(own))
        self._rebound(node)

    def _capture(self, node: ast.AST, own: frozenset[str]) -> None:
        for each in ast.walk(node):
            names = [each.id] if isinstance(each, ast.Name) else names_bound(each)
            for name in names:
                if name not in own and not isinstance(each, ast.arg):
                    self.captured.add(name)
                    self.leaking.add(name)
        self._rebound(node)

    def _rebound(self, node: ast.AST) -> None:
        """Record names that a nested function rebinds."""
        nodes = list(ast.walk(node))
        declarations = (each for each in nodes if isinstance(each, ast.Global | ast.Nonlocal))
        declared = {name for each in declarations for name in each.names}
        if declared:
            for name in declared & {name for each in nodes for name in names_bound(each)}:
                self._kinds.setdefault(name, set()).add("")

    def _comprehension(self, node: ast.AST, looped: frozenset[str], late: bool) -> None:
        generators: list[ast.comprehension] = node.generators  # type: ignore[attr-defined]
        own = {
            each.id
            for generator in generators
            for each in ast.walk(generator.target)
            if isinstance(each, ast.Name)
        }
        self._look(generators[0].iter, looped, late)
        for part in ast.iter_child_nodes(node):
            if part is generators[0]:
                for condition in generators[0].ifs:
                    self._look(condition, looped | own, late)
            elif isinstance(part, ast.comprehension):
                for each in (part.iter, *part.ifs):
                    self._look(each, looped | own, late)
            else:
                self._look(part, looped | own, late)

    def _resolve(self) -> None:
        """Work out the kind of each name, until nothing changes.

        A name's kind can depend on other names, or on itself.
        """
        kinds: dict[str, str | None] = dict.fromkeys([*self._kinds, *self._values])

        def named(name: str) -> str | None:
            if name in self.declared:
                return ""
            return kinds[name] if name in kinds else self._outside(name)

        def found(name: str) -> str | None:
            given = (self._given(how, node, named) for how, node in self._values.get(name, ()))
            return joined([*self._kinds.get(name, ()), *given])

        todo = True
        while todo:
            new = {name: found(name) for name in kinds}
            todo, kinds = new != kinds, new
        self._known = {name: kind or "" for name, kind in kinds.items()}

    def _given(self, how: str, node: ast.AST, named: Named) -> str | None:
        if how == "added" and isinstance(node, ast.AugAssign):
            return added_to(node, self._shadowed, self._origins, named)
        get = element_of if how == "element" else kind_of
        return get(node, self._shadowed, self._origins, named)  # type: ignore[arg-type]

    def _annotated(self, annotation: ast.expr | None) -> str:
        return annotated(annotation, self._shadowed, self._origins)


_BUILTINS = frozenset(dir(builtins))


def hand_on(node: ast.AST) -> None:
    """Mark an expression as an argument or an index."""
    node._is_handed_on = True  # type: ignore[attr-defined]


def is_handed_on(node: ast.AST) -> bool:
    """Return whether an expression is an argument or an index, whose further use is unknown."""
    return getattr(node, "_is_handed_on", False)


class Context:
    """The facts of the program, the surrounding functions, and the steps applied so far."""

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
        """Count a step. People read its name."""
        self.steps[step] += 1

    @property
    def scope(self) -> Scope:
        """Return the scope of the innermost function."""
        return self.scopes[-1]

    @property
    def has_lazy_annotations(self) -> bool:
        """Return whether the annotation here is never evaluated."""
        return self.facts.lazy_annotations or self.is_for_checkers

    def is_visible(self, name: str) -> bool:
        """Return whether a name cannot belong to the class whose body this is.

        Methods do not see those names, but annotations and other parts of the class body do.
        """
        if name not in self.facts.bound_in_classes:
            return True
        return not self.classes or self.classes[-1] is None

    def is_builtin(self, node: ast.AST, *names: str) -> bool:
        """Return whether a node can only mean one of these builtins."""
        return isinstance(node, ast.Name) and node.id in names and self.means_builtin(node.id)

    def means_builtin(self, name: str) -> bool:
        """Return whether a name can only mean the builtin here."""
        facts = self.facts
        return (
            name in _BUILTINS
            and name not in facts.bound
            and facts.origins.get(name) in {None, f"builtins.{name}", f"io.{name}"}
            and facts.knows_builtins
            and self.is_visible(name)
        )

    def kind(self, node: ast.expr) -> str:
        """Return `dict`, `list`, `set`, `str`, `int`, `float` or `bool` if an expression always
        has that kind, or an empty string."""
        match node:
            case ast.Constant(value=value) if not isinstance(value, str):
                return ""
        return kind_of(node, self.shadowed, self.facts.origins, self.kind_of_name) or ""

    def scope_of(self, node: ast.AST) -> Scope:
        """Return the scope of a function or module at this place."""
        return Scope(node, self.shadowed, self.facts.origins, self.kind_of_name)

    @property
    def shadowed(self) -> AbstractSet[str]:
        """Return the names that may not have their usual meaning here."""
        facts = self.facts
        if not facts.knows_builtins:
            return facts.shadowed | _BUILTINS
        in_class = bool(self.classes) and self.classes[-1] is not None
        return facts.shadowed | facts.bound_in_classes if in_class else facts.shadowed

    def kind_of_name(self, name: str) -> str:
        """Return the kind of a name here, from the surrounding functions or the module."""
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
        """Enter a comprehension, and record the kinds of its variables where they are clear."""
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
        """Yield the imported names that other modules can import from here."""
        kept = self.facts.exported | self.facts.quoted
        for name, origin in sorted(self.facts.origins.items()):
            if name in kept or self.facts.dynamic:
                yield f"{name}={origin}"
