"""Make fingerprints, which identify a finding after other parts of the file changed."""

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
    """Return a hash for each finding, of its analyzer, its rule, the text of its lines, and the
    number of equal findings before it.

    Indentation and repeated spaces in lines do not count, so moving and reformatting change
    nothing. At most 20 lines of a finding count. Hard-coded secrets are left out, because a hash
    would allow anyone to test guesses. A renamed rule counts by its first id.
    """
    lines = _Lines(code, findings)
    seen: Counter[tuple[str, str, bytes]] = Counter()
    found = [""] * len(findings)
    for at in sorted(range(len(findings)), key=lambda at: place(findings[at])):
        finding = findings[at]
        kind = finding.engine, finding.lasting_id, lines.digest(finding)
        found[at] = _hash(*kind, str(seen[kind]))
        seen[kind] += 1
    return found


class _Lines:
    """The lines of the code without hard-coded secrets, each hashed once."""

    def __init__(self, code: str, findings: Sequence[Finding]) -> None:
        self._lines = LinesWithoutSecrets(code, findings, _HIDDEN)
        self._digests: dict[int, bytes] = {}

    def digest(self, finding: Finding) -> bytes:
        """Return a hash of the finding's lines.

        An end before the first column belongs to the line before. Positions outside the code count
        as its last line.
        """
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
"""The line and column, both from 1."""


class LinesWithoutSecrets:
    """The lines of the code, without the text of secrets that findings report.

    :param mark: the replacement for a secret.
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
        """Return a line without its line end. Lines count from 1."""
        whole = self._table.line(number)
        shown, at = [], 0
        for start, end in self._hidden.get(number, ()):
            shown.append(whole[at:start])
            at = len(whole) if end is None else end
        return self._mark.join([*shown, whole[at:]])

    def is_touched(self, number: int) -> bool:
        """Return whether a secret was removed from a line."""
        return number in self._hidden

    def _hide(self, start: Position, end: Position) -> None:
        for number in range(start[0], min(end[0], len(self._table)) + 1):
            first = start[1] - 1 if number == start[0] else 0
            last = end[1] - 1 if number == end[0] else None
            self._hidden.setdefault(number, []).append((first, last))


def place(finding: Finding) -> tuple[int, int, int, int]:
    """Return the start and end of a finding, to sort by."""
    found = finding.range
    return found.start_line, found.start_column, found.end_line, found.end_column


def _united(places: Iterable[tuple[Position, Position]]) -> list[tuple[Position, Position]]:
    """Return the ranges in order, with overlapping ones merged."""
    found: list[tuple[Position, Position]] = []
    for start, end in sorted(places):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found
