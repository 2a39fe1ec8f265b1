"""Names that almost consist of known words, and the words that they would consist of."""

from __future__ import annotations

import functools
import math
import re
from collections import Counter
from collections.abc import Iterator

import msgspec
from rapidfuzz import process
from rapidfuzz.distance import OSA

from codeintel.trust.names.shapes import Candidate, Edit, EditKind
from codeintel.trust.names.spelling import (
    is_glued,
    is_language,
    plain,
    scope_of,
    sound,
    spelling_edit,
    stripped,
    tokens,
    without_leet,
)
from codeintel.trust.names.tables import SHORTEST_SOUND, all_famous, own_words

_LONGEST_WORD = 18
_ENDINGS = ("ed", "er", "es", "ers", "ing", "ings", "ion", "ions", "ly", "able", "al", "ist", "ity")
_BEGINNINGS = ("un", "re", "pre", "dis", "non", "micro", "multi", "auto")
_SHORTEST_STEM = 4
RUN = re.compile(r"[a-z]+")


@functools.cache
def vocabulary() -> frozenset[str]:
    """Return the hand-written words, and those between the separators of famous names."""
    parts = {part for name in all_famous() for token in tokens(name) for part in RUN.findall(token)}
    own = own_words()
    famous = {part for part in parts if len(part) > 2}
    return own.technologies | own.software | own.plain | famous


@functools.cache
def technologies() -> frozenset[str]:
    """Return words for things that people know: technologies and famous packages."""
    return own_words().technologies | (vocabulary() & all_famous())


def is_word(part: str) -> bool:
    """Return whether a part is a word, a common form of one, or a common short part."""
    known = vocabulary()
    if part in known or part in own_words().short:
        return True
    return is_plural(part) or any(stem in known for stem in _stems(part))


def is_plural(part: str) -> bool:
    """Return whether a part is a word with an `s`."""
    return len(part) > 4 and part[-1] == "s" and part[-2] != "s" and part[:-1] in vocabulary()


def _stems(part: str) -> Iterator[str]:
    """Yield the possible stems of a part:

    `run` of `running`, `parse` of `parsed`, `set` of `unset`.
    """
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
    """Return whether the letters between separators are a sequence of words.

    The words must not be too short for their number. Digits fit with any word.
    """
    return all(
        len(run) == 1 or cost_before(run)[-1] <= _most_cost(run) for run in RUN.findall(token)
    )


def cost_before(run: str) -> list[float]:
    """Return, for each position in `run`, the cost of the words before it.

    The cost is higher for more and shorter words, because short ones occur by chance. It is
    infinite if the letters are not words.
    """
    costs = [0.0] + [math.inf] * len(run)
    for start in range(len(run)):
        if costs[start] < _most_cost(run):
            for end in range(start + 2, min(len(run), start + _LONGEST_WORD) + 1):
                costs[end] = min(costs[end], costs[start] + _cost(run[start:end]))
    return costs


def cost_after(run: str) -> list[float]:
    """Return, for each position in `run`, the cost of the words after it."""
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


_LONGEST = 40
# Maximum total cost of the words before and after a misspelled one.
_MOST_AROUND = 2.5
_SHORTEST_COMPOUND = 6
# A word in this number of famous names is not one author's invention.
_OFTEN = 4
# Letters that no English word has twice in a row, and any letter three times.
_RARE_PAIR = re.compile(r"([ahijkqvwxy])\1|([a-z])\2\2")
_SHORTEST_DOUBLED = 5
_SHORTEST_CORRECTED = 4
_SHORTEST_TWICE_CORRECTED = 8


class Correction(msgspec.Struct, frozen=True):
    """A part of a name that is almost a word: `token` contains the part, `corrected` the word."""

    token: str
    corrected: str
    part: str
    word: str


@functools.cache
def common_words() -> frozenset[str]:
    """Return the words that a misspelling may be mistaken for.

    These are technologies, actions of software, and words in several famous names. A misspelling of
    another word imitates nothing.
    """
    count = Counter(token for name in all_famous() for token in set(tokens(name)))
    often = {token for token, times in count.items() if times >= _OFTEN}
    return vocabulary() & (technologies() | own_words().software | often)


