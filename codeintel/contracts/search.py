"""Searching registries: what a source asks, and how it reads the answer.

Sources do no I/O: connections, deadlines, caching and isolation stand once in the core.
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

    per_minute: int = 0
    """Requests that the registry allows in a minute, 0 if that is not known. Callers without an
    account have half of them at most."""

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
