"""What a format cannot hold, gathered while data is read and written."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

MAX_DEPTH = 100
MAX_VALUES = 200_000


@dataclass
class Losses:
    """How often something is lost, by what is said of it, in order of first sight."""

    counts: dict[str, int] = field(default_factory=dict)

    def add(self, what: str, count: int = 1) -> None:
        """Note a loss: a sentence with a place for how many, as in `{} comments are left out.`"""
        if count:
            self.counts[what] = self.counts.get(what, 0) + count

    def sentences(self) -> Iterator[str]:
        """The sentences for people."""
        for what, count in self.counts.items():
            yield f"{what}: {count}." if count > 1 else f"{what}."


COMMENTS = "Comments are left out"
ALIASES = "Aliases are written out where they stand"
MERGES = "Merge keys are written out"
TAGS = "Tags are left out, the values stay"
BINARY = "Binary values become text in base64"
DATES = "Dates and times become text"
NULLS = "Names without a value are left out"
NANS = "Numbers that are infinite or none become null"
KEYS = "Names that are no text become text"
ORDER = "Names are in another order: tables come last"
BIG = "Whole numbers beyond 2^53 stay, but JavaScript reads them inexactly"
WORDS = "Words such as `on` and `no`, which readers of YAML 1.1 take for booleans, are text"
