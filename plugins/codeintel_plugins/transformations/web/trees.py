"""Code of JavaScript and TypeScript: its trees, and edits of its bytes."""

from __future__ import annotations

import re
from bisect import bisect, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node

from codeintel.contracts import Unsupported
from codeintel.engine.syntax import source_of

_CLOSED = re.compile(rb">`")
_NAMED = re.compile(rb"[\w$\])]\Z")
_MAX_BYTES = 2_000
Place = tuple[int, int]
MARK = "\ufeff"
"""A byte order mark, which the grammars do not know."""
_VARIANCE = re.compile(
    rb"([<,]\s*(?:const\s+)?)((?:in\s+out|in|out)\s+)(?=[A-Z_$][\w$]*\s*(?:extends\b|[,>=]))"
)
MAX_DEPTH = 600
Span = tuple[int, int]


def types_of_tags(code: bytes, parse: Callable[[bytes], Node]) -> list[Place]:
    """Return the places of such types, brackets included."""
    possible = list(_candidates(code))
    if not possible:
        return []
    templates = _tagged(parse(masked(code, possible)))
    return [place for place in possible if place[1] in templates]


def masked(code: bytes, places: Iterable[Place]) -> bytes:
    """Return the code with spaces instead, line ends aside."""
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
    """Return the offset of the bracket that is closed before `end`."""
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
    """Return the start offsets of tagged templates."""
    found: set[int] = set()
    stack = [root]
    while stack:
        node = stack.pop()
        stack.extend(node.children)
        if node.type == "template_string" and node.parent and node.parent.type == "call_expression":
            found.add(node.start_byte)
    return found


class WebSource:
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
        """Return the line on which a node begins."""
        return line_of(self.bytes, node.start_byte)


def listed(words: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(words.split())


def line_of(code: bytes, offset: int) -> int:
    """Return the line of a place. Lines end at LF, CR LF or CR."""
    before = code[:offset]
    return 1 + before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")


def _check_depth(source: WebSource) -> None:
    """Reject trees that are nested too deeply, because walking up from each node would take too
    long."""
    cursor = source.root.walk()
    depth = 0
    while True:
        if cursor.goto_first_child():
            depth += 1
            if depth > MAX_DEPTH and cursor.node is not None:
                raise Unsupported(f"line {source.line(cursor.node)}: the code is nested too deeply")
        elif not cursor.goto_next_sibling():
            while depth and cursor.goto_parent():
                depth -= 1
                if cursor.goto_next_sibling():
                    break
            else:
                return


def grammars(language: str) -> tuple[str, ...]:
    """Return the grammars to be tried for a language: TypeScript has two, which exclude each
    other."""
    return ("typescript", "tsx") if language == "typescript" else ("javascript",)


def _without_variance(code: bytes) -> bytes:
    """Blank out `in` and `out` before type parameters, which the grammars do not support."""
    return _VARIANCE.sub(lambda found: found[1] + b" " * len(found[2]), code)


def _root(code: bytes, language: str) -> Node:
    root = _parsed(code, language)
    if root.has_error and language == "typescript":
        other = _parsed(_without_variance(code), language)
        root = root if other.has_error else other
    if root.has_error:
        line = line_of(code, _first_error(root).start_byte)
        raise Unsupported(f"line {line}: syntax error")
    return root


def _parsed(code: bytes, language: str = "typescript") -> Node:
    """Return the tree of the first grammar without errors, otherwise that of the first grammar."""
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
    """Yield all nodes, in order of position, a parent before its children."""
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
    """Return a node's code."""
    return "" if node is None or node.text is None else node.text.decode()


def child_of(node: Node, *kinds: str) -> Node | None:
    """Return the first child of one of these types."""
    return next((child for child in node.children if child.type in kinds), None)


class ByteEdit(NamedTuple):
    """Replace bytes of the code of this round."""

    start: int
    end: int
    by: bytes
    rule: str
    message: str


class Made(NamedTuple):
    """An edit that was made, in bytes of the original."""

    start: int
    end: int
    rule: str
    message: str


class Text:
    """Code that is edited. Each of its bytes knows where it comes from."""

    def __init__(self, code: bytes) -> None:
        self.code = code
        self.made: list[Made] = []
        self._origins: list[Span] = [(at, at + 1) for at in range(len(code))]

    def apply(self, groups: Iterable[Sequence[ByteEdit]]) -> bool:
        """Make the edits: each group as a whole, unless a part of it touches an earlier one; and
        whether there were any."""
        chosen: list[ByteEdit] = []
        for group in sorted(groups, key=lambda group: (group[0].start, -group[0].end)):
            if not any(_touches(edit, chosen) for edit in group):
                for edit in group:
                    insort(chosen, edit)
        code: list[bytes] = []
        origins: list[Span] = []
        at = 0
        for edit in chosen:
            place = self._place(edit.start, edit.end)
            self.made.append(Made(*place, edit.rule, edit.message))
            code += (self.code[at : edit.start], edit.by)
            origins += self._origins[at : edit.start]
            origins += [place] * len(edit.by)
            at = edit.end
        code.append(self.code[at:])
        origins += self._origins[at:]
        self.code, self._origins = b"".join(code), origins
        return bool(chosen)

    def _place(self, start: int, end: int) -> Span:
        """Return the range in the original of bytes of this round."""
        if start == end:
            before = self._origins[start - 1][1] if start else 0
            return before, before
        known = self._origins[start:end]
        return min(each[0] for each in known), max(each[1] for each in known)


def _touches(edit: ByteEdit, chosen: Sequence[ByteEdit]) -> bool:
    """Return whether an edit overlaps or touches its neighbors."""
    place = bisect(chosen, edit)
    before = place > 0 and chosen[place - 1].end >= edit.start
    return before or (place < len(chosen) and chosen[place].start <= edit.end)
