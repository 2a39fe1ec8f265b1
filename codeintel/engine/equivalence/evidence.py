"""What a single comparison says."""

from __future__ import annotations

from typing import NamedTuple

from codeintel.contracts import Check, CheckStatus, Promise

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
