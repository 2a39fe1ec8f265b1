"""Read operations, conditions and values in languages that tree-sitter parses."""

from __future__ import annotations

import re
from collections.abc import Iterator

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
    weak,
)
from codeintel.engine.equivalence.behaviour_heuristics.tree_vocabulary import (
    is_kind,
    node_text,
    text_pieces,
)
from codeintel.engine.equivalence.behaviour_heuristics.vocabulary import folded_text, written

OPERATORS = {
    **dict.fromkeys(("<", ">", "<=", ">="), "order"),
    **dict.fromkeys(("==", "!=", "===", "!==", "~=", "<>"), "equal"),
    **dict.fromkeys(("&&", "and"), "and"),
    **dict.fromkeys(("||", "or"), "or"),
    **dict.fromkeys(("+", "-", "*", "/", "%", "**", "<<", ">>", ">>>", "&", "|", "^"), "sum"),
    **dict.fromkeys(("+=", "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", "&=", "|=", "^="), "sum"),
    **dict.fromkeys(("??", "//"), "other"),
}
"""Binary operators by kind."""
_BRANCH = re.compile(r"^(?:if|unless|elsif|else_if|while|conditional|ternary)|^elseif")
_PARENTHESES = re.compile(r"parenthesi[sz]ed|condition_clause|^condition$|let_condition")
_LENGTH = re.compile(r"\.(?:length|size|count|Length|Count|len)(?:\(\))?$")
_ABSENT = (".isEmpty()", ".is_empty()", ".empty?")
"""Suffixes of expressions that test for emptiness."""
_LEAVING = re.compile(r"^(?:return|throw|raise|continue|break|jump_expression|next)")
_WRAPPER = re.compile(
    r"^(?:block|statement_block|compound_statement|then|body|expression_statement)"
    r"|statement_list|statements"
)
_ARITHMETIC = re.compile(r"[\d_\s+*().]*\d[\d_\s+*().]*")
_MAX_PARTS = 60
_MAX_SIZE = 400
Path = frozenset[Atom]


def operation(node: Node) -> tuple[Node, str, Node] | None:
    """Return the left operand, the operator and the right operand, or None."""
    children = node.children
    if len(children) != 3:
        if not 3 < len(children) < 8:
            return None
        children = [each for each in children if "comment" not in each.type]
        if len(children) != 3:
            return None
    left, sign, right = children
    if (
        sign.end_byte - sign.start_byte > 3
        or sign.child_count > 1
        or not left.is_named
        or not right.is_named
    ):
        return None
    text = (sign.text or b"").decode(errors="replace")
    if text not in OPERATORS or "type" in node.type or "parameter" in node.type:
        return None
    return left, text, right


def bare(node: Node) -> str:
    """Return a piece of code as text without parentheses around it.

    Arithmetic becomes its value.
    """
    while is_kind(node.type, _PARENTHESES) and node.named_child_count == 1:
        node = node.named_children[0]
    if node.end_byte - node.start_byte > _MAX_SIZE:
        return f"_{node.type}"
    text = (node.text or b"").decode(errors="replace")
    if _ARITHMETIC.fullmatch(text):
        value = folded_text(text.replace("\n", " ")) if len(text) < 100 else None
        if value is not None:
            return written(value)
    return plain(text)


def atom(node: Node) -> Atom:
    """Return a condition without its negations, and whether it must hold."""
    holds = True
    while True:
        children = node.children
        if is_kind(node.type, _PARENTHESES) and node.named_child_count == 1:
            node = node.named_children[0]
        elif len(children) == 2 and (children[0].text or b"") in (b"!", b"not"):
            node, holds = children[1], not holds
        else:
            break
    said = operation(node)
    if said is None or OPERATORS[said[1]] not in ("order", "equal"):
        text = bare(node)
        return _present(text), holds is not text.endswith(_ABSENT)
    one, sign, other = bare(said[0]), said[1], bare(said[2])
    counted = _LENGTH.search(one) is not None or one.startswith("len(")
    if other == "0" and counted and sign in (">", "==", "!=", "===", "!=="):
        return _present(one), holds == (sign in (">", "!=", "!=="))
    if other in ("true", "false") and OPERATORS[sign] == "equal":
        return one, holds == ((other == "true") == (sign in ("==", "===")))
    if OPERATORS[sign] == "order":
        (_, less, more), so = ordered(sign, one, other)
        return f"{less} < {more}", holds == so
    return " ".join(equal(one, other)), holds == (sign in ("==", "==="))


