"""Runs of tokens between the changed places, and finding them again in the new code."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from codeintel.engine.equivalence.local_edits.places import Place, is_in
from codeintel.engine.equivalence.local_edits.tokens import Token

_FIRST = 0x10000  # above the surrogates, which are no characters
_MAX_WORDS = 0x10FFFF - _FIRST


class Runs(NamedTuple):
    """What stands before, between and after the changed places: as many as places and one, each by
    the positions of its first token and of the one behind its last."""

    spans: list[tuple[int, int]]
    inside: list[int]
    """Positions of the tokens in changed places."""


def runs_of(tokens: Sequence[Token], places: Sequence[Place]) -> Runs:
    """The runs of unchanged tokens."""
    spans: list[tuple[int, int]] = []
    inside: list[int] = []
    position = 0
    for place in places:
        first = position
        while position < len(tokens) and tokens[position].end <= place[0]:
            position += 1
        spans.append((first, position))
        while position < len(tokens) and is_in(place, tokens[position].start, tokens[position].end):
            inside.append(position)
            position += 1
    spans.append((position, len(tokens)))
    return Runs(spans, inside)


def found_again(
    before: Sequence[Token], runs: Runs, after: Sequence[Token]
) -> list[int] | tuple[int]:
    """Where each run begins in the new tokens: all of them in order, the first at the beginning,
    the last at the end. Of a run that is missing, its position alone, in a tuple."""
    words: dict[bytes, str] = {}
    old, new = _as_text(before, words), _as_text(after, words)
    begins: list[int] = []
    at = 0
    last = len(runs.spans) - 1
    for number, (first, behind) in enumerate(runs.spans):
        run = old[first:behind]
        if number == last:
            at = len(new) - len(run) if len(new) - len(run) >= at else -1
            found = at if at >= 0 and new.endswith(run) else -1
            if last == 0 and found > 0:
                found = -1
        elif number == 0:
            found = 0 if new.startswith(run) else -1
        else:
            found = new.find(run, at)
        if found < 0:
            return (number,)
        begins.append(found)
        at = found + len(run)
    return begins


def units(
    before: Sequence[Token], runs: Runs, after: Sequence[Token], begins: Sequence[int]
) -> Iterator[tuple[Place, Place]]:
    """The tokens of each changed place, by the position of the first and the one behind the last,
    in the old code and in the new. A run that could be found elsewhere, too, belongs to the places
    beside it: nobody knows which of the new tokens are whose."""
    latest = _last_found(before, runs, after, begins)
    start = 0
    for number in range(1, len(begins)):
        if latest[number] == begins[number]:
            first, behind = runs.spans[start]
            following = begins[start] + behind - first
            yield (behind, runs.spans[number][0]), (following, begins[number])
            start = number


def _last_found(
    before: Sequence[Token], runs: Runs, after: Sequence[Token], begins: Sequence[int]
) -> list[int]:
    """Where each run begins if all of them are put as far behind as can be."""
    words: dict[bytes, str] = {}
    old, new = _as_text(before, words), _as_text(after, words)
    latest = [*begins]
    limit = begins[-1]
    for number in range(len(begins) - 2, 0, -1):
        first, behind = runs.spans[number]
        limit = latest[number] = new.rfind(old[first:behind], 0, limit)
    return latest


def _as_text(tokens: Sequence[Token], words: dict[bytes, str]) -> str:
    """A character for each token: searching text is fast."""
    for token in tokens:
        if token.text not in words:
            words[token.text] = chr(_FIRST + len(words) % _MAX_WORDS)
    return "".join(words[token.text] for token in tokens)
