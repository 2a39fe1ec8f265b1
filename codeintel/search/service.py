"""Search several sources at the same time."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import UTC, datetime
from functools import partial
from math import ceil
from typing import NamedTuple

import gevent
from cachetools import TTLCache
from msgspec import UNSET

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.greenlets import SingleFlight
from codeintel.base.logging import describe, spawn
from codeintel.base.setting_values import SettingError
from codeintel.contracts import SearchSource, SourceError, SourceProblem, Visibility
from codeintel.identity.auth.caller import Caller
from codeintel.platform.config import Settings
from codeintel.platform.metrics import table
from codeintel.platform.upstreams.upstream import Upstream
from codeintel.search.cache import Found, SearchCache, new_found
from codeintel.search.reading import (
    SearchQuery,
    SearchResult,
    SearchResults,
    Stale,
    Unavailable,
    read_answer,
)
from codeintel.search.reports import SourceReports, report_of

log = logging.getLogger(__name__)
DEFAULT = ("github", "npm", "docker")
FAILED_SECONDS = 5.0
"""How long a failed search is not repeated, in seconds.

A search that a registry cannot handle must not count against the registry repeatedly.
"""
_OF_THE_QUERY = frozenset(
    {
        SourceProblem.TIMEOUT,
        SourceProblem.REFUSED,
        SourceProblem.UNAVAILABLE,
        SourceProblem.MALFORMED,
        SourceProblem.BROKEN,
    }
)
SOURCE_SECONDS = 3.0
SEARCH_SECONDS = 4.0
Admit = Callable[[SearchSource], None]
"""Called before a request to a source for a caller.

