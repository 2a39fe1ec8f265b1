"""Lower operators: arithmetic, items, and conversion to text."""

from __future__ import annotations

import ast
import re

from codeintel.engine.equivalence.path_trees import (
    Built,
    State,
    Term,
    Tree,
    Value,
    WithValue,
    constant,
    kind_of,
)
from codeintel.engine.equivalence.python_paths import bounds, texts
from codeintel.engine.equivalence.python_paths.kinds import (
    UNCHANGING,
    base_of,
    element_kind,
    parts_of,
    value_kind,
)
from codeintel.engine.equivalence.python_paths.lowering import Lowering

_BINARY: dict[str, ast.operator] = {
    "add": ast.Add(),
    "sub": ast.Sub(),
    "mul": ast.Mult(),
    "truediv": ast.Div(),
    "floordiv": ast.FloorDiv(),
    "mod": ast.Mod(),
    "pow": ast.Pow(),
    "and_": ast.BitAnd(),
    "or_": ast.BitOr(),
    "xor": ast.BitXor(),
    "lshift": ast.LShift(),
    "rshift": ast.RShift(),
    "matmul": ast.MatMult(),
}
_WHOLE = (ast.Add, ast.Sub, ast.Mult, ast.BitAnd, ast.BitOr, ast.BitXor)
_INT_RESULTS = (*_WHOLE, ast.FloorDiv, ast.Mod)
_ENDS = (constant(0), constant(-1))
"""Indexes that a string has unless it is empty."""


def item(owner: Term, index: Term, state: State, then: WithValue, low: Lowering) -> Tree:
    """Read an item."""
    kind = kind_of(owner)
    cut = index[0] == "slice"
    if index[0] == "c" and index[1] == "int":
        if texts.is_match(owner):
            found = texts.group(owner, int(index[2]))
            if found is not None:
                return then(found, state)
        known = element(owner, int(index[2]))
        if known is not None:
            return then(known, state)
    if kind == "str" and index in _ENDS and state.fixed.get(("true", owner)):
        return then(("op", "item", owner, index, "str"), state)
    if kind == "str" and cut and texts.is_sure_slice(index):
        return then(texts.sliced(owner, index), state)
    if kind == "str":
        return low.machine.read("item", (owner, index), state, then, "str")
    if cut:
        return low.machine.make("item", (owner, index), state, then, kind if kind == "list" else "")
    inside = element_kind(kind) if kind.startswith("list<") else value_kind(kind)
    return low.machine.read("item", (owner, index), state, then, inside)


def element(owner: Term, place: int) -> Term | None:
    """Return an element of a tuple that is known to exist, or None."""
    if owner[0] == "tuple":
        there = -len(owner) < place < len(owner) - 1 and len(owner) > 1
        return owner[1:][place] if there else None
    kinds = parts_of(kind_of(owner)) if base_of(kind_of(owner)) == "tuple" else []
    if not -len(kinds) <= place < len(kinds):
        return None
    return ("op", "at", owner, place % len(kinds), kinds[place])


def part(held: Built, place: int, state: State) -> Term | None:
    """Return an element of a list that is known to exist, or None."""
    elements: list[Term] = []
    term = held.term
    while term[0] == "with":
        elements.insert(0, term[2])
        term = term[1]
    if term == ("empty",):
        return elements[place] if -len(elements) <= place < len(elements) else None
    number = known_size(held, state)
    if number is not None and -number <= place < number:
        return ("op", "at", held.term, place % number, held.inside or "")
    return None


def known_size(held: Built, state: State) -> int | None:
    """Return the known number of elements of a list, or None."""
    count, term = 0, held.term
    while term[0] == "with":
        count, term = count + 1, term[1]
    if term == ("empty",):
        return count
    asked = size(held, state)
    for fact, answer in state.fixed.items():
        if answer and fact[0] == "==" and fact[1] == asked and fact[2][:2] == ("c", "int"):
            return int(fact[2][2])
    return None


