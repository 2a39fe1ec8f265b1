"""The lines of a file as people may see them: without the secrets that findings report."""

from __future__ import annotations

import re
from collections.abc import Sequence

from codeintel.contracts import Category, Finding
from codeintel.engine.sarif.fingerprints import LinesWithoutSecrets

MOST_CHARACTERS = 200
"""Maximum length of an excerpt."""
MASK = "•••"
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"?|'(?:[^'\\]|\\.)*'?|`[^`]*`?")
_SECRET_WEAKNESSES = frozenset({"CWE-256", "CWE-259", "CWE-312", "CWE-321", "CWE-798"})


def shown_lines(text: str, findings: Sequence[Finding]) -> tuple[tuple[str, ...], frozenset[int]]:
    """Return the lines of a file with the secrets in them masked, and the numbers of those lines.

    :param findings: all of the file.
    """
    excerpts = Excerpts(text, findings)
    return excerpts.all(), excerpts.masked()


class Excerpts:
    """First lines of findings.

    A line with a secret is shown without the secret and without its quoted texts, because analyzers
    do not agree on where a secret ends.
    """

    def __init__(self, text: str, findings: Sequence[Finding]) -> None:
        hidden = [_as_secret(each) for each in findings if is_secret(each)]
        self._lines = LinesWithoutSecrets(text, hidden, MASK)
        self._made: dict[int, str] = {}

    def of(self, finding: Finding) -> str:
        """Return the excerpt of a finding.

        A finding after the end of the text gets the last line.
        """
        number = min(finding.range.start_line, len(self._lines))
        if number not in self._made:
            self._made[number] = self._make(number)
        return self._made[number]

    def all(self) -> tuple[str, ...]:
        """Return all lines."""
        return tuple(self._line(number) for number in range(1, len(self._lines) + 1))

    def masked(self) -> frozenset[int]:
        """Return the numbers of the lines with a secret."""
        numbers = range(1, len(self._lines) + 1)
        return frozenset(each for each in numbers if self._lines.is_touched(each))

    def _line(self, number: int) -> str:
        line = self._lines.text(number)
        if self._lines.is_touched(number):
            line = _QUOTED.sub(lambda match: match[0][0] + MASK + match[0][0], line)
        return line

    def _make(self, number: int) -> str:
        line = self._line(number).strip()
        if len(line) > MOST_CHARACTERS:
            return line[: MOST_CHARACTERS - 1] + "…"
        return line


def is_secret(finding: Finding) -> bool:
    """Return whether excerpts hide what a finding reports."""
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
