"""The query and the results of a search, and how sources' answers become results."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import Annotated
from urllib.parse import urlsplit

import msgspec
from msgspec import UNSET, Meta, UnsetType

from codeintel.base.timestamps import Moment
from codeintel.base.wording import NOT_BLANK
from codeintel.contracts import Hit, SearchSource, SourceAnswer, SourceError, SourceProblem

MAX_QUERY_CHARACTERS = 200
MAX_LIMIT = 50
MAX_NAME_CHARACTERS = 300
MAX_DESCRIPTION_CHARACTERS = 1_000
MAX_URL_CHARACTERS = 2_000
MAX_ROWS = 1_000
"""Maximum number of rows that are checked in one answer, because invalid rows are skipped."""
_JOINERS = frozenset("\u200c\u200d")
"""Invisible characters that Persian words and many emoji need."""
_NEVER_IN_URLS = frozenset(' "<>`\\')
MAX_COUNT = 2**53 - 1
"""The largest number that every JSON reader represents exactly."""
_REDIRECTS = {301, 302, 303, 307, 308}


class SearchQuery(msgspec.Struct, frozen=True):
    """A search query with its sources."""

    q: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=MAX_QUERY_CHARACTERS,
            pattern=NOT_BLANK,
            description="What to search for, not blank.",
            examples=["redis"],
        ),
    ]
    sources: Annotated[
        tuple[str, ...],
        Meta(min_length=1, description="Comma-separated names of sources."),
    ] = ("github", "npm", "docker")
    limit: Annotated[
        int, Meta(ge=1, le=MAX_LIMIT, description=("Maximum number of results per source."))
    ] = 10


class SearchResult(Hit, frozen=True, omit_defaults=False):
    """A hit with its source."""

    source: str = ""


class Unavailable(msgspec.Struct, frozen=True, rename="camel"):
    """A source without results, and the reason."""

    source: str
    code: SourceProblem
    message: str
    retry_after: (
        Annotated[int, Meta(ge=0, description="Seconds until a retry makes sense.")] | UnsetType
    ) = UNSET


class Stale(msgspec.Struct, frozen=True, rename="camel"):
    """A source that is unavailable now. Its results are of an earlier time."""

    source: str
    code: SourceProblem
    as_of: Moment


class SearchResults(msgspec.Struct, frozen=True, rename="camel"):
    """The results by source.

    `results` has a list for each requested source, and always those of `github`, `npm` and
    `docker`.
    """

    query: str
    results: dict[str, tuple[SearchResult, ...]]
    sources: tuple[str, ...]
    total_results: int
    unavailable: tuple[Unavailable, ...] = ()
    stale: tuple[Stale, ...] = ()


def read_answer(
    source: SearchSource, answer: SourceAnswer, limit: int, now: float
) -> tuple[SearchResult, ...]:
    """Return the results in an answer, at most `limit`.

    :param now: Unix time.
    :raises SourceError: if the answer is an error.
    """
    title = source.label
    if source.is_limit(answer):
        raise SourceError(
            SourceProblem.RATE_LIMITED,
            f"{title} has received too many requests from this service.",
            source.pause(answer, now),
        )
    if answer.status != 200:
        raise _refusal(title, answer, source.pause(answer, now), has_token=bool(source.token))
    try:
        return tuple(_results(source, answer, limit))
    except SourceError:
        raise
    except Exception:  # noqa: BLE001 - the source may be a plugin's, and the answer anything
        raise SourceError(
            SourceProblem.MALFORMED, f"{title} sent an answer that is not a list of results."
        ) from None


def _refusal(
    title: str, answer: SourceAnswer, pause: float | None, *, has_token: bool
) -> SourceError:
    status = answer.status
    if status == 401 or (status == 403 and has_token):
        text = (
            "rejects the token of this service"
            if has_token
            else "requires a token, and none is set"
        )
        return SourceError(SourceProblem.UNAUTHORIZED, f"{title} {text}.")
    if status >= 500:
        return SourceError(SourceProblem.UNAVAILABLE, f"{title} failed (status {status}).", pause)
    if status in _REDIRECTS:
        return SourceError(
            SourceProblem.UNAVAILABLE, f"{title} has moved (status {status}). Set its new URL."
        )
    if status < 400:
        return SourceError(
            SourceProblem.MALFORMED, f"{title} sent an answer without a list of results ({status})."
        )
    if status in {404, 405, 410}:
        return SourceError(
            SourceProblem.UNAVAILABLE,
            f"{title} has no search at this address (status {status}). Check its URL.",
        )
    return SourceError(SourceProblem.REFUSED, f"{title} rejects this search (status {status}).")


def _results(source: SearchSource, answer: SourceAnswer, limit: int) -> Iterator[SearchResult]:
    seen: set[str] = set()
    for hit in islice(source.hits(answer), MAX_ROWS):
        if len(seen) == limit:
            return
        result = _checked(hit, source.name)
        if result is not None and result.id not in seen:
            seen.add(result.id)
            yield result


def _checked(hit: Hit, source: str) -> SearchResult | None:
    """Return a hit without harmful content, or None if too little remains."""
    if not isinstance(hit, Hit):
        raise TypeError("a source must yield hits")
    identifier, name = _line(hit.id, MAX_NAME_CHARACTERS), _line(hit.name, MAX_NAME_CHARACTERS)
    if not identifier or not name or not _is_web_page(hit.url):
        return None
    return SearchResult(
        id=identifier,
        name=name,
        url=hit.url,
        description=_line(hit.description, MAX_DESCRIPTION_CHARACTERS),
        stars=_count(hit.stars),
        downloads=_count(hit.downloads),
        source=source,
    )


def _line(text: str | None, longest: int) -> str:
    """Return a text on one line, without control characters, direction changes and lone surrogates.

    The text is empty for null, which registries send for unknown values.
    """
    text = str(text or "")[
        : 10 * longest
    ]  # limits the work, because the text may be a whole answer
    if not text.isprintable():  # a printable text has none of the characters that are removed below
        text = "".join(
            " " if character.isspace() else character
            for character in text
            if character.isspace()
            or unicodedata.category(character) not in {"Cc", "Cf", "Cs"}
            or character in _JOINERS
        )
    return " ".join(text.split())[:longest]


def _is_web_page(url: str) -> bool:
    if not isinstance(url, str) or len(url) > MAX_URL_CHARACTERS or not url.isprintable():
        return False
    try:
        parts = urlsplit(url)
        is_web = parts.scheme in {"http", "https"} and bool(parts.hostname)
        return is_web and "@" not in parts.netloc and not _NEVER_IN_URLS & set(url)
    except ValueError:
        return False


def _count(value: int | UnsetType) -> int | UnsetType:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MAX_COUNT:
        return value
    return UNSET
