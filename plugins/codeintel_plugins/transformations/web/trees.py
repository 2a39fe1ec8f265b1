"""Trees of JavaScript and TypeScript, and text by their bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from codeintel.contracts import Unsupported
from codeintel.engine.syntax import source_of
from codeintel_plugins.transformations.web.tagged_templates import masked, types_of_tags

MARK = "\ufeff"
"""A byte order mark, which the grammars do not know."""
_VARIANCE = re.compile(
    rb"([<,]\s*(?:const\s+)?)((?:in\s+out|in|out)\s+)(?=[A-Z_$][\w$]*\s*(?:extends\b|[,>=]))"
)


MAX_DEPTH = 600


class Source:
    """Code with its tree. The byte order mark is put aside. `tag_types` are the places of types
    between a tag and its template, which the grammars do not know either."""

    def __init__(self, code: str, language: str) -> None:
        self.mark = MARK if code.startswith(MARK) else ""
        self.text = code.removeprefix(MARK)
        self.bytes = self.text.encode()
        self.tag_types: list[tuple[int, int]] = []
        readable = self.bytes
        if language == "typescript":
            self.tag_types = types_of_tags(readable, _parsed)
            readable = masked(readable, self.tag_types)
        self.root = _root(readable, language)
        _check_depth(self)

    def line(self, node: Node) -> int:
        """The line on which a node begins."""
        return line_of(self.bytes, node.start_byte)


def listed(words: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(words.split())


def line_of(code: bytes, offset: int) -> int:
    """The line of a place. Lines end at LF, CR LF or CR."""
    before = code[:offset]
    return 1 + before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")


def _check_depth(source: Source) -> None:
    """Refuse what nobody writes: the way up from each node would take too long."""
    cursor = source.root.walk()
    depth = 0
    while True:
        if cursor.goto_first_child():
            depth += 1
            if depth > MAX_DEPTH and cursor.node is not None:
                raise Unsupported(f"line {source.line(cursor.node)}: this is nested too deeply")
        elif not cursor.goto_next_sibling():
            while depth and cursor.goto_parent():
                depth -= 1
                if cursor.goto_next_sibling():
                    break
            else:
                return


def grammars(language: str) -> tuple[str, ...]:
    """The grammars to be tried for a language: TypeScript has two, which exclude each other."""
    return ("typescript", "tsx") if language == "typescript" else ("javascript",)


def _without_variance(code: bytes) -> bytes:
    """With spaces for `in` and `out` before type parameters, which the grammars do not know."""
    return _VARIANCE.sub(lambda found: found[1] + b" " * len(found[2]), code)


def _root(code: bytes, language: str) -> Node:
    root = _parsed(code, language)
    if root.has_error and language == "typescript":
        other = _parsed(_without_variance(code), language)
        root = root if other.has_error else other
    if root.has_error:
        line = line_of(code, _first_error(root).start_byte)
        raise Unsupported(f"line {line}: this cannot be read as code")
    return root


def _parsed(code: bytes, language: str = "typescript") -> Node:
    """The tree by the grammar that fits, or by the first one."""
    first = None
    for grammar in grammars(language):
        root = source_of(code).root(grammar)
        if not root.has_error:
            return root
        first = first or root
    assert first is not None  # noqa: S101 - for mypy: there is always a grammar
    return first


def _first_error(root: Node) -> Node:
    node = root
    while True:
        child = next((each for each in node.children if each.has_error), None)
        if child is None or child.is_missing or child.is_error:
            return child or node
        node = child


def walk(root: Node) -> Iterator[Node]:
    """All nodes, in order of place, a parent before its children."""
    cursor = root.walk()
    while True:
        assert cursor.node is not None  # noqa: S101 - for mypy: a cursor is always somewhere
        yield cursor.node
        if cursor.goto_first_child() or cursor.goto_next_sibling():
            continue
        while cursor.goto_parent():
            if cursor.goto_next_sibling():
                break
        else:
            return


def text(node: Node | None) -> str:
    """A node's code."""
    return "" if node is None or node.text is None else node.text.decode()


def child_of(node: Node, *kinds: str) -> Node | None:
    """The first child of one of these types."""
    return next((child for child in node.children if child.type in kinds), None)
