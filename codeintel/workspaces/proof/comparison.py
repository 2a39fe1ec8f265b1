"""Findings in reports, with fingerprint and excerpt, and the changes between two reports.

These functions are pure, except that they let other greenlets run.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

from codeintel.base.greenlets import letting_others_run
from codeintel.contracts import AnalysisResult, Finding
from codeintel.engine.sarif.excerpts import Excerpts
from codeintel.engine.sarif.fingerprints import fingerprints, place
from codeintel.workspaces.proof.shapes import BaselineState, ReportedFinding

Findings = tuple[ReportedFinding, ...]


def of_file(path: str, findings: Sequence[Finding], text: str) -> Iterator[ReportedFinding]:
    """Yield the findings of one file, by position.

    Fingerprints are those of :mod:`codeintel.engine.sarif.fingerprints`. They cover lines and not
    their numbers, so that they stay the same while other lines change. Neither fingerprints nor
    excerpts reveal secrets.
    """
    marks = fingerprints(findings, text)
    excerpts = Excerpts(text, findings)
    for at in sorted(range(len(findings)), key=lambda at: (*place(findings[at]), marks[at])):
        finding = findings[at]
        yield ReportedFinding(
            path=path,
            finding=finding,
            fingerprint=marks[at],
            excerpt=excerpts.of(finding),
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
    is_unknown: Callable[[ReportedFinding], bool] = lambda _: False,
) -> tuple[Findings, Findings]:
    """Return the current findings, marked as new or same, and the fixed findings of the previous
    report.

    Without a previous report, findings are not marked. Findings are the same if path and
    fingerprint are, counted by occurrence. If two of three equal findings remain, two are the same
    and one is fixed. In a renamed file, all findings are new under the new name and fixed under the
    old one.

    :param is_unknown: returns whether an earlier finding was not looked for, for example because
        its file was not analyzed. Such a finding is neither fixed nor same.
    """
    if before is None:
        return tuple(now), ()
    left = Counter(_key(each) for each in letting_others_run(before))
    marked = []
    for each in letting_others_run(now):
        is_same = left[_key(each)] > 0
        left[_key(each)] -= is_same
        marked.append(_told(each, BaselineState.SAME if is_same else BaselineState.NEW))
    gone = (each for each in _left(before, left) if not is_unknown(each))
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
