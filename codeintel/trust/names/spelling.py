"""Distances between names: forms that hide tricks, affixes, edits."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from itertools import takewhile

from codeintel.trust.names.shapes import Edit, EditKind

_BETWEEN_TOKENS = re.compile(r"[^a-z0-9]+")
# Letters that readers mistake for others. https://www.unicode.org/reports/tr39/ calls the result a
# skeleton. Capital I is one only before case is folded.
_LOOKALIKES = (("rn", "m"), ("vv", "w"), ("cl", "d"))
_LOOKALIKE_DIGITS = str.maketrans("10", "lo")
_SOUNDS = str.maketrans("zcqj", "skkg")
_VOWELS = re.compile("[aeiouy]+")
_REPEATED = re.compile(r"(.)\1+")
_LEET = str.maketrans("10345", "loeas")


def plain(name: str) -> str:
    """Return the name in lower-case ASCII.

    Letters of other scripts become similar letters, and invisible characters are removed.
    """
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
    """Return the ASCII letter that a character of another script resembles, or an empty text."""
    # This reads a large table, which few names need.
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
    """Return the parts between separators, in lower case."""
    return tuple(part for part in _BETWEEN_TOKENS.split(name.lower()) if part)


def compact(name: str) -> str:
    """Return the name in lower case, without separators."""
    return _BETWEEN_TOKENS.sub("", name.lower())


def skeleton(name: str) -> str:
    """Return a form that is the same for names that look alike."""
    folded = plain(name.replace("I", "l")).translate(_LOOKALIKE_DIGITS)
    for shown, meant in _LOOKALIKES:
        folded = folded.replace(shown, meant)
    return compact(folded)


def sound(token: str) -> str:
    """Return a form that is the same for tokens that sound alike.

    Vowels, letters of similar sound and repeated letters do not matter.
    """
    heard = token.replace("ph", "f").replace("ck", "k").translate(_SOUNDS)
    return _REPEATED.sub(r"\1", _VOWELS.sub("a", heard))


def without_leet(token: str) -> str:
    """Return the token with digits replaced by the letters that they represent."""
    return token.translate(_LEET)


def scope_of(name: str) -> str:
    """Return the scope of an npm name, without `@`, or an empty text."""
    return name[1:].partition("/")[0] if name.startswith("@") and "/" in name else ""


# The language or the registry says nothing new about an existing package.
LANGUAGES = frozenset(
    [
        "js",
        "ts",
        "py",
        "node",
        "nodejs",
        "npm",
        "pypi",
        "pip",
        "python",
        "python2",
        "python3",
        "rust",
        "rs",
        "go",
        "golang",
        "ruby",
        "rb",
        "php",
    ]
)
OTHERS = frozenset(
    [
        "api",
        "app",
        "bin",
        "binary",
        "cli",
        "client",
        "core",
        "dev",
        "fix",
        "fixed",
        "free",
        "helper",
        "lib",
        "libs",
        "main",
        "module",
        "new",
        "next",
        "official",
        "org",
        "package",
        "pkg",
        "plus",
        "pro",
        "sdk",
        "server",
        "service",
        "tool",
        "tools",
        "util",
        "utils",
        "wrapper",
    ]
)
_OWN = {
    "npm": frozenset(["js", "node", "nodejs", "npm"]),
    "pypi": frozenset(["pip", "py", "pypi", "python", "python2", "python3"]),
}
_SEPARATORS = "-_./"
_BY_LENGTH = tuple(sorted(LANGUAGES | OTHERS, key=lambda word: (-len(word), word)))
_SHORTEST_REST = 3


def stripped(name: str) -> Iterator[tuple[str, str]]:
    """Yield a lower-case name without an affix, and the affix with its separator."""
    for word in _BY_LENGTH:
        for rest, affix in ((_front(name, word)), _back(name, word)):
            if len(rest) >= _SHORTEST_REST:
                yield rest, affix


def _front(name: str, word: str) -> tuple[str, str]:
    if not name.startswith(word):
        return "", ""
    rest = name[len(word) :].lstrip(_SEPARATORS)
    return rest, name[: len(name) - len(rest)]


def _back(name: str, word: str) -> tuple[str, str]:
    if not name.endswith(word):
        return "", ""
    rest = name[: -len(word)].rstrip(_SEPARATORS)
    return rest, name[len(rest) :]


def is_language(affix: str) -> bool:
    """Return whether an affix, with or without its separator, names a language or a registry."""
    return affix.strip(_SEPARATORS) in LANGUAGES


def is_own_language(ecosystem: str, affix: str) -> bool:
    """Return whether an affix names the language or registry of the ecosystem that it is used
    in.
    """
    return affix.strip(_SEPARATORS) in _OWN.get(ecosystem, ())


def is_glued(affix: str) -> bool:
    """Return whether an affix is joined without a separator."""
    return affix == affix.strip(_SEPARATORS)


_ROWS = ("1234567890-", "qwertyuiop", "asdfghjkl", "zxcvbnm")
_LOOKALIKE_PAIRS = frozenset(
    frozenset(pair)
    for pair in (("1", "l"), ("0", "o"), ("1", "i"), ("3", "e"), ("4", "a"), ("5", "s"), ("q", "g"))
)


def _neighbours() -> frozenset[frozenset[str]]:
    """Return pairs of adjacent keys on a QWERTY keyboard, whose rows are shifted by half a key."""
    pairs = set()
    for row, keys in enumerate(_ROWS):
        for column, key in enumerate(keys):
            pairs |= {frozenset((key, other)) for other in keys[column + 1 : column + 2]}
            if row + 1 < len(_ROWS):
                below = _ROWS[row + 1][max(column - 1, 0) : column + 1]
                pairs |= {frozenset((key, other)) for other in below}
    return frozenset(pairs)


_NEIGHBOURS = _neighbours()


def are_neighbours(key: str, other: str) -> bool:
    """Return whether two keys are adjacent."""
    return frozenset((key, other)) in _NEIGHBOURS


def spelling_edit(found: str, expected: str) -> tuple[Edit, int]:
    """Return the edit that turns `expected` into `found`, and its position in `found`.

    The two must differ.
    """
    start = _common(found, expected)
    end = _common(found[start:][::-1], expected[start:][::-1])
    new, old = found[start : len(found) - end], expected[start : len(expected) - end]
    if not old:
        return _inserted(new, found, start), start
    if not new:
        return _deleted(old, expected, start), start
    if sorted(new) == sorted(old) and len(new) <= 4:
        detail = f"the letters `{old}` are swapped" if len(new) == 2 else _instead(new, old)
        return Edit(EditKind.TRANSPOSITION, detail), start
    if len(new) == len(old) == 1:
        return _substituted(new, old), start
    if {new, old} in ({"rn", "m"}, {"vv", "w"}, {"cl", "d"}):
        return Edit(EditKind.HOMOGLYPH, f"{_instead(new, old)}, which it looks like"), start
    return Edit(EditKind.SEVERAL, _instead(new, old)), start


def _common(first: str, second: str) -> int:
    """Return the number of letters that two words have in common at their start."""
    return sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False))
    )


def _instead(new: str, old: str) -> str:
    return f"`{new}` replaces `{old}`"


def _inserted(new: str, found: str, start: int) -> Edit:
    rest = found[start + len(new) :]
    if new.isdigit() and not rest:
        return Edit(EditKind.VERSION, f"the number `{new}` is added")
    if new == "s" and not rest and found[start - 1 : start] != "s":
        return Edit(EditKind.PLURAL, "an `s` is added")
    if len(new) == 1 and (found[max(start - 1, 0) : start] == new or rest[:1] == new):
        return Edit(EditKind.REPETITION, f"the letter `{new}` is repeated")
    kind = EditKind.INSERTION if len(new) == 1 else EditKind.SEVERAL
    return Edit(kind, f"`{new}` is inserted")


def _deleted(old: str, expected: str, start: int) -> Edit:
    rest = expected[start + len(old) :]
    if old.isdigit() and not rest:
        return Edit(EditKind.VERSION, f"the number `{old}` is left out")
    if old == "s" and not rest:
        return Edit(EditKind.PLURAL, "the last `s` is left out")
    if len(old) == 1 and (expected[max(start - 1, 0) : start] == old or rest[:1] == old):
        return Edit(EditKind.REPETITION, f"the letter `{old}` is not repeated")
    kind = EditKind.DELETION if len(old) == 1 else EditKind.SEVERAL
    return Edit(kind, f"`{old}` is left out")


def _substituted(new: str, old: str) -> Edit:
    pair = frozenset((new, old))
    if new.isdigit() and old.isdigit():
        return Edit(EditKind.VERSION, _instead(new, old))
    if pair in _LOOKALIKE_PAIRS:
        return Edit(EditKind.HOMOGLYPH, f"{_instead(new, old)}, which it looks like")
    if are_neighbours(new, old):
        return Edit(EditKind.KEYBOARD, f"{_instead(new, old)}, the adjacent key")
    return Edit(EditKind.SUBSTITUTION, _instead(new, old))
