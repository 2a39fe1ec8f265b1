"""What was found, ready for the template of `/search`. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from msgspec import UNSET

from codeintel.base.text.quantities import counted
from codeintel.contracts import SearchSource
from codeintel.search.shapes import SearchResult, SearchResults
from codeintel.web.search.notices import Notice, NoticeKind, failure, staleness


@dataclass(frozen=True)
class Row:
    """A result. `url` is empty where it is none that a browser should follow."""

    name: str
    url: str
    description: str
    counts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Group:
    """What one source has."""

    id: str
    title: str
    rows: tuple[Row, ...]
    notice: Notice | None

    @property
    def count(self) -> str:
        """How much it has, in words: empty if nobody knows."""
        return counted(len(self.rows), "result") if self._is_known else ""

    @property
    def short(self) -> str:
        """The same, or why nobody knows, in few characters."""
        if self._is_known:
            return f"{len(self.rows):,}"
        return "sign in" if self.notice and self.notice.kind is NoticeKind.PRIVATE else "failed"

    @property
    def _is_known(self) -> bool:
        return self.notice is None or self.notice.kind is NoticeKind.STALE


@dataclass(frozen=True)
class FoundView:
    """All of it, under a sentence that sums it up."""

    summary: str
    groups: tuple[Group, ...]


def found_view(found: SearchResults, names: Mapping[str, str], now: float) -> FoundView:
    """
    :param names: of the sources, for people.
    :param now: Unix time.
    """
    notices = {each.source: failure(each) for each in found.unavailable}
    notices |= {each.source: staleness(each, now) for each in found.stale}
    groups = tuple(
        Group(
            id=f"source-{source}",
            title=names[source],
            rows=tuple(_row(result) for result in found.results[source]),
            notice=notices.get(source),
        )
        for source in found.sources
    )
    return FoundView(_summary(found), groups)


def titles(sources: Iterable[SearchSource]) -> dict[str, str]:
    """What people call each source. Instances of one kind share its title: theirs is their name."""
    known = list(sources)
    shared = Counter(source.title for source in known)
    return {
        source.name: source.title
        if source.title and (shared[source.title] == 1 or _is_short_for(source))
        else source.name
        for source in known
    }


def _is_short_for(source: SearchSource) -> bool:
    plain = "".join(filter(str.isalnum, source.title.casefold()))
    return plain.startswith(source.name.casefold())


def _summary(found: SearchResults) -> str:
    if found.total_results:
        return f"{counted(found.total_results, 'result')} for"
    if not found.sources:
        return "No registry was chosen for"
    if len(found.unavailable) == len(found.sources):
        return "No registry could be asked for"
    return "Nothing was found for"


def _row(result: SearchResult) -> Row:
    is_page = urlsplit(result.url).scheme in {"http", "https"}
    return Row(
        name=result.name,
        url=result.url if is_page else "",
        description=result.description,
        counts=tuple(_counts(result)),
    )


def _counts(result: SearchResult) -> Iterator[tuple[str, str]]:
    for number, noun in ((result.stars, "star"), (result.downloads, "download")):
        if number is not UNSET:
            figure, _, unit = counted(number, noun).partition(" ")
            yield figure, unit
