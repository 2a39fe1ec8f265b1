"""Known flaws in the version that is judged."""

from __future__ import annotations

from math import prod

from codeintel.contracts import Case, Measure
from codeintel_plugins.trust.scorers.weighted import Weighted, number

UNKNOWN_SEVERITY = 5.0
"""Of an advisory that does not say: the middle of the scale."""
WORST = 10.0


class KnownAdvisories(Weighted):
    """The product of `1 - severity / 10` over all advisories, severities being CVSS base scores:
    one of severity 10 leaves nothing, and each further one takes its part of what is left."""

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
        return Measure(len(severities), "advisories", left, note)


def _severity(advisory: dict[str, object]) -> float:
    told = number(advisory.get("severity"))
    return UNKNOWN_SEVERITY if told is None else min(WORST, max(0.0, float(told)))
