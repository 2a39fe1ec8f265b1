"""How many findings an analyser gathers, and how many of them it may report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from codeintel.contracts import AnalyzerOutput, AnalyzerRequest, Finding, Note, Reported
from codeintel_plugins.suppressions.marking import mark_suppressed

MAX_GATHERED = 20_000
MAX_REPORTED = 2_000


def report_worst(
    name: str,
    findings: Iterable[Finding],
    request: AnalyzerRequest,
    *,
    cut_short: bool = False,
    already: int = 0,
) -> Iterator[AnalyzerOutput]:
    """The findings in their order; of more than can be reported, the worst, and a note. Those that
    a comment in the code asks to ignore are marked.

    A gate that asks for severe findings must not open because thousands of harmless ones came
    first.

    :param cut_short: whether the analyser itself has stopped gathering.
    :param already: how many findings of the code it has reported before.
    """
    gathered = list(findings)
    kept = gathered
    most = MAX_REPORTED - already
    if len(gathered) > most:
        kept = sorted(gathered, key=lambda finding: finding.severity.rank)[:most]
    yield from map(Reported, mark_suppressed(kept, request.code, request.language))
    if dropped := len(gathered) - len(kept):
        left_out = "1 finding" if dropped == 1 else f"{dropped:,} findings"
        yield Note(
            f"{name} found more than can be reported: {left_out}, the least severe, left out.",
            truncated=True,
        )
    if cut_short:
        yield Note(
            f"{name} stopped after {len(gathered):,} findings: the rest of the code was not "
            "checked by it.",
            truncated=True,
        )
