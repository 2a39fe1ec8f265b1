"""What the model weighs about a candidate, and how usual the letters of a name are beside each
other."""

from __future__ import annotations

import functools
import math
from collections import Counter

from codeintel.trust.names.candidate import Candidate
from codeintel.trust.names.shapes import EditKind
from codeintel.trust.names.spelling.distances import compact, plain, tokens
from codeintel.trust.names.tables import all_famous, own_words
from codeintel.trust.names.typos.structure import (
    STRUCTURAL,
    affix_features,
    log_length,
    structure_features,
)
from codeintel.trust.names.typos.words import consists_of_words, is_word, technologies, vocabulary

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


_TWICE = frozenset({EditKind.SEVERAL, EditKind.SOUND})


def features(ecosystem: str, name: str, candidate: Candidate) -> dict[str, float]:
    """The features of a candidate that are not 0, by name."""
    is_famous = candidate.rank > 0
    found = (
        structure_features(ecosystem, name, candidate)
        if candidate.edit.kind in STRUCTURAL
        else _spelling(name, candidate)
    )
    if candidate.affix:
        found |= affix_features(ecosystem, name, candidate)
    group = "famous" if is_famous else "words"
    found[group] = 1.0
    if is_famous:
        found["rank"] = 1 - math.log10(candidate.rank) / 3
    if candidate.owns:
        found["owner"] = 1.0
    return {key: value for key, value in found.items() if value}


def _spelling(name: str, candidate: Candidate) -> dict[str, float]:
    """What edits of letters have."""
    kind = candidate.edit.kind
    seen = plain(name)
    new, old = candidate.found, candidate.expected
    if candidate.rank and not candidate.owns and not candidate.affix:
        new, old = _different(tokens(seen), tokens(candidate.target), new, old)
    found = {
        f"kind_{kind}": 1.0,
        "length": log_length(old),
        "first": float(candidate.place == 0),
        "last": float(candidate.place >= max(len(candidate.found), len(candidate.expected)) - 1),
        "surprise": min(max(surprise(new) - surprise(old), -5.0), 10.0) / 5,
        "made_of_words": float(consists_of_words(new)),
        "word": float(is_word(new) or seen in all_famous()),
        "short": float(len(old) <= 4),
    }
    if candidate.rank:
        found["famous_technology"] = float(old in own_words().technologies)
        if len(tokens(candidate.target)) > 1:
            found["compound_famous"] = found[f"compound_{kind}"] = 1.0
    if kind in _TWICE:
        found["twice_length"] = log_length(old)
    if kind == EditKind.INSERTION and (found["first"] or found["last"]):
        found["insertion_outside"] = 1.0
    if (
        not candidate.rank
        and kind != EditKind.REPETITION
        and (is_word(new[:-1]) or is_word(new[1:]))
    ):
        found["letter_outside"] = 1.0
    if not candidate.rank:
        found["length"] = log_length(compact(candidate.target))
        found["tokens"] = float(len(tokens(seen)) - 1)
        found["part"] = float(new not in tokens(seen))
        found["word_length"] = log_length(old)
        found["unknown"] = float(not consists_of_words(old))
        found["technology"] = float(old in technologies())
    return found


def _different(
    new: tuple[str, ...], old: tuple[str, ...], found: str, expected: str
) -> tuple[str, str]:
    """The one word in which two names of as many words differ; else what was compared."""
    pairs = [pair for pair in zip(new, old, strict=False) if pair[0] != pair[1]]
    return pairs[0] if len(new) == len(old) and len(pairs) == 1 else (found, expected)
