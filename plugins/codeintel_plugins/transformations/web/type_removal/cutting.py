"""Taking types away so that what stays reads as if it had been written so."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from codeintel_plugins.transformations.web.type_removal.walk import Removal, Where

_HAZARDS = re.compile(rb"[(\[`+\-*/.,<>=?:&|^%]|in\b|instanceof\b")
_WORDS_BEFORE_MEMBERS = re.compile(rb"(?:^|[\s;{}])(?:get|set|static|async|accessor)$")
_MODIFIER = re.compile(rb"\b(?:public|private|protected|override|readonly|abstract)\s+\Z")
_APART = (b";", b"{", b"(", b",", b"static")
_SPACE = b" \t"
_BLANK = b" \t\r\n\f\v"
_DOCUMENTED = ("type-declarations", "ambient-declarations", "abstract-members", "type-members")
_STATEMENTS = (Where.STATEMENT, Where.MEMBER)


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
        """What to cut, in order and apart from each other."""
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
        """Over the space before, but for a line end that ends a comment."""
        at = start
        while at > 0 and self._code[at - 1] in _BLANK:
            at -= 1
        return start if at in self._comment_ends else at

    def _on(self, end: int) -> int:
        while end < len(self._code) and self._code[end] in _BLANK:
            end += 1
        return end

    def _item(self, start: int, end: int) -> Cut:
        """One of a list: with the comma behind it, or, of the last one, before it."""
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
        """With its semicolon and, if nothing else stands there, its lines."""
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
        """From the comment `/** */` above on, which would else describe what stands below."""
        at = start
        while at > 0 and self._code[at - 1] in _BLANK:
            at -= 1
        first = self._comment_ends.get(at)
        if first is None or not self._code.startswith(b"/**", first):
            return start
        between = self._code[at:start].replace(b"\r\n", b"\n")
        return first if between.strip(_SPACE) in (b"\n", b"\r") else start

    def _lines(self, first: int, last: int) -> tuple[int, int]:
        """Whole lines, and blank ones behind them where one stands before them already."""
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
        """Whether what stands before would be read on with what stands behind."""
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
        """Whether it is the last modifier before `[name]` or `*name`, which would be read on with
        the member before."""
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
