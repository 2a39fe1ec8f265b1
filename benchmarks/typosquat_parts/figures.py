"""Measure what the detector finds with models that have not seen the names they judge."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from codeintel.trust.names import ProtectedNames, Suspicion
from codeintel.trust.names.detector import compared
from codeintel.trust.names.weighing import Model
from typosquat_parts.protecting import Draws, protecting
from typosquat_parts.samples import RANKED, Pair, Sample, to_learn
from typosquat_parts.training import fit

FOLDS = 5


class Share(NamedTuple):
    """A share of a whole, as two counts."""

    part: int
    whole: int

    @classmethod
    def of(cls, found: Iterable[bool]) -> Share:
        seen = list(found)
        return cls(sum(seen), len(seen))

    def __str__(self) -> str:
        share = f"{self.part / self.whole:.3f}" if self.whole else "-"
        return f"{share} ({self.part}/{self.whole})"


class Found(NamedTuple):
    """The suspicious pairs by index, the share of them that have the right target, and the share of
    honest names that are suspicious, by ecosystem."""

    pairs: list[bool]
    named: Share
    false: dict[str, Share]


class Material(NamedTuple):
    """The data to learn from and to judge: imitations, honest names and their samples, generated
    imitations, and lists of protected names to draw from."""

    pairs: Sequence[Pair]
    names: Mapping[str, Sequence[str]]
    honest: Mapping[str, Sequence[Sample]]
    made: Sequence[Sample]
    draws: Draws

    def model(self, pairs: Sequence[Pair], left_out: int, parts: int) -> Model:
        """A model of some pairs, and of all honest names but each `parts`-th."""
        kept = [
            sample
            for each in RANKED
            for place, sample in enumerate(self.honest[each])
            if place % parts != left_out
        ]
        fitted = fit([*map(to_learn, pairs), *self.made, *kept])
        return fitted.model(self.draws.shifts(fitted, left_out, parts))


def folded(material: Material, seed: int) -> tuple[Found, Found]:
    """Judge the pairs and the honest names in five parts, each with a model of the other four, then
    again with the targets of the pairs protected. All of it runs in parallel."""
    pairs = material.pairs
    order = list(range(len(pairs)))
    random.Random(seed).shuffle(order)
    found = _Counting(material), _Counting(material, protecting(pairs))
    for fold in range(FOLDS):
        test = set(order[fold::FOLDS])
        learnt = [pair for place, pair in enumerate(pairs) if place not in test]
        weights = material.model(learnt, fold, FOLDS)
        for each in found:
            each.count(weights, test, fold, FOLDS)
    return found[0].result(), found[1].result()


def halved(material: Material) -> dict[str, Share]:
    """False positives among every second honest name, for a model of the others; both ways."""
    found = _Counting(material)
    for half in range(2):
        found.count(material.model(material.pairs, half, 2), set(), half, 2)
    return found.result().false


class _Counting:
    """The sum of what several models find."""

    def __init__(
        self, material: Material, protected: Mapping[str, ProtectedNames] | None = None
    ) -> None:
        self._material = material
        self._protected = protected or {}
        self._pairs = [False] * len(material.pairs)
        self._named: list[bool] = []
        self._false: dict[str, list[bool]] = {each: [] for each in RANKED}

    def count(self, weights: Model, pairs: Iterable[int], part: int, parts: int) -> None:
        """Judge the pairs at these places and one part of the honest names."""
        for place in pairs:
            pair = self._material.pairs[place]
            found = self._compared(pair.registry, pair.name, weights)
            self._pairs[place] = found is not None and found.suspicious
            if found is not None and found.suspicious:
                self._named.append(found.target.lower() == pair.target.lower())
        for each in RANKED:
            for name in self._material.names[each][part::parts]:
                found = self._compared(each, name, weights)
                self._false[each].append(found is not None and found.suspicious)

    def result(self) -> Found:
        false = {each: Share.of(seen) for each, seen in self._false.items()}
        return Found(self._pairs, Share.of(self._named), false)

    def _compared(self, ecosystem: str, name: str, weights: Model) -> Suspicion | None:
        return compared(ecosystem, name, self._protected.get(ecosystem), weights)
