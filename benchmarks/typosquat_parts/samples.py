"""The names on which the model is trained and measured."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from codeintel.trust.names.detector import candidates
from codeintel.trust.names.ecosystems import canonical_ecosystem, registry_spelling
from codeintel.trust.names.spelling import compact
from codeintel.trust.names.tables import own_words
from codeintel.trust.names.weighing import features
from typosquat_parts.mutations import mutants

RANKED = ("npm", "pypi")
LAST_FAMOUS = 1000
_REPORTED = Path(__file__).parent / "reported.csv"
# The number of generated imitations of famous names, of other names and of technologies, for each
# ecosystem, and the weight of one relative to a real imitation.
_MADE_OF_FAMOUS, _MADE_OF_OTHERS, _MADE_OF_TECHNOLOGIES, _WEIGHT = 500, 300, 500, 0.05


class Pair(NamedTuple):
    """An imitation and what it imitates."""

    ecosystem: str
    name: str
    target: str

    @property
    def registry(self) -> str:
        return canonical_ecosystem(self.ecosystem)


class Popular(NamedTuple):
    """Names by downloads: those that the package knows, and those that it does not."""

    famous: dict[str, list[str]]
    others: dict[str, list[str]]


class Sample(NamedTuple):
    """A name with the features of its candidates; `weight` is in names."""

    ecosystem: str
    is_imitation: bool
    candidates: list[dict[str, float]]
    weight: float = 1.0
    is_certain: bool = False


def read_pairs(file: Path) -> list[Pair]:
    lines = [line for line in file.read_text("utf-8").splitlines() if not line.startswith("#")]
    return [Pair(row["ecosystem"], row["name"], row["target"]) for row in csv.DictReader(lines)]


def reported() -> list[Pair]:
    """Return the reported pairs, which are never used for training."""
    return read_pairs(_REPORTED)


def read_popular(file: Path) -> Popular:
    """:param file: columns `ecosystem`, `rank` and `name`."""
    found = Popular({each: [] for each in RANKED}, {each: [] for each in RANKED})
    with file.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            is_famous = int(row["rank"]) <= LAST_FAMOUS
            (found.famous if is_famous else found.others)[row["ecosystem"]].append(row["name"])
    return found


def is_listed(pair: Pair, popular: Popular) -> bool:
    """Return whether the package lists the name that a pair imitates."""
    listed = popular.famous.get(pair.registry, [])
    return registry_spelling(pair.registry, pair.target) in {
        registry_spelling(pair.registry, name) for name in listed
    }


def honest(ecosystem: str, names: Sequence[str]) -> list[Sample]:
    return [Sample(ecosystem, False, _features(ecosystem, name, None)) for name in names]


def to_learn(pair: Pair, weight: float = 1.0) -> Sample:
    """Return an imitation as a sample, with only the candidates that lead to its target."""
    return Sample(pair.registry, True, _features(pair.registry, pair.name, pair.target), weight)


def made(popular: Popular) -> list[Sample]:
    """Imitations made by machine, the same each time, without those that are honest names."""
    found = []
    for ecosystem in RANKED:
        famous, others = popular.famous[ecosystem], popular.others[ecosystem]
        kinds = (
            (famous, _MADE_OF_FAMOUS),
            (others, _MADE_OF_OTHERS),
            (sorted(own_words().technologies), _MADE_OF_TECHNOLOGIES),
        )
        for seed, (names, count) in enumerate(kinds):
            for name, target in mutants(ecosystem, names, count, seed):
                if name not in others and name not in famous:
                    found.append(to_learn(Pair(ecosystem, name, target), _WEIGHT))
    return found


def _features(ecosystem: str, name: str, target: str | None) -> list[dict[str, float]]:
    return [
        features(ecosystem, name, each)
        for each in candidates(ecosystem, name)
        if target is None or compact(each.target) == compact(target)
    ]
