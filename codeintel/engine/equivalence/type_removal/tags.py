"""Types of tagged templates, which the grammars cannot read."""

from __future__ import annotations

import re

from tree_sitter import Node

from codeintel.engine.syntax import source_of

_ROUNDS = 4
_REACH = 2_000


def typescript_tree(code: bytes) -> Node:
    """The tree, without or with JSX."""
    source = source_of(code)
    root = source.root("typescript")
    return source.root("tsx") if root.has_error else root


def without_tag_types(code: bytes) -> tuple[bytes, int]:
    """The code without types of tagged templates, which the grammars cannot read, and how many
    there were. A tag's type stands between a name and a template that is called with it."""
    found = [
        (_opening(code, each.end() - 1), each.end() - 1)
        for each in re.finditer(rb"(?<![=])>(`)", code)
    ]
    for _ in range(_ROUNDS):  # each reads the whole code: what is no type shows all at once
        if not found:
            break
        tried = bytearray(code)
        for at, tick in found:
            tried[at:tick] = re.sub(rb"[^\r\n]", b" ", code[at:tick])
        root = typescript_tree(bytes(tried))
        called = [each for each in found if _is_tagged(root, each[1])]
        if called == found:
            return bytes(tried), len(found)
        found = called
    return code, 0


def _opening(code: bytes, tick: int) -> int:
    """Where the bracket opens that closes before a template."""
    depth, at = 0, tick
    while at > max(0, tick - _REACH):
        at -= 1
        depth += (code[at : at + 1] == b">" and code[at - 1 : at] != b"=") - (
            code[at : at + 1] == b"<"
        )
        if depth == 0:
            break
    return at


def _is_tagged(root: Node, tick: int) -> bool:
    template = root.descendant_for_byte_range(tick, tick + 1)
    outer = template.parent if template is not None else None
    if outer is None or outer.type != "template_string" or outer.start_byte != tick:
        return False
    return outer.parent is not None and outer.parent.type == "call_expression"
