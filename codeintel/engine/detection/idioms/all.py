"""Turns of phrase that speak for languages: how a function begins, how a line ends.

Tables of (needle, pattern, weights): the needle stands in all that the pattern matches, so that
most patterns need not be tried. In a pattern ^ is the first word of a line. Weights are words apart
by spaces, a language and a number each. All patterns take linear time: repetitions are bounded, or
cannot match in two ways.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from typing import NamedTuple

from codeintel.engine.detection.idioms.functions import FUNCTIONS
from codeintel.engine.detection.idioms.modules import MODULES
from codeintel.engine.detection.idioms.scripts import SCRIPTS
from codeintel.engine.detection.idioms.statements import STATEMENTS
from codeintel.engine.detection.idioms.types import TYPES
from codeintel.engine.detection.idioms.values import VALUES

_LOUDEST = 3.0
_LINE_START = re.compile(r"(?:^|(?<=\|))\^")


class Idiom(NamedTuple):
    """What `pattern` matches stands for languages, with weights by name."""

    needle: str
    pattern: re.Pattern[str]
    weights: dict[str, float]


def _idioms(rows: Iterable[tuple[str, str, str]]) -> Iterable[Idiom]:
    for needle, pattern, weights in rows:
        words = weights.split()
        yield Idiom(
            needle,
            re.compile(_LINE_START.sub(lambda _: r"^[ \t]*", pattern), re.MULTILINE),
            dict(zip(words[::2], map(float, words[1::2]), strict=True)),
        )


IDIOMS = tuple(_idioms((*MODULES, *FUNCTIONS, *TYPES, *VALUES, *STATEMENTS, *SCRIPTS)))


def loudness(count: int) -> float:
    """What a repetition adds: three times are twice as much as once, and seven the most."""
    return min(_LOUDEST, math.log2(1 + count))


def idiom_scores(bare: str) -> dict[str, float]:
    """Scores by language of code without the words in comments and strings."""
    scores: dict[str, float] = {}
    for idiom in IDIOMS:
        if idiom.needle in bare and (count := len(idiom.pattern.findall(bare))):
            for language, weight in idiom.weights.items():
                scores[language] = scores.get(language, 0.0) + weight * loudness(count)
    return scores
