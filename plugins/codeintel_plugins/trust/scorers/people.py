"""Who maintains a package, and on how many its work rests."""

from __future__ import annotations

from codeintel.contracts import Case, Measure
from codeintel_plugins.trust.scorers.repository import OfRepository
from codeintel_plugins.trust.scorers.weighted import Weighted, falling, number

ENOUGH = 3
ALONE = 0.4
"""For one maintainer: most packages have no more, and most of those do no harm."""
HALF = 0.5


class Maintainers(Weighted):
    """.4 for one who may publish, .7 for two, 1 for three or more."""

    title = "People who may publish"
    reads = ("maintainers",)
    advice = "Give a second and a third person the right to publish."

    def measure(self, case: Case) -> Measure | None:
        found = case.facts.value("maintainers")
        if not isinstance(found, list) or not found:  # every package has one: nobody tells
            return None
        score = ALONE + (1 - ALONE) * (min(len(found), ENOUGH) - 1) / (ENOUGH - 1)
        return Measure(len(found), "people", score)


class ContributorDepth(OfRepository, Weighted):
    """How much of the work is not one person's: 1 where the first of at most 100 contributors has
    half of the contributions or less, 0 where all are theirs, a straight line between."""

    title = "Work on several shoulders"
    reads = ("contributors",)
    advice = "Let others take on parts of the work."

    def look(self, case: Case) -> Measure | None:
        found = case.facts.value("contributors")
        share = number(found.get("topShare")) if isinstance(found, dict) else None
        if share is None or not 0 <= share <= 1:
            return None
        percent = round(100.0 * share, 1)
        return Measure(percent, "% by one person", falling(share, HALF, 1.0))
