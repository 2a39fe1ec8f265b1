"""Types of tagged templates, as in ``sql<Row>`...` ``: the grammars read comparisons there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from tree_sitter import Node

_CLOSED = re.compile(rb">`")
_NAMED = re.compile(rb"[\w$\])]\Z")
_MAX_BYTES = 2_000
Place = tuple[int, int]


def types_of_tags(code: bytes, parse: Callable[[bytes], Node]) -> list[Place]:
    """The places of such types, brackets included."""
    possible = list(_candidates(code))
    if not possible:
        return []
    templates = _tagged(parse(masked(code, possible)))
    return [place for place in possible if place[1] in templates]


def masked(code: bytes, places: Iterable[Place]) -> bytes:
    """The code with spaces instead, line ends aside."""
    readable = bytearray(code)
    for start, end in places:
        readable[start:end] = re.sub(rb"[^\r\n]", b" ", code[start:end])
    return bytes(readable)


def _candidates(code: bytes) -> Iterator[Place]:
    for found in _CLOSED.finditer(code):
        end = found.start() + 1
        start = _opening(code, end)
        if start is not None and _NAMED.search(code[:start][-1:]):
            yield start, end


def _opening(code: bytes, end: int) -> int | None:
    """Where the bracket begins that is closed before `end`."""
    depth = 0
    for at in range(end - 1, max(-1, end - _MAX_BYTES), -1):
        if code[at] == ord(">") and code[at - 1] != ord("="):
            depth += 1
        elif code[at] == ord("<"):
            depth -= 1
            if depth == 0:
                return at
    return None


def _tagged(root: Node) -> set[int]:
    """Where the templates of tags begin."""
    found: set[int] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        stack.extend(node.children)
        if node.type == "template_string" and node.parent and node.parent.type == "call_expression":
            found.add(node.start_byte)
    return found
