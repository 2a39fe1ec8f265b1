"""From facts to numbers that a history is made of. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from codeintel.trust.scores import Inputs

DOWNLOADS = "downloads"
"""Of the month before."""
DOWNLOADS_TOTAL = "downloads_total"
DEPENDENTS = "dependents"
STARS = "stars"
RELEASE = "release"
MOST = 2**53
"""What no count reaches: beyond it numbers of JSON are not exact."""
_DOWNLOADS = {"last-month": DOWNLOADS, "total": DOWNLOADS_TOTAL}


class Observed(NamedTuple):
    """One number at one moment, in milliseconds since 1970."""

    metric: str
    at_ms: int
    value: float


def observed(inputs: Inputs, collected_ms: int) -> Iterator[Observed]:
    """What a fetch adds: the counts of now, and all releases, whose dates are history. What is
    stale was counted when it was fetched."""
    facts = {fact.name: fact.value for fact in inputs.facts if fact.name not in inputs.stale}
    downloads = facts.get("downloads")
    if isinstance(downloads, dict) and downloads.get("period") in _DOWNLOADS:
        yield from _count(_DOWNLOADS[downloads["period"]], downloads.get("count"), collected_ms)
    dependents = facts.get("dependents")
    if isinstance(dependents, dict):
        yield from _count(DEPENDENTS, dependents.get("packages"), collected_ms)
    yield from _count(STARS, facts.get("stars"), collected_ms)
    seen = set()
    for at_ms in _releases(facts.get("releases")):
        if at_ms not in seen:
            seen.add(at_ms)
            yield Observed(RELEASE, at_ms, 1.0)


def _count(metric: str, value: Any, at_ms: int) -> Iterator[Observed]:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and 0 <= value < MOST:
        yield Observed(metric, at_ms, float(value))


def _releases(rows: Any) -> Iterator[int]:
    for row in rows if isinstance(rows, list) else ():
        try:
            yield int(datetime.fromisoformat(row["at"]).timestamp()) * 1_000
        except (TypeError, KeyError, ValueError, OverflowError):  # it may be a plugin's fact
            continue
