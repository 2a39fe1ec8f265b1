"""What has come and gone between two reports. Pure, but that it lets others run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence

import msgspec

from codeintel.base.concurrency.pace import letting_others_run
from codeintel.contracts import AnalysisResult
from codeintel.workspaces.proof.fingerprints import of_file
from codeintel.workspaces.proof.shapes import BaselineState, ReportedFinding

Findings = tuple[ReportedFinding, ...]


def reported(
    results: Mapping[str, AnalysisResult], texts: Mapping[str, str]
) -> tuple[ReportedFinding, ...]:
    """All findings, by path and place.

    :param results: by path.
    :param texts: those of the files, by path.
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
    """The findings of today, each told whether it is new, and those of the report before that are
    fixed. Without a report before there is nothing to tell.

    Findings are the same if path and fingerprint are, each as often as it is there: of three of a
    kind of which two are left, two are the same and one is fixed. In a file that was renamed all of
    them are new under its new name and fixed under the old one.

    :param unchecked: paths of files that are there and were not analysed: nobody knows whether
        what was found in them is fixed, so it is neither.
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
    """Those that nothing of today is the same as, in their order: of several of a kind the last."""

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