def _present(text: str) -> str:
    text = _LENGTH.sub("", text)
    for absent in _ABSENT:
        text = text.removesuffix(absent)
    return text


def note_branch(node: Node, path: Path) -> Iterator[tuple[Node, Path]]:
    """Yield the parts of a node with the conditions under which they run."""
    test = node.child_by_field_name("condition")
    branch = is_kind(node.type, _BRANCH) and test is not None
    if not branch or test is None:
        yield from _sequence(node, path)
        return
    negated = node.type.startswith("unless")
    other = node.child_by_field_name("alternative")
    for each in node.children:
        if each.id == test.id:
            yield each, path
        elif other is not None and each.id == other.id:
            yield each, _and(path, conditions(test, negated))
        else:
            yield each, _and(path, conditions(test, not negated))


def _sequence(node: Node, path: Path) -> Iterator[tuple[Node, Path]]:
    """Yield the children of a block.

    Those after a branch that leaves run only if its condition does not hold.
    """
    for each in node.children:
        if not (each.is_named or each.child_count):
            continue
        yield each, path
        inner = each
        if not each.named_child_count:
            continue
        if each.type == "expression_statement" and each.named_child_count == 1:
            inner = each.named_children[0]
        test = inner.child_by_field_name("condition") if is_kind(inner.type, _BRANCH) else None
        if test is None or inner.type.startswith("while"):
            continue
        body = inner.child_by_field_name("consequence") or inner.child_by_field_name("body")
        if body is not None and inner.child_by_field_name("alternative") is None and _leaves(body):
            path = _and(path, conditions(test, inner.type.startswith("unless")))


def _leaves(body: Node) -> bool:
    """Return whether a block ends by leaving."""
    for _ in range(6):
        if is_kind(body.type, _LEAVING):
            return True
        several = [each for each in body.named_children if "comment" not in each.type]
        if not several or not is_kind(body.type, _WRAPPER):
            return False
        body = several[-1]
    return False


def conditions(node: Node, holds: bool) -> Path:
    """Split a condition into its atoms, each with whether it must hold."""
    found: set[Atom] = set()
    stack = [(node, holds, False)]
    while stack and len(found) < _MAX_PARTS:
        each, so, is_weak = stack.pop()
        children = each.children
        if is_kind(each.type, _PARENTHESES) and each.named_child_count == 1:
            stack.append((each.named_children[0], so, is_weak))
        elif len(children) == 2 and (children[0].text or b"") in (b"!", b"not"):
            stack.append((children[1], not so, is_weak))
        else:
            said = operation(each)
            if said and OPERATORS[said[1]] in ("and", "or"):
                either = is_weak or so == (OPERATORS[said[1]] == "or")
                stack += [(said[0], so, either), (said[2], so, either)]
            else:
                text, also = atom(each)
                found.add((weak(text) if is_weak else text, so == also))
    return frozenset(found)


def _and(path: Path, more: Path) -> Path:
    return path | more if len(path) < _MAX_PARTS else path


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
"""The key for syntax that stands for a null check, such as `a ?? b`."""
_NULL_SIGNS = frozenset({b"?.", b"?->", b"&."})
_SWAPPABLE = frozenset({"-", "/", "//", "%", "**", "<<", ">>"})
_LITERAL = re.compile(r"-?\d[\w.]*|'[^']*'|true|false|null|nil|undefined")


def note_leaf(node: Node, unit: Unit) -> None:
    """Record a word, or a value such as `true`."""
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
    """Record a value such as `true`, unless it is compared, computed with or passed on."""
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
    """Record a comparison, connective or arithmetic operation, and return its kind, or an empty
    string.

    :param outer: the kind of the operation around this one.
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
        # Find out once for all nested sums whether they join strings.
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
    """Record an operator, such as `?.`, that stands for a null check."""
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
    """Record the literal that a name is bound to."""
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
