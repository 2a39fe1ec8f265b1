"""Signals of maintenance: releases, pushes, contributors, and the registry's status."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from codeintel.contracts import Case, Ecosystem, Measure
from codeintel_plugins.trust.scorers.weighted import (
    OfRepository,
    Weighted,
    days_since,
    falling,
    has_come,
    number,
    parsed_time,
)

HALF_YEAR_DAYS = 183
THREE_YEARS_DAYS = 1_096
YEAR_DAYS = 365


class ReleaseRecency(Weighted):
    """1 within half a year of the latest release, 0 after three years, a straight line between."""

    title = "Latest release"
    reads = ("release_dates", "releases")
    advice = "Release pending fixes, or document that the package is complete."

    def measure(self, case: Case) -> Measure | None:
        days = days_since(max(_times("latest", case), default=None), case)
        if days is None:
            return None
        return Measure(days, "days", falling(days, HALF_YEAR_DAYS, THREE_YEARS_DAYS))


class RepositoryActivity(OfRepository, Weighted):
    """1 within half a year of the last push, 0 after three years, a straight line between."""

    title = "Latest push"
    reads = ("pushed_at",)
    advice = "Push to the repository, or transfer it to a new maintainer."

    def look(self, case: Case) -> Measure | None:
        days = days_since(parsed_time(case.facts.value("pushed_at")), case)
        if days is None:
            return None
        return Measure(days, "days", falling(days, HALF_YEAR_DAYS, THREE_YEARS_DAYS))


def first_release(case: Case) -> datetime | None:
    """Return the time of the first release: the earliest of all sources."""
    return min(_times("first", case), default=None)


def _times(part: str, case: Case) -> Iterator[datetime]:
    """Yield times of all releases, and the registry's time of the first or the latest.

    Invalid and future times are skipped, because another source may have a valid one.
    """
    dates = case.facts.value("release_dates")
    found = case.facts.value("releases")
    told = [dates.get(part)] if isinstance(dates, dict) else []
    rows = found if isinstance(found, list) else []
    for each in (*told, *(row.get("at") for row in rows if isinstance(row, dict))):
        at = parsed_time(each)
        if at is not None and has_come(at, case):
            yield at


_GONE = frozenset({"removed", "unpublished"})


class NotDeprecated(Weighted):
    """1 while the registry lists the package as active; deprecated or yanked: 0. A package that
    the registry has removed has no points at all. It cannot be installed, and most such packages
    are removed because they are malicious. The next owner of the name is another person."""

    title = "Not deprecated"
    reads = ("status",)
    advice = "Name a successor in the package's description."
    version = "2"

    def measure(self, case: Case) -> Measure | None:
        status = case.facts.value("status")
        if not isinstance(status, str):
            return None
        note = "The registry has removed the package." if status in _GONE else ""
        return Measure(status, "", float(status == "active"), note, settles=status in _GONE)


class NotArchived(OfRepository, Weighted):
    """1 while the repository is open, 0 once it is archived."""

    title = "Repository not archived"
    reads = ("is_archived",)
    advice = "Unarchive the repository, or name its successor."

    def look(self, case: Case) -> Measure | None:
        is_archived = case.facts.value("is_archived")
        if not isinstance(is_archived, bool):
            return None
        return Measure(not is_archived, "", float(not is_archived))


class Age(Weighted):
    """Days since the first release over a year, at most 1; of what is a repository itself, since
    that was made. The repository of a package may be older, and another's."""

    title = "Time in public"
    reads = ("release_dates", "releases", "created_at")
    advice = "The score rises with time. Review the package before you depend on it."

    def measure(self, case: Case) -> Measure | None:
        days = days_since(first_release(case), case)
        if days is None and case.target.ecosystem is Ecosystem.GITHUB:
            days = days_since(parsed_time(case.facts.value("created_at")), case)
        if days is None:
            return None
        return Measure(days, "days", min(1.0, days / YEAR_DAYS))


ENOUGH = 3
ALONE = 0.4
"""For one maintainer: most packages have no more, and most of those do no harm."""
HALF = 0.5


class Maintainers(Weighted):
    """.4 for one who may publish, .7 for two, 1 for three or more."""

    title = "Publishers"
    reads = ("maintainers",)
    advice = "Give publishing rights to at least three people."

    def measure(self, case: Case) -> Measure | None:
        found = case.facts.value("maintainers")
        # every package has an owner, so the list is incomplete
        if not isinstance(found, list) or not found:
            return None
        score = ALONE + (1 - ALONE) * (min(len(found), ENOUGH) - 1) / (ENOUGH - 1)
        return Measure(len(found), "people", score)


class ContributorDepth(OfRepository, Weighted):
    """How much of the work is not one person's: 1 where the first of at most 100 contributors has
    half of the contributions or less, 0 where all are theirs, a straight line between."""

    title = "Contributor depth"
    reads = ("contributors",)
    advice = "Share the work with more contributors."

    def look(self, case: Case) -> Measure | None:
        found = case.facts.value("contributors")
        share = number(found.get("topShare")) if isinstance(found, dict) else None
        if share is None or not 0 <= share <= 1:
            return None
        percent = round(100.0 * share, 1)
        return Measure(percent, "% by one person", falling(share, HALF, 1.0))
