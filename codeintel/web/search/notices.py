"""What `/search` says of a source that could not be asked. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from msgspec import UNSET

from codeintel.base.text.quantities import age, duration
from codeintel.contracts import SourceProblem
from codeintel.search.shapes import Stale, Unavailable

_HEADINGS = {
    SourceProblem.TIMEOUT: "No answer in time",
    SourceProblem.UNREACHABLE: "Out of reach",
    SourceProblem.RATE_LIMITED: "Asked too often",
    SourceProblem.UNAUTHORIZED: "Token not accepted",
    SourceProblem.REFUSED: "Search refused",
    SourceProblem.UNAVAILABLE: "Not available",
    SourceProblem.MALFORMED: "Answer not understood",
    SourceProblem.ACCOUNTS_ONLY: "For those who are signed in",
    SourceProblem.BROKEN: "Not working",
}
_PRIVATE = "Its results may be private."
"""What the API says of it is about keys."""
_SOON = "It may work again in a moment."
_OPERATOR = "Only whoever runs this service can change that."
_AGAIN = {
    SourceProblem.TIMEOUT: _SOON,
    SourceProblem.UNREACHABLE: _SOON,
    SourceProblem.RATE_LIMITED: _SOON,
    SourceProblem.UNAUTHORIZED: _OPERATOR,
    SourceProblem.REFUSED: "It may take other words.",
    SourceProblem.UNAVAILABLE: _SOON,
    SourceProblem.MALFORMED: _SOON,
    SourceProblem.BROKEN: _OPERATOR,
}
"""When to try again, where the source does not say."""


class NoticeKind(StrEnum):
    """How much a notice takes away: all results, their freshness, or all for want of a session."""

    FAILED = "failed"
    STALE = "stale"
    PRIVATE = "private"


@dataclass(frozen=True)
class Notice:
    """What is wrong with a source, and `again` when to ask it again. `as_of` is the time of results
    that stand in, `can_retry` whether the same search may work later."""

    kind: NoticeKind
    heading: str
    text: str
    again: str = ""
    as_of: datetime | None = None
    can_retry: bool = False


def failure(source: Unavailable) -> Notice:
    """Of a source without results."""
    again = _AGAIN.get(source.code, "")
    if source.retry_after is not UNSET:
        again = f"Try again in {duration(source.retry_after)}." if source.retry_after else _SOON
    is_private = source.code is SourceProblem.ACCOUNTS_ONLY
    return Notice(
        kind=NoticeKind.PRIVATE if is_private else NoticeKind.FAILED,
        heading=_HEADINGS[source.code],
        text=_PRIVATE if is_private else source.message,
        again=again,
        can_retry=source.retry_after is not UNSET or again == _SOON,
    )


def staleness(source: Stale, now: float) -> Notice:
    """Of a source whose old results stand in.

    :param now: Unix time.
    """
    past = age(max(0.0, now - source.as_of.timestamp()))
    return Notice(
        kind=NoticeKind.STALE,
        heading=f"{_HEADINGS[source.code]}: older results",
        text=f"{past}.",
        as_of=source.as_of,
        can_retry=True,
    )
