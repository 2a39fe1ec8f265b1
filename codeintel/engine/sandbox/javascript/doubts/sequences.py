"""Compare the order of large numbers, long strings, and operations that examples do not settle.

If two of them change places, both programs have equal operations, and few calls show a difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from tree_sitter import Node

from codeintel.engine.sandbox.javascript.operations import is_settled
from codeintel.engine.sandbox.javascript.source import Program, text_of, walk
from codeintel.engine.sandbox.javascript.tokens import named, number_of

_SMALL = 8
"""Arrays and strings are often longer than this, so calls show which number is used."""
_SHORT = 20
_CUTTING = frozenset(
    re.findall(
        r"\w+",
        """at charAt charCodeAt codePointAt copyWithin fill includes indexOf lastIndexOf padEnd
        padStart repeat slice splice split startsWith endsWith substr substring with toSpliced""",
    )
)
"""Methods that take the place or the number of elements."""
_PLAIN = frozenset(
    {
        *("return_statement", "ternary_expression", "object", "array", "pair", "statement_block"),
        *("parenthesized_expression", "arrow_function", "unary_expression", "throw_statement"),
    }
)
"""Constructs that show their parts as soon as they are evaluated."""
_COMPARING = frozenset(("<", "<=", ">", ">=", "===", "!==", "==", "!="))
_CHOOSING = frozenset(("??", "||", "&&"))
_LINEAR = frozenset(("+", "-", "*"))


def are_reordered(before: Program, after: Program, names: Iterable[str]) -> bool:
    """Return whether the changed units of two programs have such parts in another order."""
    one, other = (_sequence(program, list(names)) for program in (before, after))
    if len({*one, *other}) < 2 and not any(map(_is_cut, (*one, *other))):
        return False  # nothing can have changed places
    return one != other


def nodes_in_order(program: Program, names: Iterable[str]) -> Iterator[Node]:
    """Yield everything in some units, in the order of the text."""
    units = [program.units[name] for name in names if name in program.units]
    nodes = [node for unit in units for node in unit.nodes]
    end = -1
    for node in sorted(nodes, key=lambda each: (each.start_byte, -each.end_byte)):
        if node.start_byte >= end:
            yield from walk(node)
            end = node.end_byte


def _sequence(program: Program, names: list[str]) -> list[str]:
    found: list[str] = []
    cuts: list[str] = []
    # A call ends after its object and arguments, which are evaluated before.
    for node in sorted(nodes_in_order(program, names), key=lambda each: each.end_byte):
        kind = node.type
        if kind == "number":
            if is_large(node) and not _is_shown(node):
                found.append(f"number {number_of(node)}")
        elif kind in ("string", "template_string"):
            if len(text_of(node)) > _SHORT and not _is_shown(node):
                found.append(f"string {text_of(node)[1:-1]}")
        elif kind == "call_expression" and (cut := _cut(node)):
            cuts.append(cut)
            found.append(cut)
        found += [each for each in named(node, program) if not is_settled(each)]
    if not any(re.search(r"\d\d|9", each) for each in cuts):
        found = [each for each in found if not _is_cut(each)]
    return [each for each, _ in groupby(found)]


def is_large(node: Node) -> bool:
    """Return whether a number is larger than what generated values often reach."""
    text = number_of(node)
    try:
        return abs(float(text)) > _SMALL
    except ValueError:
        return True


def _cut(node: Node) -> str:
    """Return a call that takes places or counts, with its constants."""
    function, given = (node.child_by_field_name(each) for each in ("function", "arguments"))
    name = text_of(function.child_by_field_name("property")) if function is not None else ""
    if name not in _CUTTING or given is None:
        return ""
    parts = [e for e in given.named_children if e.type != "comment"]
    return f"cut {name}({', '.join(map(_constant, parts))})"


def _is_cut(each: str) -> bool:
    return each.startswith("cut ")


def _constant(node: Node) -> str:
    if node.type == "number":
        return number_of(node)
    if node.type == "unary_expression" and text_of(node)[:1] == "-":
        return f"-{_constant(node.named_children[0])}"
    return "_"


def _is_shown(node: Node) -> bool:
    """Return whether a call that evaluates a constant shows its value, or whether a goal of the
    probes requires a call that meets it."""
    inner, outer = node, node.parent
    while outer is not None:
        operator = text_of(outer.child_by_field_name("operator"))
        if outer.type == "binary_expression" and operator in _COMPARING:
            return inner == node or text_of(inner).startswith("-")
        if outer.type == "switch_case":
            return outer.child_by_field_name("value") == inner
        is_right = outer.child_by_field_name("right") == inner
        if operator in _LINEAR or (operator in _CHOOSING and is_right):
            inner, outer = outer, outer.parent
            continue
        if outer.type in ("return_statement", "throw_statement"):
            return True
        if outer.type == "arrow_function":
            return outer.child_by_field_name("body") == inner
        if outer.type not in _PLAIN:
            return False
        inner, outer = outer, outer.parent
    return False
