"""Signals of security: known flaws, and the checks of the OpenSSF Scorecard."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from codeintel.contracts import Case, Measure
from codeintel.contracts.trust import advisory_rows, is_gone, is_known_malware, is_malicious
from codeintel_plugins.trust.scorers.weighted import OfRepository, Weight, Weighted, number

UNKNOWN_SEVERITY = 5.0
"""Of an advisory that does not say: the middle of the scale."""
WORST = 10.0
MIDDLES = {"critical": 9.5, "high": 7.95, "medium": 5.45, "low": 2.0}
"""Of the ranges that words mean where there is no score
(https://www.first.org/cvss/v4.0/specification-document#Qualitative-Severity-Rating-Scale)."""
_GONE = "No registry lists it anymore."


class KnownAdvisories(Weighted):
    """The product of `1 - severity / 10` over all advisories. Severities are CVSS base scores,
    or the middle of a level's range, and 10 for malware. Severity 10 results in 0, and each
    further advisory takes its part of the rest. A malicious package has no points at all,
    regardless of other facts. If no registry lists a version, the malware records of the whole
    package decide."""

    title = "Known advisories"
    reads = ("advisories", "malware", "is_listed")
    advice = "Release a version that no advisory affects."
    version = "2"

    def measure(self, case: Case) -> Measure | None:
        if is_gone(case.facts):
            return _of_removed(case)
        found = case.facts.value("advisories")
        if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
            return None  # what cannot be read must not pass for none
        severities = [_severity(each) for each in found]
        note = "No known advisory affects this version."
        if severities:
            worst = max(range(len(severities)), key=severities.__getitem__)
            name = found[worst].get("id", "nameless")
            note = f"Most severe: {name}, {severities[worst]:g} of 10."
        left = prod(1 - severity / WORST for severity in severities)
        is_malice = any(map(is_malicious, found))
        if is_malice:
            note = f"The package is known to be malicious. {note}"
        return Measure(len(severities), "advisories", left, note, settles=is_malice)


def _of_removed(case: Case) -> Measure | None:
    """Return the measure of a package that no registry lists: malware, or None if unknown."""
    if not is_known_malware(case.facts):
        return None
    found = advisory_rows(case.facts)
    return Measure(
        len(found),
        "advisories",
        0.0,
        f"The package is known to be malicious: {found[0].get('id')}. {_GONE}",
        settles=True,
    )


def _severity(advisory: dict[str, object]) -> float:
    if is_malicious(advisory):
        return WORST
    told = number(advisory.get("severity"))
    if told is None:
        return MIDDLES.get(str(advisory.get("level")), UNKNOWN_SEVERITY)
    return min(WORST, max(0.0, float(told)))


BEST = 10


@dataclass(frozen=True)
class Check:
    """A check, by Scorecard's name, with our name for it."""

    name: str
    title: str
    advice: str


CHECKS = {
    "code-review": Check(
        "Code-Review",
        "Code review",
        "Have a second person approve each change before it is merged.",
    ),
    "dangerous-workflow": Check(
        "Dangerous-Workflow",
        "Safe workflows",
        "Do not run code from pull requests in workflows with secrets.",
    ),
    "branch-protection": Check(
        "Branch-Protection", "Branch protection", "Protect the release branches."
    ),
    "token-permissions": Check(
        "Token-Permissions",
        "Limited workflow tokens",
        "Give workflow tokens read access, and more only to jobs that need it.",
    ),
    "binary-artifacts": Check(
        "Binary-Artifacts", "No binaries in the repository", "Build binaries from source instead."
    ),
    "security-policy": Check(
        "Security-Policy",
        "Security policy",
        "Add a SECURITY.md that explains how to report a vulnerability.",
    ),
    "static-analysis": Check("SAST", "Static analysis", "Run a static analyzer on each change."),
    "maintained": Check(
        "Maintained", "Recent activity", "Answer issues and commit, or transfer the project."
    ),
    "signed-releases": Check("Signed-Releases", "Signed releases", "Sign your releases."),
}


class ScorecardCheck(OfRepository, Weighted):
    """A check's score over 10. One that did not run (-1) is missing: it is no bad mark."""

    reads = ("scorecard",)

    def __init__(self, weight: Weight, check: Check) -> None:
        super().__init__(weight)
        self._check = check
        # Of the object, as all checks are of one class.
        self.title = check.title  # type: ignore[misc]
        self.advice = check.advice  # type: ignore[misc]

    def look(self, case: Case) -> Measure | None:
        card = case.facts.value("scorecard")
        checks = card.get("checks") if isinstance(card, dict) else None
        found = checks.get(self._check.name) if isinstance(checks, dict) else None
        told = found.get("score") if isinstance(found, dict) else None
        if not isinstance(told, int | float) or isinstance(told, bool) or told < 0:
            return None
        assert isinstance(found, dict)  # noqa: S101 - for the type checker
        reason, url = found.get("reason"), found.get("url")
        return Measure(
            told,
            "of 10",
            told / BEST,
            reason if isinstance(reason, str) else "",
            url if isinstance(url, str) else "",
        )
