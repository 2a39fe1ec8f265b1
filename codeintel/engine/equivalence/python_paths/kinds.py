"""Work out what annotations promise, and what is known about the program's classes."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeGuard

from codeintel.engine.equivalence.normal_form.context import Context
from codeintel.engine.equivalence.normal_form.facts import names_bound
from codeintel.engine.equivalence.path_trees import Value, kind_of

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
    """Return the kind that an annotation promises, such as `int`, `list<str>` or
    `dict<str,list<int>>`, or an empty string.

    A `bool` promises nothing, because it is an `int`. A `float` is a `number`, because an `int` is
    accepted, too. An iterable is `iter<...>`.
    """
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
    """Return `list` for `list<str>`."""
    return kind.partition("<")[0]


def parts_of(kind: str) -> list[str]:
    """Return the parts in the angle brackets of a kind."""
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
    """Return the kind of the elements that iterating yields."""
    if kind == "str":
        return "str"
    if base_of(kind) in {"list", "set", "frozenset", "dict", "file", "iter"}:
        return (parts_of(kind) or [""])[0]
    return ""


def value_kind(kind: str) -> str:
    """Return the kind of a dict's values."""
    parts = parts_of(kind)
    return parts[1] if base_of(kind) == "dict" and len(parts) == 2 else ""


def is_steady_kind(kind: str) -> bool:
    """Return whether values of this kind are immutable, hashable, and have the language's own
    equality."""
    if base_of(kind) == "tuple":
        parts = parts_of(kind)
        return bool(parts) and all(is_steady_kind(each) for each in parts)
    return kind in UNCHANGING


def is_steady(value: Value) -> bool:
    """Return whether a value is immutable, hashable, and has the language's own equality."""
    if isinstance(value, tuple) and value[0] == "tuple":
        return all(is_steady(each) for each in value[1:])
    return is_steady_kind(kind_of(value))


Function = ast.FunctionDef | ast.AsyncFunctionDef
_OF_CLASSES = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})
"""Methods that receive the class as first argument."""
_CHANGING = frozenset({"__getattr__", "__getattribute__", "__setattr__", "__slots__"})


_SETTING = frozenset({"setattr", "delattr", "__setattr__", "__delattr__", "new_class"})


@dataclass(slots=True)
class Own:
    """The facts about a class without bases that nothing in the program changes.

    :param methods: methods that receive an instance as first argument.
    :param helpers: private methods that nothing overrides or replaces.
    :param kinds: attributes that only hold values of one kind.
    """

    methods: frozenset[str] = frozenset()
    helpers: Mapping[str, Function] = field(default_factory=dict)
    kinds: Mapping[str, str] = field(default_factory=dict)


def classes(module: ast.Module, context: Context) -> dict[str, Own]:
    """Return the known facts about top-level classes, by name."""
    facts = context.facts
    bound = Counter(name for node in ast.walk(module) for name in names_bound(node))
    found: dict[str, Own] = {}
    for node in module.body:
        if not isinstance(node, ast.ClassDef) or node.bases or node.keywords:
            continue
        if node.decorator_list or bound[node.name] != 1 or facts.words & _SETTING:
            continue
        inside = Counter(name for each in node.body for name in _named(each))
        if inside.keys() & _CHANGING:
            continue
        taken = _taken(node, module)
        helpers = {
            each.name: each
            for each in node.body
            if isinstance(each, ast.FunctionDef)
            and inside[each.name] == 1
            and _is_helper(each, node, module, context)
        }
        methods = frozenset(
            each.name
            for each in node.body
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
            and inside[each.name] == 1
            and not each.decorator_list
            and each.name not in _OF_CLASSES | taken
        )
        found[node.name] = Own(methods, helpers, dict(_attributes(node, module, context)))
    return found


