"""What of a program can be called, and what each parameter is to be given."""

from __future__ import annotations

import ast
import inspect
import re
import types
from collections.abc import Iterator
from typing import Any, TypedDict

from .kinds import ANY, Kind, kind_of

MODULE = "program"
_PROTOCOL = frozenset(
    f"__{name}__"
    for name in re.findall(
        r"\w+",
        """add sub mul truediv floordiv mod neg abs eq lt le gt ge hash len iter contains getitem
        setitem delitem bool str repr format call int float index reversed and or xor matmul pow""",
    )
)
"""Methods that an operator or a built-in function calls."""
_MAX_CALLS = 500
_WELL_KNOWN, _UNKNOWN, _NOTHING, _METHOD = 15, 42, 2, 6
"""How often to call what is well described, what is not, and functions and methods that take
nothing."""
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)


class Given(TypedDict):
    """What a parameter is to be given. `how` is `p` by position, `k` by name, `*` several."""

    name: str
    how: str
    kind: Kind
    optional: bool


class Target(TypedDict):
    """Something to be called, with the numbers of its calls. `sort` is `function` for functions,
    classes (`C`) and methods (`C.m`)."""

    sort: str
    name: str
    given: list[Given]
    numbers: list[int]


def planned(module: types.ModuleType, tree: ast.Module) -> list[Target]:
    """The constants, functions, classes and methods that are meant for others."""
    bodies = _bodies(tree)
    stored = {
        node.id
        for statement in tree.body
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    found: list[Target] = []
    for name, value in list(vars(module).items()):
        if name.startswith("_"):
            continue
        if isinstance(value, type):
            if value.__module__ == MODULE:
                found += _of_class(name, value, bodies)
        elif callable(value):
            if getattr(value, "__module__", None) == MODULE:
                found += _target(name, value, bodies.get(name))
        elif name in stored and not isinstance(value, types.ModuleType):
            found.append(Target(sort="constant", name=name, given=[], numbers=[0]))
    if _has_main(tree):
        found.append(Target(sort="main", name="__main__", given=[], numbers=[0]))
    return found[:_MAX_CALLS]


def _of_class(name: str, kind: type, bodies: dict[str, ast.AST]) -> list[Target]:
    if issubclass(kind, BaseException) or _is_test(kind):
        return []
    found: list[Target] = []
    if not inspect.isabstract(kind):
        found += _target(name, kind, bodies.get(f"{name}.__init__"))
    for member, value in list(vars(kind).items()):
        if member.startswith("_") and member not in _PROTOCOL:
            continue
        whole = f"{name}.{member}"
        if isinstance(value, property):
            found.append(Target(sort="function", name=whole, given=[], numbers=[*range(_METHOD)]))
        elif isinstance(value, staticmethod | classmethod):
            found += _target(whole, getattr(kind, member), bodies.get(whole))
        elif isinstance(value, types.FunctionType):
            found += _target(whole, value, bodies.get(whole), skipped=1)
    return found


def _is_test(kind: type) -> bool:
    return any(each.__module__ == "unittest.case" for each in kind.__mro__)


def _target(name: str, value: Any, body: ast.AST | None, skipped: int = 0) -> Iterator[Target]:
    """The target, unless nobody can tell its parameters."""
    try:
        parameters = list(inspect.signature(value).parameters.values())[skipped:]
    except (TypeError, ValueError, NameError, AttributeError):
        return
    given = [_given(each, body) for each in parameters if each.kind is not each.VAR_KEYWORD]
    kinds = [each["kind"] for each in given]
    known = not any(re.search(r"\bany\b|\bobject\b|\bguess\b", repr(kind)) for kind in kinds)
    nothing = _METHOD if skipped else _NOTHING
    calls = nothing if not given else _WELL_KNOWN if known else _UNKNOWN
    yield Target(sort="function", name=name, given=given, numbers=list(range(calls)))


def _given(parameter: inspect.Parameter, body: ast.AST | None) -> Given:
    how = "p" if parameter.kind in _POSITIONAL else "k"
    return Given(
        name=parameter.name,
        how="*" if parameter.kind is parameter.VAR_POSITIONAL else how,
        kind=kind_of(parameter, body) or ANY,
        optional=parameter.default is not parameter.empty,
    )


def _bodies(tree: ast.Module) -> dict[str, ast.AST]:
    """The functions and methods of a program by name."""
    found: dict[str, ast.AST] = {}
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found[node.name] = node
        elif isinstance(node, ast.ClassDef):
            for each in node.body:
                if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
                    found[f"{node.name}.{each.name}"] = each
    return found


def _has_main(tree: ast.Module) -> bool:
    return any(
        isinstance(node, ast.If)
        and any(isinstance(e, ast.Name) and e.id == "__name__" for e in ast.walk(node.test))
        for node in tree.body
    )
