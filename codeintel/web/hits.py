"""Hits of a search, and matching them with typed words. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice

import msgspec

MOST_HITS = 8
"""Hits of a group in the palette."""
_NOT_FOUND = 99


class Hit(msgspec.Struct, frozen=True):
    """A page to open. `note` is a second, dimmer text."""

    title: str
    address: str
    icon: str
    note: str = ""


class HitGroup(msgspec.Struct, frozen=True):
    """Hits of one kind."""

    title: str
    hits: Sequence[Hit]


def matching(candidates: Iterable[Hit], text: str, most: int = MOST_HITS) -> list[Hit]:
    """Return the candidates that have all words of the text, the best ones first.

    Titles count more than notes, and beginnings of words more than their middles.
    """
    words = text.casefold().split()
    rated = [(rank, at, hit) for at, hit in enumerate(candidates) if (rank := _rank(hit, words))]
    rated.sort(key=lambda each: each[:2])
    return [hit for _, _, hit in islice(rated, most)]


def _rank(hit: Hit, words: Sequence[str]) -> int:
    """Return 1 for the best match, and 0 if a word is missing."""
    title, note = hit.title.casefold(), hit.note.casefold()
    ranks = [min(_place(title, word), _place(note, word) + 3) for word in words]
    return 0 if any(rank >= _NOT_FOUND for rank in ranks) else 1 + sum(ranks)


def _place(text: str, word: str) -> int:
    at = text.find(word)
    if at < 0:
        return _NOT_FOUND
    if at == 0:
        return 0
    return 1 if re.search(rf"\b{re.escape(word)}", text) else 2
