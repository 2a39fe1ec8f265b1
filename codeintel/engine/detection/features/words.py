"""Words that speak for languages, and how loudly: keywords, and names that everybody uses.

What many languages share has little weight. A language's words add up, so that the mix decides.
"""

from __future__ import annotations

import re
from collections import Counter

from codeintel.engine.detection.features.words_common import COMMON
from codeintel.engine.detection.features.words_others import OTHERS
from codeintel.engine.detection.idioms.all import loudness

_WORD = re.compile(r"[A-Za-z_]\w*")
_COMPOUND = re.compile(r"[$@%]?[A-Za-z_]\w*(?:[.-][A-Za-z_]\w*|!|\?)?")
_SCALE = 0.5
"""What a word of weight 1 is worth beside an idiom of weight 1."""

# Words of prose, which comments and texts are full of: they say little.
_PROSE = """
    a about all also and any append are array as at base be before begin by call can case cat
    check class close cls collect command common context count data date def default delete
    describe do each else elseif end enter error even event every except exit expect export
    external extra false field file filter final find first for format friend from function get
    given global go has have head if impl implementation implements import in include init
    inline inner insert install interface internal into is it join key keys label last late
    launch left len length let lib like list local loop lower main map mapping match message
    method minus mixin mod module more move my new next no none not nothing object of on one
    only open option optional or order other otherwise our out package param params part partial
    pass pick point print private process program project property protocol public pure push put
    raise range read receive record ref repeat require required reset resolve rest result return
    returns reverse right round run say scope search section select self send set show size some
    sort source split start state static stop string subject sum super switch table tail task
    test text that the then there this throw time to try type union unit unless until update use
    uses using values view wait way weak when where while with without words write yield you
"""
_ENGLISH = frozenset(_PROSE.split())
_MOST_FOR_ENGLISH = 0.7


def _by_word() -> dict[str, dict[str, float]]:
    """Weights by language, by word."""
    found: dict[str, dict[str, float]] = {}
    for language, by_weight in {**COMMON, **OTHERS}.items():
        for weight, words in by_weight.items():
            for word in words.split():
                most = _MOST_FOR_ENGLISH if word in _ENGLISH else weight
                found.setdefault(word, {})[language] = _SCALE * min(weight, most)
    return found


WORDS = _by_word()


def word_scores(bare: str) -> dict[str, float]:
    """Scores by language of code without the words in comments and strings."""
    counts = Counter(_WORD.findall(bare))
    for compound, count in Counter(_COMPOUND.findall(bare)).items():
        counts.setdefault(compound, count)
    scores: dict[str, float] = {}
    for word, count in counts.items():
        for language, weight in WORDS.get(word, {}).items():
            scores[language] = scores.get(language, 0.0) + weight * loudness(count)
    return scores
