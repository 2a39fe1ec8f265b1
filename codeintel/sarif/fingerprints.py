"""Fingerprints: by which a finding is known again when the file has changed elsewhere."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence

from codeintel.contracts import Category, Finding
from codeintel.positions import LineTable

NAME = "codeintelFindingHash/v1"
_MAX_LINES = 20
_HIDDEN = "\0"

Position = tuple[int, int]
"""Line and column, both from 1."""


def fingerprints(findings: Sequence[Finding], code: str) -> list[str]:
    """A hash for each finding: of its analyser, its rule, the text of its lines, and how many of
    the kind stand before it.

    Lines count without indentation and with single spaces, so that moving and reformatting change
    nothing; of a long stretch the first twenty. Hard-coded secrets are left out of them: who has a
    hash could try out values.
    """
    lines = _Lines(code, findings)
    seen: Counter[tuple[str, str, bytes]] = Counter()
    found = [""] * len(findings)
    for at in sorted(range(len(findings)), key=lambda at: _place(findings[at])):
        finding = findings[at]
        kind = finding.engine, finding.rule_id, lines.digest(finding)
        found[at] = _hash(*kind, str(seen[kind]))
        seen[kind] += 1
    return found


class _Lines:
    """The lines of the code without hard-coded secrets, each looked at once."""

    def __init__(self, code: str, findings: Sequence[Finding]) -> None:
        self._table = LineTable(code)
        self._digests: dict[int, bytes] = {}
        self._hidden: dict[int, list[tuple[int, int | None]]] = {}
        secrets = [_place(each) for each in findings if each.category is Category.SECRETS]
        for start, end in _united((place[:2], place[2:]) for place in secrets):
            self._hide(start, end)

    def digest(self, finding: Finding) -> bytes:
        """A hash of the finding's lines. An end before a line's first column is in the line before;
        what lies outside the code counts as its last line."""
        place = finding.range
        first = min(place.start_line, len(self._table))
        last = place.end_line - 1 if place.end_column == 1 else place.end_line
        last = max(first, min(last, len(self._table), first + _MAX_LINES - 1))
        return b"".join(self._line(number) for number in range(first, last + 1))

    def _hide(self, start: Position, end: Position) -> None:
        for number in range(start[0], min(end[0], len(self._table)) + 1):
            first = start[1] - 1 if number == start[0] else 0
            last = end[1] - 1 if number == end[0] else None
            self._hidden.setdefault(number, []).append((first, last))

    def _line(self, number: int) -> bytes:
        if number not in self._digests:
            text = self._table.line(number)
            shown, at = [], 0
            for start, end in self._hidden.get(number, ()):
                shown.append(text[at:start])
                at = len(text) if end is None else end
            normalised = " ".join(_HIDDEN.join([*shown, text[at:]]).split())
            self._digests[number] = hashlib.sha256(_encoded(normalised)).digest()
        return self._digests[number]


def _united(places: Iterable[tuple[Position, Position]]) -> list[tuple[Position, Position]]:
    """The stretches in order, those that overlap put together."""
    found: list[tuple[Position, Position]] = []
    for start, end in sorted(places):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def _place(finding: Finding) -> tuple[int, int, int, int]:
    place = finding.range
    return place.start_line, place.start_column, place.end_line, place.end_column


def _hash(engine: str, rule_id: str, lines: bytes, occurrence: str) -> str:
    texts = (_encoded(text) for text in (engine, rule_id, occurrence))
    return hashlib.sha256(b"\0".join((*texts, lines))).hexdigest()


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
