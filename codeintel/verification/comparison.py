"""What is compared."""

from __future__ import annotations

import msgspec

from codeintel.contracts import Change, Equivalence


class Comparison(msgspec.Struct, frozen=True, kw_only=True, tag="comparison"):
    """New code beside the old, to be checked as far as the code alone tells.

    :param changes: what is said to have been changed.
    :param equivalence: how they are compared; None where what made it promises none.
    :param by_model: whether a model wrote it, which may have put in anything.
    """

    before: str
    after: str
    language: str
    target: str
    changes: tuple[Change, ...] = ()
    equivalence: Equivalence | None = None
    by_model: bool = False
