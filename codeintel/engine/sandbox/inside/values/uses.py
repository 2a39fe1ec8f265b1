"""Record how a function and the program's functions that it calls use their parameters."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from ..coverage.changes import Function
from .kinds import Kind, of_annotation
from .shapes import METHODS, THROUGH, Path, Paths, Shapes

_SEQUENCES = frozenset(("len", "max", "min", "any", "all", "enumerate", "zip", "sum", "Counter"))
_ON_TEXTS = frozenset(
    ("match", "search", "fullmatch", "findall", "sub", "finditer", "split", "loads")
)
_MAX_CALLS = 3


def shapes_in(node: Function, units: Mapping[str, Function], skipped: int = 0) -> Shapes:
    """Return all uses in a function of a program.

    :param units: the functions of the program.
    :param skipped: the number of leading parameters without a path, such as `self`.
    """
    given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs][skipped:]
    shapes = Shapes({(name,): text for name, text in _text_defaults(node.args)})
    _Reader(shapes, units, {each.arg: (each.arg,) for each in given}, 0).body(node.body)
    return shapes


def _text_defaults(given: ast.arguments) -> Iterator[tuple[str, str]]:
    """Yield the parameters whose default is a string that can be a key."""
    positional = [*given.posonlyargs, *given.args]
    last = positional[len(positional) - len(given.defaults) :]
    pairs = [*zip(last, given.defaults, strict=True)]
    pairs += [
        (one, value)
        for one, value in zip(given.kwonlyargs, given.kw_defaults, strict=True)
        if value
    ]
    for parameter, value in pairs:
        text = value.value if isinstance(value, ast.Constant) else None
        if isinstance(text, str) and text.isidentifier():
            yield parameter.arg, text


class _Reader(ast.NodeVisitor):
    def __init__(
        self, shapes: Shapes, units: Mapping[str, Function], env: dict[str, Path], depth: int
    ) -> None:
        self._shapes = shapes
        self._units = units
        self._paths = Paths(shapes, env)
        self._depth = depth

    def body(self, statements: list[ast.stmt]) -> None:
        for node in statements:
            self.visit(node)

    def _say(self, node: ast.AST | None, word: str, weight: int = 2) -> None:
        path = self._paths.of(node)
        if path:
            self._shapes.use(path).say(word, weight)

    def _loop(self, target: ast.AST, values: ast.expr) -> None:
        """Bind the target of a loop to the parts of its iterable."""
        if isinstance(values, ast.Call):
            name = values.func.attr if isinstance(values.func, ast.Attribute) else ""
            if isinstance(values.func, ast.Attribute) and name in ("items", "keys", "values"):
                inner = self._paths.of(values.func.value)
                if inner:
                    pair = [(*inner, "{k}"), (*inner, "{v}")]
                    for each in pair:
                        self._shapes.use(each)
                    if name != "items":
                        self._paths.bind(target, pair[name == "values"])
                    elif isinstance(target, ast.Tuple) and len(target.elts) == 2:
                        self._paths.bind(target.elts[0], pair[0])
                        self._paths.bind(target.elts[1], pair[1])
                    return
            if isinstance(values.func, ast.Name) and isinstance(target, ast.Tuple):
                if values.func.id == "enumerate" and values.args and len(target.elts) == 2:
                    self._loop(target.elts[1], values.args[0])
                    return
                if values.func.id == "zip" and len(target.elts) == len(values.args):
                    for one, given in zip(target.elts, values.args, strict=True):
                        self._loop(one, given)
                    return
        inner = self._paths.of(values)
        if inner:
            self._shapes.use((*inner, "[]"))
        self._paths.bind(target, (*inner, "[]") if inner else None)

    def visit_For(self, node: ast.For) -> None:
        self.visit(node.iter)
        self._loop(node.target, node.iter)
        self.body([*node.body, *node.orelse])

    def visit_AsyncFor(self, node: ast.AsyncFor) -> None:
        inner = self._paths.of(node.iter)
        if inner:
            self._shapes.use(inner).say("async_iterator", 9)
            self._paths.bind(node.target, (*inner, "[]"))
        self.body(node.body)

    def _comprehension(self, node: Any) -> None:
        for each in node.generators:
            self.visit(each.iter)
            self._loop(each.target, each.iter)
            for test in each.ifs:
                self.visit(test)
        for field in ("elt", "key", "value"):
            if hasattr(node, field):
                self.visit(getattr(node, field))

    def visit_ListComp(self, node: ast.ListComp) -> None:
        self._comprehension(node)

    def visit_SetComp(self, node: ast.SetComp) -> None:
        self._comprehension(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        self._comprehension(node)

    def visit_DictComp(self, node: ast.DictComp) -> None:
        self._comprehension(node)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.visit(node.value)
        path = self._paths.of(node.value)
        for target in node.targets:
            if isinstance(target, ast.Name | ast.Tuple):
                self._paths.bind(target, path)
            else:
                self.visit(target)

    def visit_withitem(self, node: ast.withitem) -> None:
        self.visit(node.context_expr)
        self._say(node.context_expr, "thing", 5)
        if node.optional_vars is not None:
            self._paths.bind(node.optional_vars, self._paths.of(node.context_expr))

    def visit_Lambda(self, node: ast.Lambda) -> None:
        before = dict(self._paths.env)
        for each in node.args.args:
            self._paths.env.pop(each.arg, None)
        self.visit(node.body)
        self._paths.env = before

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        before = dict(self._paths.env)
        for each in node.args.args:
            self._paths.env.pop(each.arg, None)
        self.body(node.body)
        self._paths.env = before

    def visit_Subscript(self, node: ast.Subscript) -> None:
        path = self._paths.of_subscript(node)
        if path:
            self._shapes.use(path)
            if path[-1] == "[]" or isinstance(node.slice, ast.Slice):
                self._say(node.value, "list", 1)
            elif path[-1] == "{v}":
                self._say(node.value, "dict", 2)
                key = self._paths.of(node.slice)
                if key and isinstance(node.slice, ast.Name):
                    self._shapes.use(key)
            else:
                self._defaulted(self._paths.of(node.slice) or ())
        self.generic_visit(node)

    def _defaulted(self, path: Path) -> None:
        """Record that a parameter with a default is used as a key, which can be that default."""
        if path in self._shapes.defaults:
            self._shapes.use(path).say("str", 3)
            self._shapes.use(path).literals.setdefault(self._shapes.defaults[path])

    def visit_Attribute(self, node: ast.Attribute) -> None:
        path = self._paths.of(node)
        if path:
            self._shapes.use(path)
        self.generic_visit(node)

    def visit_Await(self, node: ast.Await) -> None:
        if isinstance(node.value, ast.Call):
            path = self._paths.of(node.value.func)
            if path:
                self._shapes.use(path).is_awaited = True
                self._shapes.use(path).say("function", 9)
            if path and isinstance(node.value.func, ast.Attribute):
                self._shapes.use(path[:-1]).say("thing", 20)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute):
            self._method(node, node.func)
        elif isinstance(node.func, ast.Name):
            self._function(node, node.func.id)
        for each in (*node.args, *node.keywords):
            self.visit(each)
        if isinstance(node.func, ast.Attribute):
            self.visit(node.func.value)
            self._keyed(node, node.func)

    def _keyed(self, node: ast.Call, function: ast.Attribute) -> None:
        for keyword in node.keywords:
            if keyword.arg == "key" and isinstance(keyword.value, ast.Lambda):
                self._key(keyword.value, function.value)

    def _key(self, lambda_: ast.Lambda, values: ast.expr) -> None:
        """Record `key=lambda each: ...` of sorting and similar calls, which receives the
        elements."""
        inner = self._paths.of(values)
        if inner and lambda_.args.args:
            before = dict(self._paths.env)
            self._paths.env[lambda_.args.args[0].arg] = (*inner, "[]")
            self._shapes.use((*inner, "[]"))
            self.visit(lambda_.body)
            self._say(lambda_.body, "number", 1)
            self._paths.env = before

    def _method(self, node: ast.Call, function: ast.Attribute) -> None:
        name, owner = function.attr, self._paths.of(function.value)
        if owner:
            if name in METHODS:
                self._shapes.use(owner).say(METHODS[name], 3)
                if name in ("get", "setdefault") and node.args:
                    path = self._paths.of_call(node)
                    if path:
                        self._shapes.use(path)
                if name in ("append", "add"):
                    self._shapes.use((*owner, "[]"))
            elif name not in ("pop", "copy", "update", "remove", "index", "count", "clear"):
                self._shapes.use((*owner, f".{name}")).say("function", 9)
                self._shapes.use((*owner, f".{name}", "()"))
        if name == "join" and node.args:
            path = self._paths.of(node.args[0])
            if path:
                self._shapes.use(path).say("list")
                self._shapes.use((*path, "[]")).say("str", 3)
        is_module = (
            isinstance(function.value, ast.Name) and function.value.id not in self._paths.env
        )
        if is_module and name in _ON_TEXTS:
            for each in node.args:
                self._say(each, "str", 3)

    def _function(self, node: ast.Call, name: str) -> None:
        if name in self._paths.env:
            use = self._shapes.use(self._paths.env[name])
            use.say("function", 9)
            self._shapes.use((*self._paths.env[name], "()"))
        first = node.args[0] if node.args else None
        if name == "isinstance" and len(node.args) == 2:
            kinds = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
            for each in kinds:
                word = getattr(each, "id", getattr(each, "attr", ""))
                self._say(first, f"is {word}", 1)
        elif name in _SEQUENCES or name in THROUGH:
            for each in node.args if name == "zip" else node.args[:1]:
                self._say(each, "list", 1)
            path = self._paths.of(first)
            if path and name == "sum":
                self._shapes.use((*path, "[]")).say("number")
            for keyword in node.keywords:
                if keyword.arg == "key" and isinstance(keyword.value, ast.Lambda) and first:
                    self._key(keyword.value, first)
        elif name in ("range", "chr", "divmod", "abs", "round", "float"):
            for each in node.args:
                self._say(each, "int" if name in ("range", "chr") else "number")
        elif name == "ord":
            self._say(first, "str")
        elif name in ("map", "filter") and len(node.args) == 2:
            self._say(node.args[0], "function")
            self._say(node.args[1], "list")
        elif name in ("next", "anext"):
            self._say(first, "iterator", 4)
        else:
            self._program(node, name)

    def _program(self, node: ast.Call, name: str) -> None:
        """Record the uses in a function of the program that receives a path."""
        callee = self._units.get(name)
        if callee is None or self._depth >= _MAX_CALLS:
            return
        env: dict[str, Path] = {}
        for parameter, value in zip(callee.args.args, node.args, strict=False):
            path = self._paths.of(value)
            if path:
                env[parameter.arg] = path
                if parameter.annotation is not None:
                    self._annotated(path, of_annotation(ast.unparse(parameter.annotation)))
        if env:
            _Reader(self._shapes, self._units, env, self._depth + 1).body(callee.body)

    def _annotated(self, path: Path, kind: Kind) -> None:
        """Record that an argument of a program's function has the annotated kind."""
        word = kind if isinstance(kind, str) else kind[0]
        use = self._shapes.use(path)
        if word == "dict":
            use.say("dict", 9)
            self._annotated((*path, "{k}"), kind[1])
            self._annotated((*path, "{v}"), kind[2])
        elif word in ("list", "set", "iterator"):
            use.say(word, 9)
            self._annotated((*path, "[]"), kind[1])
        elif word in ("str", "int", "float", "bytes", "bool", "datetime"):
            use.say(word, 9)

    def visit_Compare(self, node: ast.Compare) -> None:
        sides = [node.left, *node.comparators]
        for one, operator, other in zip(sides, node.ops, sides[1:], strict=False):
            self._pair(one, operator, other)
            self._pair(other, operator, one, is_swapped=True)
        self.generic_visit(node)

    def _pair(
        self, one: ast.expr, operator: ast.cmpop, other: ast.expr, *, is_swapped: bool = False
    ) -> None:
        path = self._paths.of(one)
        is_in = isinstance(operator, ast.In | ast.NotIn)
        if not path:
            return
        if is_in and is_swapped:
            if isinstance(other, ast.Constant) and isinstance(other.value, str):
                self._shapes.use(path).say("str", 1)
            else:
                self._shapes.use(path).say("list", 1)
            return
        values = (
            other.elts if is_in and isinstance(other, ast.Tuple | ast.Set | ast.List) else [other]
        )
        for each in values:
            value = each.value if isinstance(each, ast.Constant) else Ellipsis
            if isinstance(each, ast.UnaryOp) and isinstance(each.operand, ast.Constant):
                number = each.operand.value
                is_number = isinstance(each.op, ast.USub) and isinstance(number, int | float)
                value = -number if is_number else Ellipsis  # type: ignore[operator]
            if value is None:
                self._shapes.use(path).say("none", 1)
            elif isinstance(value, bool):
                self._shapes.use(path).say("bool", 1)
            elif isinstance(value, int | float):
                self._shapes.use(path).say("number", 2)
                self._shapes.use(path).literals.setdefault(value)
            elif isinstance(value, str) and not (is_in and len(values) == 1):
                self._shapes.use(path).say("str", 3)
                self._shapes.use(path).literals.setdefault(value)
        if not is_in and isinstance(operator, ast.Lt | ast.LtE | ast.Gt | ast.GtE):
            self._shapes.use(path).say("number", 1)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        for one, other in ((node.left, node.right), (node.right, node.left)):
            if isinstance(other, ast.JoinedStr) or (
                isinstance(other, ast.Constant) and isinstance(other.value, str)
            ):
                if isinstance(node.op, ast.Add):
                    self._say(one, "str", 3)
            elif isinstance(node.op, ast.Add):
                self._say(one, "number", 1)
            elif isinstance(node.op, ast.Sub | ast.Mult | ast.Div | ast.Pow):
                self._say(one, "number", 2)
            elif isinstance(node.op, ast.FloorDiv | ast.Mod | ast.LShift | ast.RShift):
                is_text = isinstance(node.left, ast.Constant) and isinstance(node.left.value, str)
                if not is_text:
                    self._say(one, "int", 2)
        self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.visit(node.target)
        self.visit(node.value)
        is_text = isinstance(node.value, ast.Constant | ast.JoinedStr)
        if isinstance(node.op, ast.Add | ast.Sub | ast.Mult) and not is_text:
            self._say(node.value, "number", 1)
            self._say(node.target, "number", 1)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.USub):
            self._say(node.operand, "number", 1)
        self.generic_visit(node)
