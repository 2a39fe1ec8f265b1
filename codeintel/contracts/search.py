"""Searching registries: what a source asks, and how it reads the answer.

Sources do no I/O: connections, deadlines, caching and isolation stand once in the core.
"""

from __future__ import annotations

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC
from email.utils import parsedate_to_datetime
from enum import StrEnum
from typing import Annotated, Any, ClassVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

Count = Annotated[int, Meta(ge=0)]
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
MAX_PARTS = 200_000
"""Of a document: more would take hundreds of megabytes, of which no list of results is made."""


class Hit(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that a registry has. Counts that the registry does not tell are left out."""

    id: Annotated[str, Meta(description="Unique within its source.")]
    name: str
    url: Annotated[str, Meta(description="Page for people; http or https.")]
    description: str = ""
    stars: Count | UnsetType = UNSET
    downloads: Count | UnsetType = UNSET


class Visibility(StrEnum):
    """Who may see what a source finds."""

    PUBLIC = "public"
    ACCOUNTS = "accounts"


class SourceProblem(StrEnum):
    """Why a source gave no results."""

    TIMEOUT = "timeout"
    UNREACHABLE = "unreachable"
    RATE_LIMITED = "rate_limited"
    UNAUTHORIZED = "unauthorized"
    REFUSED = "refused"
    UNAVAILABLE = "unavailable"
    MALFORMED = "malformed"
    ACCOUNTS_ONLY = "accounts_only"
    BROKEN = "broken"
    """The source's own code failed."""


class SourceError(Exception):
    """A source cannot answer. `message` is for people and quotes nothing of the upstream's;
    `retry_after` is in seconds, None where nobody knows."""

    def __init__(
        self, problem: SourceProblem, message: str, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.problem = problem
        self.message = message
        self.retry_after = retry_after


@dataclass(frozen=True)
class SourceRequest:
    """A GET request below the source's base URL."""

    path: str
    parameters: Mapping[str, str]
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class SourceAnswer:
    """What came back. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes = field(repr=False)

    def json(self) -> Any:
        """The body as a document.

        :raises SourceError: `malformed`.
        """
        if sum(map(self.body.count, (b"{", b"[", b","))) > MAX_PARTS:
            raise SourceError(SourceProblem.MALFORMED, "The registry's answer has too many parts.")
        try:
            return json.loads(self.body)
        except (ValueError, RecursionError):
            raise SourceError(
                SourceProblem.MALFORMED, "The registry's answer is no JSON."
            ) from None


class SearchSource(ABC):
    """One registry, or one instance of its kind. One object serves all searches, concurrently.

    :param name: unique; named in `sources` and in results; up to 40 letters, digits and `-`.
    :param base_url: the only host that the source reaches, and the beginning of all that it asks.
    :param token: sent to that host and nowhere else.
    :param visibility: who may see what it finds; where nobody says, a token's results may be
        private.
    :param is_on: whether it may be asked.
    :param label: its name for people; by default its title.
    """

    kind: ClassVar[str]
    """The registry's software, such as `gitlab`; several sources may be of one kind."""
    title: ClassVar[str] = ""
    """For people."""
    interval: ClassVar[float] = 0.0
    """Seconds that the registry wants between two requests."""

    def __init__(
        self,
        name: str,
        base_url: str,
        *,
        token: str = "",
        visibility: Visibility | str | None = None,
        is_on: bool = True,
        label: str = "",
    ) -> None:
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!r} is no name of a source: use letters, digits and `-`")
        if not base_url.startswith(("http://", "https://")):
            raise ValueError(f"the base URL of {name!r} must begin with http:// or https://")
        self.name = name
        self.label = label or self.title or name
        self.base_url = base_url.rstrip("/")
        self.token = token
        if visibility is None:
            visibility = Visibility.ACCOUNTS if token else Visibility.PUBLIC
        self.visibility = Visibility(visibility)
        self.is_on = is_on

    @abstractmethod
    def request(self, query: str, limit: int) -> SourceRequest:
        """The request that searches. Pure."""

    @abstractmethod
    def hits(self, answer: SourceAnswer) -> Iterable[Hit]:
        """What an answer with status 200 lists, best first. Pure. Whatever it raises makes the
        answer `malformed`; a single row that lacks its name should be passed over."""

    def pause(self, answer: SourceAnswer, now: float) -> float | None:
        """Seconds that an answer asks to wait before the next request, None if it does not say.
        Pure; for upstreams with headers of their own.

        :param now: Unix time.
        """
        return retry_after(answer.headers.get("retry-after", ""), now)

    def rest(self, answer: SourceAnswer, now: float) -> float | None:
        """Seconds to wait for the upstream's next window, where an answer with results says that it
        was the last of one. Pure."""
        left = answer.headers.get(
            "x-ratelimit-remaining", answer.headers.get("ratelimit-remaining")
        )
        return self.pause(answer, now) if left == "0" else None

    def is_whole(self, answer: SourceAnswer) -> bool:  # noqa: ARG002 - for upstreams that say
        """Whether an answer has all that was found: one that has not is not kept. Pure."""
        return True

    def is_limit(self, answer: SourceAnswer) -> bool:
        """Whether an answer means that the upstream's limit is used up."""
        return answer.status == 429


def retry_after(text: str, now: float) -> float | None:
    """The header `Retry-After`, seconds or a date, as seconds from `now` (RFC 9110, 10.2.3)."""
    try:
        return max(0.0, float(int(text)))
    except (ValueError, OverflowError):
        pass
    try:
        date = parsedate_to_datetime(text)
    except (ValueError, TypeError, OverflowError):
        return None
    # One of the three forms that dates have in HTTP names no zone.
    return max(0.0, (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp() - now)
