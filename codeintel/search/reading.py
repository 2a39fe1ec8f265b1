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
"""Looked at in one answer: of millions without a name, each would be passed over."""
_JOINERS = frozenset("\u200c\u200d")
"""Not seen either, but words in Persian and many emoji need them."""
_NEVER_IN_URLS = frozenset(' "<>`\\')
MAX_COUNT = 2**53 - 1
"""What every JSON reader can tell from its neighbors."""
_REDIRECTS = {301, 302, 303, 307, 308}


class SearchQuery(msgspec.Struct, frozen=True):
    """What to look for, and where."""

    q: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=MAX_QUERY_CHARACTERS,
            pattern=NOT_BLANK,
            description="What to look for; not blank.",
        ),
    ]
    sources: Annotated[
        tuple[str, ...],
        Meta(min_length=1, description="Names of sources with commas between them."),
    ] = ("github", "npm", "docker")
    limit: Annotated[int, Meta(ge=1, le=MAX_LIMIT, description="Most results of each source.")] = 10


class SearchResult(Hit, frozen=True, omit_defaults=False):
    """A hit, and where it was found."""

    source: str = ""


class Unavailable(msgspec.Struct, frozen=True, rename="camel"):
    """A source that gave no results, and why."""

    source: str
    code: SourceProblem
    message: str
    retry_after: (
        Annotated[int, Meta(ge=0, description="Seconds until it makes sense to ask again.")]
        | UnsetType
    ) = UNSET


class Stale(msgspec.Struct, frozen=True, rename="camel"):
    """A source that cannot be asked now: its results are of an earlier time."""

    source: str
    code: SourceProblem
    as_of: Moment


class SearchResults(msgspec.Struct, frozen=True, rename="camel"):
    """What was found, by source. `results` has a list for each source that was asked, and always
    those of `github`, `npm` and `docker`."""

    query: str
    results: dict[str, tuple[SearchResult, ...]]
    sources: tuple[str, ...]
    total_results: int
    unavailable: tuple[Unavailable, ...] = ()
    stale: tuple[Stale, ...] = ()


def read_answer(
    source: SearchSource, answer: SourceAnswer, limit: int, now: float
) -> tuple[SearchResult, ...]:
    """The results in an answer, at most `limit`.

    :param now: Unix time.
    :raises SourceError: if it has none because something is wrong.
    """
    title = source.label
    if source.is_limit(answer):
        raise SourceError(
            SourceProblem.RATE_LIMITED,
            f"{title} has had too many requests of this service.",
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
            SourceProblem.MALFORMED, f"{title} answered with what is no list of results."
        ) from None


def _refusal(
    title: str, answer: SourceAnswer, pause: float | None, *, has_token: bool
) -> SourceError:
    status = answer.status
    if status == 401 or (status == 403 and has_token):
        text = (
            "does not accept the token of this service"
            if has_token
            else "wants a token, and none is set"
        )
        return SourceError(SourceProblem.UNAUTHORIZED, f"{title} {text}.")
    if status >= 500:
        return SourceError(SourceProblem.UNAVAILABLE, f"{title} failed (status {status}).", pause)
    if status in _REDIRECTS:
        return SourceError(
            SourceProblem.UNAVAILABLE, f"{title} has moved (status {status}): set its new URL."
        )
    if status < 400:
        return SourceError(
            SourceProblem.MALFORMED, f"{title} answered without a list of results ({status})."
        )
    if status in {404, 405, 410}:
        return SourceError(
            SourceProblem.UNAVAILABLE,
            f"{title} has no search at this address (status {status}): check its URL.",
        )
    return SourceError(SourceProblem.REFUSED, f"{title} refuses this search (status {status}).")


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
    """A hit with nothing in it that could harm whoever shows it; None if too little is left."""
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
    """A text on one line, without what no one can see: control characters, changes of direction,
    halves of characters. Empty for none: registries send null where they know none."""
    text = str(text or "")[: 10 * longest]  # not all of a text that is a whole answer
    if not text.isprintable():  # nothing of what is dropped below is
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
