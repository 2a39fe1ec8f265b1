"""How Python's functions are called and its classes are made, as text that can be compared."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def _listed(text: str) -> frozenset[str]:
    return frozenset(text.split())


_CALLING = _listed("""staticmethod classmethod property cached_property abstractproperty setter
    getter deleter contextmanager asynccontextmanager singledispatch singledispatchmethod
    hybrid_property""")
_MAKING = frozenset({"dataclass", "define", "frozen", "attrs", "total_ordering"})
_RECORDS = frozenset({"NamedTuple", "TypedDict", "BaseModel", "Struct"})
_NEWER = {
    **{name: name.lower() for name in ("List", "Dict", "Set", "FrozenSet", "Tuple", "Type")},
    **dict.fromkeys(("IOError", "EnvironmentError", "WindowsError"), "OSError"),
}
_SOME = "something"


def signature(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda) -> str:
    """Parameters with their kinds and constant defaults, and what decorators make of calls."""
    parts = [*_parameters(node.args)]
    if isinstance(node, ast.Lambda):
        return f"({', '.join(parts)})"
    names = [last_name(each) for each in node.decorator_list]
    marks = [name for name in names if name in _CALLING]
    marks += ["async"] if isinstance(node, ast.AsyncFunctionDef) else []
    return " ".join([*marks, f"({', '.join(parts)})"])


def class_detail(node: ast.ClassDef) -> str:
    """Bases, and for records the fields in their order, by which they are made."""
    bases = [_NEWER.get(name, name) for name in map(last_name, node.bases) if name != "object"]
    made = [each for each in node.decorator_list if last_name(each) in _MAKING]
    parts = [*bases, *(ast.dump(each) for each in sorted(made, key=last_name))]
    if made or not _RECORDS.isdisjoint(bases):
        parts += [
            f"{each.target.id}{_default(each.value)}"
            for each in node.body
            if isinstance(each, ast.AnnAssign) and isinstance(each.target, ast.Name)
        ]
    return f"class ({', '.join(parts)})"


def last_name(node: ast.expr) -> str:
    """`c` of `a.b.c`, of `c(...)` and of `c[...]`; empty where there is none."""
    while isinstance(node, ast.Call | ast.Subscript):
        node = node.func if isinstance(node, ast.Call) else node.value
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _parameters(arguments: ast.arguments) -> Iterator[str]:
    positional = [*arguments.posonlyargs, *arguments.args]
    missing = len(positional) - len(arguments.defaults)
    for index, each in enumerate(positional):
        default = arguments.defaults[index - missing] if index >= missing else None
        yield each.arg + _default(default)
        if index + 1 == len(arguments.posonlyargs):
            yield "/"
    if arguments.vararg or arguments.kwonlyargs:
        yield f"*{arguments.vararg.arg if arguments.vararg else ''}"
    for each, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        yield each.arg + _default(default)
    if arguments.kwarg:
        yield f"**{arguments.kwarg.arg}"


def _default(node: ast.expr | None) -> str:
    """Whether there is a default, and which if it is a constant."""
    if node is None:
        return ""
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return f"={_SOME}"
    plain = isinstance(value, str | bytes | int | float | complex | bool | None)
    shown = hex(value) if isinstance(value, int) else repr(value)
    return f"={type(value).__name__}:{shown}" if plain else f"={_SOME}"
