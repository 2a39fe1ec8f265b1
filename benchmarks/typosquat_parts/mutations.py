"""Imitations made by machine: names with the edits that imitators make."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterator, Sequence

from codeintel.trust.names.spelling import are_neighbours

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_LOOKALIKES = {"l": "1", "o": "0", "m": "rn", "w": "vv", "i": "l", "e": "3"}
_VOWELS = "aeiou"
# The words that imitators add. They are repeated by how often npm's imitations have them.
_AFFIXED = {
    "npm": ("{}js", "{}.js", "{}.js", "{}-js", "node-{}", "node{}", "{}-node", "{}-npm"),
    "pypi": ("py{}", "{}py", "{}-py", "python-{}", "{}-python", "python{}", "py-{}"),
}
_AFFIX_SHARES = {"npm": 24, "pypi": 12}
# Almost all neighbors of shorter names exist, by chance.
_SHORTEST = 5
# How often each trick is seen among reported imitations, about.
_SHARES = {
    "leave_out": 20,
    "insert": 10,
    "repeat": 12,
    "swap": 14,
    "slip": 14,
    "replace": 8,
    "look": 3,
    "sound": 4,
    "separate": 9,
    "number": 2,
    "plural": 3,
}


def mutants(
    ecosystem: str, names: Sequence[str], count: int, seed: int
) -> Iterator[tuple[str, str]]:
    """Pairs of an imitation and the name that is imitated; earlier names more often."""
    shares = {**_SHARES, "affix": _AFFIX_SHARES[ecosystem]}
    tricks: dict[str, Callable[[str, random.Random], str]] = {
        **_TRICKS,
        "affix": functools.partial(_affix, _AFFIXED[ecosystem]),
    }
    draw = random.Random(seed)
    names = [name for name in names if len(name) >= _SHORTEST]
    taken = set(names)
    weights = [1 / (place + 20) ** 0.7 for place in range(len(names))]
    while count:
        (name,) = draw.choices(names, weights)
        (trick,) = draw.choices(list(shares), list(shares.values()))
        mutant = tricks[trick](name, draw)
        if mutant not in taken:
            count -= 1
            yield mutant, name


def _leave_out(name: str, draw: random.Random) -> str:
    at = _place(name, draw)
    return name[:at] + name[at + 1 :]


def _insert(name: str, draw: random.Random) -> str:
    at = draw.randrange(len(name) + 1)
    return name[:at] + draw.choice(_LETTERS) + name[at:]


def _repeat(name: str, draw: random.Random) -> str:
    at = _place(name, draw)
    return name[:at] + name[at] + name[at:]


def _swap(name: str, draw: random.Random) -> str:
    at = min(_place(name, draw), len(name) - 2)
    return name[:at] + name[at + 1] + name[at] + name[at + 2 :]


def _slip(name: str, draw: random.Random) -> str:
    at = _place(name, draw)
    near = [letter for letter in _LETTERS if are_neighbours(letter, name[at])]
    return name[:at] + draw.choice(near or [""]) + name[at + 1 :]


def _replace(name: str, draw: random.Random) -> str:
    at = _place(name, draw)
    return name[:at] + draw.choice(_LETTERS) + name[at + 1 :]


def _look(name: str, draw: random.Random) -> str:
    found = [letter for letter in _LOOKALIKES if letter in name]
    letter = draw.choice(found or ["l"])
    return name.replace(letter, _LOOKALIKES[letter], 1)


def _sound(name: str, draw: random.Random) -> str:
    for _ in range(2):
        found = [at for at, letter in enumerate(name) if letter in _VOWELS]
        if found:
            at = draw.choice(found)
            name = name[:at] + draw.choice(_VOWELS) + name[at + 1 :]
    return name


def _separate(name: str, draw: random.Random) -> str:
    return name.replace("-", "").replace("@", "").replace("/", draw.choice(["", "-"]))


def _affix(forms: Sequence[str], name: str, draw: random.Random) -> str:
    return draw.choice(forms).format(name)


def _number(name: str, draw: random.Random) -> str:
    return name + draw.choice("2345")


def _plural(name: str, _draw: random.Random) -> str:
    return name[:-1] if name.endswith("s") else name + "s"


def _place(name: str, draw: random.Random) -> int:
    """A place with a letter."""
    return draw.choice([at for at, letter in enumerate(name) if letter.isalnum()])


_TRICKS: dict[str, Callable[[str, random.Random], str]] = {
    "leave_out": _leave_out,
    "insert": _insert,
    "repeat": _repeat,
    "swap": _swap,
    "slip": _slip,
    "replace": _replace,
    "look": _look,
    "sound": _sound,
    "separate": _separate,
    "number": _number,
    "plural": _plural,
}
