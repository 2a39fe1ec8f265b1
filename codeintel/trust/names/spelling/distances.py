"""Forms of a name in which tricks disappear."""

from __future__ import annotations

import re
import unicodedata

_SEPARATORS = re.compile(r"[^a-z0-9]+")
# What a reader takes for another letter: https://www.unicode.org/reports/tr39/ calls the outcome
# a skeleton. Capital I is one only before case is folded.
_LOOKALIKES = (("rn", "m"), ("vv", "w"), ("cl", "d"))
_LOOKALIKE_DIGITS = str.maketrans("10", "lo")
_SOUNDS = str.maketrans("zcqj", "skkg")
_VOWELS = re.compile("[aeiouy]+")
_REPEATED = re.compile(r"(.)\1+")
_LEET = str.maketrans("10345", "loeas")


def plain(name: str) -> str:
    """The name in lower-case ASCII: other scripts' letters become those that they look like, and
    what cannot be seen goes."""
    if not name.isascii():
        name = "".join(_ascii(character) for character in name)
    return name.lower()


def _ascii(character: str) -> str:
    if character.isascii():
        return character
    parts = unicodedata.normalize("NFKD", character)
    letters = "".join(part for part in parts if part.isascii())
    return letters or _latin(character)


def _latin(character: str) -> str:
    """The ASCII letter that a character of another script looks like; nothing if it has none."""
    # It reads a large table, which few names need.
    from confusable_homoglyphs import confusables  # type: ignore[import-untyped]

    if unicodedata.category(character) in {"Cf", "Mn", "Cc"}:
        return ""
    found = confusables.is_confusable(character, preferred_aliases=[]) or []
    for each in found:
        for homoglyph in each["homoglyphs"]:
            text = str(homoglyph["c"])
            if len(text) == 1 and text.isascii() and text.isalnum():
                return text
    return ""


def tokens(name: str) -> tuple[str, ...]:
    """The parts between separators, in lower case."""
    return tuple(part for part in _SEPARATORS.split(name.lower()) if part)


def compact(name: str) -> str:
    """The name in lower case, without separators."""
    return _SEPARATORS.sub("", name.lower())


def skeleton(name: str) -> str:
    """What stays the same when look-alikes are exchanged."""
    folded = plain(name.replace("I", "l")).translate(_LOOKALIKE_DIGITS)
    for shown, meant in _LOOKALIKES:
        folded = folded.replace(shown, meant)
    return compact(folded)


def sound(token: str) -> str:
    """What stays the same when vowels and letters that sound alike are exchanged, or letters
    repeated."""
    heard = token.replace("ph", "f").replace("ck", "k").translate(_SOUNDS)
    return _REPEATED.sub(r"\1", _VOWELS.sub("a", heard))


def without_leet(token: str) -> str:
    """The token with digits taken for the letters that they stand for."""
    return token.translate(_LEET)


def scope_of(name: str) -> str:
    """The scope of an npm name with one, without `@`; else nothing."""
    return name[1:].partition("/")[0] if name.startswith("@") and "/" in name else ""
