"""A name that another one may imitate."""

from __future__ import annotations

import msgspec

from codeintel.trust.names.shapes import Edit


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
