"""How much more a likeness to a protected name may weigh, and what it costs."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from codeintel.trust.names.protected import ProtectedNames
from codeintel.trust.names.weighing import FEW, OTHER, features
from typosquat_parts.samples import RANKED, Pair, Popular, Sample
from typosquat_parts.training import Fitted, logit

# So great a share of honest names, in the mean of the lists, may be suspicious for a few protected
# names alone. Lists are drawn from the ranks that the package lacks.
FALSE_POSITIVES = 0.002
_DRAWS = 5
# Shifts are of whole tenths: more digits would be noise. Where chance allows more, three logits are
# what half of the weight of an edit is.
_STEPS = 10
_MOST = 3.0


class Draws(NamedTuple):
    """Honest names, compared with random lists of protected names, by ecosystem and list.

    A sample is None if the name itself is protected.
    """

    samples: dict[str, list[list[Sample | None]]]

    @classmethod
    def of(cls, popular: Popular) -> Draws:
        return cls({each: _drawn(each, popular.others[each]) for each in RANKED})

    def shifts(self, fitted: Fitted, left_out: int = 0, parts: int = 0) -> dict[str, float]:
        """Return the amount to add to the logit of a similarity to a protected name, by ecosystem.

        Other ecosystems get the smallest amount.

        :param left_out: with `parts`, the part whose names are skipped.
        """
        found = {each: self._shift(each, fitted, left_out, parts) for each in RANKED}
        return {**found, OTHER: min(found.values())}

    def _shift(self, ecosystem: str, fitted: Fitted, left_out: int, parts: int) -> float:
        logits = [
            float("inf") if each.is_certain else logit(each, fitted.coefficients)
            for drawn in self.samples[ecosystem]
            for place, each in enumerate(drawn)
            if each is not None and not (parts and place % parts == left_out)
        ]
        last = np.quantile(logits, 1 - FALSE_POSITIVES, method="higher")
        below = min(fitted.thresholds[ecosystem] - float(last), _MOST)
        return max(0, int(below * _STEPS)) / _STEPS


def _drawn(ecosystem: str, names: Sequence[str]) -> list[list[Sample | None]]:
    return [[_beside(each, name) for name in names] for each in drawn_lists(ecosystem, names, FEW)]


def drawn_lists(
    ecosystem: str, names: Sequence[str], count: int, more: Sequence[str] = ()
) -> list[ProtectedNames]:
    """Lists of so many protected names, the same each time, and of further ones."""
    return [
        ProtectedNames(ecosystem, [*random.Random(seed).sample(names, count), *more])
        for seed in range(_DRAWS)
    ]


def _beside(protected: ProtectedNames, name: str) -> Sample | None:
    """A name with its likenesses to protected names alone."""
    if protected.has(name):
        return None
    found = list(protected.candidates(name))
    is_certain = any(each.probability > 0 for each in found)
    weighed = [features(protected.ecosystem, name, each) for each in found]
    return Sample(protected.ecosystem, False, weighed, is_certain=is_certain)


def protecting(pairs: Iterable[Pair]) -> dict[str, ProtectedNames]:
    """Return the names that the pairs imitate as protected names, by ecosystem."""
    targets: dict[str, list[str]] = {}
    for pair in pairs:
        targets.setdefault(pair.registry, []).append(pair.target)
    return {each: ProtectedNames(each, names) for each, names in targets.items()}
