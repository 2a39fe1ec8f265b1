"""What a single comparison says."""

from __future__ import annotations

from typing import NamedTuple

from codeintel.contracts import CheckStatus, Promise

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
    """How it ended, and a sentence about what was compared or why it could not be. The sentence is
    for people; it may name identifiers and lines, but quotes no values of the code."""

    status: CheckStatus
    text: str


def passed(text: str) -> Evidence:
    """It holds."""
    return Evidence(CheckStatus.PASSED, text)


def failed(text: str) -> Evidence:
    """It does not."""
    return Evidence(CheckStatus.FAILED, text)


def not_applicable(text: str) -> Evidence:
    """Nobody can say."""
    return Evidence(CheckStatus.NOT_APPLICABLE, text)
