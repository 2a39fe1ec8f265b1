"""What was done to a name to get another one that looks like it."""

from __future__ import annotations

from itertools import takewhile

from codeintel.trust.names.shapes import Edit, EditKind

_ROWS = ("1234567890-", "qwertyuiop", "asdfghjkl", "zxcvbnm")
_LOOKALIKE_PAIRS = frozenset(
    frozenset(pair)
    for pair in (("1", "l"), ("0", "o"), ("1", "i"), ("3", "e"), ("4", "a"), ("5", "s"), ("q", "g"))
)


def _neighbours() -> frozenset[frozenset[str]]:
    """Pairs of keys that touch on a QWERTY keyboard, whose rows are shifted by half a key."""
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
    """Whether two keys touch."""
    return frozenset((key, other)) in _NEIGHBOURS


def spelling_edit(found: str, expected: str) -> tuple[Edit, int]:
    """The edit that makes `found` of `expected`, which differ, and the place in `found` where it
    begins."""
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
    """How many letters two words have in common at their start."""
    return sum(
        1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(first, second, strict=False))
    )


def _instead(new: str, old: str) -> str:
    return f"`{new}` is in the place of `{old}`"


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
        return Edit(EditKind.KEYBOARD, f"{_instead(new, old)}, the key beside it")
    return Edit(EditKind.SUBSTITUTION, _instead(new, old))
