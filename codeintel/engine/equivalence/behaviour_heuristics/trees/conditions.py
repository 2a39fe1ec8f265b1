"""Operations and conditions in languages that tree-sitter reads."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from codeintel.engine.equivalence.behaviour_heuristics.operations import (
    Atom,
    equal,
    ordered,
    plain,
    weak,
)
from codeintel.engine.equivalence.behaviour_heuristics.trees.texts import is_kind
from codeintel.engine.equivalence.behaviour_heuristics.words.folding import folded_text, written

OPERATORS = {
    **dict.fromkeys(("<", ">", "<=", ">="), "order"),
    **dict.fromkeys(("==", "!=", "===", "!==", "~=", "<>"), "equal"),
    **dict.fromkeys(("&&", "and"), "and"),
    **dict.fromkeys(("||", "or"), "or"),
    **dict.fromkeys(("+", "-", "*", "/", "%", "**", "<<", ">>", ">>>", "&", "|", "^"), "sum"),
    **dict.fromkeys(("+=", "-=", "*=", "/=", "%=", "**=", "<<=", ">>=", "&=", "|=", "^="), "sum"),
    **dict.fromkeys(("??", "//"), "other"),
}
"""What a sign between two things says."""
_BRANCH = re.compile(r"^(?:if|unless|elsif|else_if|while|conditional|ternary)|^elseif")
_PARENTHESES = re.compile(r"parenthesi[sz]ed|condition_clause|^condition$|let_condition")
_LENGTH = re.compile(r"\.(?:length|size|count|Length|Count|len)(?:\(\))?$")
_ABSENT = (".isEmpty()", ".is_empty()", ".empty?")
"""What asks whether there is nothing."""
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
    """Two things and the sign between them."""
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
    """A piece of code as text, without parentheses around it; numbers by their value."""
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
    """A condition without what negates it."""
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
    """Yield the parts of a node with the conditions under which they are done."""
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
    """What follows a branch that leaves is done if its condition does not hold."""
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
    """Whether a block ends by leaving."""
    for _ in range(6):
        if is_kind(body.type, _LEAVING):
            return True
        several = [each for each in body.named_children if "comment" not in each.type]
        if not several or not is_kind(body.type, _WRAPPER):
            return False
        body = several[-1]
    return False


def conditions(node: Node, holds: bool) -> Path:
    """The conditions that a condition is made of, with how each of them is to be."""
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
