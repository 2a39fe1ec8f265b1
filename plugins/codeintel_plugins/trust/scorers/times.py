"""How long ago something happened, counted to the moment of the snapshot."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from codeintel.contracts import Case, Measure
from codeintel_plugins.trust.scorers.repository import OfRepository
from codeintel_plugins.trust.scorers.weighted import (
    Weighted,
    days_since,
    falling,
    has_come,
    moment,
)

HALF_YEAR_DAYS = 183
THREE_YEARS_DAYS = 1_096
YEAR_DAYS = 365


class ReleaseRecency(Weighted):
    """1 within half a year of the latest release, 0 after three years, a straight line between."""

    title = "Latest release"
    reads = ("release_dates", "releases")
    advice = "Release what has been fixed since, or say that the package is finished."

    def measure(self, case: Case) -> Measure | None:
        days = days_since(max(_times("latest", case), default=None), case)
        if days is None:
            return None
        return Measure(days, "days", falling(days, HALF_YEAR_DAYS, THREE_YEARS_DAYS))


class RepositoryActivity(OfRepository, Weighted):
    """1 within half a year of the last push, 0 after three years, a straight line between."""

    title = "Latest push"
    reads = ("pushed_at",)
    advice = "Push to the repository, or hand it over."

    def look(self, case: Case) -> Measure | None:
        days = days_since(moment(case.facts.value("pushed_at")), case)
        if days is None:
            return None
        return Measure(days, "days", falling(days, HALF_YEAR_DAYS, THREE_YEARS_DAYS))


def first_release(case: Case) -> datetime | None:
    """When the first release was, of the sources that tell the earliest."""
    return min(_times("first", case), default=None)


def _times(part: str, case: Case) -> Iterator[datetime]:
    """Of all releases, and what the registry says of the first or the latest. What is no time, or
    is still to come, is passed over: another source may tell one."""
    dates = case.facts.value("release_dates")
    found = case.facts.value("releases")
    told = [dates.get(part)] if isinstance(dates, dict) else []
    rows = found if isinstance(found, list) else []
    for each in (*told, *(row.get("at") for row in rows if isinstance(row, dict))):
        at = moment(each)
        if at is not None and has_come(at, case):
            yield at
