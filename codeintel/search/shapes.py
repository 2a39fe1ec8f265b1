"""What a search answers."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from codeintel.base.text.patterns import NOT_BLANK
from codeintel.base.timestamps import Moment
from codeintel.contracts import Hit, SourceProblem

MAX_QUERY_CHARACTERS = 200
MAX_LIMIT = 50


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
