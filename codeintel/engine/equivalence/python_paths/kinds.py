"""What annotations promise, with what is inside of collections."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.path_trees.terms import Value, kind_of

UNCHANGING = frozenset({"int", "str", "bool", "float", "number", "bytes", "NoneType"})
_PLAIN = ("int", "str", "list", "dict", "set")
_SIZES = {"list": 1, "set": 1, "frozenset": 1, "dict": 2}
_GONE_THROUGH = frozenset(
    f"{module}.{name}"
    for module in ("typing", "collections.abc")
    for name in ("Iterable", "Iterator", "Sequence", "Collection")
)
_CALLED = frozenset({"typing.Callable", "collections.abc.Callable"})
_AWAITED = frozenset({"typing.Awaitable", "collections.abc.Awaitable"})


def promised(annotation: ast.expr | None, context: Context) -> str:
    """The kind of what is annotated, such as `int`, `list<str>` or `dict<str,list<int>>`; else
    empty. A `bool` is an `int`: of that nothing is promised. An `int` will do for a `float`, so
    that is a `number`, which may be either. What can only be gone through is of the
    kind `iter<...>`."""
    if context.in_annotation or annotation is None:
        return ""
    return _kind(annotation, context)


def _kind(node: ast.expr, context: Context) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        try:
            node = ast.parse(node.value, mode="eval").body
        except SyntaxError:
            return ""
    if isinstance(node, ast.Name):
        if context.is_builtin(node, "float"):
            return "number"
        return node.id if context.is_builtin(node, *_PLAIN) else ""
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name):
        return ""
    owner, name = node.value, node.value.id
    inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    kinds = [_kind(each, context) for each in inside]
    if name in _SIZES and context.is_builtin(owner, name) and len(kinds) == _SIZES[name]:
        return f"{name}<{','.join(kinds)}>"
    if name == "tuple" and context.is_builtin(owner, name):
        is_open = any(isinstance(e, ast.Constant | ast.Starred) for e in inside)
        return "" if is_open or not inside else f"tuple<{','.join(kinds)}>"
    if name in _CALLED and len(kinds) == 2:
        return f"calls<{kinds[1]}>"
    if name in _AWAITED and len(kinds) == 1:
        return f"awaits<{kinds[0]}>"
    if name in _GONE_THROUGH and len(kinds) == 1:
        return f"iter<{kinds[0]}>"
    return ""


def base_of(kind: str) -> str:
    """`list` of `list<str>`."""
    return kind.partition("<")[0]


def parts_of(kind: str) -> list[str]:
    """What stands in the angle brackets of a kind."""
    _, bracket, rest = kind.partition("<")
    if not bracket:
        return []
    parts, depth = [""], 0
    for character in rest[:-1]:
        depth += {"<": 1, ">": -1}.get(character, 0)
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def element_kind(kind: str) -> str:
    """What going through a value of this kind gives."""
    if kind == "str":
        return "str"
    if base_of(kind) in {"list", "set", "frozenset", "dict", "file", "iter"}:
        return (parts_of(kind) or [""])[0]
    return ""


def value_kind(kind: str) -> str:
    """What the values of a dict of this kind are."""
    parts = parts_of(kind)
    return parts[1] if base_of(kind) == "dict" and len(parts) == 2 else ""


def is_steady_kind(kind: str) -> bool:
    """Whether values of this kind never change, can be hashed, and are equal as language says."""
    if base_of(kind) == "tuple":
        parts = parts_of(kind)
        return bool(parts) and all(is_steady_kind(each) for each in parts)
    return kind in UNCHANGING


def is_steady(value: Value) -> bool:
    """Whether a value never changes, can be hashed, and is equal as the language says."""
    if isinstance(value, tuple) and value[0] == "tuple":
        return all(is_steady(each) for each in value[1:])
    return is_steady_kind(kind_of(value))
