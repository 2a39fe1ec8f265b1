"""Compare the tables of constants of two programs: objects, arrays, and arrays of pairs.

Calls rarely look up each key of a table, so a table whose values changed places looks alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import SequenceMatcher

from tree_sitter import Node

from codeintel.engine.sandbox.javascript.doubts.sequences import nodes_in_order
from codeintel.engine.sandbox.javascript.source import FUNCTIONS, Program, text_of, walk
from codeintel.engine.sandbox.javascript.tokens import number_of

Row = tuple[str, str]
Table = tuple[Row, ...]
"""The keys and values of an object, or the places and elements of an array."""
_LITERALS = frozenset({"string", "number", "true", "false", "null", "undefined", "regex"})
_EQUALS = frozenset(("===", "!==", "==", "!="))


def have_other_tables(before: Program, after: Program, names: Iterable[str]) -> bool:
    """Return whether the changed units have other tables, or the same ones in another order.

    A table that only one program has is no difference if the other one compares a value with each
    of its keys: the calls must meet each of these.
    """
    chosen = list(names)
    one, other = (list(tables(program, chosen)) for program in (before, after))
    if one == other:
        return False
    tested = [set(_tested(program, chosen)) for program in (before, after)]
    return any(
        not _keys(table) <= known
        for side, known in zip(_unmatched(one, other), tested[::-1], strict=True)
        for table in side
    )


def _unmatched(one: list[Table], other: list[Table]) -> tuple[list[Table], list[Table]]:
    """Return the tables that do not occur in the other list in the same order."""
    left: tuple[list[Table], list[Table]] = ([], [])
    for sort, a, b, c, d in SequenceMatcher(None, one, other, autojunk=False).get_opcodes():
        if sort != "equal":
            left[0].extend(one[a:b])
            left[1].extend(other[c:d])
    return left


def tables(program: Program, names: Iterable[str]) -> Iterator[Table]:
    """Yield the tables in some units, in the order of the text."""
    owned = {name for name in program.units if "." not in name}
    for node in nodes_in_order(program, names):
        if node.type not in ("object", "array") or _is_member(node):
            continue
        rows = [(key, value) for key, value in _rows(node) if not _runs(node, value)]
        if len(rows) > 1 and all(_is_constant(value, owned) for _, value in rows):
            yield tuple((key, _said(value)) for key, value in rows)


def keys_of(node: Node) -> Iterator[str]:
    """Yield the keys of an object that are written as names."""
    for key, value in _rows(node):
        if node.type == "object" and key and _is_constant(value, set()):
            yield key


def _runs(table: Node, value: Node) -> bool:
    """Return whether a row has a function, which calls must reach. Then they reach the row."""
    return value.type in FUNCTIONS or (
        table.type == "array" and any(each.type in FUNCTIONS for each in walk(value))
    )


def _is_member(node: Node) -> bool:
    """Return whether an array or object is an element of another one."""
    outer = node.parent
    return outer is not None and outer.type in ("array", "pair")


def _rows(node: Node) -> Iterator[tuple[str, Node]]:
    for place, each in enumerate(e for e in node.named_children if e.type != "comment"):
        key, value = each.child_by_field_name("key"), each.child_by_field_name("value")
        if node.type == "array":
            pair = [e for e in each.named_children if e.type != "comment"]
            is_pair = each.type == "array" and len(pair) == 2 and pair[0].type in _LITERALS
            yield (_said(pair[0]), pair[1]) if is_pair else (f"#{place}", each)
        elif each.type == "pair" and key is not None and value is not None:
            yield _said(key), value
        elif each.type == "method_definition":
            yield text_of(each.child_by_field_name("name")), each
        else:
            yield text_of(each), each


def _is_constant(node: Node, owned: set[str]) -> bool:
    if node.type in _LITERALS or node.type in FUNCTIONS or text_of(node) in owned:
        return True
    if node.type in ("unary_expression", "binary_expression", "parenthesized_expression"):
        return all(_is_constant(each, owned) for each in node.named_children)
    if node.type == "pair":
        value = node.child_by_field_name("value")
        return value is not None and _is_constant(value, owned)
    if node.type not in ("object", "array"):
        return False
    return all(_is_constant(each, owned) for each in node.named_children if each.type != "comment")


def _said(node: Node) -> str:
    """Return a constant or key, in one form for each value."""
    if node.type == "string":
        return text_of(node)[1:-1]
    if node.type == "number":
        return number_of(node)
    if not node.children:
        return text_of(node)
    return " ".join(_said(each) for each in node.children if each.type not in ("comment", ";"))


def _keys(table: Table) -> set[str]:
    return {value if key.startswith("#") else key for key, value in table}


def _tested(program: Program, names: Iterable[str]) -> Iterator[str]:
    """Yield the constants that a value is compared with."""
    for node in nodes_in_order(program, names):
        if node.type == "switch_case":
            sides = [node.child_by_field_name("value")]
        elif (
            node.type == "binary_expression"
            and text_of(node.child_by_field_name("operator")) in _EQUALS
        ):
            sides = [node.child_by_field_name(each) for each in ("left", "right")]
        else:
            continue
        yield from (_said(each) for each in sides if each is not None and each.type in _LITERALS)
