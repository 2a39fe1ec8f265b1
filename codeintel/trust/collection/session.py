"""A collector's requests to its upstream, at the pace that background work is allowed."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import gevent
import msgspec

from codeintel.base.logging import describe
from codeintel.contracts import (
    Collector,
    Evidence,
    Fact,
    SourceAnswer,
    SourceError,
    SourceProblem,
    SourceRequest,
    Target,
)
from codeintel.platform.upstreams.upstream import Upstream

HOUR_SECONDS = 3_600.0
LONGEST_WAIT_SECONDS = 60.0
"""Maximum wait for a turn. An upstream that takes longer is skipped this time."""


class Budget:
    """Evenly spread turns. For example, 1,800 per hour allow one every 2 seconds.

    :param hourly: by base URL, for upstreams that allow less than the operator does.
    """

    def __init__(self, default: int, hourly: Mapping[str, int]) -> None:
        self._default = default
        self._hourly = hourly
        self._next: dict[str, float] = {}

    def wait(self, base_url: str, title: str) -> None:
        """Wait for the upstream's next turn.

        :param title: the name of the upstream in messages.
        :raises SourceError: `rate_limited`, if the turn is too far away; it is not taken.
        """
        allowed = min(self._default, self._hourly.get(base_url, self._default))
        now = time.monotonic()
        turn = max(now, self._next.get(base_url, now))
        if turn - now > LONGEST_WAIT_SECONDS:
            raise SourceError(
                SourceProblem.RATE_LIMITED,
                f"The hourly limit of background requests to {title} is used up.",
                turn - now,
            )
        self._next[base_url] = turn + HOUR_SECONDS / allowed
        if turn > now:
            gevent.sleep(turn - now)


log = logging.getLogger(__name__)

REQUEST_SECONDS = 4.0
MAX_REQUESTS = 20
"""Maximum number of requests of a collector for one package.

A collector that needs more is broken.
"""
_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(tuple[str, Any, str]).decode
_UNREADABLE = (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError)


class Talk:
    """The requests and the findings of one collector."""

    def __init__(self, collector: Collector, evidence: Evidence) -> None:
        self._collector = collector
        self.evidence = evidence
        self._at = ""

    def run(
        self,
        target: Target,
        upstream: Upstream,
        deadline: float,
        take_turn: Callable[[], None],
        changed: Callable[[], None],
    ) -> None:
        """Run the exchange of requests and answers to the end.

        :param take_turn: called before each request.
        :param changed: called after each processed answer.
        :raises SourceError: if the upstream fails; earlier findings stay.
        """
        conversation = self._collector.collect(target, self.evidence)
        answer: SourceAnswer | None = None
        for count in range(MAX_REQUESTS + 1):
            try:
                request = next(conversation) if answer is None else conversation.send(answer)
            except StopIteration:
                return
            finally:
                self._at = f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"
            if self.evidence.found:
                changed()
            if count == MAX_REQUESTS:
                break
            take_turn()
            answer = self._asked(request, upstream, deadline)
        conversation.close()
        raise SourceError(
            SourceProblem.BROKEN, f"Reading {self._collector.title} took too many requests."
        )

    def _asked(self, request: SourceRequest, upstream: Upstream, deadline: float) -> SourceAnswer:
        def ask(seconds: float) -> SourceAnswer:
            answer = upstream.fetcher.send(request, seconds)
            title, now = self._collector.title, time.time()
            if self._collector.is_limit(answer):
                raise SourceError(
                    SourceProblem.RATE_LIMITED,
                    f"{title} has received too many requests from this service.",
                    self._collector.pause(answer, now),
                )
            if answer.status >= 500:
                raise SourceError(
                    SourceProblem.UNAVAILABLE,
                    f"{title} failed (status {answer.status}).",
                    self._collector.pause(answer, now),
                )
            return answer

        left = min(REQUEST_SECONDS, deadline - time.monotonic())
        if left <= 0:
            late = f"{self._collector.title} did not answer in time."
            raise SourceError(SourceProblem.TIMEOUT, late)
        return upstream.exchange(ask, left)

    def drop_unreadable(self) -> bool:
        """Drop the values that JSON cannot express. Return whether any were dropped.

        A score must follow from what is stored.
        """
        found, self.evidence.found = self.evidence.found, {}
        is_dropped = False
        for name, (value, url) in found.items():
            try:
                self.evidence.add(*_decode(_encode((name, value, url))))
            except _UNREADABLE as error:
                log.error("a fact of %r: %s", self._collector.name, describe(error))
                is_dropped = True
        return is_dropped

    def facts(self) -> dict[str, Fact]:
        """Return the facts found so far, by name."""
        return {
            name: Fact(name, value, self._collector.name, url, self._at)
            for name, (value, url) in self.evidence.found.items()
        }
