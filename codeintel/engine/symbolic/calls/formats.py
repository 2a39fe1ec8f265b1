"""Formats of printf and scanf: how much they write."""

from __future__ import annotations

import re
from typing import NamedTuple

_DIRECTIVE = re.compile(
    r"%(?P<flags>[-+ #0']*+)(?P<width>\*|[0-9]++)?(?:\.(?P<precision>\*|[0-9]++)?)?"
    r"(?P<size>hh|h|ll|l|L|q|j|z|t|I64)?(?P<kind>[diouxXcsSpneEfFgGaA%])"
)
_SCAN = re.compile(
    r"%(?P<skip>\*)?(?P<width>[0-9]++)?(?P<size>hh|h|ll|l|L|j|z|t|m)?"
    r"(?P<kind>\[\^?\]?[^]]{0,256}\]|[a-zA-Z%])"
)
_BITS = {"hh": 8, "h": 16, "": 32}
_LONG = 64
_FLOAT = 24
_MAX_DIGITS = 9


class Directive(NamedTuple):
    """A directive of a printf format (C17 7.21.6.1). All lengths are in characters.

    `text` says that it takes a text, of at most `precision` characters if that is not None;
    `width` is what it writes at least. `longest` is what a directive for a whole number writes at
    most; those for floating-point numbers may write more, if the number is very great. `arguments`
    is how many arguments it takes: one more for each `*`.
    """

    text: bool
    precision: int | None
    longest: int
    width: int
    arguments: int
    kind: str


class Scanned(NamedTuple):
    """A directive of a scanf format that takes an argument (C17 7.21.6.2): `width` is the greatest
    number of characters of a text, without its end, None if there is none; numbers are no `text`.
    """

    text: bool
    width: int | None
    kind: str


def directives(text: str) -> tuple[int, list[Directive]]:
    """How many characters a printf format writes by itself, and its directives in order. What is
    no directive counts as it stands."""
    found = []
    plain = len(text)
    for match in _DIRECTIVE.finditer(text):
        plain -= len(match[0])
        kind = match["kind"]
        if kind == "%":
            plain += 1
            continue
        stars = [match["width"], match["precision"]].count("*")
        width = _number(match["width"]) or 0
        precision = _number(match["precision"])
        longest = max(_longest(kind, match["size"] or "", match["flags"], precision or 0), width)
        found.append(Directive(kind in "sS", precision, longest, width, stars + 1, kind))
    return plain, found


def _number(digits: str | None) -> int | None:
    """A number in a format; None for none and for `*`. No buffer is so great that more digits
    would tell more."""
    if not digits or digits == "*":
        return None
    return int(digits) if len(digits) <= _MAX_DIGITS else 10**_MAX_DIGITS


def _longest(kind: str, size: str, flags: str, precision: int) -> int:
    if kind in "cC":
        return 1
    if kind in "eEfFgGaA":
        return max(_FLOAT, precision + 2)
    if kind == "p":
        return 18
    greatest = (1 << _BITS.get(size, _LONG)) - 1
    if kind in "diu":
        signed = kind != "u"
        digits = len(str((greatest + 1) // 2 if signed else greatest))
        return max(digits, precision) + signed + ("'" in flags) * (digits // 3)
    digits = len(f"{greatest:{'o' if kind == 'o' else 'x'}}")
    return max(digits, precision) + ("#" in flags) * 2


def scanned(text: str) -> list[Scanned]:
    """The directives of a scanf format that take arguments, in order."""
    found = []
    for match in _SCAN.finditer(text):
        kind = match["kind"]
        if kind == "%" or match["skip"]:
            continue
        is_text = kind[0] in "sS[" and match["size"] != "m"
        found.append(Scanned(is_text, _number(match["width"]), kind[0]))
    return found
