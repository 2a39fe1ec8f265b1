"""Known flaws in the version that is judged."""

from __future__ import annotations

from math import prod

from codeintel.contracts import Case, Measure
from codeintel.contracts.advisories import advisory_rows, is_gone, is_known_malware, is_malicious
from codeintel_plugins.trust.scorers.weighted import Weighted, number

UNKNOWN_SEVERITY = 5.0
"""Of an advisory that does not say: the middle of the scale."""
WORST = 10.0
MIDDLES = {"critical": 9.5, "high": 7.95, "medium": 5.45, "low": 2.0}
"""Of the ranges that words mean where there is no score
(https://www.first.org/cvss/v4.0/specification-document#Qualitative-Severity-Rating-Scale)."""
_GONE = "No registry lists it any more."


class KnownAdvisories(Weighted):
    """The product of `1 - severity / 10` over all advisories, severities being CVSS base scores,
    or the middle of what a word for it means, and 10 for what was made to do harm: one of
    severity 10 leaves nothing, and each further one takes its part of what is left. A package
    that was made to do harm has no points at all, whatever else is said of it. Where no registry
    knows a version any more, the malware records of the package as a whole decide."""

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
            note = f"The worst is {name}, {severities[worst]:g} of 10."
        left = prod(1 - severity / WORST for severity in severities)
        is_malice = any(map(is_malicious, found))
        if is_malice:
            note = f"It is known to be malicious. {note}"
        return Measure(len(severities), "advisories", left, note, settles=is_malice)


def _of_removed(case: Case) -> Measure | None:
    """The measure of a package that no registry lists: malware, or nothing is known."""
    if not is_known_malware(case.facts):
        return None
    found = advisory_rows(case.facts)
    return Measure(
        len(found),
        "advisories",
        0.0,
        f"It is known to be malicious: {found[0].get('id')}. {_GONE}",
        settles=True,
    )


def _severity(advisory: dict[str, object]) -> float:
    if is_malicious(advisory):
        return WORST
    told = number(advisory.get("severity"))
    if told is None:
        return MIDDLES.get(str(advisory.get("level")), UNKNOWN_SEVERITY)
    return min(WORST, max(0.0, float(told)))
