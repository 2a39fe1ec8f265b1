"""Fingerprints: by which a finding is known again when the file has changed elsewhere."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence

from codeintel.contracts import Category, Finding
from codeintel.contracts.positions import LineTable

NAME = "codeintelFindingHash/v1"
_MAX_LINES = 20
_HIDDEN = "\0"


def fingerprints(findings: Sequence[Finding], code: str) -> list[str]:
    """A hash for each finding: of its analyzer, its rule, the text of its lines, and how many of
    the kind stand before it.

    Lines count without indentation and with single spaces, so that moving and reformatting change
    nothing; of a long stretch the first twenty. Hard-coded secrets are left out of them: who has a
    hash could try out values.
    """
    lines = _Lines(code, findings)
    seen: Counter[tuple[str, str, bytes]] = Counter()
    found = [""] * len(findings)
    for at in sorted(range(len(findings)), key=lambda at: place(findings[at])):
        finding = findings[at]
        kind = finding.engine, finding.rule_id, lines.digest(finding)
        found[at] = _hash(*kind, str(seen[kind]))
        seen[kind] += 1
    return found


class _Lines:
    """The lines of the code without hard-coded secrets, each looked at once."""

    def __init__(self, code: str, findings: Sequence[Finding]) -> None:
        self._lines = LinesWithoutSecrets(code, findings, _HIDDEN)
        self._digests: dict[int, bytes] = {}

    def digest(self, finding: Finding) -> bytes:
        """A hash of the finding's lines. An end before a line's first column is in the line before;
        what lies outside the code counts as its last line."""
        range_ = finding.range
        first = min(range_.start_line, len(self._lines))
        last = range_.end_line - 1 if range_.end_column == 1 else range_.end_line
        last = max(first, min(last, len(self._lines), first + _MAX_LINES - 1))
        return b"".join(self._line(number) for number in range(first, last + 1))

    def _line(self, number: int) -> bytes:
        if number not in self._digests:
            normalised = " ".join(self._lines.text(number).split())
            self._digests[number] = hashlib.sha256(_encoded(normalised)).digest()
        return self._digests[number]


def _hash(engine: str, rule_id: str, lines: bytes, occurrence: str) -> str:
    texts = (_encoded(text) for text in (engine, rule_id, occurrence))
    return hashlib.sha256(b"\0".join((*texts, lines))).hexdigest()


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


Position = tuple[int, int]
"""Line and column, both from 1."""


class LinesWithoutSecrets:
    """The lines of the code. What stands where a finding says that a secret is, is left out.

    :param mark: what stands there instead.
    """

    def __init__(self, code: str, findings: Sequence[Finding], mark: str) -> None:
        self._table = LineTable(code)
        self._mark = mark
        self._hidden: dict[int, list[tuple[int, int | None]]] = {}
        secrets = [place(each) for each in findings if each.category is Category.SECRETS]
        for start, end in _united((each[:2], each[2:]) for each in secrets):
            self._hide(start, end)

    def __len__(self) -> int:
        return len(self._table)

    def text(self, number: int) -> str:
        """Line `number`, from 1, without its end."""
        whole = self._table.line(number)
        shown, at = [], 0
        for start, end in self._hidden.get(number, ()):
            shown.append(whole[at:start])
            at = len(whole) if end is None else end
        return self._mark.join([*shown, whole[at:]])

    def is_touched(self, number: int) -> bool:
        """Whether something is left out of a line."""
        return number in self._hidden

    def _hide(self, start: Position, end: Position) -> None:
        for number in range(start[0], min(end[0], len(self._table)) + 1):
            first = start[1] - 1 if number == start[0] else 0
            last = end[1] - 1 if number == end[0] else None
            self._hidden.setdefault(number, []).append((first, last))


def place(finding: Finding) -> tuple[int, int, int, int]:
    """Where a finding begins and ends, to sort by."""
    found = finding.range
    return found.start_line, found.start_column, found.end_line, found.end_column


def _united(places: Iterable[tuple[Position, Position]]) -> list[tuple[Position, Position]]:
    """The stretches in order, those that overlap put together."""
    found: list[tuple[Position, Position]] = []
    for start, end in sorted(places):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found
