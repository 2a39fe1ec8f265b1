"""Query all collectors about one package concurrently, under one deadline, with isolated
failures.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial

import gevent
from gevent.event import Event

from codeintel.base.logging import describe, spawn
from codeintel.contracts import (
    Collector,
    Ecosystem,
    Evidence,
    Fact,
    Facts,
    SourceError,
    SourceProblem,
    Target,
)
from codeintel.platform.upstreams.upstream import Upstream
from codeintel.trust.collection.session import Budget, Talk
from codeintel.trust.scores import Failure

log = logging.getLogger(__name__)

COLLECT_SECONDS = 8.0
PATIENT_SECONDS = 180.0
REPOSITORIES = {Ecosystem.GITHUB: "github.com"}
"""Ecosystems whose packages are repositories themselves."""


@dataclass(frozen=True)
class Collected:
    """The result of a collection.

    `facts` are by name, each from the first collector that has it.
    """

    facts: Mapping[str, Fact]
    failures: tuple[Failure, ...] = ()
    pauses: Mapping[str, float] = field(default_factory=dict)
    """Seconds to wait, by collector, if known."""
    is_known: bool = True
    """Whether a registry knows the package."""
    is_unknown: bool = False
    """Whether all registries answered and the package is unknown to all of them."""


class Collecting:
    """All collectors of this process.

    :param contact: see :class:`codeintel.platform.upstreams.fetching.Fetcher`.
    :param requests_per_hour: limit of background work for one upstream.
    """

    def __init__(
        self, collectors: Iterable[Collector], contact: str = "", requests_per_hour: int = 3_600
    ) -> None:
        self.collectors = tuple(collectors)
        hourly = {each.base_url: each.hourly for each in self.collectors if each.hourly}
        self._budget = Budget(requests_per_hour, hourly)
        self.upstreams: dict[str, Upstream] = {}
        for each in self.collectors:
            if each.base_url not in self.upstreams:
                upstream = Upstream(
                    each.base_url,
                    each.title,
                    contact,
                    each.interval,
                    area="trust",
                    name=each.name,
                )
                self.upstreams[each.base_url] = upstream

    def givers(self, fact: str) -> tuple[str, ...]:
        """Return the collectors that can find a fact."""
        return tuple(each.name for each in self.collectors if fact in each.gives)

    def needs(self, source: str) -> tuple[str, ...]:
        """Return the facts that a collector's own facts depend on, such as the version."""
        return next((each.needs for each in self.collectors if each.name == source), ())

    def collect(self, target: Target, *, is_patient: bool = False) -> Collected:
        """Query the collectors for this kind of package. Failures are reported, never raised.

        :param is_patient: see :meth:`codeintel.trust.service.Trust.collect`.
        """
        seconds = PATIENT_SECONDS if is_patient else COLLECT_SECONDS
        budget = self._budget if is_patient else None
        work = _Work(target, self, time.monotonic() + seconds, budget)
        work.run()
        return work.collected()