@functools.cache
def _by_deletion() -> dict[str, tuple[str, ...]]:
    """Return the words by their rests without one letter.

    Two words of distance 1 share such a rest (Garbe's symmetric delete,
    https://github.com/wolfgarbe/SymSpell).
    """
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
    """Return the words by their sound.

    Of words with the same sound, the first in the alphabet counts.
    """
    heard = {sound(word): word for word in sorted(common_words(), reverse=True)}
    return {key: word for key, word in heard.items() if len(key) >= SHORTEST_SOUND}


def _rests(word: str) -> set[str]:
    return {word} | {word[:index] + word[index + 1 :] for index in range(len(word))}


@functools.lru_cache(maxsize=4096)
def corrections(token: str) -> tuple[Correction, ...]:
    """Return the ways to turn a token into words by one edit of one part.

    A long token that is one part may have two edits.
    """
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
    """Return the token with a repeated letter reduced, where no word repeats the letter.

    A token of words is returned unchanged.
    """
    if len(token) < _SHORTEST_DOUBLED or consists_of_words(token):
        return token
    return _RARE_PAIR.sub(lambda found: found[0][1:], token, count=1)


def _leet(token: str) -> Iterator[Correction]:
    """Yield the correction of a token in which digits represent letters."""
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


_CAPITAL = re.compile("(?<=[a-z])I(?=[a-z])")
_MOST_TOKENS = 8
_SHORTEST_WORD = 4


def word_candidates(name: str) -> Iterator[Candidate]:
    """Yield the spellings that a name may be a misspelling of.

    A name with a scope has none, because its owner may choose any name.
    """
    if scope_of(name):
        return
    seen = plain(name)
    for token in dict.fromkeys(tokens(seen)[:_MOST_TOKENS]):
        for each in corrections(token):
            edit, place = spelling_edit(each.part, each.word)
            if edit.kind == EditKind.SEVERAL and sound(each.part) == sound(each.word):
                edit = Edit(EditKind.SOUND, f"`{each.part}` sounds like `{each.word}`")
            target = seen.replace(token, each.corrected, 1)
            yield Candidate(target, 0, edit, each.part, each.word, place)
        yield from _doubled(seen, token)
    yield from _capital(name)
    for rest, affix in stripped(seen):
        if len(rest) >= _SHORTEST_WORD and all(map(consists_of_words, tokens(rest))):
            yield from _joined(seen, rest, affix)


def _doubled(seen: str, token: str) -> Iterator[Candidate]:
    """Yield the correction of a letter that no word repeats."""
    meant = without_rare_pair(token)
    if meant != token:
        edit, place = spelling_edit(token, meant)
        yield Candidate(seen.replace(token, meant, 1), 0, edit, token, meant, place)


def _capital(name: str) -> Iterator[Candidate]:
    """Yield the correction of a capital I among small letters, where an l would form words."""
    meant = _CAPITAL.sub("l", name)
    if meant != name and all(consists_of_words(token) for token in tokens(meant)):
        edit = Edit(EditKind.HOMOGLYPH, "`I` replaces `l`, which it looks like")
        yield Candidate(meant.lower(), 0, edit, name.lower(), meant.lower(), name.index("I"))


def _joined(seen: str, rest: str, affix: str) -> Iterator[Candidate]:
    """Yield the correction of a word with a common affix that most names join differently."""
    word = affix.strip("-_./")
    is_first = seen.startswith(affix)
    if is_language(affix) and rest in own_words().technologies:
        edit = Edit(EditKind.AFFIX, f"`{affix}` is added")
        yield Candidate(rest, 0, edit, rest, rest, 0, affix=affix)
    if is_glued(affix):
        target = f"{affix}-{rest}" if is_first else f"{rest}-{affix}"
        if target != seen and seen not in vocabulary() and rest in vocabulary():
            edit = Edit(EditKind.SEPARATORS, f"the separator next to `{word}` is missing")
            yield Candidate(target, 0, edit, rest, rest, 0, affix=affix)
    elif is_language(affix) and not is_first:
        if word in {"js", "ts"}:
            edit = Edit(EditKind.AFFIX, f"`{affix}` is added")
            yield Candidate(rest, 0, edit, rest, rest, 0, affix=affix)
        else:
            edit = Edit(EditKind.WORD_ORDER, f"`{word}` stands after `{rest}`")
            yield Candidate(f"{word}-{rest}", 0, edit, rest, rest, 0, affix=affix)
