"""What is compared."""

from __future__ import annotations

import msgspec

from codeintel.contracts import Change, Equivalence


class Comparison(msgspec.Struct, frozen=True, kw_only=True, tag="comparison"):
    """New code beside the old, to be checked as far as the code alone tells.

    :param changes: what is said to have been changed.
    :param losses: what is said not to be there any more.
    :param equivalence: how they are compared; None where nothing shows that they are equal.
    :param by_model: whether it was made by what may put in anything, such as a model.
    """

    before: str
    after: str
    language: str
    target: str
    changes: tuple[Change, ...] = ()
    losses: tuple[str, ...] = ()
    equivalence: Equivalence | None = None
    by_model: bool = False

    @property
    def is_changed(self) -> bool:
        """Whether there is anything to show."""
        return self.before != self.after or self.language != self.target
