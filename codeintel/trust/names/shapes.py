"""How one name imitates another: candidates, edits, and the suspicion that is answered."""

from __future__ import annotations

from enum import StrEnum

import msgspec

# The probability of what no honest name has, such as that its installer cannot be given it.
CERTAIN = 0.99


class EditKind(StrEnum):
    """How a name departs from the one that it looks like."""

    TRANSPOSITION = "transposition"
    REPETITION = "repetition"
    INSERTION = "insertion"
    DELETION = "deletion"
    SUBSTITUTION = "substitution"
    KEYBOARD = "keyboard"
    HOMOGLYPH = "homoglyph"
    SOUND = "sound"
    CASE = "case"
    SEPARATORS = "separators"
    WORD_ORDER = "word_order"
    AFFIX = "affix"
    VERSION = "version"
    PLURAL = "plural"
    SCOPE = "scope"
    OPTION = "option"
    SEVERAL = "several"


class Edit(msgspec.Struct, frozen=True):
    """The edit from the famous name to the one at hand. `detail` is a clause without a full stop,
    such as "the letters `is` are swapped"."""

    kind: EditKind
    detail: str


class Likeness(msgspec.Struct, frozen=True):
    """A name that another one looks like, and how much: `probability` from 0 to 1."""

    target: str
    edit: Edit
    probability: float


class Suspicion(msgspec.Struct, frozen=True):
    """Whether a name looks like an imitation. `target` is the name that it most looks like, or, if
    `is_famous` is false, the common spelling of the same words. `suspicious` is whether
    `probability` reaches the threshold of the model. `others` are further names that it looks
    like, most first."""

    name: str
    target: str
    edit: Edit
    probability: float
    suspicious: bool
    is_famous: bool
    others: tuple[Likeness, ...] = ()


class ProtectedSuspicion(Suspicion, frozen=True):
    """A suspicion whose `target` is a protected name, or has the owner or scope of one. The API,
    which has no protected names, does not have this."""


class Candidate(msgspec.Struct, frozen=True):
    """A name that another one may imitate. `rank` is 0 if it is not famous: words put right.
    `found` and `expected` are the letters between which the edit is, `place` is where in `found`
    it begins; `owns` is whether the edit is of a scope or an owner; `affix` is a word that was
    added. `probability` is that of an edit that is not weighed, else 0; `is_protected` is whether
    the name is one of the caller's own."""

    target: str
    rank: int
    edit: Edit
    found: str
    expected: str
    place: int
    owns: bool = False
    affix: str = ""
    probability: float = 0.0
    is_protected: bool = False
