"""Data types for imitations: candidates, edits, and the resulting suspicion."""

from __future__ import annotations

from enum import StrEnum

import msgspec

# The probability of imitation for a feature that no legitimate name has, such as an option of the
# installer.
CERTAIN = 0.99


class EditKind(StrEnum):
    """How a name departs from the name that it resembles."""

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
    """The edit from the famous name to this name.

    `detail` is a clause without a full stop, such as "the letters `is` are swapped".
    """

    kind: EditKind
    detail: str


class Likeness(msgspec.Struct, frozen=True):
    """A name that another one resembles, with a `probability` from 0 to 1."""

    target: str
    edit: Edit
    probability: float


class Suspicion(msgspec.Struct, frozen=True):
    """Answer to whether a name looks like an imitation.

    `target` is the name that it resembles most or, if `is_famous` is false, the common spelling of
    the same words. `suspicious` says whether `probability` reaches the threshold of the model.
    `others` are further names that it resembles, the most similar first.
    """

    name: str
    target: str
    edit: Edit
    probability: float
    suspicious: bool
    is_famous: bool
    others: tuple[Likeness, ...] = ()


class ProtectedSuspicion(Suspicion, frozen=True):
    """A suspicion whose `target` is a protected name, or has the owner or scope of one.

    The API has no protected names, so it never returns this.
    """


class Candidate(msgspec.Struct, frozen=True):
    """A name that another one may imitate.

    `rank` is 0 if the name is not famous but made of corrected words. The edit is between the
    letters `found` and `expected`, and starts at `place` in `found`. `owns` says whether the edit
    is in a scope or an owner. `affix` is an added word. `probability` is that of an edit that is
    not weighed, else 0. `is_protected` says whether the name is one of the caller's.
    """

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
