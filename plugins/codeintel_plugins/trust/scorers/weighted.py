"""Helpers of signals: published weights, the effect of time, and ties to a repository."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from codeintel.contracts import Axis, Case, Ecosystem, Measure, Scorer, Target
from codeintel.engine.data_files import read_data

_FILE = Path(__file__).parent / "weights.toml"
DAY_SECONDS = 86_400


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of the file. `ecosystems`: where the signal applies; empty for everywhere."""

    axis: Axis
    weight: float
    reason: str
    ecosystems: tuple[Ecosystem, ...] = ()


class Weight(_Entry, frozen=True, kw_only=True):
    """An entry with its signal."""

    id: str


def published_weights() -> tuple[Weight, ...]:
    """Return all entries, in order."""
    entries = read_data(_FILE, dict[str, _Entry])
    return tuple(Weight(id=id_, **msgspec.structs.asdict(each)) for id_, each in entries.items())


class Weighted(Scorer):
    """A signal of the file."""

    def __init__(self, weight: Weight) -> None:
        super().__init__(weight.id, weight.axis, weight.weight, weight.reason)
        self._ecosystems = frozenset(weight.ecosystems)

    def applies_to(self, target: Target) -> bool:
        return not self._ecosystems or target.ecosystem in self._ecosystems


def parsed_time(value: object) -> datetime | None:
    """Return a time as facts write it; None for what is none, or of no zone."""
    if not isinstance(value, str):
        return None
    try:
        found = datetime.fromisoformat(value)
    except ValueError:
        return None
    return found if found.tzinfo is not None else None


def has_come(at: datetime | None, case: Case) -> bool:
    """Return whether a time is plausible for a past event.

    Clocks differ by some hours. A later time was made up, as authors can if a date is that of a
    commit (Go), and proves nothing.
    """
    return at is not None and (at - case.as_of).total_seconds() <= DAY_SECONDS


def days_since(since: datetime | None, case: Case) -> int | None:
    """Return the whole days from a time to the case's, or None for a future time."""
    if since is None or not has_come(since, case):
        return None
    return max(0, int((case.as_of - since).total_seconds() // DAY_SECONDS))


def number(value: object) -> float | None:
    """Return a fact's number, or None for other types, including truth values."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def falling(value: float, best: float, worst: float) -> float:
    """Return 1 up to `best`, 0 from `worst`, and a linear value between them."""
    return min(1.0, max(0.0, (worst - value) / (worst - best)))


NAMED = 0.5
"""What counts of a repository that is only named."""
FEWEST_MATCHES = 3
LOOKED_AT = 10
"""Releases, the latest."""
SAME_DAYS = 2.0
"""Between a release of the package and the tag of the same version."""
_DAY_SECONDS = 86_400


class OfRepository(ABC):
    """A base class for signals of the repository. It precedes the class of the signal."""

    def measure(self, case: Case) -> Measure | None:
        found = self.look(case)
        tied = tie(case)
        if found is None or tied == 1:
            return found
        note = f"{found.note} " if found.note else ""
        return replace(
            found,
            score=found.score * tied,
            unproven=found.score * (1 - tied),
            note=f"{note}Counts {tied:.0%}, because it is not proven that the package comes from "
            "this repository.",
        )

    @abstractmethod
    def look(self, case: Case) -> Measure | None:
        """Measure the repository itself."""


def tie(case: Case) -> float:
    """Return how closely a package is tied to its repository, from 0.5 to 1.

    1 if the package is the repository, or if an attestation or Go's module path proves the tie.
    Otherwise 0.5, plus up to 0.5 in proportion to the latest releases that the repository has
    tagged within two days, if there are at least three.
    """
    if case.target.ecosystem is Ecosystem.GITHUB:
        return 1.0
    if case.facts.value("repository_proof") == "attested":
        return 1.0
    return NAMED + (1 - NAMED) * _tagged(case)


def _tagged(case: Case) -> float:
    """Return the share of the latest releases that the repository tagged when they were
    published."""
    releases = _dated(case.facts.value("releases"))[-LOOKED_AT:]
    tags = _dated(case.facts.value("repository_tags"))
    matches = sum(any(_is_of(release, tag) for tag in tags) for release in releases)
    return matches / len(releases) if matches >= FEWEST_MATCHES else 0.0


def _is_of(release: tuple[datetime, str], tag: tuple[datetime, str]) -> bool:
    """Return whether a tag such as `v1.2.0` or `kit@1.2.0` is a release's."""
    version, name = release[1], tag[1]
    is_named = name.endswith(version) and not name[: -len(version)][-1:].isdigit()
    is_dotted = name[: -len(version)].endswith(".")
    days = abs((release[0] - tag[0]).total_seconds()) / _DAY_SECONDS
    return is_named and not is_dotted and days <= SAME_DAYS


def _dated(rows: Any) -> list[tuple[datetime, str]]:
    """Return versions with their times, the latest last."""
    found = []
    for row in rows if isinstance(rows, list) else ():
        try:
            at, version = datetime.fromisoformat(row["at"]), row["version"]
        except (TypeError, KeyError, ValueError):
            continue
        if at.tzinfo is not None and isinstance(version, str) and version:
            found.append((at, version))
    return sorted(found)
