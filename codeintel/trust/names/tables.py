"""The tables in the package's folder, read once."""

from __future__ import annotations

import csv
import functools
import hashlib
from collections.abc import Iterator
from importlib import resources

import msgspec

from codeintel.trust.names.ecosystems import registry_spelling
from codeintel.trust.names.spelling import (
    compact,
    is_language,
    scope_of,
    skeleton,
    sound,
    stripped,
    tokens,
)

# The rank of hand-written names, which have no order.
UNRANKED = 100
# Shorter sounds match many words.
SHORTEST_SOUND = 6


def digest() -> str:
    """Return a digest that changes with any of the tables used to judge names."""
    folder = resources.files(__package__) / "data"
    files = sorted(folder.iterdir(), key=lambda each: each.name)
    return hashlib.sha256(b"".join(each.read_bytes() for each in files)).hexdigest()[:12]


class Famous(msgspec.Struct, frozen=True):
    """A famous name, or the owner in famous names, in the forms in which it is compared."""

    name: str
    rank: int
    letters: str


class FamousNames:
    """The famous names of an ecosystem, by the forms that hide tricks.

    If two names share a form, the better-ranked name counts.
    """

    def __init__(self, ecosystem: str, ranked: list[tuple[int, str]]) -> None:
        self.ecosystem = ecosystem
        self.all = tuple(Famous(name, rank, compact(name)) for rank, name in ranked)
        self.spellings = frozenset(registry_spelling(ecosystem, each.name) for each in self.all)
        self.by_letters: dict[str, Famous] = {}
        self.by_skeleton: dict[str, Famous] = {}
        self.by_sound: dict[str, Famous] = {}
        self.by_words: dict[tuple[str, ...], Famous] = {}
        self.scopes: dict[str, Famous] = {}
        self.scopes_by_skeleton: dict[str, str] = {}
        for each in self.all:
            self.by_letters.setdefault(each.letters, each)
            self.by_skeleton.setdefault(skeleton(each.name), each)
            if len(key := sound(each.letters)) >= SHORTEST_SOUND:
                self.by_sound.setdefault(key, each)
            self.by_words.setdefault(tuple(sorted(tokens(each.name))), each)
            if scope := scope_of(each.name):
                self.scopes.setdefault(scope, each)
                self.scopes_by_skeleton.setdefault(skeleton(scope), scope)
        self.by_rest: dict[str, tuple[Famous, str]] = {}
        for each in self.all:
            for rest, affix in stripped(each.name.lower()):
                if not scope_of(each.name) and is_language(affix):
                    self.by_rest.setdefault(compact(rest), (each, affix))
        self.letters = tuple(self.by_letters)

    def has(self, name: str) -> bool:
        """Return whether the registry treats the name as a famous one."""
        return registry_spelling(self.ecosystem, name) in self.spellings


@functools.cache
def famous_names(ecosystem: str) -> FamousNames:
    """Return the famous names of an ecosystem, which has none without a table."""
    ranked = [
        (int(row["rank"]), row["name"])
        for row in _rows("famous.csv")
        if row["ecosystem"] == ecosystem
    ]
    return FamousNames(ecosystem, ranked or _well_known(ecosystem, "name"))


@functools.cache
def famous_owners(ecosystem: str) -> FamousNames:
    """Return the well-known owners of an ecosystem whose names are `owner/name`."""
    return FamousNames(ecosystem, _well_known(ecosystem, "owner"))


class Words(msgspec.Struct, frozen=True):
    """Hand-written words: names of technologies, formats and their makers, actions of
    software, other words, and words of two letters.
    """

    technologies: frozenset[str]
    software: frozenset[str]
    plain: frozenset[str]
    short: frozenset[str]


@functools.cache
def own_words() -> Words:
    """Return the hand-written words that names consist of."""
    found: dict[str, set[str]] = {}
    section: set[str] = set()
    for line in _lines("words.txt"):
        if line.startswith("["):
            section = found.setdefault(line.strip("[]"), set())
        else:
            section.update(line.split())
    return Words(**{name: frozenset(words) for name, words in found.items()})


@functools.cache
def all_famous() -> frozenset[str]:
    """Return the famous names of the ranked ecosystems."""
    return frozenset(row["name"] for row in _rows("famous.csv"))


def _well_known(ecosystem: str, what: str) -> list[tuple[int, str]]:
    return [
        (UNRANKED, name)
        for row in _rows("well_known.csv")
        if (row["ecosystem"], row["what"]) == (ecosystem, what)
        for name in row["names"].split()
    ]


def _rows(file: str) -> Iterator[dict[str, str]]:
    return csv.DictReader(_lines(file))


def _lines(file: str) -> list[str]:
    text = resources.files("codeintel.trust.names").joinpath("data", file).read_text("utf-8")
    return [line for line in text.splitlines() if not line.startswith("#")]
