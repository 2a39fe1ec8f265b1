"""Requests to other services: the request, the answer and the possible errors."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Any

MAX_PARTS = 200_000
"""The limit for a document. More would take hundreds of megabytes, and no list of results needs it.
"""


class SourceProblem(StrEnum):
    """The reason why a source gave no results."""

    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    RATE_LIMITED = "rate_limited"
    UNAUTHORIZED = "unauthorized"
    REFUSED = "refused"
    UNAVAILABLE = "unavailable"
    MALFORMED = "malformed"
    ACCOUNTS_ONLY = "accounts_only"
    BROKEN = "broken"
    """The source's code failed."""


class SourceError(Exception):
    """A source cannot answer. `message` is a readable sentence and quotes nothing from the
    upstream. `retry_after` is in seconds, or None if it is unknown.
    """

    def __init__(
        self, problem: SourceProblem, message: str, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.problem = problem
        self.message = message
        self.retry_after = retry_after


@dataclass(frozen=True)
class SourceRequest:
    """A request below the source's base URL. GET, or POST if it has a body."""

    path: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: bytes = field(default=b"", repr=False)
    """JSON."""


@dataclass(frozen=True)
class SourceAnswer:
    """The answer to a request. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)

    def json(self) -> Any:
        """Return the body as a document.

        :raises SourceError: `malformed`.
        """
        if sum(map(self.body.count, (b"{", b"[", b","))) > MAX_PARTS:
            raise SourceError(SourceProblem.MALFORMED, "The registry's answer has too many parts.")
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            raise SourceError(
                SourceProblem.MALFORMED, "The registry's answer is not JSON."
            ) from None


def retry_after(text: str, now: float) -> float | None:
    """Return the header `Retry-After`, which has seconds or a date, as seconds from `now` (RFC
    9110, 10.2.3).
    """
    try:
        return max(0.0, float(int(text)))
    except (ValueError, OverflowError):
        pass
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    # An HTTP date in the format of `asctime` has no time zone.
    return max(0.0, (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - now)
