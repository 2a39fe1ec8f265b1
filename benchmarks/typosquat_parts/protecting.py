"""What names find that are protected: how much more a likeness to them may weigh, and what is found
of imitations whose target is known."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np

from codeintel.trust.names.features import features
from codeintel.trust.names.model import OTHER
from codeintel.trust.names.protected import ProtectedNames
from typosquat_parts.samples import RANKED, Pair, Popular, Sample
from typosquat_parts.training import Fitted, logit

# So many protected names may make so great a share of honest names suspicious that are not without
# them; the figure is the mean over so many lists, drawn from the ranks that the package lacks.
PROTECTED = 100
FALSE_POSITIVES = 0.002
_DRAWS = 5
# Shifts are of whole tenths: more digits would be noise.
_STEPS = 10
_MOST = 3.0


class Draws(NamedTuple):
    """Honest names beside lists of protected names that were drawn, by ecosystem."""

    samples: dict[str, list[list[Sample]]]

    @classmethod
    def of(cls, popular: Popular) -> Draws:
        return cls({each: _drawn(each, popular.others[each]) for each in RANKED})

    def shifts(self, fitted: Fitted) -> dict[str, float]:
        """What may be added to the logit of a likeness to a protected name, by ecosystem; the least
        of them where neither is meant."""
        found = {each: self._shift(each, fitted) for each in RANKED}
        return {**found, OTHER: min(found.values())}

    def _shift(self, ecosystem: str, fitted: Fitted) -> float:
        lists = self.samples[ecosystem]
        logits = [logit(each, fitted.coefficients) for drawn in lists for each in drawn]
        last = np.quantile(logits, 1 - FALSE_POSITIVES, method="higher")
        below = min(fitted.thresholds[ecosystem] - float(last), _MOST)
        return max(0, int(below * _STEPS)) / _STEPS


def _drawn(ecosystem: str, names: Sequence[str]) -> list[list[Sample]]:
    found = []
    for seed in range(_DRAWS):
        protected = ProtectedNames(ecosystem, random.Random(seed).sample(names, PROTECTED))
        found.append([beside(protected, ecosystem, name) for name in names])
    return found


def protecting(pairs: Iterable[Pair]) -> dict[str, ProtectedNames]:
    """What pairs imitate, protected, by ecosystem."""
    targets: dict[str, list[str]] = {each: [] for each in RANKED}
    for pair in pairs:
        targets.setdefault(pair.registry, []).append(pair.target)
    return {each: ProtectedNames(each, names) for each, names in targets.items()}


def beside(protected: ProtectedNames, ecosystem: str, name: str) -> Sample:
    """A name with its likenesses to protected names alone."""
    if protected.has(name):
        return Sample(ecosystem, False, [])
    found = list(protected.candidates(name))
    is_certain = any(each.probability > 0 for each in found)
    weighed = [features(ecosystem, name, each) for each in found]
    return Sample(ecosystem, False, weighed, is_certain=is_certain)