It raises :class:`SourceError` to prevent the request.
"""


def chosen_sources(
    settings: Settings, registered: Mapping[str, SearchSource]
) -> Collection[SearchSource]:
    """Return all sources. Sources that the settings name with a `-` are turned off.

    :raises SettingError: for a name or a kind that no plugin registers.
    """
    for told in settings.sources:
        name = told.removeprefix("-")
        if name not in registered:
            raise SettingError(
                f"CODEINTEL_SOURCES names the unknown source {name!r}. Known sources: "
                f"{', '.join(sorted(registered))}."
            )
        if told != name:
            registered[name].is_on = False
    kinds = sorted({source.kind for source in registered.values()})
    for entry in settings.source_instances:
        if entry["kind"] not in kinds:
            raise SettingError(
                f"CODEINTEL_SOURCE_INSTANCES has the unknown kind {entry['kind']!r}. Known kinds: "
                f"{', '.join(kinds)}."
            )
        if entry["name"] not in registered:
            raise SettingError(
                f"CODEINTEL_SOURCE_INSTANCES has {entry['name']!r} of the kind {entry['kind']!r}, "
                "whose plugin does not support more instances. Register the instance in a plugin."
            )
    return registered.values()


class _Outcome(NamedTuple):
    """The outcome for one source: results, an error, or old results because of an error."""

    found: Found | None
    error: SourceError | None = None


class Search:
    """All sources of this process.

    :param sources: by name; disabled sources cannot be queried.
    :param contact: see :class:`codeintel.platform.upstreams.fetching.Fetcher`.
    :param reports: collects failures for operators.
    """

    def __init__(
        self,
        sources: Iterable[SearchSource],
        cache: SearchCache,
        contact: str = "",
        reports: SourceReports | None = None,
    ) -> None:
        self._cache = cache
        self._reports = reports
        self.sources = {source.name: source for source in sources}
        self.upstreams = {
            name: self._upstream(source, contact) for name, source in self.sources.items()
        }
        self._under_way: SingleFlight[str, Found] = SingleFlight()
        self._failed_lately: TTLCache[str, SourceError] = TTLCache(1_024, FAILED_SECONDS)

    def search(
        self, query: SearchQuery, caller: Caller, admit: Admit | None = None
    ) -> SearchResults:
        """Return the results of the sources.

        A failing source does not delay the others. All together have 4 s.

        :param admit: called before a request to a source, but not for fresh cached results or
            requests that are already in progress. If it prevents a request, older cached results
            are used, or the source is unavailable.
        :raises ServiceError: `invalid_request` for an unknown source.
        """
        wanted = [self._source(name) for name in self._names(query)]
        outcomes: dict[str, _Outcome] = {}
        jobs: dict[str, gevent.Greenlet[..., _Outcome]] = {}
        for source in wanted:
            if source.visibility is not Visibility.PUBLIC and caller.is_anonymous:
                outcomes[source.name] = _Outcome(None, _accounts_only())
                continue
            key = self._cache.key(source, query.q, query.limit)
            found = self._cache.here(key)
            if found is not None:
                outcomes[source.name] = _Outcome(found)
            else:
                jobs[source.name] = spawn(self._ask, source, key, query, admit)
        gevent.joinall(list(jobs.values()), timeout=SEARCH_SECONDS)
        for name, job in jobs.items():
            outcomes[name] = job.value or _Outcome(None, _late())
            job.kill(block=False)
        for name, outcome in outcomes.items():
            table.SEARCHES.add(name, _in_short(outcome, is_new=name in jobs))
        return _results(query, {source.name: outcomes[source.name] for source in wanted})

    def _names(self, query: SearchQuery) -> tuple[str, ...]:
        """Return the sources to query.

        Default sources that the operator has disabled are omitted.
        """
        if {*query.sources} != {*DEFAULT}:
            return query.sources
        return tuple(
            name for name in query.sources if name in self.sources and self.sources[name].is_on
        )

    def _source(self, name: str) -> SearchSource:
        source = self.sources.get(name)
        if source is None or not source.is_on:
            names = ", ".join(sorted(each.name for each in self.sources.values() if each.is_on))
            raise ServiceError(
                ErrorCode.INVALID_REQUEST,
                f"Unknown source {name!r}. Known sources: {names}.",
                details={"path": "sources"},
            )
        return source

    def _ask(
        self, source: SearchSource, key: str, query: SearchQuery, admit: Admit | None
    ) -> _Outcome:
        """Return a source's results: cached ones while they are fresh, else new ones, else
        old ones.
        """
        kept = self._cache.anywhere(key)
        if kept is not None and self._cache.is_fresh(kept):
            return _Outcome(kept)
        try:
            return _Outcome(self._once(source, key, query, admit))
        except SourceError as error:
            # Results of a token that is now rejected may no longer be visible to this caller.
            is_refused = error.problem is SourceProblem.UNAUTHORIZED
            return _Outcome(None if is_refused else kept, error)
        except Exception as error:  # noqa: BLE001 - whatever it is, the others have theirs
            log.error("searching %r failed: %s", source.name, describe(error))
            return _Outcome(kept, SourceError(SourceProblem.BROKEN, "The search failed."))

    def _once(
        self, source: SearchSource, key: str, query: SearchQuery, admit: Admit | None
    ) -> Found:
        """Send the query, or wait for an equal query in progress."""
        failed = self._failed_lately.get(key)
        if failed is not None:
            raise failed
        return self._under_way.do(
            key,
            partial(self._fetch, source, key, query),
            partial(admit, source) if admit is not None else None,
        )

    def _fetch(self, source: SearchSource, key: str, query: SearchQuery) -> Found:
        try:
            results, is_whole = self._results(source, query)
        except SourceError as error:
            if error.problem in _OF_THE_QUERY:
                self._failed_lately[key] = SourceError(error.problem, error.message)
            raise
        return self._cache.keep(key, results) if is_whole else new_found(results)

    def _results(
        self, source: SearchSource, query: SearchQuery
    ) -> tuple[tuple[SearchResult, ...], bool]:
        """Return the results of the source, and whether they are complete."""
        upstream = self.upstreams[source.name]

        def ask(seconds: float) -> tuple[tuple[SearchResult, ...], bool]:
            answer = upstream.fetcher.send(source.request(query.q, query.limit), seconds)
            rest = source.rest(answer, time.time()) if answer.status == 200 else None
            if rest is not None:
                upstream.state.limit(rest)
            results = read_answer(source, answer, query.limit, time.time())
            return results, source.is_whole(answer)

        return upstream.exchange(ask, SOURCE_SECONDS)

    def _upstream(self, source: SearchSource, contact: str) -> Upstream:
        name, reports = source.name, self._reports
        upstream = Upstream(
            source.base_url, source.label, contact, source.interval, area="search", name=name
        )
        if reports is not None:
            upstream.tell_failed = lambda state: reports.add(report_of(name, state))
            upstream.tell_answered = lambda: reports.answered(name)
        return upstream


def _in_short(outcome: _Outcome, *, is_new: bool) -> str:
    """Return the outcome for metrics."""
    if outcome.error is not None:
        return "stale" if outcome.found is not None else str(outcome.error.problem)
    return "found" if is_new else "kept"


def _accounts_only() -> SourceError:
    return SourceError(
        SourceProblem.ACCOUNTS_ONLY, "The results may be private. Send an API key to see them."
    )


def _late() -> SourceError:
    return SourceError(SourceProblem.TIMEOUT, f"No answer within {SEARCH_SECONDS:g} s.")


def _results(query: SearchQuery, outcomes: dict[str, _Outcome]) -> SearchResults:
    """Return the response, in the order of the outcomes."""
    results: dict[str, tuple[SearchResult, ...]] = dict.fromkeys((*DEFAULT, *outcomes), ())
    unavailable, stale = [], []
    for name, (found, error) in outcomes.items():
        if found is not None:
            results[name] = found.results
        if error is not None and found is not None:
            stale.append(Stale(name, error.problem, datetime.fromtimestamp(int(found.at), UTC)))
        elif error is not None:
            pause = UNSET if error.retry_after is None else ceil(error.retry_after)
            unavailable.append(Unavailable(name, error.problem, error.message, pause))
    return SearchResults(
        query=query.q,
        results=results,
        sources=tuple(outcomes),
        total_results=sum(map(len, results.values())),
        unavailable=tuple(unavailable),
        stale=tuple(stale),
    )
