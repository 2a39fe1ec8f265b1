"""Work out the shape of a parameter from its uses: parts, keys, attributes and calls.

A use is recorded under a path of parts, which begins with the parameter:

- `[]`: the values of a loop
- `{k}` and `{v}`: the keys and values of a dictionary
- `['name']`: a key
- `.name`: an attribute
- `()`: the result of a call
"""

from __future__ import annotations

import ast
from typing import Any

from .kinds import ANY, Kind

Path = tuple[str, ...]
METHODS = {
    method: kind
    for kind, methods in {
        "str": """split strip lower upper startswith endswith replace join encode title casefold
            lstrip rstrip splitlines partition rpartition removeprefix removesuffix isdigit isalpha
            isspace isalnum isupper islower capitalize swapcase format zfill ljust rjust center find
            rfind isnumeric isdecimal expandtabs translate rsplit""",
        "list": "append extend sort insert reverse",
        "dict": "items keys values get setdefault",
        "set": "add discard union intersection difference issubset",
        "deque": "popleft appendleft rotate",
        "bytes": "decode hex",
        "datetime": "astimezone utcoffset timestamp strftime isoformat weekday isoweekday date",
        "float": "is_integer",
        "int": "bit_length",
    }.items()
    for method in methods.split()
}
"""The kind that each method belongs to."""
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
THROUGH = frozenset(("sorted", "list", "tuple", "set", "reversed", "iter", "frozenset", "deque"))
"""Functions whose result has the same elements as their argument."""
_MAX_DEPTH = 4


class Use:
    """The evidence about one path."""

    def __init__(self) -> None:
        self.words: dict[str, int] = {}
        self.literals: dict[Any, None] = {}
        self.is_awaited = False

    def say(self, word: str, weight: int = 2) -> None:
        """Add evidence for a kind."""
        self.words[word] = self.words.get(word, 0) + weight


class Shapes:
    """The uses in one function and in the program's functions that it calls."""

    def __init__(self, defaults: dict[Path, str]) -> None:
        self.uses: dict[Path, Use] = {}
        self.defaults = defaults
        """Strings that are defaults of parameters."""

    def use(self, path: Path) -> Use:
        """Return the known facts about a path, to add to them."""
        return self.uses.setdefault(path, Use())

    def kind(self, path: Path, depth: int = 0) -> Kind:
        """Return the kind that fits all uses of a path."""
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
        """Return the used parts of a path."""
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


def _whole(word: str) -> Kind:
    if word in ("list", "set", "tuple_of"):
        return [word, "int"]
    return ["dict", "str", "int"] if word == "dict" else word


class Paths:
    """The paths of variables and expressions at one place of a function."""

    def __init__(self, shapes: Shapes, env: dict[str, Path]) -> None:
        self._shapes = shapes
        self.env = env

    def of(self, node: ast.AST | None) -> Path | None:
        """Return the path of an expression, or None."""
        if isinstance(node, ast.Name):
            return self.env.get(node.id)
        if isinstance(node, ast.Attribute):
            inner = self.of(node.value)
            return (*inner, f".{node.attr}") if inner else None
        if isinstance(node, ast.Await):
            return self.of(node.value)
        if isinstance(node, ast.Subscript):
            return self.of_subscript(node)
        if isinstance(node, ast.BoolOp):
            return next(filter(None, map(self.of, node.values)), None)
        if isinstance(node, ast.Call):
            return self.of_call(node)
        return None

    def of_subscript(self, node: ast.Subscript) -> Path | None:
        inner = self.of(node.value)
        if not inner:
            return None
        if isinstance(node.slice, ast.Slice):
            return inner
        if isinstance(node.slice, ast.Constant) and isinstance(node.slice.value, str):
            return (*inner, f"['{node.slice.value}']")
        index = node.slice
        default = self._shapes.defaults.get(self.of(index) or ())
        if default:
            return (*inner, f"['{default}']")
        number = isinstance(index, ast.Constant | ast.UnaryOp | ast.BinOp) or (
            isinstance(index, ast.Name) and index.id not in self.env
        )
        return (*inner, "[]") if number else (*inner, "{v}")

    def of_call(self, node: ast.Call) -> Path | None:
        if isinstance(node.func, ast.Attribute):
            inner = self.of(node.func.value)
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
            if name in METHODS:
                return None
            return (*inner, f".{name}", "()")
        if isinstance(node.func, ast.Name):
            if node.func.id in THROUGH and node.args:
                return self.of(node.args[0])
            inner = self.env.get(node.func.id)
            return (*inner, "()") if inner else None
        return None

    def bind(self, target: ast.AST, path: Path | None) -> None:
        if isinstance(target, ast.Name):
            if path is None:
                self.env.pop(target.id, None)
            else:
                self.env[target.id] = path
        elif isinstance(target, ast.Tuple | ast.List):
            for index, each in enumerate(target.elts):
                self.bind(each, (*path, f"#{index}") if path else None)
                if path:
                    self._shapes.use((*path, f"#{index}"))
