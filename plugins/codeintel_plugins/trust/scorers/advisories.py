"""Known flaws in the version that is judged."""

from __future__ import annotations

from math import prod

from codeintel.contracts import Case, Measure
from codeintel_plugins.trust.scorers.weighted import Weighted, number

UNKNOWN_SEVERITY = 5.0
"""Of an advisory that does not say: the middle of the scale."""
WORST = 10.0
MIDDLES = {"critical": 9.5, "high": 7.95, "medium": 5.45, "low": 2.0}
"""Of the ranges that words mean where there is no score
(https://www.first.org/cvss/v4.0/specification-document#Qualitative-Severity-Rating-Scale)."""
_MALICIOUS = "MAL-"
"""Ids of packages that were made to do harm (https://github.com/ossf/malicious-packages), which
have no score: nothing is worse."""


class KnownAdvisories(Weighted):
    """The product of `1 - severity / 10` over all advisories, severities being CVSS base scores,
    or the middle of what a word for it means, and 10 for what was made to do harm: one of
    severity 10 leaves nothing, and each further one takes its part of what is left. A package
    that was made to do harm has no points at all, whatever else is said of it."""

    title = "Known advisories"
    reads = ("advisories",)
    advice = "Release a version that no advisory affects."

    def measure(self, case: Case) -> Measure | None:
        found = case.facts.value("advisories")
        if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
            return None  # what cannot be read must not pass for none
        severities = [_severity(each) for each in found]
        note = "No known advisory affects this version."
        if severities:
            worst = max(range(len(severities)), key=severities.__getitem__)
            name = found[worst].get("id", "nameless")
            note = f"The worst is {name}, {severities[worst]:g} of 10."
        left = prod(1 - severity / WORST for severity in severities)
        is_malice = any(map(_is_malice, found))
        if is_malice:
            note = f"It is known to be malicious. {note}"
        return Measure(len(severities), "advisories", left, note, settles=is_malice)


def _severity(advisory: dict[str, object]) -> float:
    if _is_malice(advisory):
        return WORST
    told = number(advisory.get("severity"))
    if told is None:
        return MIDDLES.get(str(advisory.get("level")), UNKNOWN_SEVERITY)
    return min(WORST, max(0.0, float(told)))


def _is_malice(advisory: dict[str, object]) -> bool:
    aliases = advisory.get("aliases")
    names = [advisory.get("id"), *(aliases if isinstance(aliases, list) else ())]
    return any(isinstance(name, str) and name.startswith(_MALICIOUS) for name in names)
