"""Work out which builtin type an expression or a name always has."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Set as AbstractSet

from codeintel.engine.equivalence.python_trees import words

Named = Callable[[str], str | None]
"""Returns the kind of a name, or None while the kind is still being worked out."""
_TYPES = frozenset({"dict", "list", "set", "str", "int", "float", "bool"})
_CALLS = {
    **{name: name for name in _TYPES},
    **dict.fromkeys(("repr", "ascii", "chr", "hex", "oct", "bin"), "str"),
    **dict.fromkeys(("len", "ord", "hash", "id"), "int"),
    **dict.fromkeys(("isinstance", "issubclass", "callable", "hasattr", "any", "all"), "bool"),
    "sorted": "list",
}
_IMPORTED = {
    "collections.defaultdict": "dict",
    "collections.Counter": "dict",
    "collections.OrderedDict": "dict",
    "typing.Dict": "dict",
    "typing.DefaultDict": "dict",
    "typing.Counter": "dict",
    "typing.OrderedDict": "dict",
    "typing.List": "list",
    "typing.Set": "set",
    "typing.Text": "str",
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
_OF_TEXT = {
    **dict.fromkeys(
        words(
            "capitalize casefold center expandtabs format join ljust lower lstrip removeprefix"
            " removesuffix replace rjust rstrip strip swapcase title translate upper zfill"
        ),
        "str",
    ),
    **dict.fromkeys(("split", "rsplit", "splitlines"), "list"),
    **dict.fromkeys(("count", "find", "index", "rfind", "rindex"), "int"),
}
_WHOLE = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.BitAnd, ast.BitOr, ast.BitXor)
_REAL = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)
_NUMBERS = frozenset({"int", "float"})


def kind_of(
    node: ast.expr, shadowed: AbstractSet[str], origins: Mapping[str, str], named: Named
) -> str | None:
    """Return the kind of an expression's value, or an empty string if it is unknown.

    :param shadowed: names that may not have their usual meaning.
    :param origins: the full names of imported names.
    """

    def again(inner: ast.expr) -> str | None:
        return kind_of(inner, shadowed, origins, named)

    match node:
        case ast.Name(id=name):
            return named(name)
        case ast.Constant(value=value):
            return type(value).__name__ if type(value).__name__ in _TYPES else ""
        case ast.Call(func=ast.Attribute(value=value, attr=attribute)) if attribute in _OF_TEXT:
            kind = again(value)
            return _OF_TEXT[attribute] if kind == "str" else "" if kind is not None else None
        case ast.Call(func=function):
            return made_by(function, shadowed, origins)
        case ast.IfExp(body=body, orelse=orelse):
            return joined([again(body), again(orelse)])
        case ast.UnaryOp(op=ast.Not()):
            return "bool"
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            kind = again(operand)
            return kind if kind is None or kind in _NUMBERS else ""
        case ast.BinOp(left=left, op=operator, right=right):
            return _calculated(again(left), operator, again(right))
        case ast.Subscript(value=value, slice=index):
            kind = again(value)
            cut = kind == "list" and isinstance(index, ast.Slice)
            return kind if kind in {"str", None} or cut else ""
        case ast.NamedExpr(value=value):
            return again(value)
    return _DISPLAYS.get(type(node), "")


def element_of(
    node: ast.expr, shadowed: AbstractSet[str], origins: Mapping[str, str], named: Named
) -> str | None:
    """Return the kind of the elements that iterating yields."""
    match node:
        case ast.Call(func=ast.Name(id="range")) if "range" not in shadowed | origins.keys():
            return "int"
        case ast.Call(func=ast.Attribute(value=text, attr="split" | "rsplit" | "splitlines")):
            kind = kind_of(text, shadowed, origins, named)
        case _:
            kind = kind_of(node, shadowed, origins, named)
    return kind if kind in {"str", None} else ""


def gone_through(
    target: ast.expr,
    source: ast.expr,
    shadowed: AbstractSet[str],
    origins: Mapping[str, str],
) -> dict[str, str | ast.expr]:
    """Return the names that a loop binds, with their kind or with the iterable that has them as
    elements."""
    match (target, source):
        case (ast.Name(id=name), _):
            return {name: source}
        case (
            ast.Tuple(elts=[ast.Name(id=name), other]),
            ast.Call(func=ast.Name(id="enumerate"), args=[elements], keywords=[]),
        ) if "enumerate" not in shadowed | origins.keys():
            return {name: "int"} | gone_through(other, elements, shadowed, origins)
    return {}


def added_to(
    node: ast.AugAssign, shadowed: AbstractSet[str], origins: Mapping[str, str], named: Named
) -> str | None:
    """Return the kind of a name after an augmented assignment."""
    if not isinstance(node.target, ast.Name):
        return ""
    kind = named(node.target.id)
    if kind is None or (kind == "list" and isinstance(node.op, ast.Add)):
        return kind  # any iterable can be added to a list
    if kind in {"set", "dict"} and isinstance(node.op, ast.BitOr):
        right = kind_of(node.value, shadowed, origins, named)
        return kind if right in {kind, None} else ""
    return _calculated(kind, node.op, kind_of(node.value, shadowed, origins, named))


def made_by(function: ast.expr, shadowed: AbstractSet[str], origins: Mapping[str, str]) -> str:
    """Return the kind of the value that a call of this function returns."""
    match function:
        case ast.Name(id=name) if name in origins:
            return _IMPORTED.get(origins[name], "")
        case ast.Name(id=name) if name not in shadowed:
            return _CALLS.get(name.removeprefix("builtins."), "") or _IMPORTED.get(name, "")
        case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in origins:
            return _IMPORTED.get(f"{origins[name]}.{attribute}", "")
    return ""


def annotated(
    annotation: ast.expr | None, shadowed: AbstractSet[str], origins: Mapping[str, str]
) -> str:
    """Return the kind that an annotation promises.

    A `bool` is an `int`, and an `int` is accepted as a `float`, so numbers get no exact kind.
    """
    if isinstance(annotation, ast.Subscript):
        annotation = annotation.value
    if isinstance(annotation, ast.Name) and annotation.id not in _TYPES | origins.keys():
        return ""
    kind = made_by(annotation, shadowed, origins) if annotation is not None else ""
    return "" if kind in {"float", "bool"} else kind


def joined(kinds: list[str | None]) -> str | None:
    """Return the one kind that all values share."""
    known = {kind for kind in kinds if kind is not None}
    if not known:
        return None
    return known.pop() if len(known) == 1 else ""


def _calculated(left: str | None, operator: ast.operator, right: str | None) -> str | None:
    if left is None or right is None:
        return None
    if left == right == "int":
        return "int" if isinstance(operator, _WHOLE) else _divided(operator)
    if {left, right} <= _NUMBERS:
        return "float" if isinstance(operator, _REAL) else ""
    if left == right and left in {"str", "list"} and isinstance(operator, ast.Add):
        return left
    if left == "str" and isinstance(operator, ast.Mod):
        return "str"
    return left if left in {"str", "list"} and right == "int" and _repeats(operator) else ""


def _divided(operator: ast.operator) -> str:
    return "float" if isinstance(operator, ast.Div) else ""


def _repeats(operator: ast.operator) -> bool:
    return isinstance(operator, ast.Mult)
