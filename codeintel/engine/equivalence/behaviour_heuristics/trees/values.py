"""Values, and what is compared, joined and counted, in languages that tree-sitter reads."""

from __future__ import annotations

import re

from tree_sitter import Node

from codeintel.engine.equivalence.behaviour_heuristics.operations import (
    MODULE,
    Atom,
    Program,
    Unit,
    equal,
    logic_of,
    ordered,
    plain,
)
from codeintel.engine.equivalence.behaviour_heuristics.trees.conditions import (
    OPERATORS,
    atom,
    bare,
    operation,
)
from codeintel.engine.equivalence.behaviour_heuristics.trees.texts import (
    is_kind,
    node_text,
    text_pieces,
)

WORD = re.compile(r"[^\W\d][\w$]*[?!]?")
RETURN = re.compile(r"^return|jump_expression|control_transfer")
_ASSIGN = re.compile(
    r"assign|declarator|variable|property|^pair$|field_definition|let_decl|default"
)
TRIVIAL = frozenset(
    [
        "0",
        "1",
        "-1",
        "0.0",
        "1.0",
        "true",
        "false",
        "True",
        "False",
        "TRUE",
        "FALSE",
        "nil",
        "null",
        "NULL",
        "None",
        "undefined",
        "nullptr",
        "''",
    ]
)
NULL_SIGN = "null"
"""The way of what stands for a comparison with nothing, such as `a ?? b`."""
_NULL_SIGNS = frozenset({b"?.", b"?->", b"&."})
_SWAPPABLE = frozenset({"-", "/", "//", "%", "**", "<<", ">>"})
_LITERAL = re.compile(r"-?\d[\w.]*|'[^']*'|true|false|null|nil|undefined")


def note_leaf(node: Node, unit: Unit) -> None:
    """Note a word, or a value such as `true`."""
    text = node_text(node)
    if is_kind(node.type, RETURN):
        unit.ways["falls"] += 1
    if node.type == "simple_symbol":
        text = text.lstrip(":")
    if WORD.fullmatch(text):
        unit.names.add(text)
        unit.used[text] += 1
    if plain(text) in TRIVIAL or node.type in ("true", "false", "nil", "null", "none"):
        _value(node, plain(text), unit)


def _value(node: Node, text: str, unit: Unit) -> None:
    """Note a value such as `true`, unless it is compared, counted with, or given away."""
    parent = node.parent
    while parent is not None and parent.named_child_count == 1 and not _is_end(parent):
        if parent.type.startswith("unary") and text.isdigit():
            text = f"-{text}" if node_text(parent).startswith("-") else text
        parent = parent.parent
    if parent is None or operation(parent) or "argument" in parent.type:
        return
    if "subscript" in parent.type or "index" in parent.type or "for" in parent.type:
        return
    if "parameter" not in parent.type:
        unit.values[text] += 1


def note_operation(node: Node, unit: Unit, outer: str) -> str:
    """Note what is compared, joined or counted; what kind of operation it is, if it is one.

    :param outer: the kind of the operation that this one is a part of.
    """
    said = operation(node)
    if said is None:
        if node.type in (
            "update_expression",
            "inc_statement",
            "dec_statement",
            "postfix_unary",
        ):
            unit.arithmetic["+1" if b"++" in (node.text or b"") else "-1"] += 1
            unit.assigned.update(bare(each) for each in node.named_children)
        return ""
    left, sign, right = said
    one, other = bare(left), bare(right)
    if sign in ("<", ">", "<=", ">="):
        unit.orders[ordered(sign, one, other)[0]] += 1
    elif OPERATORS[sign] == "equal":
        unit.equals[equal(one, other)] += 1
    elif OPERATORS[sign] in ("and", "or"):
        if outer != OPERATORS[sign]:
            _logic(node, OPERATORS[sign], unit)
        return OPERATORS[sign]
    elif OPERATORS[sign] == "sum":
        # Whether a sum is a text is found out once for all sums in it.
        if sign == "+" and outer not in ("text", "numbers"):
            said_text = text_pieces(node)
            outer = "text" if said_text and said_text.pieces else "numbers"
        if sign != "+" or outer != "text":
            _sum(sign.removesuffix("="), one, other, unit)
        return outer if sign == "+" else ""
    elif sign == "??":
        unit.ways[NULL_SIGN] += 1
    return ""


def note_null_sign(node: Node, unit: Unit) -> None:
    """Note a sign, such as `?.`, that stands for a comparison with nothing."""
    if node.text in _NULL_SIGNS:
        unit.ways[NULL_SIGN] += 1


def _logic(node: Node, sign: str, unit: Unit) -> None:
    atoms: list[Atom] = []
    stack = [node]
    while stack and len(atoms) < 60:
        each = stack.pop()
        inner = operation(each)
        if inner and OPERATORS[inner[1]] == sign:
            stack += [inner[0], inner[2]]
        else:
            atoms.append(atom(each))
    unit.logic[logic_of(sign, atoms)] += 1


def _sum(sign: str, one: str, other: str, unit: Unit) -> None:
    if "'" in one[:1] + other[:1]:
        return
    if _LITERAL.fullmatch(one) and _LITERAL.fullmatch(other):
        return
    step = sign in "+-" and (other == "1" or (one == "1" and sign == "+"))
    unit.arithmetic[f"{sign}1" if step else sign] += 1
    if sign in _SWAPPABLE:
        unit.swappable[(sign, one, other)] += 1


def note_constant(node: Node, unit: Unit, program: Program) -> None:
    """Note what a name stands for, if that is a literal."""
    if not is_kind(node.type, _ASSIGN):
        return
    name = node.child_by_field_name("name") or node.child_by_field_name("left")
    value = node.child_by_field_name("value") or node.child_by_field_name("right")
    if name is None or value is None:
        return
    word, text = bare(name).lstrip("$"), bare(value)
    unit.assigned[word] += 1
    if unit is program.units[MODULE]:
        program.fields.add(word)
        if _LITERAL.fullmatch(text):
            program.constants[word] = text
    elif _LITERAL.fullmatch(text):
        unit.constants[word] = text


def _is_end(node: Node) -> bool:
    return is_kind(node.type, RETURN) or is_kind(node.type, _ASSIGN) or operation(node) is not None
