"""Define what the checks compare and what they return."""

from __future__ import annotations

from typing import NamedTuple

import msgspec

from codeintel.contracts import Change, Check, CheckStatus, Equivalence, Promise


class Comparison(msgspec.Struct, frozen=True, kw_only=True, tag="comparison"):
    """New code and the original, to be checked without running them.

    :param changes: the changes that the transformation names.
    :param losses: the losses that the transformation names.
    :param equivalence: how to compare both sides, or None if no comparison can show equality.
    :param by_model: whether the author can insert anything, as a model can.
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
        """Return whether the code or its language changed."""
        return self.before != self.after or self.language != self.target


SAME_VALUES = "same_values"
LEVELS: dict[str, str] = {
    Promise.PARSES: "V1",
    Promise.EQUIVALENT: "V2",
    SAME_VALUES: "V2",
    Promise.SAME_INTERFACE: "V3",
}
"""The checks that need only the code, each with its level."""
NAMES = tuple(LEVELS)
"""The names of these checks, in order."""


class Evidence(NamedTuple):
    """The outcome of a check, with a sentence about what was compared or why it could not be.

    People read the sentence. It may name identifiers and lines but never quotes values from the
    code. A `conclusive` check proves on its own that the result behaves as the original does. A
    `tentative` failure is a doubt that a conclusive check can settle.
    """

    status: CheckStatus
    text: str
    conclusive: bool = False
    tentative: bool = False

    def check(self, name: str, level: str) -> Check:
        """Return the check as clients see it."""
        return Check(
            name=name,
            level=level,
            status=self.status,
            evidence=self.text,
            conclusive=self.conclusive,
            tentative=self.tentative,
        )


def passed(text: str, *, conclusive: bool = False) -> Evidence:
    """Return a pass. A conclusive pass is enough to call the result proven."""
    return Evidence(CheckStatus.PASSED, text, conclusive)


def failed(text: str, *, tentative: bool = False) -> Evidence:
    """Return a failure. A conclusive check can settle a tentative one."""
    return Evidence(CheckStatus.FAILED, text, tentative=tentative)


def not_applicable(text: str) -> Evidence:
    """Return that the check cannot be answered."""
    return Evidence(CheckStatus.NOT_APPLICABLE, text)