def size(value: Value, state: State) -> Term | None:
    """Return the term for the number of elements, if `len` cannot raise, or None."""
    if isinstance(value, Built):
        if value.term == ("empty",):
            return constant(0)
        if value.term[0] == "keyed":
            return ("op", "len", "list", value.term[1], "int")
        kind = value.kind if value.kind in {"list", "set"} else "dict"
        return ("op", "len", "list" if value.kind == "deque" else kind, value.term, "int")
    kind = kind_of(value)
    if value[0] == "tuple":
        return constant(len(value) - 1)
    if value[:2] == ("c", "str"):
        return constant(texts.length(value))
    if base_of(kind) == "tuple":
        return constant(len(parts_of(kind)))
    if kind == "str" or base_of(kind) == "frozenset":
        return ("op", "len", value, "int")
    if base_of(kind) in {"list", "dict", "set"}:
        return ("op", "len", value, state.version, "int")
    return None


TEXT_FILE = "file<str>"
"""The kind of a text file, as `open()` returns it."""


def calculated(
    operator: ast.operator, a: Term, b: Term, state: State, then: WithValue, low: Lowering
) -> Tree:
    """Lower a binary operation."""
    kinds = {kind_of(a), kind_of(b)}
    name = type(operator).__name__
    if kinds == {"int"} and isinstance(operator, _WHOLE):
        if a[0] == b[0] == "c":
            return then(_folded(name, a, b), state)
        if isinstance(operator, ast.Sub):
            return then(bounds.difference(a, b), state)
        return then(("op", name, a, b, "int"), state)
    if kinds == {"int"} and isinstance(operator, ast.FloorDiv | ast.Mod):
        return bounds.divided(name, a, b, state, then, low)
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
    if {a, b} <= {"int", "float", "number"} and "number" in {a, b}:
        if isinstance(operator, ast.Div):
            return "float"
        known = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
        return "number" if isinstance(operator, known) else ""
    if {a, b} <= {"int", "float"}:
        return "float" if not isinstance(operator, ast.Pow) else ""
    if a == "str" and (isinstance(operator, ast.Mod) or b == "int"):
        return "str"
    return ""


def joined(parts: list[Term]) -> Term:
    """Concatenate strings, and merge adjacent constants."""
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
    """Convert a value to text.

    Without a format specification, that neither raises nor changes anything.
    """
    kind = kind_of(value)
    usual = spec == constant("")
    if usual and conversion in {-1, 115}:
        if kind == "str":
            return then(value, state)
        if value[0] == "c" and kind in {"int", "bool", "NoneType"}:
            return then(constant(str(value[2])), state)
        if conversion == -1 and "__format__" in low.context.facts.bound_in_classes:
            return low.machine.read("format", (value, conversion, spec), state, then, "str")
        return low.machine.read("str", (value,), state, then, "str")
    if kind == "int" and conversion == -1 and _is_width(spec):
        return then(("op", "format", value, spec, "str"), state)
    return low.machine.read("format", (value, conversion, spec), state, then, "str")


def _is_width(spec: Term) -> bool:
    """Return whether a specification is a constant such as `02d`, which suits all integers."""
    return spec[:2] == ("c", "str") and bool(re.fullmatch(r"'0?[1-9]?\d?d?'", spec[2]))


def is_operator(name: str) -> bool:
    """Return whether a full name belongs to a known function of the module `operator`, which
    every Python version has."""
    module, _, function = name.rpartition(".")
    return module == "operator" and function in _BINARY


def operated(
    function: Term, given: tuple[Term, ...], state: State, then: WithValue, low: Lowering
) -> Tree | None:
    """Lower `operator.add(a, b)` as `a + b`, or return None for others."""
    if function[0] != "g" or not is_operator(function[1]) or len(given) != 2:
        return None
    name = function[1].rpartition(".")[2]
    if name in low.context.facts.replaced or any(each[0] in {"keyword", "star"} for each in given):
        return None
    return calculated(_BINARY[name], given[0], given[1], state, then, low)
