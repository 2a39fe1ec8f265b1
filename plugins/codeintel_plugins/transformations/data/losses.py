"""What a format cannot hold, gathered while data is read and written."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from codeintel.contracts import Unsupported

MAX_DEPTH = 100
MAX_VALUES = 200_000
MAX_DIGITS = 4_000
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
DIGITS = "Numbers keep the digits that 64 bits have"
OCTALS = (
    "Numbers such as `012` and `0o14`, octal to readers of one version of YAML and not to those of "
    "another, are what version 1.2 reads"
)
SIXTIES = "Words such as `1:30`, which readers of YAML 1.1 take for numbers of base 60, are text"
UNDERSCORES = (
    "Words such as `1_000` and `0b11`, which readers of YAML 1.1 take for numbers, are text"
)
ZEROS = "Zeros lose their sign"


@dataclass
class Losses:
    """How often something is lost, by what is said of it, in order of first sight, and where."""

    counts: dict[str, int] = field(default_factory=dict)
    places: dict[str, dict[str, None]] = field(default_factory=dict)
    path: list[str] = field(default_factory=list)
    """The names that lead to what is being read or written; `[]` for a place in a list."""

    def add(self, what: str, count: int = 1) -> None:
        """Note a loss that has no place."""
        if count:
            self.counts[what] = self.counts.get(what, 0) + count

    def add_here(self, what: str) -> None:
        """Note a loss at the path."""
        self.add(what)
        place = ""
        for name in self.path:
            place = f"{place}.{name}" if place and name != "[]" else place + name
        self.places.setdefault(what, {})[place or "."] = None

    def sentences(self) -> Iterator[str]:
        """The sentences for people."""
        for what, count in self.counts.items():
            often = f": {count}" if count > 1 else ""
            places = ", ".join(f"`{place}`" for place in self.places.get(what, ()))
            yield f"{what}{often} ({places})." if places else f"{what}{often}."


class Rounded(float):
    """A number that has more digits than it can keep."""


def read_float(text: str) -> float:
    """The number that a text says.

    :raises Unsupported: if there is none so large.
    """
    value = float(text)
    if math.isinf(value) and "inf" not in text.lower():
        raise Unsupported("A number is beyond 64 bits.")
    try:
        is_exact = math.isnan(value) or Decimal(text) == Decimal(repr(value))
    except InvalidOperation:
        is_exact = False
    return value if is_exact else Rounded(value)
