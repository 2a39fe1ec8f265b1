"""Signals that look at the repository which a package names as its own.

Whoever publishes a package can name any repository, a famous one at that. So what is found there
counts in full only where something ties the package to it; of the rest nobody knows whose it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import replace
from datetime import datetime
from typing import Any

from codeintel.contracts import Case, Ecosystem, Measure

NAMED = 0.5
"""What counts of a repository that is only named."""
FEWEST_MATCHES = 3
LOOKED_AT = 10
"""Releases, the latest."""
SAME_DAYS = 2.0
"""Between a release of the package and the tag of the same version."""
_DAY_SECONDS = 86_400


class OfRepository(ABC):
    """What makes a signal one of the repository; it stands before the class of the signal."""

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
            note=f"{note}Counts {tied:.0%}: that the package comes from this repository is not "
            "proven.",
        )

    @abstractmethod
    def look(self, case: Case) -> Measure | None:
        """What the repository itself deserves."""


def tie(case: Case) -> float:
    """How far a package is tied to its repository: 1 if it is the repository, or an attestation or
    Go's module path proves it; else half, and the other half in proportion to the latest releases
    whose versions the repository has tagged within two days, where three are."""
    if case.target.ecosystem is Ecosystem.GITHUB:
        return 1.0
    if case.facts.value("repository_proof") == "attested":
        return 1.0
    return NAMED + (1 - NAMED) * _tagged(case)


def _tagged(case: Case) -> float:
    """The share of the latest releases that the repository has tagged when they came out."""
    releases = _dated(case.facts.value("releases"))[-LOOKED_AT:]
    tags = _dated(case.facts.value("repository_tags"))
    matches = sum(any(_is_of(release, tag) for tag in tags) for release in releases)
    return matches / len(releases) if matches >= FEWEST_MATCHES else 0.0


def _is_of(release: tuple[datetime, str], tag: tuple[datetime, str]) -> bool:
    """Whether a tag such as `v1.2.0` or `kit@1.2.0` is a release's."""
    version, name = release[1], tag[1]
    is_named = name.endswith(version) and not name[: -len(version)][-1:].isdigit()
    is_dotted = name[: -len(version)].endswith(".")
    days = abs((release[0] - tag[0]).total_seconds()) / _DAY_SECONDS
    return is_named and not is_dotted and days <= SAME_DAYS


def _dated(rows: Any) -> list[tuple[datetime, str]]:
    """Versions with their times, the latest last."""
    found = []
    for row in rows if isinstance(rows, list) else ():
        try:
            at, version = datetime.fromisoformat(row["at"]), row["version"]
        except (TypeError, KeyError, ValueError):
            continue
        if at.tzinfo is not None and isinstance(version, str) and version:
            found.append((at, version))
    return sorted(found)
