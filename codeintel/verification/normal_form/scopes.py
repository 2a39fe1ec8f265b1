"""What holds of the names of one function, or of the module outside of functions."""

from __future__ import annotations

import ast
from collections.abc import Set as AbstractSet

_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSION = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_KINDS: dict[str, str] = {
    "dict": "dict",
    "defaultdict": "dict",
    "Counter": "dict",
    "OrderedDict": "dict",
    "Dict": "dict",
    "list": "list",
    "List": "list",
    "sorted": "list",
    "set": "set",
    "Set": "set",
    "str": "str",
    "int": "int",
    "len": "int",
}
_DISPLAYS: dict[type[ast.AST], str] = {
    ast.Dict: "dict",
    ast.DictComp: "dict",
    ast.List: "list",
    ast.ListComp: "list",
    ast.Set: "set",
    ast.SetComp: "set",
    ast.JoinedStr: "str",
}


class Scope:
    """The names of a function, gathered before it is changed.

    `leaking` are read outside of the loops that bind them, `captured` are read in functions within,
    `read_late` in a `finally`; `declared` are global or nonlocal.

    :param shadowed: names that need not mean what they usually do.
    """

    def __init__(self, node: ast.AST, shadowed: AbstractSet[str]) -> None:
        self._shadowed = shadowed
        self.leaking: set[str] = set()
        self.captured: set[str] = set()
        self.read_late: set[str] = set()
        self.declared: set[str] = set()
        self.parameters: set[str] = set()
        self.is_module = isinstance(node, ast.Module)
        self.yields = False
        self.stored: set[str] = set()
        self._kinds: dict[str, set[str]] = {}
        if isinstance(node, _FUNCTION):
            self._signature(node.args)
        body = getattr(node, "body", [])
        for each in body if isinstance(body, list) else [body]:
            self._look(each, frozenset(), False)

    def kind(self, name: str) -> str:
        """`dict`, `list`, `set`, `str` or `int` if all that binds the name is one; else empty."""
        kinds = self._kinds.get(name, set())
        if len(kinds) != 1 or name in self.declared:
            return ""
        return next(iter(kinds))

    def _signature(self, arguments: ast.arguments) -> None:
        named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        for each in named:
            self.parameters.add(each.arg)
            self._kinds.setdefault(each.arg, set()).add(self._annotated(each.annotation))
        for star, kind in ((arguments.vararg, ""), (arguments.kwarg, "dict")):
            if star is not None:
                self.parameters.add(star.arg)
                self._kinds.setdefault(star.arg, set()).add(kind)

    def _look(self, node: ast.AST, looped: frozenset[str], late: bool) -> None:
        """:param looped: what loops around bind. :param late: whether in a `finally`."""
        if isinstance(node, ast.Name):
            self._name(node, looped, late)
        elif isinstance(node, _FUNCTION):
            self._nested(node, looped, late)
        elif isinstance(node, ast.ClassDef):
            self.stored.add(node.name)
            self._capture(node, frozenset())
        elif isinstance(node, _COMPREHENSION):
            self._comprehension(node, looped, late)
        elif isinstance(node, ast.For | ast.AsyncFor):
            names = {each.id for each in ast.walk(node.target) if isinstance(each, ast.Name)}
            for part in (node.iter, *node.orelse):
                self._look(part, looped, late)
            for part in (node.target, *node.body):
                self._look(part, looped | names, late)
        else:
            self._other(node, looped, late)

    def _other(self, node: ast.AST, looped: frozenset[str], late: bool) -> None:
        if isinstance(node, ast.Global | ast.Nonlocal):
            self.declared.update(node.names)
        elif isinstance(node, ast.Yield | ast.YieldFrom):
            self.yields = True
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            self._assigned(node.targets[0], self._kind_of(node.value))
        elif isinstance(node, ast.AnnAssign):
            self._assigned(node.target, self._annotated(node.annotation))
        for name, value in ast.iter_fields(node):
            for each in value if isinstance(value, list) else [value]:
                if isinstance(each, ast.AST):
                    self._look(each, looped, late or name == "finalbody")

    def _assigned(self, target: ast.expr, kind: str) -> None:
        if isinstance(target, ast.Name):
            self._kinds.setdefault(target.id, set()).add(kind)
            target._kind_known = True  # type: ignore[attr-defined]

    def _name(self, node: ast.Name, looped: frozenset[str], late: bool) -> None:
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
            self.stored.add(node.name)
            outside += node.decorator_list
        for each in outside:
            self._look(each, looped, late)
        own = {each.arg for each in ast.walk(node.args) if isinstance(each, ast.arg)}
        for each in node.body if isinstance(node.body, list) else [node.body]:
            self._capture(each, frozenset(own))

    def _capture(self, node: ast.AST, own: frozenset[str]) -> None:
        for each in ast.walk(node):
            if isinstance(each, ast.Name) and each.id not in own:
                self.captured.add(each.id)
                self.leaking.add(each.id)

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

    def _kind_of(self, value: ast.expr) -> str:
        """What kind of value an expression gives."""
        if type(value) in _DISPLAYS:
            return _DISPLAYS[type(value)]
        if isinstance(value, ast.Call):
            return self._made_by(value.func)
        if isinstance(value, ast.IfExp):
            kinds = {self._kind_of(value.body), self._kind_of(value.orelse)}
            return kinds.pop() if len(kinds) == 1 else ""
        if isinstance(value, ast.Constant) and type(value.value) in (str, int):
            return type(value.value).__name__
        return ""

    def _made_by(self, function: ast.expr) -> str:
        if isinstance(function, ast.Attribute):
            named = isinstance(function.value, ast.Name) and function.value.id == "collections"
            return _KINDS.get(function.attr, "") if named else ""
        if not isinstance(function, ast.Name) or function.id in self._shadowed:
            return ""
        return _KINDS.get(function.id, "")

    def _annotated(self, annotation: ast.expr | None) -> str:
        if isinstance(annotation, ast.Subscript):
            annotation = annotation.value
        name = annotation.id if isinstance(annotation, ast.Name) else ""
        if name in {"len", "sorted"} or name in self._shadowed:
            return ""
        return _KINDS.get(name, "")
