"""Searching several sources at once."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from datetime import UTC, datetime
from math import ceil
from typing import NamedTuple

import gevent
from gevent.event import AsyncResult
from msgspec import UNSET

from codeintel.auth.caller import Caller
from codeintel.contracts import (
    SearchSource,
    SourceAnswer,
    SourceError,
    SourceProblem,
    Visibility,
)
from codeintel.errors import ErrorCode, ServiceError
from codeintel.logs import describe
from codeintel.search.cache import Found, SearchCache
from codeintel.search.fetching import Fetcher
from codeintel.search.reading import read_answer
from codeintel.search.shapes import SearchQuery, SearchResult, SearchResults, Stale, Unavailable
from codeintel.search.state import SourceState

log = logging.getLogger(__name__)

DEFAULT = ("github", "npm", "docker")
SOURCE_SECONDS = 3.0
SEARCH_SECONDS = 4.0


class _Outcome(NamedTuple):
    """What one source came to: results, an error, or old results because of an error."""

    found: Found | None
    error: SourceError | None = None


class Search:
    """All sources of this process.

    :param sources: by name; those that are off cannot be asked.
    :param contact: see :class:`codeintel.search.fetching.Fetcher`.
    """

    def __init__(
        self, sources: Iterable[SearchSource], cache: SearchCache, contact: str = ""
    ) -> None:
        self.sources = {source.name: source for source in sources}
        self.states = {name: SourceState() for name in self.sources}
        self._fetchers = {name: Fetcher(source, contact) for name, source in self.sources.items()}
        self._cache = cache
        self._under_way: dict[str, AsyncResult[Found]] = {}

    def search(self, query: SearchQuery, caller: Caller) -> SearchResults:
        """What the sources find. One that fails costs the others nothing; all together have 4 s.

        :raises ServiceError: `invalid_request` for a source that there is not.
        """
        wanted = [self._source(name) for name in query.sources]
        outcomes: dict[str, _Outcome] = {}
        jobs: dict[str, gevent.Greenlet[..., _Outcome]] = {}
        for source in wanted:
            if source.visibility is Visibility.ACCOUNTS and caller.is_anonymous:
                outcomes[source.name] = _Outcome(None, _accounts_only())
                continue
            key = self._cache.key(source, query.q, query.limit)
            found = self._cache.here(key)
            if found is not None:
                outcomes[source.name] = _Outcome(found)
            else:
                jobs[source.name] = gevent.spawn(self._ask, source, key, query)
        gevent.joinall(list(jobs.values()), timeout=SEARCH_SECONDS)
        for name, job in jobs.items():
            outcomes[name] = job.value or _Outcome(None, _late())
            job.kill(block=False)
        return _results(query, outcomes)

    def _source(self, name: str) -> SearchSource:
        source = self.sources.get(name)
        if source is None or not source.is_on:
            names = ", ".join(sorted(each.name for each in self.sources.values() if each.is_on))
            raise ServiceError(
                ErrorCode.INVALID_REQUEST,
                f"There is no source {name!r}; there are: {names}.",
                details={"path": "sources"},
            )
        return source

    def _ask(self, source: SearchSource, key: str, query: SearchQuery) -> _Outcome:
        """A source's results: kept ones while they are fresh, else new ones, else old ones."""
        kept = self._cache.anywhere(key)
        if kept is not None and self._cache.is_fresh(kept):
            return _Outcome(kept)
        try:
            return _Outcome(self._once(source, key, query))
        except SourceError as error:
            return _Outcome(kept, error)
        except Exception as error:  # noqa: BLE001 - the source may be a plugin's
            log.error("search source %r failed: %s", source.name, describe(error))
            return _Outcome(kept, SourceError(SourceProblem.BROKEN, "The source itself failed."))

    def _once(self, source: SearchSource, key: str, query: SearchQuery) -> Found:
        """Ask, or wait for whoever asks the same."""
        promise = self._under_way.get(key)
        if promise is None:
            promise = self._under_way[key] = AsyncResult()
            # By itself: a caller that goes away must not take it from the others.
            gevent.spawn(self._fetch, source, key, query, promise)
        found = promise.get()
        assert found is not None  # noqa: S101 - for the type checker
        return found

    def _fetch(
        self, source: SearchSource, key: str, query: SearchQuery, promise: AsyncResult[Found]
    ) -> None:
        try:
            promise.set(self._cache.keep(key, self._results(source, query)))
        except BaseException as error:  # noqa: BLE001 - those who wait are told
            promise.set_exception(error)
        finally:
            del self._under_way[key]

    def _results(self, source: SearchSource, query: SearchQuery) -> tuple[SearchResult, ...]:
        state = self.states[source.name]
        state.check()
        wait = state.take_turn(source.interval)
        if wait:
            gevent.sleep(wait)
        try:
            answer = self._fetchers[source.name].ask(query.q, query.limit, SOURCE_SECONDS - wait)
            self._heed(source, answer)
            results = read_answer(source, answer, query.limit, time.time())
        except SourceError as error:
            state.failed(error)
            if error.problem is SourceProblem.RATE_LIMITED:
                state.limit(error.retry_after)
                error.retry_after = max(0.0, state.limited_until - time.monotonic())
            raise
        state.answered()
        return results

    def _heed(self, source: SearchSource, answer: SourceAnswer) -> None:
        """Wait for the registry's next window when it says that this was the last of one."""
        left = answer.headers.get(
            "x-ratelimit-remaining", answer.headers.get("ratelimit-remaining")
        )
        pause = source.pause(answer, time.time()) if left == "0" and answer.status == 200 else None
        if pause is not None:
            self.states[source.name].limit(pause)


def _accounts_only() -> SourceError:
    return SourceError(
        SourceProblem.ACCOUNTS_ONLY, "Its results may be private: send an API key to see them."
    )


def _late() -> SourceError:
    return SourceError(SourceProblem.TIMEOUT, f"No answer within {SEARCH_SECONDS:g} s.")


def _results(query: SearchQuery, outcomes: dict[str, _Outcome]) -> SearchResults:
    """The answer, in the order in which the sources were named."""
    results: dict[str, tuple[SearchResult, ...]] = dict.fromkeys((*DEFAULT, *outcomes), ())
    unavailable, stale = [], []
    for name in query.sources:
        found, error = outcomes[name]
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
        sources=query.sources,
        total_results=sum(map(len, results.values())),
        unavailable=tuple(unavailable),
        stale=tuple(stale),
    )
