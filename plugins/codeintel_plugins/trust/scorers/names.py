"""Names that look like famous ones."""

from __future__ import annotations

from codeintel.contracts import Case, Measure
from codeintel.trust.names import digest, suspicion
from codeintel_plugins.trust.scorers.weighted import Weight, Weighted


class LookalikeName(Weighted):
    """1 less the probability that the name imitates a famous one. Needs no upstream."""

    title = "Name of its own"
    reads = ()
    advice = "Choose a name that nobody takes for another package's."

    def __init__(self, weight: Weight) -> None:
        super().__init__(weight)
        self.version = f"2 {digest()}"

    def measure(self, case: Case) -> Measure | None:
        found = suspicion(case.target.ecosystem, case.target.name)
        if found is None:
            return Measure("none", "", 1.0, "No famous name looks alike.")
        note = f"Looks like {found.target}: {found.edit.detail}." if found.suspicious else ""
        return Measure(found.target, "", 1.0 - found.probability, note)
