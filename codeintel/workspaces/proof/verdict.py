"""What a report comes to. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import UNSET

from codeintel.base.text.quantities import counted
from codeintel.contracts import Confidence, Finding, Severity
from codeintel.contracts.workspaces.records import ProofState
from codeintel.workspaces.proof.shapes import Cause

_BAD = frozenset({Severity.CRITICAL, Severity.HIGH})
_SURE = frozenset({Confidence.HIGH, Confidence.MEDIUM})
_WHY = {
    Cause.SECRET: "with secrets",
    Cause.SIZE: "too large",
    Cause.TIME: "out of time",
    Cause.CRASH: "where the analysis failed",
    Cause.BUDGET: "cut short",
    Cause.UNREADABLE: "unreadable",
    Cause.NAME: "with a name that cannot be stored",
}
NOTHING = "No file of the revision could be analysed."


def counts(findings: Iterable[Finding]) -> dict[Severity, int]:
    """Findings by severity, without those that a comment in the code suppresses."""
    found = dict.fromkeys(Severity, 0)
    for finding in findings:
        if finding.suppression is UNSET:
            found[finding.severity] += 1
    return found


def verdict(
    findings: Iterable[Finding], analyzed: int, left_out: Mapping[Cause, int]
) -> tuple[ProofState, str]:
    """The state, and one sentence with what decided.

    A revision fails by an unsuppressed finding of severity high or critical of which the analyser
    is not unsure. If it does not fail, and files were left out, it is incomplete: nobody knows
    what stands in them.

    :param analyzed: files that were analysed.
    :param left_out: files that were left out or looked at in part, by cause.
    """
    shown = [each for each in findings if each.suppression is UNSET]
    bad = sum(each.severity in _BAD and each.confidence in _SURE for each in shown)
    looked = f"{counted(analyzed, 'file')} analysed"
    total = sum(left_out.values())
    if total:
        why = ", ".join(
            f"{left_out[cause]:,} {_WHY[cause]}" for cause in Cause if left_out.get(cause)
        )
        looked += f", {total:,} left out or checked in part ({why})"
    if bad:
        which = f"{bad:,} of {counted(len(shown), 'finding')}"
        verb = "is" if bad == 1 else "are"
        return ProofState.FAILED, f"{which} {verb} of severity high or critical: {looked}."
    if total:
        return ProofState.INCOMPLETE, f"Not everything was checked: {looked}."
    if not analyzed:
        return ProofState.SKIPPED, NOTHING
    if shown:
        among = (
            f"None of {counted(len(shown), 'finding')} is a sure one of severity high or critical"
        )
        return ProofState.PASSED, f"{among}: {looked}."
    return ProofState.PASSED, f"No findings: {looked}."
