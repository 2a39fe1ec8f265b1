"""Findings in reports, with fingerprint and excerpt, and the changes between two reports.

These functions are pure, except that they let other greenlets run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence

import msgspec

from codeintel.base.greenlets import letting_others_run
from codeintel.contracts import AnalysisResult, Category, Finding
from codeintel.engine.sarif.fingerprints import LinesWithoutSecrets, fingerprints, place
from codeintel.workspaces.proof.shapes import BaselineState, ReportedFinding

MOST_CHARACTERS = 200
"""Maximum length of an excerpt."""
MASK = "•••"
_QUOTED = re.compile(r"\"(?:[^\"\\]|\\.)*\"?|'(?:[^'\\]|\\.)*'?|`[^`]*`?")
_SECRET_WEAKNESSES = frozenset({"CWE-256", "CWE-259", "CWE-312", "CWE-321", "CWE-798"})
Findings = tuple[ReportedFinding, ...]


def of_file(path: str, findings: Sequence[Finding], text: str) -> Iterator[ReportedFinding]:
    """Yield the findings of one file, by position.

    Fingerprints are those of :mod:`codeintel.engine.sarif.fingerprints`. They cover lines and not
    their numbers, so that they stay the same while other lines change. Neither fingerprints nor
    excerpts reveal secrets.
    """
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


def shown_lines(text: str, findings: Sequence[Finding]) -> tuple[tuple[str, ...], frozenset[int]]:
    """Return the lines of a file with the secrets in them masked, and the numbers of those lines.

    :param findings: all of the file.
    """
    excerpts = _Excerpts(text, findings)
    return excerpts.all(), excerpts.masked()


class _Excerpts:
    """First lines of findings.

    A line with a secret is shown without the secret and without its quoted texts, because analyzers
    do not agree on where a secret ends.
    """

    def __init__(self, text: str, findings: Sequence[Finding]) -> None:
        hidden = [_as_secret(each) for each in findings if _is_secret(each)]
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


def reported(
    results: Mapping[str, AnalysisResult], texts: Mapping[str, str]
) -> tuple[ReportedFinding, ...]:
    """Return all findings, by path and position.

    :param results: by path.
    :param texts: the texts of the files, by path.
    """
    return tuple(
        each
        for path in letting_others_run(sorted(results))
        for each in of_file(path, results[path].findings, texts.get(path, ""))
    )


def compared(
    now: Sequence[ReportedFinding],
    before: Sequence[ReportedFinding] | None,
    unchecked: Container[str] = (),
) -> tuple[Findings, Findings]:
    """Return the current findings, marked as new or same, and the fixed findings of the previous
    report.

    Without a previous report, findings are not marked. Findings are the same if path and
    fingerprint are, counted by occurrence. If two of three equal findings remain, two are the same
    and one is fixed. In a renamed file, all findings are new under the new name and fixed under the
    old one.

    :param unchecked: paths of existing files that were not analyzed. Their earlier findings are
        neither fixed nor same, because that is unknown.
    """
    if before is None:
        return tuple(now), ()
    left = Counter(_key(each) for each in letting_others_run(before))
    marked = []
    for each in letting_others_run(now):
        is_same = left[_key(each)] > 0
        left[_key(each)] -= is_same
        marked.append(_told(each, BaselineState.SAME if is_same else BaselineState.NEW))
    gone = (each for each in _left(before, left) if each.path not in unchecked)
    return tuple(marked), tuple(_told(each, BaselineState.FIXED) for each in gone)


def _left(before: Sequence[ReportedFinding], left: Counter[tuple[str, str]]) -> Findings:
    """Return the findings without a current counterpart, in order.

    Of several equal ones, the last count.
    """

    def last_first() -> Iterator[ReportedFinding]:
        for each in letting_others_run(reversed(before)):
            if left[_key(each)] > 0:
                left[_key(each)] -= 1
                yield each

    return tuple(last_first())[::-1]


def _key(reported: ReportedFinding) -> tuple[str, str]:
    return reported.path, reported.fingerprint


def _told(reported: ReportedFinding, comparison: BaselineState) -> ReportedFinding:
    return msgspec.structs.replace(reported, comparison=comparison)