def _named(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    else:
        for each in ast.walk(node):
            yield from names_bound(each)


def _taken(owner: ast.ClassDef, module: ast.Module) -> set[str]:
    """Return the methods that are read from their class and may receive another first argument."""
    found = {
        name.id
        for part in owner.body
        if not isinstance(part, Function)
        for name in ast.walk(part)
        if isinstance(name, ast.Name)
    }
    for node in ast.walk(module):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == owner.name:
                found.add(attribute)
    return found


def _makes_classes(module: ast.Module) -> bool:
    """Return whether there may be subclasses without a class statement."""
    return any(
        isinstance(each, ast.Call)
        and (
            (isinstance(each.func, ast.Name) and each.func.id == "type" and len(each.args) != 1)
            or (isinstance(each.func, ast.Attribute) and each.func.attr == "__new__")
        )
        for each in ast.walk(module)
    )


def _is_helper(
    node: ast.FunctionDef, owner: ast.ClassDef, module: ast.Module, context: Context
) -> bool:
    """Return whether a method is private and means the same in all instances."""
    name, facts = node.name, context.facts
    if not name.startswith("_") or name.startswith("__") or name in facts.replaced | facts.quoted:
        return False
    given = node.args
    if node.decorator_list or not (given.posonlyargs + given.args) or _makes_classes(module):
        return False
    every = [each for each in ast.walk(module) if isinstance(each, ast.ClassDef)]
    # A class with several bases can inherit the method from another one.
    are_mixed = any(len(each.bases) > 1 for each in every)
    others = (
        each for each in every if each is not owner and (are_mixed or _may_inherit(each, owner))
    )
    return not any(name in _named(part) for each in others for part in each.body)


def _may_inherit(node: ast.ClassDef, owner: ast.ClassDef) -> bool:
    """Return whether a class may be a subclass of the owner, which is so for any class with a
    base."""
    return bool(node.bases or node.keywords) and node.name != owner.name


def _attributes(
    node: ast.ClassDef, module: ast.Module, context: Context
) -> Iterator[tuple[str, str]]:
    """Yield the attributes that only `__init__` sets, to an annotated value or a copy of a
    parameter."""
    begin = [e for e in node.body if isinstance(e, ast.FunctionDef) and e.name == "__init__"]
    if len(begin) != 1 or begin[0].decorator_list or not begin[0].args.args:
        return
    method = begin[0]
    first = method.args.args[0].arg
    sets = Counter(
        each.attr
        for each in ast.walk(module)
        if isinstance(each, ast.Attribute) and not isinstance(each.ctx, ast.Load)
    )
    for statement in method.body:
        match statement:
            case ast.AnnAssign(target=ast.Attribute(value=ast.Name(id=owner), attr=name)) if (
                owner == first
            ):
                kind = promised(statement.annotation, context)
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id=owner), attr=name)], value=value
            ) if owner == first:
                kind = _copied(value, name, method, module, context)
            case _:
                continue
        is_promised = isinstance(statement, ast.AnnAssign) or sets[name] == 1
        if kind and is_promised and name not in context.facts.bound_in_classes:
            yield name, kind


def _copied(
    node: ast.expr, name: str, method: ast.FunctionDef, module: ast.Module, context: Context
) -> str:
    """Return the kind of a copy that nothing else is added to, or an empty string."""
    match node:
        case ast.Call(func=ast.Name() as function, args=[ast.Name(id=given)], keywords=[]):
            if not context.is_builtin(function, "dict"):
                return ""
            kind = parameters_of(method, context).get(given, "")
            if base_of(kind) != "dict" or value_kind(kind) != "int":
                return "dict"
            return kind if _stays(name, kind, module, context) else "dict"
    return ""


def parameters_of(method: Function, context: Context) -> dict[str, str]:
    """Return the promised kinds of parameters without a default that the function never rebinds."""
    given = method.args
    named = [*given.posonlyargs, *given.args]
    plain = named[: len(named) - len(given.defaults)]
    bound = Counter(name for each in ast.walk(method) for name in names_bound(each))
    return {e.arg: promised(e.annotation, context) for e in plain if bound[e.arg] == 1}


def _stays(name: str, kind: str, module: ast.Module, context: Context) -> bool:
    """Return whether all values added to a dict of integers fit its kind and the dict stays
    private."""
    seen = 0
    for method in ast.walk(module):
        if not isinstance(method, Function):
            continue
        known = parameters_of(method, context)
        for node in ast.walk(method):
            match node:
                case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Attribute(attr=n)]):
                    seen += n == name
                case ast.Subscript(value=ast.Attribute(attr=n), slice=ast.expr()) if n == name:
                    if isinstance(node.slice, ast.Slice):
                        return False
                    seen += 1
                case ast.Attribute(attr=n, ctx=ast.Store()) if n == name:
                    seen += 1
            match node:
                case ast.Assign(targets=targets, value=value):
                    put = [e for e in targets if _is_item(e, name)]
                    if put and not (
                        len(targets) == 1
                        and _fits(put[0].slice, element_kind(kind), name, known)
                        and _fits(value, "int", name, known)
                    ):
                        return False
                    if any(_is_item(e, name) for t in targets for e in ast.walk(t)) and not put:
                        return False
                case ast.AugAssign(target=target, op=operator, value=value) if _is_item(
                    target, name
                ):
                    whole = isinstance(operator, ast.Add | ast.Sub | ast.Mult)
                    if not whole or not _fits(value, "int", name, known):
                        return False
                case ast.For() | ast.With() | ast.AnnAssign():
                    targets = [getattr(node, "target", None)] + [
                        each.optional_vars for each in getattr(node, "items", [])
                    ]
                    if any(_is_item(e, name) for t in targets if t for e in ast.walk(t)):
                        return False
    mentions = sum(isinstance(e, ast.Attribute) and e.attr == name for e in ast.walk(module))
    return seen == mentions


def _is_item(node: ast.AST, name: str) -> TypeGuard[ast.Subscript]:
    return (
        isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == name
    )


def _fits(node: ast.expr, kind: str, name: str, known: Mapping[str, str]) -> bool:
    """Return whether an expression evidently has a kind."""
    match node:
        case ast.Constant(value=value):
            return type(value).__name__ == kind
        case ast.Name(id=read):
            return known.get(read) == kind
        case ast.Subscript():
            return kind == "int" and _is_item(node, name)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right):
            sides = _fits(left, kind, name, known) and _fits(right, kind, name, known)
            return kind == "int" and sides
    return False
