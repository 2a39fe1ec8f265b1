"""What the comparison of a name with famous ones answers."""

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
