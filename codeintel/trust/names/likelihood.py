"""How usual letters are beside each other in names."""

from __future__ import annotations

import functools
import math
from collections import Counter

from codeintel.trust.names.typos.words import vocabulary

_EDGE = "^"
# Letters that were never seen beside each other are as if seen this often.
_SMOOTHING = 0.2
_ALPHABET = 38


@functools.cache
def _counts() -> tuple[Counter[str], Counter[str]]:
    triples: Counter[str] = Counter()
    pairs: Counter[str] = Counter()
    for word in vocabulary():
        padded = _EDGE * 2 + word + _EDGE
        for start in range(len(padded) - 2):
            triples[padded[start : start + 3]] += 1
            pairs[padded[start : start + 2]] += 1
    return triples, pairs


def surprise(token: str) -> float:
    """Minus the natural logarithm of the probability of a token under a model of triples of
    letters with additive smoothing, made of the known words."""
    triples, pairs = _counts()
    padded = _EDGE * 2 + token + _EDGE
    total = 0.0
    for start in range(len(padded) - 2):
        seen = triples[padded[start : start + 3]] + _SMOOTHING
        total -= math.log(seen / (pairs[padded[start : start + 2]] + _SMOOTHING * _ALPHABET))
    return total