class _Work:
    """The collection of one package."""

    def __init__(
        self, target: Target, parent: Collecting, deadline: float, budget: Budget | None
    ) -> None:
        self._target = target
        self._budget = budget
        self._deadline = deadline
        self._collectors = [each for each in parent.collectors if _collects(each, target)]
        self._upstreams = parent.upstreams
        self._own = _facts_of(target)
        self._talks: dict[str, Talk] = {}
        self._errors: dict[str, SourceError] = {}
        self._ended: set[str] = set()
        self._changed = Event()

    def run(self) -> None:
        """Run the collectors until all have ended or the deadline has passed."""
        jobs: list[gevent.Greenlet[..., None]] = []
        try:
            while len(self._ended) < len(self._collectors):
                self._changed.clear()
                jobs += [spawn(self._talk, each) for each in self._ready()]
                if self._ended.issuperset(self._talks) and not self._changed.is_set():
                    break  # the remaining collectors wait for each other
                if not self._changed.wait(max(0.0, self._deadline - time.monotonic())):
                    break
        finally:
            gevent.killall(jobs, block=False)
        for each in self._collectors:
            if each.name in self._talks and each.name not in self._ended:
                late = f"{each.title} did not answer in time."
                self._errors[each.name] = SourceError(SourceProblem.TIMEOUT, late)
        self._blame()

    def _blame(self) -> None:
        """Mark collectors as failed if they could not start because others failed.

        Their facts are unknown, which differs from missing.
        """
        left = [each for each in self._collectors if each.name not in self._talks]
        while causes := {each.name: error for each in left if (error := self._cause(each))}:
            self._errors.update(causes)
            left = [each for each in left if each.name not in causes]

    def _cause(self, collector: Collector) -> SourceError | None:
        """Return the failure of another collector that kept this one from starting, or None."""
        for need in collector.needs:
            if isinstance(self._needed(need, collector), Fact):
                continue
            for each in self._collectors:
                if need in each.gives and each is not collector and each.name in self._errors:
                    failed = self._errors[each.name]
                    told = failed.message
                    if collector.base_url != each.base_url:
                        told = f"{collector.title} was not queried: {told}"
                    return SourceError(failed.problem, told, failed.retry_after)
        return None

    def _ready(self) -> list[Collector]:
        """Return the collectors that can start. Collectors that can never start are ended."""
        ready = []
        for each in self._collectors:
            if each.name in self._talks or each.name in self._ended:
                continue
            states = {need: self._needed(need, each) for need in each.needs}
            facts = {name: fact for name, fact in states.items() if isinstance(fact, Fact)}
            if len(facts) == len(states):
                self._talks[each.name] = Talk(each, Evidence(Facts(facts)))
                ready.append(each)
            elif None in states.values():
                self._end(each.name)
        return ready

    def _needed(self, need: str, asking: Collector) -> Fact | bool | None:
        """Return a fact by the first collector that provides it.

        Return True while it may still arrive, and None if it never will. The order of collectors
        decides, not their speed.
        """
        if need in self._own:
            return self._own[need]
        for each in self._collectors:
            if each is asking or need not in each.gives:
                continue
            talk = self._talks.get(each.name)
            if talk is not None and need in talk.evidence.found:
                return talk.facts()[need]
            if each.name not in self._ended:
                return True
        return None

    def _talk(self, collector: Collector) -> None:
        talk = self._talks[collector.name]
        upstream = self._upstreams[collector.base_url]
        turn = _at_once
        if self._budget is not None:
            turn = partial(self._budget.wait, collector.base_url, collector.title)
        try:
            talk.run(self._target, upstream, self._deadline, turn, self._changed.set)
        except SourceError as error:
            self._errors[collector.name] = error
        except Exception as error:  # noqa: BLE001 - it may be a plugin's
            log.error("collector %r failed: %s", collector.name, describe(error))
            self._errors[collector.name] = _broken(collector)
        self._end(collector.name)

    def _end(self, name: str) -> None:
        self._ended.add(name)
        self._changed.set()

    def collected(self) -> Collected:
        """Return everything found so far."""
        facts: dict[str, Fact] = dict(self._own)
        for each in self._collectors:
            if each.name in self._talks and self._talks[each.name].drop_unreadable():
                self._errors.setdefault(each.name, _broken(each))
        for each in self._collectors:
            talk = self._talks.get(each.name)
            for name, fact in talk.facts().items() if talk is not None else ():
                if name not in facts or (facts[name].value in ([], {}) and fact.value):
                    facts[name] = fact
        registries = [each for each in self._collectors if each.is_registry]
        unknown = [each for each in registries if self._says_unknown(each)]
        failed = [each for each in registries if each.name in self._errors]
        knows = [each for each in registries if each not in unknown and each not in failed]
        if self._target.version and unknown:
            # A registry that knows the package may not know the version, so nothing bad follows for
            # it.
            knows = [each for each in knows if self._has_version(each)]
        is_unknown = bool(unknown) and not knows and not failed
        if is_unknown:
            facts["is_listed"] = Fact("is_listed", False, "registries", "", _now())
        return Collected(
            facts=facts,
            failures=tuple(
                Failure(name, error.problem, error.message) for name, error in self._told()
            ),
            pauses={
                name: error.retry_after
                for name, error in self._told()
                if error.retry_after is not None
            },
            is_known=bool(knows),
            is_unknown=is_unknown,
        )

    def _says_unknown(self, collector: Collector) -> bool:
        talk = self._talks.get(collector.name)
        return talk is not None and talk.evidence.is_unknown

    def _has_version(self, collector: Collector) -> bool:
        talk = self._talks.get(collector.name)
        return talk is not None and "version" in talk.evidence.found

    def _told(self) -> list[tuple[str, SourceError]]:
        """Return the errors, in the order of the collectors."""
        names = (each.name for each in self._collectors)
        return [(name, self._errors[name]) for name in names if name in self._errors]


def _collects(collector: Collector, target: Target) -> bool:
    try:
        return bool(collector.collects(target))
    except Exception as error:  # noqa: BLE001 - it may be a plugin's, and the others go on
        log.error("collector %r failed: %s", collector.name, describe(error))
        return False


def _broken(collector: Collector) -> SourceError:
    return SourceError(SourceProblem.BROKEN, f"Reading {collector.title} failed.")


def _at_once() -> None:
    """Take a turn without waiting."""


def _now() -> str:
    """Return the current time in the format of facts."""
    return f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ}"


def _facts_of(target: Target) -> dict[str, Fact]:
    """Return the facts that the target itself contains."""
    at = _now()
    facts = {}
    if target.version:
        facts["version"] = Fact("version", target.version, "target", "", at)
    host = REPOSITORIES.get(target.ecosystem)
    if host is not None:
        place = f"{host}/{target.name}"
        facts["repository"] = Fact("repository", place, "target", f"https://{place}", at)
    return facts
