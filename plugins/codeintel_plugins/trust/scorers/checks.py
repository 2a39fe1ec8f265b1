"""Checks of the OpenSSF Scorecard
(https://github.com/ossf/scorecard/blob/main/docs/checks.md), each from 0 to 10."""

from __future__ import annotations

from dataclasses import dataclass

from codeintel.contracts import Case, Measure
from codeintel_plugins.trust.scorers.repository import OfRepository
from codeintel_plugins.trust.scorers.weighted import Weight, Weighted

BEST = 10


@dataclass(frozen=True)
class Check:
    """One check, by Scorecard's name, with what it is called here."""

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
        "Keep workflows with secrets from running code of pull requests.",
    ),
    "branch-protection": Check(
        "Branch-Protection", "Branch protection", "Protect the branches that releases come from."
    ),
    "token-permissions": Check(
        "Token-Permissions",
        "Narrow workflow tokens",
        "Give workflow tokens read access, and more only where a job needs it.",
    ),
    "binary-artifacts": Check(
        "Binary-Artifacts", "No binaries in the repository", "Build binaries from source instead."
    ),
    "security-policy": Check(
        "Security-Policy", "Security policy", "Add a SECURITY.md that says how to report a flaw."
    ),
    "static-analysis": Check("SAST", "Static analysis", "Run a static analyser on each change."),
    "maintained": Check(
        "Maintained", "Recent work", "Answer issues and commit, or hand the project over."
    ),
    "signed-releases": Check("Signed-Releases", "Signed releases", "Sign what you release."),
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
