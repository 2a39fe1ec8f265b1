"""What is compared, and what a comparison says."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from codeintel.contracts import Change, Check, CheckStatus, Equivalence, Promise


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


SAME_VALUES = "same_values"
LEVELS: dict[str, str] = {
    Promise.PARSES: "V1",
    Promise.EQUIVALENT: "V2",
    SAME_VALUES: "V2",
    Promise.SAME_INTERFACE: "V3",
}
"""The checks that the code alone decides, each with its level."""
NAMES = tuple(LEVELS)
"""In their order."""


class Evidence(NamedTuple):
    """How a check ended, and a sentence about what was compared or why it could not be. The
    sentence is for people; it may name identifiers and lines, but quotes no values of the code.

    `conclusive` marks a check that shows by itself that the result behaves as the original does;
    `tentative` one whose failure is only a doubt, which a conclusive check may settle.
    """

    status: CheckStatus
    text: str
    conclusive: bool = False
    tentative: bool = False

    def check(self, name: str, level: str) -> Check:
        """What is told of it."""
        return Check(
            name=name,
            level=level,
            status=self.status,
            evidence=self.text,
            conclusive=self.conclusive,
            tentative=self.tentative,
        )


def passed(text: str, *, conclusive: bool = False) -> Evidence:
    """The check holds; `conclusive` if that is enough to call the result proven."""
    return Evidence(CheckStatus.PASSED, text, conclusive)


def failed(text: str, *, tentative: bool = False) -> Evidence:
    """The check does not hold; `tentative` if a conclusive check may settle the doubt."""
    return Evidence(CheckStatus.FAILED, text, tentative=tentative)


def not_applicable(text: str) -> Evidence:
    """Nobody can say."""
    return Evidence(CheckStatus.NOT_APPLICABLE, text)
