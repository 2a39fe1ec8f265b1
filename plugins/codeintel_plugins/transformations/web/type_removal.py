"""TypeScript to JavaScript: removes only the types."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar, NamedTuple

from tree_sitter import Node

from codeintel.contracts import (
    Change,
    Equivalence,
    Rewrite,
    RewriteRequest,
    Transformation,
    Unsupported,
)
from codeintel_plugins.toolkit.positions import ByteOffsets, ToolSource as Positions
from codeintel_plugins.transformations.web.scopes import imported
from codeintel_plugins.transformations.web.trees import WebSource, child_of, text, walk
from codeintel_plugins.transformations.web.type_places import Removal, Where, removals

_HAZARDS = re.compile(rb"[(\[`+\-*/.,<>=?:&|^%]|in\b|instanceof\b")
_WORDS_BEFORE_MEMBERS = re.compile(rb"(?:^|[\s;{}])(?:get|set|static|async|accessor)$")
_MODIFIER = re.compile(rb"\b(?:public|private|protected|override|readonly|abstract)\s+\Z")
_APART = (b";", b"{", b"(", b",", b"static")
_SPACE = b" \t"
_BLANK = b" \t\r\n\f\v"
_DOCUMENTED = ("type-declarations", "ambient-declarations", "abstract-members", "type-members")
_STATEMENTS = (Where.STATEMENT, Where.MEMBER)
_VALUES = frozenset({"identifier", "shorthand_property_identifier"})
_QUERIES = frozenset({"type_query", "nested_type_identifier", "extends_type_clause"})
_MESSAGES = {
    "annotations": "Remove a type annotation.",
    "type-arguments": "Remove type arguments.",
    "type-parameters": "Remove type parameters.",
    "implements": "Remove `implements`.",
    "modifiers": "Remove a modifier for the type checker.",
    "type-declarations": "Remove a type declaration.",
    "ambient-declarations": "Remove an ambient declaration.",
    "overloads": "Remove an overload signature.",
    "abstract-members": "Remove an abstract member.",
    "type-members": "Remove an index signature.",
    "type-imports": "Remove an import or export of a type.",
    "this-parameters": "Remove the type of `this`.",
    "casts": "Remove a type cast.",
    "assertions": "Remove a non-null assertion.",
    "optional-marks": "Remove an optional mark.",
}
_TAILS = frozenset(
    {
        "expression_statement",
        "lexical_declaration",
        "variable_declaration",
        "return_statement",
        "throw_statement",
        "export_statement",
        "public_field_definition",
    }
)


class Cut(NamedTuple):
    """Bytes to be replaced, mostly by nothing."""

    start: int
    end: int
    by: bytes = b""


class Cutter:
    """Widens removals over the space around them.

    :param comments: where comments begin and end.
    :param ends: where statements and members end that have no semicolon.
    """

    def __init__(
        self, code: bytes, comments: Sequence[tuple[int, int]], ends: frozenset[int]
    ) -> None:
        self._code = code
        self._comment_starts = dict(comments)
        self._comment_ends = {end: start for start, end in comments}
        self._ends = ends

    def cuts(self, removals: Sequence[Removal]) -> list[Cut]:
        """Return the cuts, in order and without overlaps."""
        cuts: list[Cut] = []
        for removal in removals:
            if cuts and removal.start < cuts[-1].end:
                continue
            cut = self._cut(removal)
            if cuts and cut.start < cuts[-1].end:
                cut = cut._replace(start=cuts[-1].end)
            cuts.append(cut)
        return cuts

    def _cut(self, removal: Removal) -> Cut:
        start, end, where, _ = removal
        if where in (Where.BEFORE, Where.ENDED):
            start = self._back(start)
        elif where is Where.BEHIND:
            return Cut(start, self._on(end), b";" if self._begins_member(removal) else b"")
        elif where is Where.ITEM:
            return self._item(start, end)
        elif where in _STATEMENTS:
            documented = removal.rule in _DOCUMENTED
            return self._statement(self._documentation(start) if documented else start, end)
        stop = (end in self._ends or where is Where.ENDED) and self._needs_semicolon(start, end)
        return Cut(start, end, b";" if stop else b"")

    def _back(self, start: int) -> int:
        """Skip the space before, except for a line end that ends a comment."""
        at = start
        while at > 0 and self._code[at - 1] in _BLANK:
            at -= 1
        return start if at in self._comment_ends else at

    def _on(self, end: int) -> int:
        while end < len(self._code) and self._code[end] in _BLANK:
            end += 1
        return end

    def _item(self, start: int, end: int) -> Cut:
        """Cut an item of a list with the comma after it, or the comma before the last item."""
        comma = self._on(end)
        if self._code[comma : comma + 1] == b",":
            behind = comma + 1
            following = self._on(behind)
            closes = self._code[following : following + 1] in (b"}", b")")
            return Cut(start, behind if closes else following)
        before = self._back(start)
        if self._code[before - 1 : before] == b",":
            return Cut(before - 1, end)
        return Cut(start, end)

    def _statement(self, start: int, end: int) -> Cut:
        """Cut a statement with its semicolon and, if nothing else is on them, its lines."""
        behind = end
        while self._code[behind : behind + 1] and self._code[behind] in _SPACE:
            behind += 1
        if self._code[behind : behind + 1] == b";":
            end = behind + 1
        by = b";" if self._needs_semicolon(start, end) else b""
        first = start
        while first > 0 and self._code[first - 1] in _SPACE:
            first -= 1
        last = end
        while last < len(self._code) and self._code[last] in _SPACE:
            last += 1
        alone = first == 0 or self._code[first - 1] in b"\r\n"
        at_end = last == len(self._code) or self._code[last] in b"\r\n"
        if by or not (alone and at_end):
            return Cut(start, end, by)
        return Cut(*self._lines(first, last))

    def _documentation(self, start: int) -> int:
        """Include the `/** */` comment above, which would otherwise document the next
        definition."""
        at = start
        while at > 0 and self._code[at - 1] in _BLANK:
            at -= 1
        first = self._comment_ends.get(at)
        if first is None or not self._code.startswith(b"/**", first):
            return start
        between = self._code[at:start].replace(b"\r\n", b"\n")
        return first if between.strip(_SPACE) in (b"\n", b"\r") else start

    def _lines(self, first: int, last: int) -> tuple[int, int]:
        """Return whole lines, and blank lines after them if a blank line precedes them."""
        last = self._line_end(last)
        before = self._code[:first].rstrip(_SPACE)
        opened = not before.strip() or before.rstrip().endswith(b"{")
        blank = before.endswith((b"\n\n", b"\r\n\r\n"))
        while opened or blank:
            at = last
            while at < len(self._code) and self._code[at] in _SPACE:
                at += 1
            if at >= len(self._code) or self._code[at] not in b"\r\n":
                break
            last = self._line_end(at)
        return first, last

    def _line_end(self, at: int) -> int:
        if self._code[at : at + 2] == b"\r\n":
            return at + 2
        return min(at + 1, len(self._code))

    def _needs_semicolon(self, start: int, end: int) -> bool:
        """Return whether the text before would be parsed together with the text after the cut."""
        following = self._past_comments(end)
        before = self._code[
            max(0, self._before_comments(start) - 12) : self._before_comments(start)
        ]
        first = self._code[following : following + 1]
        if not before or before.endswith((b";", b"{")) or first in (b"", b";", b"}"):
            return False
        if _WORDS_BEFORE_MEMBERS.search(before):
            return first != b"="
        return _HAZARDS.match(self._code, following) is not None

    def _begins_member(self, removal: Removal) -> bool:
        """Return whether the removal is the last modifier before `[name]` or `*name`.

        Those would be parsed as part of the member before.
        """
        if removal.rule != "modifiers":
            return False
        first = self._code[(at := self._past_comments(removal.end)) : at + 1]
        if first not in (b"[", b"*"):
            return False
        start = removal.start
        while modifier := _MODIFIER.search(self._code, max(0, start - 20), start):
            start = modifier.start()
        start = self._before_comments(start)
        return not self._code[max(0, start - 6) : start].endswith(_APART)

    def _past_comments(self, at: int) -> int:
        while (following := self._on(at)) in self._comment_starts:
            at = self._comment_starts[following]
        return following

    def _before_comments(self, at: int) -> int:
        while True:
            while at > 0 and self._code[at - 1] in _BLANK:
                at -= 1
            if at not in self._comment_ends:
                return at
            at = self._comment_ends[at]


def imports_of_types(source: WebSource) -> Iterator[str]:
    """Yield sentences about names that are imported as if they were values and used as types
    only. A module that does not export such a value cannot be loaded."""
    names: dict[str, Node] = {}
    values: set[str] = set()
    types: set[str] = set()
    for node in walk(source.root):
        if node.type == "import_statement" and child_of(node, "type") is None:
            names.update((text(name), name) for name in imported(node) if not _is_marked(name))
        elif node.type == "type_identifier" or (node.type in _VALUES and _is_in_type(node)):
            types.add(text(node))
        elif node.type in _VALUES and not _is_in_import(node):
            values.add(text(node))
    for name, node in names.items():
        if name in types and name not in values:
            yield (
                f"line {source.line(node)}: `{name}` is imported as a value and used as a type. "
                "The import stays. If it has no such value, add `type` to it."
            )


def _is_marked(name: Node) -> bool:
    parent = name.parent
    return parent is not None and any(each.type == "type" for each in parent.children)


def _is_in_type(node: Node) -> bool:
    return node.parent is not None and node.parent.type in _QUERIES


def _is_in_import(node: Node) -> bool:
    outer: Node | None = node
    while outer is not None and outer.type in (
        *("identifier", "import_specifier", "named_imports", "namespace_import", "import_clause"),
    ):
        outer = outer.parent
    return outer is not None and outer.type == "import_statement"


class TypeRemoval(Transformation):
    """Leaves out what only the type checker reads. Names that are imported stay unless they are
    marked as types, as for Node.js and `verbatimModuleSyntax`."""

    name: ClassVar[str] = "typescript-to-javascript"
    kind: ClassVar[str] = "convert"
    languages: ClassVar[frozenset[str]] = frozenset({"typescript"})
    targets: ClassVar[frozenset[str] | None] = frozenset({"javascript"})
    equivalence: ClassVar[Equivalence | None] = Equivalence.TYPE_REMOVAL
    version = "1"

    def rewrite(self, request: RewriteRequest) -> Rewrite:
        if not _MESSAGES.keys().isdisjoint(request.without):
            return Rewrite(code=request.code)  # removing only a part of the types does not help
        source = WebSource(request.code, "typescript")
        comments, ends = _surroundings(source.root)
        found = removals(source)
        cuts = Cutter(source.bytes, comments, ends).cuts(found)
        losses = tuple(_losses(comments, cuts))
        if losses and request.options.get("strict"):
            raise Unsupported(losses[0])
        return Rewrite(
            code=source.mark + _without(source.bytes, cuts).decode(),
            changes=tuple(_changes(request.code, found)),
            losses=(*losses, *imports_of_types(source)),
        )


def _surroundings(root: Node) -> tuple[list[tuple[int, int]], frozenset[int]]:
    """Return the positions of comments, and the ends of statements without a semicolon."""
    comments: list[tuple[int, int]] = []
    ends: set[int] = set()
    for node in walk(root):
        if node.type in ("comment", "html_comment"):
            comments.append((node.start_byte, node.end_byte))
        elif node.type in _TAILS and node.children[-1].type != ";":
            ends.add(node.end_byte)
    return comments, frozenset(ends)


def _without(code: bytes, cuts: Sequence[Cut]) -> bytes:
    kept: list[bytes] = []
    at = 0
    for cut in cuts:
        kept += (code[at : cut.start], cut.by)
        at = cut.end
    return b"".join((*kept, code[at:]))


def _changes(code: str, found: Sequence[Removal]) -> Iterator[Change]:
    offsets = ByteOffsets(Positions(code))
    for removal in found:
        place = offsets.span(removal.start, removal.end)
        yield Change(rule=removal.rule, message=_MESSAGES[removal.rule], range=place)


def _losses(comments: Sequence[tuple[int, int]], cuts: Sequence[Cut]) -> Iterator[str]:
    lost = sum(
        any(cut.start <= start and end <= cut.end for cut in cuts) for start, end in comments
    )
    if lost:
        are = "comment on types was" if lost == 1 else "comments on types were"
        yield f"{lost} {are} removed."
