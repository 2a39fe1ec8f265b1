"""Fingerprints: by which a finding is known again when the file has changed elsewhere."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

from codeintel.contracts import Finding
from codeintel.engine.sarif.lines import LinesWithoutSecrets, place

NAME = "codeintelFindingHash/v1"
_MAX_LINES = 20
_HIDDEN = "\0"


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
