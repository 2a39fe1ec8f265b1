"""Measure what plain edit distance finds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from codeintel.trust.names.ecosystems import registry_spelling
from typosquat_parts.figures import Share
from typosquat_parts.samples import RANKED, Pair, Popular, is_listed


class Baseline(NamedTuple):
    """The imitations at Levenshtein distance 1 of their target, and of a target that the package
    lists, and the shares of honest names at distance 1 of a name: with the targets of all pairs,
    and without."""

    known: list[bool]
    listed: list[bool]
    false_known: dict[str, Share]
    false: dict[str, Share]


def baseline(pairs: Sequence[Pair], popular: Popular) -> Baseline:
    known = [_distance(pair, pair.name, pair.target) == 1 for pair in pairs]
    listed = [is_listed(pair, popular) and near for pair, near in zip(pairs, known, strict=True)]
    false_known, false = {}, {}
    for each in RANKED:
        famous, targets = popular.famous[each], [p.target for p in pairs if p.registry == each]
        false[each] = _near(each, popular.others[each], famous)
        false_known[each] = _near(each, popular.others[each], [*famous, *targets])
    return Baseline(known, listed, false_known, false)


def _near(ecosystem: str, names: Iterable[str], known: Iterable[str]) -> Share:
    """Return the share of names that are at distance 1 from a known name without being known."""
    spelled = {registry_spelling(ecosystem, name) for name in known}
    others = [registry_spelling(ecosystem, name) for name in names]
    return Share.of(
        name not in spelled
        and process.extractOne(name, spelled, scorer=Levenshtein.distance, score_cutoff=1)
        is not None
        for name in others
    )


def _distance(pair: Pair, name: str, target: str) -> int:
    first, second = (registry_spelling(pair.registry, each) for each in (name, target))
    return Levenshtein.distance(first, second)
