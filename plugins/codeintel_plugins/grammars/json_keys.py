"""Keys that an object of JSON has twice. Importing this module imports tree-sitter."""

from __future__ import annotations

from collections.abc import Iterator

from codeintel_plugins.grammars.tree import tree_of

_MAX_FOUND = 2_000


def duplicate_keys(code: bytes) -> Iterator[tuple[int, int]]:
    """The places, in bytes, of keys that their object has had before."""
    stack = [tree_of(code, "json").root_node]
    found = 0
    while stack and found < _MAX_FOUND:
        node = stack.pop()
        seen: set[bytes] = set()
        for child in node.named_children:
            stack.append(child)
            key = child.child_by_field_name("key") if child.type == "pair" else None
            if key is None or node.type != "object":
                continue
            text = code[key.start_byte : key.end_byte]
            if text in seen:
                found += 1
                yield key.start_byte, key.end_byte
            seen.add(text)
