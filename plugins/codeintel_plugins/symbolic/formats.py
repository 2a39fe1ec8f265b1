"""Formats of printf and scanf: how much they write."""

from __future__ import annotations

import re
from typing import NamedTuple

_DIRECTIVE = re.compile(
    r"%(?P<flags>[-+ #0']*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d+)?)?"
    r"(?P<size>hh|h|ll|l|L|q|j|z|t|I64)?(?P<kind>[diouxXcsSpneEfFgGaA%])"
)
_SCAN = re.compile(
    r"%(?P<skip>\*)?(?P<width>\d+)?(?P<size>hh|h|ll|l|L|j|z|t|m)?(?P<kind>\[\^?\]?[^]]*\]|[a-zA-Z%])"
)
_DIGITS = {"hh": 4, "h": 6, "": 11, "l": 20, "ll": 20, "q": 20, "j": 20, "z": 20, "t": 20,
           "I64": 20, "L": 20}  # fmt: skip
_FLOAT = 24


class Directive(NamedTuple):
    """A directive of a printf format. `text` says that it takes a text, of at most `precision`
    characters if that is not None; `longest` is what another writes at most."""

    text: bool
    precision: int | None
    longest: int
    width: int
    arguments: int
    kind: str


def directives(text: str) -> tuple[int, list[Directive]]:
    """How many characters a printf format writes by itself, and its directives."""
    found = []
    plain = len(text)
    for match in _DIRECTIVE.finditer(text):
        plain -= len(match[0])
        kind = match["kind"]
        if kind == "%":
            plain += 1
            continue
        stars = [match["width"], match["precision"]].count("*")
        width = int(match["width"]) if (match["width"] or "*") != "*" else 0
        given = match["precision"]
        precision = int(given) if given and given != "*" else None
        found.append(
            Directive(
                kind in "sS", precision, max(_longest(kind, match["size"] or ""), width), width,
                stars + 1, kind,
            )
        )  # fmt: skip
    return plain, found


def _longest(kind: str, size: str) -> int:
    if kind == "c":
        return 1
    if kind in "eEfFgGaA":
        return _FLOAT
    if kind == "p":
        return 18
    return _DIGITS.get(size, 20)


class Scanned(NamedTuple):
    """A directive of a scanf format that takes an argument: `width` is the greatest number of
    characters of a text, None if there is none; numbers are no `text`."""

    text: bool
    width: int | None
    kind: str


def scanned(text: str) -> list[Scanned]:
    """The directives of a scanf format that take arguments."""
    found = []
    for match in _SCAN.finditer(text):
        kind = match["kind"]
        if kind == "%" or match["skip"]:
            continue
        is_text = kind[0] in "sS[" and match["size"] != "m"
        found.append(Scanned(is_text, int(match["width"]) if match["width"] else None, kind[0]))
    return found
