"""Calls in languages that tree-sitter reads: of what, with what, and after each other."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tree_sitter import Node

from codeintel.engine.equivalence.behaviour_heuristics.operations import Unit, plain
from codeintel.engine.equivalence.behaviour_heuristics.trees.conditions import Path, bare
from codeintel.engine.equivalence.behaviour_heuristics.trees.texts import is_kind, node_text
from codeintel.engine.equivalence.behaviour_heuristics.trees.values import TRIVIAL, WORD

_CALL = re.compile(r"call|invocation|object_creation|^new_expression|command$|macro_invocation")
_NO_CALL = re.compile(r"_type|suffix|arguments|signature|operator|expressions$|callable")
_MAX_HEAD = 300


def is_call(node: Node) -> bool:
    """Whether a node is a call, and no part of one."""
    return _may_be_call(node) and not is_kind(node.type, _NO_CALL)


def _may_be_call(node: Node) -> bool:
    return is_kind(node.type, _CALL)


def note_call(node: Node, unit: Unit, path: Path) -> None:
    """Note a call: of what, with what, and under which conditions."""
    arguments = node.child_by_field_name("arguments") or next(
        (each for each in node.named_children if "argument" in each.type), None
    )
    end = arguments.start_byte if arguments is not None else node.end_byte
    if end - node.start_byte > _MAX_HEAD:
        unit.calls["?"] += 1
        return
    if node.end_byte - node.start_byte <= _MAX_HEAD:
        head = (node.text or b"")[: end - node.start_byte].decode(errors="replace")
    else:  # what is within it may be long, and is not copied
        head = "".join(node_text(each) for each in node.children if each.end_byte <= end)
    words = WORD.findall(head.partition("{")[0].partition("<")[0])
    if not words:
        return
    callee = words[-1]
    unit.calls[callee] += 1
    if callee == "raise":
        name = thrown(node)
        unit.raised[name] += 1
        unit.leaves.setdefault(f"raise {name}", []).append(path)
    given = arguments.named_children if arguments is not None else []
    texts = [bare(each) for each in given if "comment" not in each.type]
    owner = plain(head).rpartition(".")[0]
    several = [*([owner] if owner else []), *texts]
    if 1 < len(several) < 20 and len(several) == len(set(several)):
        unit.swappable[(callee, *several)] += 1
    for place, text in enumerate(texts[:20]):
        if text in TRIVIAL:
            unit.arguments[(callee, str(place), text)] += 1
    unit.leaves.setdefault(bare(node), []).append(path)


def note_sequence(node: Node, unit: Unit) -> None:
    """Note which calls follow each other directly."""
    before = ""
    for each in node.named_children:
        said = ""
        if "statement" in each.type or _may_be_call(each):
            inner = each if _may_be_call(each) else _only(each.named_children)
            if inner is not None and _may_be_call(inner):
                said = bare(inner)
        if said and before and said != before:
            unit.sequences.add((before, said))
        before = said


def thrown(node: Node) -> str:
    """The kind of error that is thrown, as far as it is said."""
    words = [each for each in WORD.findall(node_text(node)[:200]) if each[0].isupper()]
    return words[0] if words else "?"


def _only(nodes: Iterable[Node]) -> Node | None:
    several = list(nodes)
    return several[0] if len(several) == 1 else None
