"""The words of which names are made, and whether a name consists of them."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterator

from codeintel.trust.names.spelling.distances import tokens
from codeintel.trust.names.tables import all_famous, own_words

_LONGEST_WORD = 18
_ENDINGS = ("ed", "er", "es", "ers", "ing", "ings", "ion", "ions", "ly", "able", "al", "ist", "ity")
_BEGINNINGS = ("un", "re", "pre", "dis", "non", "micro", "multi", "auto")
_SHORTEST_STEM = 4
RUN = re.compile(r"[a-z]+")


@functools.cache
def vocabulary() -> frozenset[str]:
    """Words written by hand, and those between the separators of famous names."""
    parts = {part for name in all_famous() for token in tokens(name) for part in RUN.findall(token)}
    own = own_words()
    famous = {part for part in parts if len(part) > 2}
    return own.technologies | own.software | own.plain | famous


@functools.cache
def technologies() -> frozenset[str]:
    """Words that name something of which people have heard: technologies and famous packages."""
    return own_words().technologies | (vocabulary() & all_famous())


def is_word(part: str) -> bool:
    """Whether a part is a word or a usual form of one, or short and usual."""
    known = vocabulary()
    if part in known or part in own_words().short:
        return True
    return is_plural(part) or any(stem in known for stem in _stems(part))


def is_plural(part: str) -> bool:
    """Whether a part is a word with an `s`."""
    return len(part) > 4 and part[-1] == "s" and part[-2] != "s" and part[:-1] in vocabulary()


def _stems(part: str) -> Iterator[str]:
    """What a part may be a form of: `running` of `run`, `parsed` of `parse`, `unset` of `set`."""
    for ending in _ENDINGS:
        stem = part.removesuffix(ending)
        if stem != part and len(stem) >= _SHORTEST_STEM:
            yield stem
            yield stem + "e"
            if stem[-1] == stem[-2]:
                yield stem[:-1]
            if stem[-1] == "i":
                yield stem[:-1] + "y"
    for beginning in _BEGINNINGS:
        stem = part.removeprefix(beginning)
        if stem != part and len(stem) > _SHORTEST_STEM:
            yield stem


def consists_of_words(token: str) -> bool:
    """Whether letters between separators are words one after the other, not too short for their
    number; digits go with any."""
    return all(
        len(run) == 1 or cost_before(run)[-1] <= _most_cost(run) for run in RUN.findall(token)
    )


def cost_before(run: str) -> list[float]:
    """For each place in `run` the cost of the words that the letters before it consist of: the
    more and shorter, the higher, for short ones are met by chance. Infinite if they do not."""
    costs = [0.0] + [math.inf] * len(run)
    for start in range(len(run)):
        if costs[start] < _most_cost(run):
            for end in range(start + 2, min(len(run), start + _LONGEST_WORD) + 1):
                costs[end] = min(costs[end], costs[start] + _cost(run[start:end]))
    return costs


def cost_after(run: str) -> list[float]:
    """The same for the letters after each place."""
    costs = [math.inf] * len(run) + [0.0]
    for end in range(len(run), 0, -1):
        if costs[end] < _most_cost(run):
            for start in range(max(end - _LONGEST_WORD, 0), end - 1):
                costs[start] = min(costs[start], costs[end] + _cost(run[start:end]))
    return costs


def _most_cost(run: str) -> float:
    return max(3.5, len(run) / 5)


def _cost(word: str) -> float:
    return {2: 2.0, 3: 1.5}.get(len(word), 1.0) if is_word(word) else math.inf
