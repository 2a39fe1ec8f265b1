"""Known flaws of a package, for people. Pure."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from codeintel.contracts import Facts
from codeintel.contracts.advisories import advisory_rows

MOST_ADVISORIES = 50


class Advisory(msgspec.Struct, frozen=True, rename="camel"):
    """A known flaw of the judged version. `fixed` are versions that have a fix, none where none is
    known. What nobody tells is null or empty."""

    id: Annotated[str, Meta(min_length=1, max_length=100)]
    aliases: tuple[Annotated[str, Meta(max_length=100)], ...] = ()
    severity: Annotated[float, Meta(ge=0, le=10, description="CVSS base score.")] | None = None
    level: Annotated[str, Meta(max_length=40)] | None = None
    summary: Annotated[str, Meta(max_length=1_000)] = ""
    url: Annotated[str, Meta(pattern="^https?://", max_length=500)] | None = None
    published: Annotated[str, Meta(max_length=40)] | None = None
    fixed: tuple[Annotated[str, Meta(max_length=200)], ...] = ()


def advisories(facts: Facts) -> tuple[Advisory, ...]:
    """Known flaws of the judged version, in the fact's order. The fact may be a plugin's: entries
    of another shape are left out."""
    rows = advisory_rows(facts)
    return tuple(islice(_advisories(rows), MOST_ADVISORIES))


def _advisories(rows: list[Any]) -> Iterator[Advisory]:
    for row in rows:
        with suppress(msgspec.ValidationError):
            yield msgspec.convert(row, Advisory)
