"""Plan which targets of a program to call, and with what kinds of arguments."""

from __future__ import annotations

import ast
import inspect
import re
import types
from collections.abc import Iterator, Mapping
from typing import Any, NotRequired, TypedDict

from .coverage.changes import Function, functions
from .values.kinds import ANY, Kind, kind_of, of_annotation, refined
from .values.shapes import Shapes
from .values.uses import shapes_in

MODULE = "program"
_PROTOCOL = frozenset(
    f"__{name}__"
    for name in re.findall(
        r"\w+",
        """add sub mul truediv floordiv mod neg abs eq lt le gt ge hash len iter contains getitem
        setitem delitem bool str repr format call int float index reversed and or xor matmul pow
        radd rsub rmul iadd isub imul lshift rshift missing next divmod round""",
    )
)
"""Methods that an operator or a builtin function calls."""
_MAX_TARGETS = 500
_WELL_KNOWN, _UNKNOWN, _NOTHING, _METHOD = 15, 42, 2, 6
"""The number of calls for targets with known parameters, with unknown ones, for functions
without parameters, and for methods without parameters."""
_POSITIONAL = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
_UNSURE = re.compile(r"\b(?:any|object|guess|thing|instance|datetime|call|function)\b")
Call = tuple[int, dict[str, Any]]
"""The number that decides the values of a call, and plain values that replace some of them."""


class Given(TypedDict):
    """The kind of value for a parameter. `how` is `p` by position, `k` by name, `*` for several."""

    name: str
    how: str
    kind: Kind
    optional: bool


class Target(TypedDict):
    """A target to call.

    `sort` is `function` for functions, classes (`C`) and methods (`C.m`).

    :param usual: the number of calls if nothing more is needed.
    :param sure: whether annotations describe all parameters.
    :param calls: the calls, with None for a call that is not repeated.
    :param short: whether there was no time for enough calls.
    :param first: the number of calls that the original made by itself.
    :param telling: the numbers of the added calls that reached something new.
    """

    sort: str
    name: str
    given: list[Given]
    usual: int
    sure: bool
    calls: NotRequired[list[Call | None]]
    short: NotRequired[bool]
    first: NotRequired[int]
    telling: NotRequired[list[int]]


