"""The ways to make words of what nearly is some."""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Iterator

import msgspec
from rapidfuzz import process
from rapidfuzz.distance import OSA

from codeintel.trust.names.spelling.distances import sound, tokens, without_leet
from codeintel.trust.names.tables import SHORTEST_SOUND, all_famous, own_words
from codeintel.trust.names.typos.words import (
    RUN,
    consists_of_words,
    cost_after,
    cost_before,
    is_plural,
    technologies,
    vocabulary,
)

_LONGEST = 40
# What the words before and after a misspelt one may cost together.
_MOST_AROUND = 2.5
_SHORTEST_COMPOUND = 6
# In so many famous names is a word that is not one author's own.
_OFTEN = 4
# Letters that no English word has twice, and any letter three times.
_RARE_PAIR = re.compile(r"([ahijkqvwxy])\1|([a-z])\2\2")
_SHORTEST_DOUBLED = 5
_SHORTEST_CORRECTED = 4
_SHORTEST_TWICE_CORRECTED = 8


class Correction(msgspec.Struct, frozen=True):
    """A part of a name that is nearly a word: `token` with it, `corrected` with the word."""

    token: str
    corrected: str
    part: str
    word: str


@functools.cache
def common_words() -> frozenset[str]:
    """Words that a misspelling is taken for: technologies, what software does, and what is in
    several famous names. A misspelling of another word imitates nothing."""
    count = Counter(token for name in all_famous() for token in set(tokens(name)))
    often = {token for token, times in count.items() if times >= _OFTEN}
    return vocabulary() & (technologies() | own_words().software | often)


@functools.cache
def _by_deletion() -> dict[str, tuple[str, ...]]:
    """Words by what is left of them without one letter: two words of distance 1 share such a rest
    (Garbe's symmetric delete, https://github.com/wolfgarbe/SymSpell)."""
    table: dict[str, list[str]] = {}
    for word in sorted(common_words()):
        if len(word) >= _SHORTEST_CORRECTED:
            for rest in _rests(word):
                table.setdefault(rest, []).append(word)
    return {rest: tuple(found) for rest, found in table.items()}


@functools.cache
def _long_words() -> tuple[str, ...]:
    return tuple(sorted(word for word in common_words() if len(word) >= _SHORTEST_TWICE_CORRECTED))


@functools.cache
def _by_sound() -> dict[str, str]:
    """Words by how they sound; of those that sound alike the first in the alphabet."""
    heard = {sound(word): word for word in sorted(common_words(), reverse=True)}
    return {key: word for key, word in heard.items() if len(key) >= SHORTEST_SOUND}


def _rests(word: str) -> set[str]:
    return {word} | {word[:index] + word[index + 1 :] for index in range(len(word))}


@functools.lru_cache(maxsize=4096)
def corrections(token: str) -> tuple[Correction, ...]:
    """The ways to make words of a token that is none, by one edit of one part; if that is the
    whole of a long token, by two."""
    if len(token) > _LONGEST or token in vocabulary():
        return ()
    if consists_of_words(token):
        may_be_slip = token.isalpha() and len(token) >= _SHORTEST_COMPOUND and not is_plural(token)
        return tuple(Correction(token, word, token, word) for word in _near(token) if may_be_slip)
    found = list(_leet(token))
    for match in RUN.finditer(token):
        if not consists_of_words(match[0]):
            for part, word, corrected in _corrected(match[0]):
                whole = token[: match.start()] + corrected + token[match.end() :]
                found.append(Correction(token, whole, part, word))
    return tuple(found)


def without_rare_pair(token: str) -> str:
    """The token with one letter for two, or two for three, where no word has so many; itself
    where words do."""
    if len(token) < _SHORTEST_DOUBLED or consists_of_words(token):
        return token
    return _RARE_PAIR.sub(lambda found: found[0][1:], token, count=1)


def _leet(token: str) -> Iterator[Correction]:
    """A token in which digits stand for letters."""
    meant = without_leet(token)
    if meant != token and not token.isdigit() and meant in vocabulary() and len(meant) > 3:
        yield Correction(token, meant, token, meant)


def _corrected(run: str) -> Iterator[tuple[str, str, str]]:
    before, after = cost_before(run), cost_after(run)
    any_found = False
    for start in range(len(run)):
        for end in range(start + 3, len(run) + 1):
            if before[start] + after[end] <= _MOST_AROUND:
                part = run[start:end]
                for word in _near(part):
                    any_found = True
                    yield part, word, run[:start] + word + run[end:]
    if not any_found and len(run) >= _SHORTEST_TWICE_CORRECTED - 1:
        near = process.extractOne(run, _long_words(), scorer=OSA.distance, score_cutoff=2)
        if near is not None:
            yield run, near[0], near[0]
            return
    heard = _by_sound().get(sound(run))
    if not any_found and heard is not None and OSA.distance(run, heard, score_cutoff=3) <= 3:
        yield run, heard, heard


def _near(part: str) -> list[str]:
    table = _by_deletion()
    found = {word for rest in _rests(part) for word in table.get(rest, ())}
    return sorted(word for word in found if OSA.distance(part, word) == 1)
