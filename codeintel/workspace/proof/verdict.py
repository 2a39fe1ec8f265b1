"""What a report comes to. Pure."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET

from codeintel.contracts import Confidence, Finding, Severity
from codeintel.workspace.records import ProofState

_BAD = frozenset({Severity.CRITICAL, Severity.HIGH})
_SURE = frozenset({Confidence.HIGH, Confidence.MEDIUM})
NOTHING = "No file of the revision could be analysed."


def counts(findings: Iterable[Finding]) -> dict[Severity, int]:
    """Findings by severity, without those that a comment in the code suppresses."""
    found = dict.fromkeys(Severity, 0)
    for finding in findings:
        if finding.suppression is UNSET:
            found[finding.severity] += 1
    return found


def verdict(
    findings: Iterable[Finding], analyzed: int, unchecked: int, secrets: int
) -> tuple[ProofState, str]:
    """The state, and one sentence with what decided.

    A revision fails by an unsuppressed finding of severity high or critical of which the analyser
    is not unsure.

    :param analyzed: files that were analysed.
    :param unchecked: files that were not, or not wholly.
    :param secrets: files that were not stored because they hold secrets.
    """
    shown = [each for each in findings if each.suppression is UNSET]
    bad = sum(each.severity in _BAD and each.confidence in _SURE for each in shown)
    looked = f"{_counted(analyzed, 'file')} analysed"
    if unchecked:
        looked += f", {unchecked:,} not or in part"
    if secrets:
        looked += f", {_counted(secrets, 'file')} with secrets left out"
    if not analyzed:
        return ProofState.SKIPPED, NOTHING
    if bad:
        which = f"{bad:,} of {_counted(len(shown), 'finding')}"
        verb = "is" if bad == 1 else "are"
        return ProofState.FAILED, f"{which} {verb} of severity high or critical: {looked}."
    if shown:
        among = (
            f"None of {_counted(len(shown), 'finding')} is a sure one of severity high or critical"
        )
        return ProofState.PASSED, f"{among}: {looked}."
    return ProofState.PASSED, f"No findings: {looked}."


def _counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
