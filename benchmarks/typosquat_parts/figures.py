"""What the detector and plain edit distance find."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from codeintel.trust.names.ecosystems import registry_spelling
from codeintel.trust.names.model import OTHER
from typosquat_parts.protecting import Draws, beside, protecting
from typosquat_parts.samples import (
    RANKED,
    Pair,
    Popular,
    Sample,
    is_listed,
    to_judge,
    to_learn,
)
from typosquat_parts.training import Fitted, fit

FOLDS = 5


class Share(NamedTuple):
    """So many of so many."""

    part: int
    whole: int

    @classmethod
    def of(cls, found: Iterable[bool]) -> Share:
        seen = list(found)
        return cls(sum(seen), len(seen))

    def __str__(self) -> str:
        share = f"{self.part / self.whole:.3f}" if self.whole else "-"
        return f"{share} ({self.part}/{self.whole})"


class Folded(NamedTuple):
    """Which pairs were found by a model that was not trained on them, by place; and the same for
    honest names, by ecosystem. The others are with what the pairs imitate protected, all at
    once."""

    found: list[bool]
    false: dict[str, Share]
    found_protected: list[bool]
    false_protected: dict[str, Share]


class Known(NamedTuple):
    """Pairs and honest names beside what the pairs imitate, which is protected."""

    pairs: list[Sample]
    honest: dict[str, list[Sample]]
    draws: Draws

    @classmethod
    def of(cls, pairs: Sequence[Pair], popular: Popular) -> Known:
        lists = protecting(pairs)
        return cls(
            [beside(lists[pair.registry], pair.registry, pair.name) for pair in pairs],
            {e: [beside(lists[e], e, name) for name in popular.others[e]] for e in RANKED},
            Draws.of(popular),
        )


def folded(
    pairs: Sequence[Pair],
    honest: dict[str, list[Sample]],
    made: Sequence[Sample],
    known: Known,
    seed: int,
) -> Folded:
    """The pairs and the honest names in five parts, each judged by a model of the other four."""
    order = list(range(len(pairs)))
    random.Random(seed).shuffle(order)
    found = [False] * len(pairs)
    found_protected = list(found)
    false: dict[str, list[bool]] = {each: [] for each in RANKED}
    false_protected: dict[str, list[bool]] = {each: [] for each in RANKED}
    for fold in range(FOLDS):
        test = set(order[fold::FOLDS])
        learnt = [to_learn(pair) for place, pair in enumerate(pairs) if place not in test]
        kept = [
            sample
            for each in RANKED
            for place, sample in enumerate(honest[each])
            if place % FOLDS != fold
        ]
        model = fit([*learnt, *made, *kept])
        shifts = known.draws.shifts(model)
        for place in test:
            found[place] = model.catches(to_judge(pairs[place]))
            shift = shifts.get(pairs[place].registry, shifts[OTHER])
            found_protected[place] = found[place] or model.catches(known.pairs[place], shift)
        for each in RANKED:
            seen = [model.catches(sample) for sample in honest[each][fold::FOLDS]]
            more = [
                model.catches(sample, shifts[each]) for sample in known.honest[each][fold::FOLDS]
            ]
            false[each] += seen
            false_protected[each] += [one or other for one, other in zip(seen, more, strict=True)]
    return Folded(found, _shares(false), found_protected, _shares(false_protected))


def halved(
    pairs: Sequence[Pair], honest: dict[str, list[Sample]], made: Sequence[Sample]
) -> dict[str, Share]:
    """False positives among every second honest name, for a model of the others; both ways."""
    false: dict[str, list[bool]] = {each: [] for each in RANKED}
    for half in range(2):
        kept = [sample for each in RANKED for sample in honest[each][half::2]]
        model: Fitted = fit([*map(to_learn, pairs), *made, *kept])
        for each in RANKED:
            false[each] += [model.catches(sample) for sample in honest[each][1 - half :: 2]]
    return _shares(false)


def _shares(false: dict[str, list[bool]]) -> dict[str, Share]:
    return {each: Share.of(seen) for each, seen in false.items()}


class Baseline(NamedTuple):
    """What Levenshtein distance 1 finds: with the target known, among the names that the package
    knows, and falsely among these."""

    known: list[bool]
    listed: list[bool]
    false: dict[str, Share]


def baseline(pairs: Sequence[Pair], popular: Popular) -> Baseline:
    known = [_distance(pair, pair.name, pair.target) == 1 for pair in pairs]
    listed = [is_listed(pair, popular) and near for pair, near in zip(pairs, known, strict=True)]
    false = {}
    for each in RANKED:
        famous = [registry_spelling(each, name) for name in popular.famous[each]]
        false[each] = Share.of(
            process.extractOne(
                registry_spelling(each, name), famous, scorer=Levenshtein.distance, score_cutoff=1
            )
            is not None
            for name in popular.others[each]
        )
    return Baseline(known, listed, false)


def _distance(pair: Pair, name: str, target: str) -> int:
    first, second = (registry_spelling(pair.registry, each) for each in (name, target))
    return Levenshtein.distance(first, second)
