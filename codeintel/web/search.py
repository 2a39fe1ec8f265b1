"""`/search`: what registries have, as a page that needs no script, and its form, filled with what
was typed."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from urllib.parse import urlsplit

from flask import Response, request
from msgspec import UNSET
from werkzeug.datastructures import MultiDict

from codeintel.api.search import search_budget
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.wording import age, counted, duration
from codeintel.contracts import SearchSource, SourceProblem, Visibility
from codeintel.http.endpoint import services
from codeintel.http.requests.query import read_query
from codeintel.identity.auth.caller import Caller
from codeintel.search.reading import (
    MAX_LIMIT,
    SearchQuery,
    SearchResult,
    SearchResults,
    Stale,
    Unavailable,
)
from codeintel.search.service import DEFAULT, SOURCE_SECONDS
from codeintel.web.blueprint import blueprint, page_answer, render_page
from codeintel.web.login.require_login import anybody

_HEADINGS = {
    SourceProblem.TIMEOUT: "Timeout",
    SourceProblem.UNREACHABLE: "Unreachable",
    SourceProblem.RATE_LIMITED: "Rate limit reached",
    SourceProblem.UNAUTHORIZED: "Invalid token",
    SourceProblem.REFUSED: "Search rejected",
    SourceProblem.UNAVAILABLE: "Unavailable",
    SourceProblem.MALFORMED: "Invalid response",
    SourceProblem.ACCOUNTS_ONLY: "Sign-in required",
    SourceProblem.BROKEN: "Internal error",
}
_PRIVATE = "Its results may be private."
"""The API's message is about keys, so the page has another."""
_SOON = "Try again in a moment."
_OPERATOR = "Only the operator of this service can fix this."
_AGAIN = {
    SourceProblem.TIMEOUT: _SOON,
    SourceProblem.UNREACHABLE: _SOON,
    SourceProblem.RATE_LIMITED: _SOON,
    SourceProblem.UNAUTHORIZED: _OPERATOR,
    SourceProblem.REFUSED: "Try other words.",
    SourceProblem.UNAVAILABLE: _SOON,
    SourceProblem.MALFORMED: _SOON,
    SourceProblem.BROKEN: _OPERATOR,
}
"""When to try again, where the source does not say."""
LIMITS = (str(SearchQuery("-").limit), "20", str(MAX_LIMIT))
FORM = "form"
"""The field that marks the form as submitted, because unchecked boxes are not sent."""
_FIELDS = {"q": "The query", "sources": "The choice of registries", "limit": "The number"}
"""What messages call the fields."""


class NoticeKind(StrEnum):
    """The effect of a notice: no results, old results, or no results without a session."""

    FAILED = "failed"
    STALE = "stale"
    PRIVATE = "private"


@dataclass(frozen=True)
class Notice:
    """The problem of a source. `again` says when to retry, and `can_retry` whether the same search
    may work later. `as_of` is the time of older results that are shown instead."""

    kind: NoticeKind
    heading: str
    text: str
    again: str = ""
    as_of: datetime | None = None
    can_retry: bool = False


def failure(source: Unavailable) -> Notice:
    """Return the notice of a source without results."""
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
    """Return the notice of a source with older results.

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


@dataclass(frozen=True)
class Row:
    """A result. `url` is empty where it is none that a browser should follow."""

    name: str
    url: str
    description: str
    counts: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Group:
    """The results of one source."""

    id: str
    title: str
    rows: tuple[Row, ...]
    notice: Notice | None

    @property
    def count(self) -> str:
        """The number of results in words, or empty if it is unknown."""
        return counted(len(self.rows), "result") if self._is_known else ""

    @property
    def short(self) -> str:
        """The number of results or, if it is unknown, a short reason."""
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
    """Return the view of search results.

    :param names: displayed names of the sources.
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
    """Return the displayed name of each source.

    Instances of one kind have the same title, so their name is displayed instead.
    """
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
        return "No registry selected for"
    if len(found.unavailable) == len(found.sources):
        return "No registry answered for"
    return "No results for"


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


@dataclass(frozen=True)
class Choice:
    """A registry to select. `is_private` if its results are hidden from the current visitor."""

    name: str
    title: str
    checked: bool
    is_private: bool


@dataclass(frozen=True)
class SearchForm:
    """All fields. `wrong` names the invalid field, if any, and `message` gives the reason."""

    q: str
    choices: tuple[Choice, ...]
    limit: str
    limits: tuple[str, ...]
    wrong: str = ""
    message: str = ""

    @property
    def chosen(self) -> str:
        """What is chosen besides the query, in words."""
        ticked = ", ".join(each.title for each in self.choices if each.checked)
        return f"{ticked or 'No registry'}, {self.limit} results each"

    def refused(self, error: ServiceError) -> SearchForm:
        """The form with the message at its field."""
        path = error.details.get("path")
        wrong = path if path in _FIELDS else "q"
        message = error.message.replace(f"`{wrong}`", _FIELDS[wrong], 1)
        return replace(self, wrong=wrong, message=message)


def filled(
    typed: MultiDict[str, str],
    sources: Iterable[SearchSource],
    titles: Mapping[str, str],
    caller: Caller,
) -> SearchForm:
    """The form as it was sent."""
    given = typed.getlist("sources")
    ticked = {name.strip() for item in given for name in item.split(",")}
    if not given and FORM not in typed:
        ticked = {*DEFAULT}
    limit = typed.get("limit", LIMITS[0])
    return SearchForm(
        q=typed.get("q", ""),
        choices=tuple(
            Choice(
                name=source.name,
                title=titles[source.name],
                checked=source.name in ticked,
                is_private=caller.is_anonymous and source.visibility is Visibility.ACCOUNTS,
            )
            for source in sources
            if source.is_on
        ),
        limit=limit,
        limits=LIMITS if limit in LIMITS else (limit, *LIMITS),
    )


@blueprint.get("/search")
def search() -> Response:
    """Show the form, with results if a search was submitted."""
    sources = services().search.sources
    names = titles(sources.values())
    caller = anybody()
    form = filled(request.args, sources.values(), names, caller)
    if "q" not in request.args:
        page = render_page("search.html", form=form, seconds=f"{SOURCE_SECONDS:g}")
        return page_answer(page)
    try:
        if FORM in request.args and "sources" not in request.args:
            raise ServiceError(
                ErrorCode.INVALID_REQUEST,
                "Select at least one registry.",
                details={"path": "sources"},
            )
        query = read_query(request, SearchQuery, merged=("sources",))
        found = services().search.search(query, caller, search_budget(caller))
    except ServiceError as error:
        if error.code is not ErrorCode.INVALID_REQUEST:
            raise
        page = render_page("search.html", form=form.refused(error))
        return page_answer(page, error.code.status)
    page = render_page(
        "search.html",
        form=form,
        found=found_view(found, names, time.time()),
        query=query,
        again=request.full_path,
    )
    return page_answer(page)
