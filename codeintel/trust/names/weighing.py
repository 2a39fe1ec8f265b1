"""The probability of an imitation: the features of a candidate and the model that weighs them."""

from __future__ import annotations

import functools
import math
from collections import Counter
from collections.abc import Mapping
from importlib import resources

import msgspec

from codeintel.trust.names.misspelt import consists_of_words, is_word, technologies, vocabulary
from codeintel.trust.names.shapes import Candidate, EditKind
from codeintel.trust.names.spelling import (
    compact,
    is_glued,
    is_language,
    is_own_language,
    plain,
    tokens,
)
from codeintel.trust.names.tables import all_famous, own_words

OTHER = "other"
# Up to this number, protected names count as few.
FEW = 100


class Model(msgspec.Struct, frozen=True):
    """A model: coefficients by feature, intercepts by ecosystem, and the threshold of suspicion.

    Ecosystems without a list by downloads use the intercept `other`. The intercepts are chosen so
    that the share `false_positives` of legitimate names reaches the threshold. So a probability is
    relative to that, not to the number of imitations in a registry. `protected` is the extra weight
    of a likeness to one of few protected names, in logits, by ecosystem. `trained` is a date.
    `method` describes the training and its data.
    """

    trained: str
    method: str
    false_positives: float
    threshold: float
    protected: dict[str, float]
    intercepts: dict[str, float]
    coefficients: dict[str, float]

    def shift(self, ecosystem: str, count: int) -> float:
        """Return the extra weight of a likeness to one of `count` protected names, in logits.

        More protected names are resembled by chance, about in proportion to their number.
        """
        most = self.protected.get(ecosystem, self.protected[OTHER])
        return max(0.0, most - math.log(max(count, FEW) / FEW))

    def probability(
        self, ecosystem: str, features: Mapping[str, float], shift: float = 0.0
    ) -> float:
        """Return a probability from 0 to 1. A feature without a coefficient weighs nothing."""
        weights = self.coefficients
        logit = self.intercepts.get(ecosystem, self.intercepts[OTHER]) + shift
        logit += sum(weights.get(name, 0.0) * value for name, value in features.items())
        return 1 / (1 + math.exp(-max(min(logit, 50.0), -50.0)))


@functools.cache
def model() -> Model:
    """Return the model in the package."""
    file = resources.files("codeintel.trust.names").joinpath("data", "model.json")
    return msgspec.json.decode(file.read_bytes(), type=Model)


STRUCTURAL = frozenset(
    {EditKind.SEPARATORS, EditKind.AFFIX, EditKind.WORD_ORDER, EditKind.SCOPE, EditKind.CASE}
)


def log_length(letters: str) -> float:
    """Return the length of letters, in doublings of 8."""
    return math.log2(max(len(letters), 1)) - 3


def structure_features(ecosystem: str, name: str, candidate: Candidate) -> dict[str, float]:
    """Return the features of a candidate whose edit is structural, by name."""
    kind = candidate.edit.kind
    group = "famous" if candidate.rank else "words"
    found = {f"{group}_{kind}": 1.0, "structure_length": log_length(candidate.expected)}
    if candidate.rank:
        found["joined"] = float(len(tokens(plain(name))) < len(tokens(candidate.target)))
        found["structure_rank"] = 1 - math.log10(candidate.rank) / 3
    if ecosystem == "npm":
        found[f"npm_{group}_{kind}"] = 1.0
    if kind == EditKind.AFFIX and not candidate.affix:
        found["affix_left_out"] = 1.0
    return found


def affix_features(ecosystem: str, name: str, candidate: Candidate) -> dict[str, float]:
    """Return the features of an added word: its kind, its position, its separator, and its target.

    Each registry has different habits: `python-x` and `x.js` are common, `x-npm` is not.
    """
    affix, rest = candidate.affix, candidate.expected
    family = "foreign" if is_language(affix) else "word"
    if is_own_language(ecosystem, affix):
        family = "own"
    side = "after" if plain(name).endswith(affix) else "before"
    joint = "dotted" if "." in affix else "apart"
    if is_glued(affix):
        joint = "glued"
    is_technology = compact(rest) in own_words().technologies
    return {
        f"affix_{family}": 1.0,
        f"affix_{side}_{joint}": 1.0,
        f"{ecosystem}_{family}_{side}_{joint}": 1.0,
        f"technology_{joint}": float(is_technology),
        f"{family}_technology": float(is_technology),
        f"compound_{joint}": float(len(tokens(rest)) > 1),
    }


_EDGE = "^"
# Letters that were never seen next to each other count as if seen this often.
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
    """Return minus the natural logarithm of a token's probability.

    The model counts triples of letters in the known words, with additive smoothing.
    """
    triples, pairs = _counts()
    padded = _EDGE * 2 + token + _EDGE
    total = 0.0
    for start in range(len(padded) - 2):
        seen = triples[padded[start : start + 3]] + _SMOOTHING
        total -= math.log(seen / (pairs[padded[start : start + 2]] + _SMOOTHING * _ALPHABET))
    return total


_TWICE = frozenset({EditKind.SEVERAL, EditKind.SOUND})


def features(ecosystem: str, name: str, candidate: Candidate) -> dict[str, float]:
    """Return the nonzero features of a candidate, by name."""
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
    """Return the features of letter edits."""
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
    """Return the only word in which two names with the same number of words differ, else the
    compared texts.
    """
    pairs = [pair for pair in zip(new, old, strict=False) if pair[0] != pair[1]]
    return pairs[0] if len(new) == len(old) and len(pairs) == 1 else (found, expected)
