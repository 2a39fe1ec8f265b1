"""Findings of a file as reports have them: with fingerprint and excerpt. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from codeintel.contracts import Category, Finding
from codeintel.engine.sarif.fingerprints import fingerprints
from codeintel.engine.sarif.lines import LinesWithoutSecrets, place
from codeintel.workspaces.proof.shapes import ReportedFinding

MOST_CHARACTERS = 200
"""Of an excerpt."""
MASK = "•••"
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"?|'(?:[^'\\]|\\.)*'?|`[^`]*`?")
_SECRET_WEAKNESSES = frozenset({"CWE-256", "CWE-259", "CWE-312", "CWE-321", "CWE-798"})


def of_file(path: str, findings: Sequence[Finding], text: str) -> Iterator[ReportedFinding]:
    """The findings of one file, by place. Fingerprints are those of
    :mod:`codeintel.engine.sarif.fingerprints`: of the lines and not of their numbers, so that they
    stay the same while other lines come and go. They tell no secret, and excerpts neither."""
    marks = fingerprints(findings, text)
    excerpts = _Excerpts(text, findings)
    for at in sorted(range(len(findings)), key=lambda at: (*place(findings[at]), marks[at])):
        finding = findings[at]
        yield ReportedFinding(
            path=path,
            finding=finding,
            fingerprint=marks[at],
            excerpt=excerpts.of(finding),
        )


class _Excerpts:
    """First lines of findings. A line with a secret is shown without it and without its quoted
    texts: analysers do not agree on where a secret ends."""

    def __init__(self, text: str, findings: Sequence[Finding]) -> None:
        hidden = [_as_secret(each) for each in findings if _is_secret(each)]
        self._lines = LinesWithoutSecrets(text, hidden, MASK)
        self._made: dict[int, str] = {}

    def of(self, finding: Finding) -> str:
        """The excerpt of a finding; of one behind the end of the text its last line."""
        number = min(finding.range.start_line, len(self._lines))
        if number not in self._made:
            self._made[number] = self._make(number)
        return self._made[number]

    def _make(self, number: int) -> str:
        line = self._lines.text(number)
        if self._lines.is_touched(number):
            line = _QUOTED.sub(lambda match: match[0][0] + MASK + match[0][0], line)
        line = line.strip()
        if len(line) > MOST_CHARACTERS:
            return line[: MOST_CHARACTERS - 1] + "…"
        return line


def _is_secret(finding: Finding) -> bool:
    return finding.category is Category.SECRETS or finding.cwe in _SECRET_WEAKNESSES


def _as_secret(finding: Finding) -> Finding:
    return Finding(
        rule_id=finding.rule_id,
        engine=finding.engine,
        severity=finding.severity,
        confidence=finding.confidence,
        cwe=finding.cwe,
        message="",
        range=finding.range,
        category=Category.SECRETS,
    )
