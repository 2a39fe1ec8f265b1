"""What a parameter is, from how a function uses it: parts, keys, attributes and calls.

A use is noted under a path: the parameter, `[]` for the values of a loop over it, `{k}` and `{v}`
for keys and values of a dictionary, `['name']` for a key, `.name` for an attribute, `()` for what a
call returns.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from .changes import Function
from .kinds import ANY, Kind, of_annotation

Path = tuple[str, ...]
_METHODS = {
    **dict.fromkeys(
        [
            "split",
            "strip",
            "lower",
            "upper",
            "startswith",
            "endswith",
            "replace",
            "join",
            "encode",
            "title",
            "casefold",
            "lstrip",
            "rstrip",
            "splitlines",
            "partition",
            "rpartition",
            "removeprefix",
            "removesuffix",
            "isdigit",
            "isalpha",
            "isspace",
            "isalnum",
            "isupper",
            "islower",
            "capitalize",
            "swapcase",
            "format",
            "zfill",
            "ljust",
            "rjust",
            "center",
            "find",
            "rfind",
            "isnumeric",
            "isdecimal",
            "expandtabs",
            "translate",
            "rsplit",
        ],
        "str",
    ),
    **dict.fromkeys(["append", "extend", "sort", "insert", "reverse"], "list"),
    **dict.fromkeys(["items", "keys", "values", "get", "setdefault"], "dict"),
    **dict.fromkeys(["add", "discard", "union", "intersection", "difference", "issubset"], "set"),
    **dict.fromkeys(["popleft", "appendleft", "rotate"], "deque"),
    **dict.fromkeys(["decode", "hex"], "bytes"),
    **dict.fromkeys(
        [
            "astimezone",
            "utcoffset",
            "timestamp",
            "strftime",
            "isoformat",
            "weekday",
            "isoweekday",
            "date",
        ],
        "datetime",
    ),
    **dict.fromkeys(["is_integer"], "float"),
    **dict.fromkeys(["bit_length"], "int"),
}
_TYPES = {
    **{name: name for name in ("int", "float", "str", "bytes", "bool", "list", "dict", "set")},
    "tuple": "tuple_of",
    "datetime": "datetime",
    "date": "date",
    "Decimal": "decimal",
    "Mapping": "dict",
    "Sequence": "list",
    "Iterable": "list",
}
_THROUGH = frozenset(("sorted", "list", "tuple", "set", "reversed", "iter", "frozenset", "deque"))
_SEQUENCES = frozenset(("len", "max", "min", "any", "all", "enumerate", "zip", "sum", "Counter"))
_ON_TEXTS = frozenset(
    ("match", "search", "fullmatch", "findall", "sub", "finditer", "split", "loads")
)
_MAX_DEPTH = 4
_MAX_CALLS = 3


class Use:
    """What is known of one path."""

    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        self.literals: dict[Any, None] = {}
        self.is_awaited = False

    def say(self, word: str, weight: int = 2) -> None:
        """Evidence for a kind."""
        self.words[word] = self.words.get(word, 0) + weight


class Shapes:
    """The uses in one function, and in those of the program that it calls."""

    def __init__(self, units: Mapping[str, Function]) -> None:
        self._units = units
        self.uses: dict[Path, Use] = {}
        self.defaults: dict[Path, str] = {}
        """Texts that are the defaults of parameters."""

    def read(self, node: Function, skipped: int = 0) -> None:
        """Note all uses in a function.

        :param skipped: how many parameters are no path, such as `self`.
        """
        given = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs][skipped:]
        env: dict[str, Path] = {each.arg: (each.arg,) for each in given}
        self.defaults = {(name,): text for name, text in _text_defaults(node.args)}
        _Reader(self, self._units, env, 0).body(node.body)

    def use(self, path: Path) -> Use:
        """What is known of a path, to be added to."""
        return self.uses.setdefault(path, Use())

    def kind(self, path: Path, depth: int = 0) -> Kind:
        """The kind that fits all uses of a path."""
        use = self.uses.get(path)
        parts = self._parts(path) if depth <= _MAX_DEPTH else []
        keys = [each for each in parts if each.startswith("['")]
        attributes = [each for each in parts if each.startswith(".")]
        words = dict(use.words) if use is not None else {}
        chosen = max(words, key=lambda word: words[word]) if words else ""
        found = self._one(path, chosen, keys, attributes, parts, depth)
        if use is None:
            return found
        if use.literals:
            found = ["near", found, list(use.literals)[:20]]
        others = [
            _TYPES[word[3:]] for word in words if word.startswith("is ") and word[3:] in _TYPES
        ]
        if others:
            more = [_whole(each) for each in others]
            found = ["either", [*([found] if found != ANY else []), *more, "str", "int"]]
        if "none" in words:
            found = ["either", [found, found, found, "none"]]
        return found

    def _parts(self, path: Path) -> list[str]:
        """What is used of a path."""
        size = len(path)
        return sorted({e[size] for e in self.uses if len(e) > size and e[:size] == path})

    def _one(
        self,
        path: Path,
        word: str,
        keys: list[str],
        attributes: list[str],
        parts: list[str],
        depth: int,
    ) -> Kind:
        if "function" in (word, *self.uses.get(path, Use()).words):
            use = self.uses[path]
            return ["call", use.is_awaited, self.kind((*path, "()"), depth + 1)]
        if keys and word in ("", "dict", "list", "add", "number"):
            return ["record", {each[2:-2]: self.kind((*path, each), depth + 1) for each in keys}]
        is_thing = (
            attributes
            and word in ("", "dict", "list")
            and any(
                "function" in self.uses[(*path, each)].words
                for each in attributes
                if (*path, each) in self.uses
            )
        )
        if word == "thing" or is_thing or (attributes and word == ""):
            return ["thing", {each[1:]: self.kind((*path, each), depth + 1) for each in attributes}]
        if word == "dict" or "{v}" in parts or "{k}" in parts:
            key, value = self.kind((*path, "{k}"), depth + 1), self.kind((*path, "{v}"), depth + 1)
            return ["dict", "str" if key == ANY else key, value]
        if word == "async_iterator":
            return [word, self.kind((*path, "[]"), depth + 1)]
        if word in ("list", "set", "deque", "iterator") or "[]" in parts:
            part = self.kind((*path, "[]"), depth + 1)
            name = word if word in ("set", "deque", "iterator", "list") else "iterable"
            tuples = [each for each in parts if each.startswith("#")]
            if tuples:
                return ["tuple", [self.kind((*path, each), depth + 1) for each in tuples]]
            return [name, part]
        if any(each.startswith("#") for each in parts):
            count = [each for each in parts if each.startswith("#")]
            return ["tuple", [self.kind((*path, each), depth + 1) for each in count]]
        if word == "number":
            return ["either", ["int", "int", "real"]]
        return word if word in ("str", "int", "float", "bytes", "datetime", "bool") else ANY


def _text_defaults(given: ast.arguments) -> Iterator[tuple[str, str]]:
    """The parameters of which the default is a text that can be a key."""
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


def _whole(word: str) -> Kind:
    if word in ("list", "set", "tuple_of"):
        return [word, "int"]
    return ["dict", "str", "int"] if word == "dict" else word


class _Reader(ast.NodeVisitor):
    def __init__(
        self, shapes: Shapes, units: Mapping[str, Function], env: dict[str, Path], depth: int
    ) -> None:
        self._shapes = shapes
        self._units = units
        self._env = env
        self._depth = depth

    def body(self, statements: list[ast.stmt]) -> None:
        for node in statements:
            self.visit(node)

    def path(self, node: ast.AST | None) -> Path | None:
        """The path of an expression."""
        if isinstance(node, ast.Name):
            return self._env.get(node.id)
        if isinstance(node, ast.Attribute):
            inner = self.path(node.value)
            return (*inner, f".{node.attr}") if inner else None
        if isinstance(node, ast.Await):
            return self.path(node.value)
        if isinstance(node, ast.Subscript):
            return self._subscript(node)
        if isinstance(node, ast.BoolOp):
            return next(filter(None, map(self.path, node.values)), None)
        if isinstance(node, ast.Call):
            return self._call_path(node)
        return None

    def _subscript(self, node: ast.Subscript) -> Path | None:
        inner = self.path(node.value)
        if not inner:
            return None
        if isinstance(node.slice, ast.Slice):
            return inner
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            return (*inner, f"['{node.slice.value}']")
        index = node.slice
        default = self._shapes.defaults.get(self.path(index) or ())
        if default:
            return (*inner, f"['{default}']")
        number = isinstance(index, ast.Constant | ast.UnaryOp | ast.BinOp) or (
            isinstance(index, ast.Name) and index.id not in self._env
        )
        return (*inner, "[]") if number else (*inner, "{v}")

    def _call_path(self, node: ast.Call) -> Path | None:
        if isinstance(node.func, ast.Attribute):
            inner = self.path(node.func.value)
            if not inner:
                return None
            name = node.func.attr
            if name in ("get", "pop", "setdefault") and node.args:
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    return (*inner, f"['{first.value}']")
                return (*inner, "{v}") if name != "pop" else (*inner, "[]")
            if name in ("copy", "strip", "lower", "upper"):
                return inner
            if name in _METHODS:
                return None
            return (*inner, f".{name}", "()")
        if isinstance(node.func, ast.Name):
            if node.func.id in _THROUGH and node.args:
                return self.path(node.args[0])
            inner = self._env.get(node.func.id)
            return (*inner, "()") if inner else None
        return None

    def _say(self, node: ast.AST | None, word: str, weight: int = 2) -> None:
        path = self.path(node)
        if path:
            self._shapes.use(path).say(word, weight)

    def _bind(self, target: ast.AST, path: Path | None) -> None:
        if isinstance(target, ast.Name):
            if path is None:
                self._env.pop(target.id, None)
            else:
                self._env[target.id] = path
        elif isinstance(target, ast.Tuple | ast.List):
            for index, each in enumerate(target.elts):
                self._bind(each, (*path, f"#{index}") if path else None)
                if path:
                    self._shapes.use((*path, f"#{index}"))

    def _loop(self, target: ast.AST, values: ast.expr) -> None:
        """Bind the target of a loop to the parts of what it goes through."""
        if isinstance(values, ast.Call):
            name = values.func.attr if isinstance(values.func, ast.Attribute) else ""
            if isinstance(values.func, ast.Attribute) and name in ("items", "keys", "values"):
                inner = self.path(values.func.value)
                if inner:
                    pair = [(*inner, "{k}"), (*inner, "{v}")]
                    for each in pair:
                        self._shapes.use(each)
                    if name != "items":
                        self._bind(target, pair[name == "values"])
                    elif isinstance(target, ast.Tuple) and len(target.elts) == 2:
                        self._bind(target.elts[0], pair[0])
                        self._bind(target.elts[1], pair[1])
                    return
            if isinstance(values.func, ast.Name) and isinstance(target, ast.Tuple):
                if values.func.id == "enumerate" and values.args and len(target.elts) == 2:
                    self._loop(target.elts[1], values.args[0])
                    return
                if values.func.id == "zip" and len(target.elts) == len(values.args):
                    for one, given in zip(target.elts, values.args, strict=True):
                        self._loop(one, given)
                    return
        inner = self.path(values)
        if inner:
            self._shapes.use((*inner, "[]"))
        self._bind(target, (*inner, "[]") if inner else None)

    def visit_For(self, node: ast.For) -> None:
        self.visit(node.iter)
        self._loop(node.target, node.iter)
        self.body([*node.body, *node.orelse])

    def visit_AsyncFor(self, node: ast.AsyncFor) -> None:
        inner = self.path(node.iter)
        if inner:
            self._shapes.use(inner).say("async_iterator", 9)
            self._bind(node.target, (*inner, "[]"))
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
        path = self.path(node.value)
        for target in node.targets:
            if isinstance(target, ast.Name | ast.Tuple):
                self._bind(target, path)
            else:
                self.visit(target)

    def visit_withitem(self, node: ast.withitem) -> None:
        self.visit(node.context_expr)
        self._say(node.context_expr, "thing", 5)
        if node.optional_vars is not None:
            self._bind(node.optional_vars, self.path(node.context_expr))

    def visit_Lambda(self, node: ast.Lambda) -> None:
        before = dict(self._env)
        for each in node.args.args:
            self._env.pop(each.arg, None)
        self.visit(node.body)
        self._env = before

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        before = dict(self._env)
        for each in node.args.args:
            self._env.pop(each.arg, None)
        self.body(node.body)
        self._env = before

    def visit_Subscript(self, node: ast.Subscript) -> None:
        path = self._subscript(node)
        if path:
            self._shapes.use(path)
            if path[-1] == "[]" or isinstance(node.slice, ast.Slice):
                self._say(node.value, "list", 1)
            elif path[-1] == "{v}":
                self._say(node.value, "dict", 2)
                key = self.path(node.slice)
                if key and isinstance(node.slice, ast.Name):
                    self._shapes.use(key)
            else:
                self._defaulted(self.path(node.slice) or ())
        self.generic_visit(node)

    def _defaulted(self, path: Path) -> None:
        """A parameter with a default is used as a key: it may be that default."""
        if path in self._shapes.defaults:
            self._shapes.use(path).say("str", 3)
            self._shapes.use(path).literals.setdefault(self._shapes.defaults[path])

    def visit_Attribute(self, node: ast.Attribute) -> None:
        path = self.path(node)
        if path:
            self._shapes.use(path)
        self.generic_visit(node)

    def visit_Await(self, node: ast.Await) -> None:
        if isinstance(node.value, ast.Call):
            path = self.path(node.value.func)
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
        """`key=lambda each: ...` of sorting and the like: it is given the parts."""
        inner = self.path(values)
        if inner and lambda_.args.args:
            before = dict(self._env)
            self._env[lambda_.args.args[0].arg] = (*inner, "[]")
            self._shapes.use((*inner, "[]"))
            self.visit(lambda_.body)
            self._say(lambda_.body, "number", 1)
            self._env = before

    def _method(self, node: ast.Call, function: ast.Attribute) -> None:
        name, owner = function.attr, self.path(function.value)
        if owner:
            if name in _METHODS:
                self._shapes.use(owner).say(_METHODS[name], 3)
                if name in ("get", "setdefault") and node.args:
                    path = self._call_path(node)
                    if path:
                        self._shapes.use(path)
                if name in ("append", "add"):
                    self._shapes.use((*owner, "[]"))
            elif name not in ("pop", "copy", "update", "remove", "index", "count", "clear"):
                self._shapes.use((*owner, f".{name}")).say("function", 9)
                self._shapes.use((*owner, f".{name}", "()"))
        if name == "join" and node.args:
            path = self.path(node.args[0])
            if path:
                self._shapes.use(path).say("list")
                self._shapes.use((*path, "[]")).say("str", 3)
        is_module = isinstance(function.value, ast.Name) and function.value.id not in self._env
        if is_module and name in _ON_TEXTS:
            for each in node.args:
                self._say(each, "str", 3)

    def _function(self, node: ast.Call, name: str) -> None:
        if name in self._env:
            use = self._shapes.use(self._env[name])
            use.say("function", 9)
            self._shapes.use((*self._env[name], "()"))
        first = node.args[0] if node.args else None
        if name == "isinstance" and len(node.args) == 2:
            kinds = node.args[1].elts if isinstance(node.args[1], ast.Tuple) else [node.args[1]]
            for each in kinds:
                word = getattr(each, "id", getattr(each, "attr", ""))
                self._say(first, f"is {word}", 1)
        elif name in _SEQUENCES or name in _THROUGH:
            for each in node.args if name == "zip" else node.args[:1]:
                self._say(each, "list", 1)
            path = self.path(first)
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
        """A function of the program is given a path: it uses it, too."""
        callee = self._units.get(name)
        if callee is None or self._depth >= _MAX_CALLS:
            return
        env: dict[str, Path] = {}
        for parameter, value in zip(callee.args.args, node.args, strict=False):
            path = self.path(value)
            if path:
                env[parameter.arg] = path
                if parameter.annotation is not None:
                    self._annotated(path, of_annotation(ast.unparse(parameter.annotation)))
        if env:
            _Reader(self._shapes, self._units, env, self._depth + 1).body(callee.body)

    def _annotated(self, path: Path, kind: Kind) -> None:
        """What is given to a function of the program is what its annotation says."""
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
        path = self.path(one)
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


def parts(kind: Kind) -> Iterator[Kind]:
    """A kind and all kinds in it."""
    yield kind
    if isinstance(kind, list):
        for each in kind[1:]:
            yield from parts(each) if isinstance(each, list) and each[:1] != [] else [each]


def refined(annotated: Kind, used: Kind) -> Kind:
    """An annotated kind with what uses tell, where the annotation says less."""
    if annotated == ANY or annotated == "object":
        return used
    if not isinstance(annotated, list):
        near = isinstance(used, list) and used[:1] == ["near"]
        return ["near", annotated, used[2]] if near else annotated
    if isinstance(used, list) and used[:1] == ["either"] and annotated[0] != "either":
        used = used[1][0]
    if not isinstance(used, list):
        return annotated
    word = annotated[0]
    if word in ("list", "set", "deque", "iterator", "tuple_of", "frozenset", "iterable"):
        if used[0] in ("list", "set", "deque", "iterator", "iterable"):
            return [word, refined(annotated[1], used[1])]
    elif word == "dict":
        if used[0] == "record" and annotated[1] in (ANY, "str"):
            return ["record", {key: refined(annotated[2], each) for key, each in used[1].items()}]
        if used[0] == "dict":
            return ["dict", refined(annotated[1], used[1]), refined(annotated[2], used[2])]
    elif word == "either" and len(annotated[1]) == 2 and "none" in annotated[1]:
        inner = next((each for each in annotated[1] if each != "none"), ANY)
        whole = refined(inner, used)
        return ["either", [whole, whole, "none"]]
    elif word == "tuple" and used[0] == "tuple" and len(used[1]) == len(annotated[1]):
        return ["tuple", [refined(a, u) for a, u in zip(annotated[1], used[1], strict=True)]]
    elif word == "function" and used[0] == "call":
        return used
    elif word == "instance" and used[0] == "thing":
        return ["instance", annotated[1], used]
    return annotated
