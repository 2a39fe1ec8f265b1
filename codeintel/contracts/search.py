"""Search of registries: the requests of a source, and the parsing of its answers.

Sources do no I/O. The core handles connections, deadlines, caching and isolation for all of them.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, ClassVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from codeintel.contracts.upstreams import SourceAnswer, SourceRequest, retry_after

Count = Annotated[int, Meta(ge=0)]
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


class Hit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A search result of a registry. Counts that the registry does not report are omitted."""

    id: Annotated[str, Meta(description="Unique within its source.")]
    name: str
    url: Annotated[str, Meta(description="Web page, http or https.")]
    description: str = ""
    stars: Count | UnsetType = UNSET
    downloads: Count | UnsetType = UNSET


class Visibility(StrEnum):
    """The callers that may see the results of a source."""

    PUBLIC = "public"
    ACCOUNTS = "accounts"


class SearchSource(ABC):
    """A registry, or one instance of its software. An object serves all searches concurrently.

    :param name: unique. Used in `sources` and in results. Up to 40 letters, digits and `-`.
    :param base_url: the beginning of every request's URL. The source reaches no other host.
    :param token: sent to that host only.
    :param visibility: who may see its results. Unless the setting says otherwise, results that need
        a token may be private.
    :param is_on: whether the source is used.
    :param label: its display name, by default its title.
    """

    kind: ClassVar[str]
    """The registry's software, such as `gitlab`. Several sources may have the same kind."""
    title: ClassVar[str] = ""
    """The display name."""
    interval: ClassVar[float] = 0.0
    """The minimum number of seconds between two requests."""

    per_minute: int = 0
    """The number of requests per minute that the registry allows, or 0 if unknown. Callers without
    an account get at most half of them.
    """

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
            raise ValueError(
                f"{name!r} is not a valid name of a source. Use letters, digits and `-`"
            )
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
        """Return the search request. Pure."""

    @abstractmethod
    def hits(self, answer: SourceAnswer) -> Iterable[Hit]:
        """Return the results of an answer with status 200, best first. Pure. An exception makes the
        answer `malformed`. Skip single rows without a name.
        """

    def pause(self, answer: SourceAnswer, now: float) -> float | None:
        """Return the number of seconds to wait before the next request, or None if the answer does
        not say. Pure. Override it for upstreams with other headers.

        :param now: Unix time.
        """
        return retry_after(answer.headers.get("retry-after", ""), now)

    def rest(self, answer: SourceAnswer, now: float) -> float | None:
        """Return the number of seconds until the upstream's next window, if a successful answer
        used up the current one. Pure.
        """
        left = answer.headers.get(
            "x-ratelimit-remaining", answer.headers.get("ratelimit-remaining")
        )
        return self.pause(answer, now) if left == "0" else None

    def is_whole(self, answer: SourceAnswer) -> bool:  # noqa: ARG002 - for upstreams that say
        """Return whether an answer has all results. Incomplete answers are not cached. Pure."""
        return True

    def is_limit(self, answer: SourceAnswer) -> bool:
        """Return whether an answer means that the upstream's limit is used up."""
        return answer.status == 429