def planned(
    module: types.ModuleType, tree: ast.Module, focus: frozenset[str] = frozenset()
) -> list[Target]:
    """Return the public constants, functions, classes and methods.

    :param focus: the functions that matter. Private ones without a caller are called, too.
    """
    units = functions(tree)
    stored = {
        node.id
        for statement in tree.body
        if not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    lonely = {name for name in focus if name[:1] == "_" and "." not in name} - _used(tree)
    found: list[Target] = []
    for name, value in list(vars(module).items()):
        if name.startswith("_") and name not in lonely:
            continue
        if isinstance(value, type):
            if value.__module__ == MODULE:
                found += _of_class(name, value, units)
        elif callable(value):
            if getattr(value, "__module__", None) == MODULE:
                found += _target(name, value, units)
        elif name in stored and not isinstance(value, types.ModuleType):
            found.append(_whole("constant", name))
    if _has_main(tree):
        found.append(_whole("main", "__main__"))
    return found[:_MAX_TARGETS]


def _whole(sort: str, name: str) -> Target:
    return Target(sort=sort, name=name, given=[], usual=1, sure=True)


def tests(names: tuple[str, ...]) -> list[Target]:
    """Return the targets that run a program's own tests."""
    return [_whole(name, name) for name in names]


def _of_class(name: str, kind: type, units: Mapping[str, Function]) -> list[Target]:
    if issubclass(kind, BaseException) or _is_test(kind):
        return []
    found: list[Target] = []
    if not inspect.isabstract(kind) and not getattr(kind, "_is_protocol", False):
        found += _target(name, kind, units, f"{name}.__init__", bound=1)
    for member, value in list(vars(kind).items()):
        if member.startswith("_") and member not in _PROTOCOL:
            continue
        whole = f"{name}.{member}"
        if whole not in units and member in _PROTOCOL:
            continue  # a decorator generates it
        if isinstance(value, property) or type(value).__name__ == "cached_property":
            sort = Target(sort="function", name=whole, given=[], usual=_METHOD, sure=False)
            found.append(sort)
        elif isinstance(value, staticmethod | classmethod):
            bound = int(isinstance(value, classmethod))
            found += _target(whole, getattr(kind, member), units, bound=bound)
        elif callable(value) and not isinstance(value, type):
            found += _target(whole, value, units, skipped=1, bound=1)
    return found


def _is_test(kind: type) -> bool:
    return any(each.__module__ == "unittest.case" for each in kind.__mro__)


def _target(
    name: str,
    value: Any,
    units: Mapping[str, Function],
    unit: str = "",
    *,
    skipped: int = 0,
    bound: int = 0,
) -> Iterator[Target]:
    """Yield the target, unless its parameters are unknown.

    :param skipped: the number of leading parameters in the signature that calls do not pass.
    :param bound: the same for the function's definition.
    """
    try:
        parameters = list(inspect.signature(value).parameters.values())[skipped:]
    except (TypeError, ValueError, NameError, AttributeError):
        return
    body = units.get(unit or name)
    shapes = shapes_in(body, units, bound) if body is not None else Shapes({})
    given = [_given(each, body, shapes) for each in parameters if each.kind is not each.VAR_KEYWORD]
    kinds = [each["kind"] for each in given]
    known = not any(re.search(r"\bany\b|\bobject\b|\bguess\b", repr(kind)) for kind in kinds)
    nothing = _METHOD if bound else _NOTHING
    calls = nothing if not given else _WELL_KNOWN if known else _UNKNOWN
    yield Target(
        sort="function",
        name=name,
        given=given,
        usual=calls,
        sure=not bound and all(map(_is_sure, parameters, kinds)),
    )


def _is_sure(parameter: inspect.Parameter, kind: Kind) -> bool:
    is_annotated = parameter.annotation is not inspect.Parameter.empty
    return is_annotated and not _UNSURE.search(repr(kind))


def _given(parameter: inspect.Parameter, body: Function | None, shapes: Shapes) -> Given:
    how = "p" if parameter.kind in _POSITIONAL else "k"
    return Given(
        name=parameter.name,
        how="*" if parameter.kind is parameter.VAR_POSITIONAL else how,
        kind=_kind(parameter, body, shapes),
        optional=parameter.default is not parameter.empty,
    )


def _kind(parameter: inspect.Parameter, body: Function | None, shapes: Shapes) -> Kind:
    """Return the kind of a parameter, from its annotation and use, then from its default and
    name."""
    used = shapes.kind((parameter.name,))
    if parameter.kind is parameter.VAR_POSITIONAL and isinstance(used, list) and len(used) > 1:
        used = used[1] if used[0] in ("list", "iterable") else ANY
    annotated = ANY
    if parameter.annotation is not parameter.empty:
        annotated = of_annotation(parameter.annotation)
    if annotated != ANY:
        return refined(annotated, used)
    guessed = kind_of(parameter, body) or ANY
    is_default = parameter.default not in (parameter.empty, None)
    if is_default and guessed != ANY:
        return refined(guessed, used)
    if used == ANY or used == "none":
        return guessed
    if isinstance(used, list) and used[0] in ("iterable", "list") and used[1] == ANY:
        inner = guessed[1] if isinstance(guessed, list) and guessed[0] == "guess" else guessed
        if isinstance(inner, list) and inner[0] == "list":
            used = [used[0], inner[1]]
        elif isinstance(inner, str) and inner == "str" and used[0] == "iterable":
            used = ["either", ["str", ["list", "str"], ["list", "int"]]]
    if isinstance(used, list) and used[0] in ("iterable", "list") and body is not None:
        uses = sum(isinstance(e, ast.Name) and e.id == parameter.name for e in ast.walk(body))
        is_iterable = used[0] == "iterable" or _is_consumed(body, parameter.name)
        return ["iterable" if is_iterable and uses == 1 else "list", *used[1:]]
    return used


def _is_consumed(body: Function, name: str) -> bool:
    """Return whether a function passes a parameter to a function that iterates over it."""
    return any(
        isinstance(each, ast.Call)
        and isinstance(each.func, ast.Name)
        and each.func.id in _CONSUMERS
        and any(isinstance(arg, ast.Name) and arg.id == name for arg in each.args)
        for each in ast.walk(body)
    )


_CONSUMERS = frozenset(
    [
        *("all", "any", "dict", "enumerate", "frozenset", "iter", "list", "max", "min", "set"),
        *("sorted", "sum", "tuple", "zip"),
    ]
)


def _used(tree: ast.Module) -> set[str]:
    return {
        node.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
    }


def _has_main(tree: ast.Module) -> bool:
    return any(
        isinstance(node, ast.If)
        and any(isinstance(e, ast.Name) and e.id == "__name__" for e in ast.walk(node.test))
        for node in tree.body
    )
