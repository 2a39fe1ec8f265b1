"""Signals whose weights are published in `weights.toml`."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import msgspec

from codeintel.contracts import Axis, Case, Ecosystem, Scorer, Target
from codeintel.engine.data_files import read_data

_FILE = Path(__file__).parent / "weights.toml"
DAY_SECONDS = 86_400


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One entry of the file. `ecosystems`: where the signal applies; empty for everywhere."""

    axis: Axis
    weight: float
    reason: str
    ecosystems: tuple[Ecosystem, ...] = ()


class Weight(_Entry, frozen=True, kw_only=True):
    """An entry with its signal."""

    id: str


def published_weights() -> tuple[Weight, ...]:
    """All entries, in their order."""
    entries = read_data(_FILE, dict[str, _Entry])
    return tuple(Weight(id=id_, **msgspec.structs.asdict(each)) for id_, each in entries.items())


class Weighted(Scorer):
    """A signal of the file."""

    def __init__(self, weight: Weight) -> None:
        super().__init__(weight.id, weight.axis, weight.weight, weight.reason)
        self._ecosystems = frozenset(weight.ecosystems)

    def applies_to(self, target: Target) -> bool:
        return not self._ecosystems or target.ecosystem in self._ecosystems


def moment(value: object) -> datetime | None:
    """A time as facts write it; None for what is none, or of no zone."""
    if not isinstance(value, str):
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    return found if found.tzinfo is not None else None


def has_come(at: datetime | None, case: Case) -> bool:
    """Whether a time can be one at which something happened. Clocks differ by some hours; what is
    later was made up, as authors can where a date is that of a commit (Go), and proves nothing."""
    return at is not None and (at - case.as_of).total_seconds() <= DAY_SECONDS


def days_since(since: datetime | None, case: Case) -> int | None:
    """Whole days from a time to the case's; None for one that is still to come."""
    if since is None or not has_come(since, case):
        return None
    return max(0, int((case.as_of - since).total_seconds() // DAY_SECONDS))


def number(value: object) -> float | None:
    """What a fact tells as a number; None for all else, truth values among it."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def falling(value: float, best: float, worst: float) -> float:
    """1 up to `best`, 0 from `worst`, a straight line between."""
    return min(1.0, max(0.0, (worst - value) / (worst - best)))
