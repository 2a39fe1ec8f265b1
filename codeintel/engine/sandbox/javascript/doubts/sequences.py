"""Compare the order of large numbers, long strings, and operations that examples do not settle.

If two of them change places, both programs have equal operations, and few calls show a difference.
Names of constants and variables stand for their values here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby

from tree_sitter import Node

from codeintel.engine.sandbox.javascript.operations import is_settled
from codeintel.engine.sandbox.javascript.source import FUNCTIONS, Program, text_of, walk
from codeintel.engine.sandbox.javascript.tokens import named, number_of

_SMALL = 8
"""Arrays and strings are often longer than this, so calls show which number is used."""
_SHORT = 20
_MOST_DEPTH = 8
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
_KEEPING = frozenset(("add", "concat", "push", "set", "unshift"))
_STRINGS = frozenset(("string", "template_string"))


def are_reordered(before: Program, after: Program, names: Iterable[str]) -> bool:
    """Return whether the changed units of two programs have such parts in another order."""
    chosen = list(names)
    one, other = (_Sequence(program, chosen).found() for program in (before, after))
    if len({*one, *other}) < 2 and not any(each.startswith("call ") for each in (*one, *other)):
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


class _Sequence:
    """Lists these parts of a program."""

    def __init__(self, program: Program, names: list[str]) -> None:
        self._program = program
        self._nodes = list(nodes_in_order(program, names))
        self._values: dict[str, Node | None] = {}
        everything = [node for unit in program.units.values() for node in unit.nodes]
        for node in (each for outer in everything for each in walk(outer)):
            name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
            if node.type == "variable_declarator" and name is not None:
                known = text_of(name) in self._values
                self._values[text_of(name)] = None if known else value

    def found(self) -> list[str]:
        """Return the parts. A call ends after its object and arguments, so it comes after them."""
        found: list[str] = []
        for node in sorted(self._nodes, key=lambda each: each.end_byte):
            if node.type in ("call_expression", "new_expression"):
                if not _keeps(node) and self._is_watched(node):
                    found.append(f"call {self._said(node, 0)}")
            elif _stands_alone(node) and self._is_large(node) and not _is_shown(node):
                found.append(f"constant {self._said(node, 0)}")
            if node.type != "regex":
                found += [each for each in named(node, self._program) if not is_settled(each)]
        return [each for each, _ in groupby(found)]

    def _is_watched(self, call: Node) -> bool:
        """Return whether a call gets such a constant, or is a method of one."""
        given = call.child_by_field_name("arguments")
        function = call.child_by_field_name("function")
        owner = function.child_by_field_name("object") if function is not None else None
        parts = [*(given.named_children if given is not None else ()), owner]
        return any(each is not None and self._is_large(each) for each in parts)

    def _is_large(self, node: Node) -> bool:
        value = self._resolved(node)
        if value.type == "unary_expression" and value.named_children:
            value = value.named_children[0]
        if value.type == "number":
            return is_large(value)
        return value.type == "regex" or (value.type in _STRINGS and len(text_of(value)) > _SHORT)

    def _resolved(self, node: Node) -> Node:
        """Return the value of a variable that is declared once, or the node."""
        for _ in range(_MOST_DEPTH):
            value = self._values.get(text_of(node)) if node.type == "identifier" else None
            if value is None or value.type in FUNCTIONS:
                break
            node = value
        return node

    def _said(self, node: Node, depth: int) -> str:
        """Return the text of an expression, with the values of variables."""
        if depth > _MOST_DEPTH:
            return text_of(node)
        value = self._resolved(node)
        if value.type == "parenthesized_expression" and value.named_children:
            return self._said(value.named_children[0], depth + 1)
        if value.type == "number":
            return number_of(value)
        if value.type == "string":
            return f'"{text_of(value)[1:-1]}"'
        if not value.children or value.type in ("regex", "template_string"):
            return text_of(value)
        listed = [each for each in value.children if each.type not in ("comment", ";")]
        return " ".join(self._said(each, depth + 1) for each in listed)


def is_large(node: Node) -> bool:
    """Return whether a number is larger than what generated values often reach."""
    try:
        return abs(float(number_of(node))) > _SMALL
    except ValueError:
        return True


def _stands_alone(node: Node) -> bool:
    """Return whether a constant or variable is neither declared nor given to a call here."""
    outer = node.parent
    if node.type not in ("number", "regex", "identifier", *_STRINGS) or outer is None:
        return False
    if outer.type == "unary_expression":
        outer = outer.parent or outer
    if outer.type == "arguments":
        return outer.parent is not None and _keeps(outer.parent)
    return outer.type not in ("variable_declarator", "member_expression")


def _keeps(call: Node) -> bool:
    """Return whether a call only stores its arguments."""
    function = call.child_by_field_name("function")
    if function is not None:
        return text_of(function.child_by_field_name("property")) in _KEEPING
    return text_of(call.child_by_field_name("constructor")).endswith("Error")


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
