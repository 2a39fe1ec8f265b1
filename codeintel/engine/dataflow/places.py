"""Where the nodes of a tree stand, where asking each of them would take too long.

ast-grep counts a node's place from the beginning of its line, so that in a file of one line, as
tools write them, all nodes together take time with the square of its length. Here all are found in
one pass: a node begins behind the one before it, with nothing but space between them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ast_grep_py import SgNode

LONG_LINE = 5_000
"""Characters in a line from which on asking each node is slower."""

_places: dict[SgNode, tuple[int, int]] = {}
"""By node, of the tree that was looked at last: a node that stands here keeps its tree, so that no
node of another is taken for it."""


def look_at(root: SgNode, text: str) -> None:
    """Find the places of all nodes of a tree if its text has long lines; forget other trees'."""
    _places.clear()
    if max(map(len, text.split("\n"))) > LONG_LINE:
        _places.update(_found(root))


def known_place(node: SgNode) -> tuple[int, int] | None:
    """The offsets of a node in code points, the end exclusive, if they were found."""
    return _places.get(node) if _places else None


def _found(root: SgNode) -> dict[SgNode, tuple[int, int]]:
    whole = root.range()
    found = {root: (whole.start.index, whole.end.index)}
    left = [(root, root.text(), whole.start.index)]
    while left:
        node, text, start = left.pop()
        behind = 0
        for child in node.children():
            part = child.text()
            place = text.find(part, behind) if part else -1
            if place < 0 or part[0].isspace() or text[behind:place].strip():
                asked = child.range()
                place = asked.start.index - start
                end = asked.end.index - start
            else:
                end = place + len(part)
            found[child] = start + place, start + end
            behind = end
            left.append((child, part, start + place))
    return found
