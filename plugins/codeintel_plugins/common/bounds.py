"""How many findings an analyser gathers, and how many of them it may report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codeintel.contracts import AnalyzerOutput, Finding, Note, Reported

MAX_GATHERED = 20_000
MAX_REPORTED = 2_000


def report_worst(
    name: str, findings: Iterable[Finding], *, cut_short: bool
) -> Iterator[AnalyzerOutput]:
    """The findings in their order; of more than can be reported, the worst, and a note.

    A gate that asks for severe findings must not open because thousands of harmless ones came
    first.

    :param cut_short: whether the analyser itself has stopped gathering.
    """
    gathered = list(findings)
    kept = gathered
    if len(gathered) > MAX_REPORTED:
        kept = sorted(gathered, key=lambda finding: finding.severity.rank)[:MAX_REPORTED]
    yield from map(Reported, kept)
    if cut_short or len(kept) < len(gathered):
        yield Note(
            f"{name} found more than can be reported: the least severe are left out.",
            truncated=True,
        )
