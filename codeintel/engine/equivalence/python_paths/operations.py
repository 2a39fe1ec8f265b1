"""What operators do: arithmetic, items, and values as text."""

from __future__ import annotations

import ast

from codeintel.engine.equivalence.path_trees.terms import (
    State,
    Term,
    Tree,
    UnsupportedError,
    WithValue,
    constant,
    kind_of,
)
from codeintel.engine.equivalence.python_paths.lowering import UNCHANGING, Lowering

_WHOLE = (ast.Add, ast.Sub, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)
_INT_RESULTS = (*_WHOLE, ast.FloorDiv, ast.Mod)


def item(owner: Term, index: Term, state: State, then: WithValue, low: Lowering) -> Tree:
    """Read an item."""
    kind = kind_of(owner)
    cut = index[0] == "slice"
    if owner[0] == "tuple" and index[0] == "c" and index[1] == "int":
        place = int(index[2])
        if 0 <= place < len(owner) - 1:
            return then(owner[1 + place], state)
    if kind == "str":
        return low.machine.read("item", (owner, index), state, then, "str")
    if cut:
        return low.machine.make("item", (owner, index), state, then, kind if kind == "list" else "")
    inside = element_kind(kind) if kind.startswith("list<") else value_kind(kind)
    return low.machine.read("item", (owner, index), state, then, inside)


TEXT_FILE = "file<str>"
"""A file of text, as `open()` returns it."""


def element_kind(kind: str) -> str:
    """What going through a value of this kind gives."""
    if kind == "str":
        return "str"
    if kind.startswith(("list<", "set<", "dict<", "file<")):
        return kind.partition("<")[2].rstrip(">").split(",")[0]
    return ""


def value_kind(kind: str) -> str:
    """What the values of a dict of this kind are."""
    if kind.startswith("dict<"):
        return kind.partition("<")[2].rstrip(">").rpartition(",")[2]
    return ""


def calculated(
    operator: ast.operator, a: Term, b: Term, state: State, then: WithValue, low: Lowering
) -> Tree:
    """A binary operation."""
    kinds = {kind_of(a), kind_of(b)}
    name = type(operator).__name__
    if kinds == {"int"} and isinstance(operator, _WHOLE):
        if a[0] == b[0] == "c":
            return then(_folded(name, a, b), state)
        return then(("op", name, a, b, "int"), state)
    if kinds == {"float"} and isinstance(operator, ast.Add | ast.Sub | ast.Mult):
        return then(("op", name, a, b, "float"), state)
    if kinds == {"str"} and isinstance(operator, ast.Add):
        return then(joined([a, b]), state)
    kind = _result(operator, kind_of(a), kind_of(b))
    if kind in UNCHANGING:
        return low.machine.read(name, (a, b), state, then, kind)
    return low.machine.make(name, (a, b), state, then, kind)


def _folded(name: str, a: Term, b: Term) -> Term:
    one, two = int(a[2]), int(b[2])
    results = {
        "Add": one + two,
        "Sub": one - two,
        "Mult": one * two,
        "BitAnd": one & two,
        "BitOr": one | two,
        "BitXor": one ^ two,
    }
    return constant(results[name])


def _result(operator: ast.operator, a: str, b: str) -> str:
    if a == b == "int":
        if isinstance(operator, _INT_RESULTS):
            return "int"
        return "float" if isinstance(operator, ast.Div) else ""
    if {a, b} <= {"int", "float"}:
        return "float" if not isinstance(operator, ast.Pow) else ""
    if a == "str" and (isinstance(operator, ast.Mod) or b == "int"):
        return "str"
    return ""


def joined(parts: list[Term]) -> Term:
    """Texts put together, with constants beside each other as one."""
    flat: list[Term] = []
    for part in parts:
        inner = list(part[2:-1]) if part[0] == "op" and part[1] == "join" else [part]
        for each in inner:
            last = flat[-1] if flat else None
            if each == constant(""):
                continue
            if last is not None and last[0] == each[0] == "c":
                flat[-1] = constant(ast.literal_eval(last[2]) + ast.literal_eval(each[2]))
            else:
                flat.append(each)
    if not flat:
        return constant("")
    if len(flat) == 1:
        return flat[0]
    return ("op", "join", *flat, "str")


def written(
    value: Term, conversion: int, spec: Term, state: State, then: WithValue, low: Lowering
) -> Tree:
    """A value as text. Without a specification that neither raises nor changes anything."""
    kind = kind_of(value)
    usual = spec == constant("")
    if usual and conversion in {-1, 115}:
        if kind == "str":
            return then(value, state)
        if value[0] == "c" and kind in {"int", "bool", "NoneType"}:
            return then(constant(str(value[2])), state)
        return low.machine.read("str", (value,), state, then, "str")
    return low.machine.read("format", (value, conversion, spec), state, then, "str")


def compared_as_is(node: ast.Compare, state: State, then: WithValue, low: Lowering) -> Tree:
    """A comparison whose result, which may be anything, is handed on."""
    names = tuple(type(each).__name__ for each in node.ops)
    if len(names) > 1:
        raise UnsupportedError("a chain of comparisons that is handed on")
    return low.values(
        [node.left, *node.comparators],
        state,
        lambda vs, s: low.machine.make("compare", (names, *vs), s, then),
    )
