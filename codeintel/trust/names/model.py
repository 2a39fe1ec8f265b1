"""The model that weighs the features of a candidate: a logistic regression."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from importlib import resources

import msgspec

OTHER = "other"
# So many protected names are few.
FEW = 100


class Model(msgspec.Struct, frozen=True):
    """The coefficients by feature, an intercept by ecosystem (`other` for those without a list by
    downloads), and the probability from which a name is suspicious.

    The intercepts are such that the share `false_positives` of honest names reaches the threshold:
    a probability is relative to that, not to how many imitations a registry holds. `protected` is
    what a likeness to one of few protected names weighs more, in logits, by ecosystem. `trained` is
    a date; `method` tells how and on what.
    """

    trained: str
    method: str
    false_positives: float
    threshold: float
    protected: dict[str, float]
    intercepts: dict[str, float]
    coefficients: dict[str, float]

    def shift(self, ecosystem: str, count: int) -> float:
        """What a likeness to one of so many protected names weighs more, in logits. More of them
        are resembled by chance, about in proportion to their number."""
        most = self.protected.get(ecosystem, self.protected[OTHER])
        return max(0.0, most - math.log(max(count, FEW) / FEW))

    def probability(
        self, ecosystem: str, features: Mapping[str, float], shift: float = 0.0
    ) -> float:
        """From 0 to 1. A feature without a coefficient weighs nothing."""
        weights = self.coefficients
        logit = self.intercepts.get(ecosystem, self.intercepts[OTHER]) + shift
        logit += sum(weights.get(name, 0.0) * value for name, value in features.items())
        return 1 / (1 + math.exp(-max(min(logit, 50.0), -50.0)))


@functools.cache
def model() -> Model:
    """The model that is part of the package."""
    file = resources.files("codeintel.trust.names").joinpath("data", "model.json")
    return msgspec.json.decode(file.read_bytes(), type=Model)
