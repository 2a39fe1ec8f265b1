"""What the body of a function tells: what it gives back, and what it raises."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from codeintel_plugins.transformations.python.document.definitions import Definition, Function
from codeintel_plugins.transformations.python.document.raising import Raised, raised
from codeintel_plugins.transformations.python.document.values import shown_type

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_DISPLAYS: dict[type[ast.expr], str] = {
    ast.List: "list",
    ast.ListComp: "list",
    ast.Dict: "dict",
    ast.DictComp: "dict",
    ast.Set: "set",
    ast.SetComp: "set",
    ast.Tuple: "tuple",
    ast.JoinedStr: "str",
    ast.Compare: "",
}
_MAKERS = frozenset({"bool", "dict", "float", "frozenset", "int", "len", "list", "set", "sorted"})
_MAKERS |= {"str", "tuple", "isinstance", "repr", "all", "any", "callable", "hasattr"}
_MADE = {"len": "int", "sorted": "list", "repr": "str"} | dict.fromkeys(
    ("isinstance", "all", "any", "callable", "hasattr", "issubclass"), "bool"
)
_ITERATED = frozenset(
    {"Iterator", "Iterable", "Generator", "AsyncIterator", "AsyncIterable", "AsyncGenerator"}
)


class Facts(NamedTuple):
    """What a function gives back.

    :param gives: `nothing`, `something` or `items`, one after the other; `unknown` where there is
        no body to tell.
    :param type: the type of that, as code; empty if it is unknown.
    :param variable: the one variable that it always returns; empty if there is none.
    """

    gives: str = "nothing"
    type: str = ""
    variable: str = ""
    raises: tuple[Raised, ...] = ()

    @classmethod
    def of(cls, definition: Definition) -> Facts:
        """Look at a definition; a class gives nothing."""
        node = definition.node
        if isinstance(node, ast.ClassDef):
            return cls()
        own = list(_own_nodes(node))
        raises = tuple(raised(node))
        if any(isinstance(each, ast.Yield | ast.YieldFrom) for each in own):
            return cls("items", _item_type(node), "", raises)
        returned = [each.value for each in own if isinstance(each, ast.Return) and each.value]
        some = [each for each in returned if not _is_none(each)]
        if node.returns is not None:
            kind = shown_type(node.returns)
            empty = kind in ("None", "NoReturn", "Never") or (not kind and not some)
            return cls("nothing" if empty else "something", kind, _variable(some), raises)
        if not some:
            bare = all(isinstance(each, ast.Pass | ast.Expr | ast.Raise) for each in node.body)
            unknown = bare and not returned and not any(isinstance(e, ast.Call) for e in own)
            return cls("unknown" if unknown else "nothing", "", "", raises)
        types = [_type(each) for each in returned]
        certain = all(types) and not _may_fall_through(node.body)
        kind = " | ".join(dict.fromkeys(types)) if certain else ""
        return cls("something", kind, _variable(some), raises)


def _own_nodes(node: Function) -> Iterator[ast.AST]:
    """The nodes of a body, without those of functions and classes in it."""
    stack: list[ast.AST] = list(reversed(node.body))
    while stack:
        each = stack.pop()
        if not isinstance(each, _SCOPES):
            yield each
            stack.extend(reversed([*ast.iter_child_nodes(each)]))


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _item_type(node: Function) -> str:
    """The type of what a generator yields."""
    declared = node.returns
    if not isinstance(declared, ast.Subscript):
        return ""
    name = declared.value
    last = name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")
    if last not in _ITERATED:
        return ""
    inner = declared.slice
    first = inner.elts[0] if isinstance(inner, ast.Tuple) and inner.elts else inner
    return shown_type(first)


def _variable(returned: list[ast.expr]) -> str:
    names = {each.id if isinstance(each, ast.Name) else "" for each in returned}
    return names.pop() if len(names) == 1 else ""


def _type(node: ast.expr) -> str:
    """The type that an expression has for certain; empty if nobody can say."""
    if isinstance(node, ast.Constant):
        return "None" if node.value is None else type(node.value).__name__
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return "bool"
    if isinstance(node, ast.Compare):
        plain = (ast.Is, ast.IsNot, ast.In, ast.NotIn)
        return "bool" if all(isinstance(each, plain) for each in node.ops) else ""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        name = node.func.id
        return _MADE.get(name, name) if name in _MAKERS else ""
    return _DISPLAYS.get(type(node), "")


def _may_fall_through(body: list[ast.stmt]) -> bool:
    """Whether a body may end without `return` or `raise`, as far as is easily seen."""
    while True:
        last = body[-1]
        if isinstance(last, ast.Return | ast.Raise):
            return False
        if isinstance(last, ast.With | ast.AsyncWith) or not isinstance(last, ast.If):
            return True
        if not last.orelse or (last.body and _may_fall_through(last.body)):
            return True
        body = last.orelse
