"""Snapshots of packages: stored ones while they are fresh, else new ones, else old ones."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from math import ceil

import msgspec
from cachetools import TTLCache

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.greenlets import SingleFlight
from codeintel.base.logging import describe
from codeintel.contracts import Fact, Facts, Scorer, SourceProblem, Target
from codeintel.contracts.trust import is_known_malware
from codeintel.platform.db.models import new_id, now_ms
from codeintel.platform.metrics import table
from codeintel.trust import scores
from codeintel.trust.collection import Collected, Collecting
from codeintel.trust.names import suspicion
from codeintel.trust.recorded import is_recorded
from codeintel.trust.scores import Failure, Inputs, Score
from codeintel.trust.store import Stored, TrustStore, save

RETRY_SECONDS = 30


def refuse_unknown(target: Target, collected: Collected) -> None:
    """Raise an error for an unknown package.

    Known malware raises no error. Registries remove malware, and its name may be what a user is
    about to install.

    :raises ServiceError: `not_found` if the package is unknown to all registries,
        `upstreams_unavailable` if that cannot be determined.
    """
    if _is_malware(target, collected):
        return
    if collected.is_unknown:
        meant = famous_name(target)
        question = f"Did you mean `{meant.name}`?" if meant else "Check the name."
        raise ServiceError(
            ErrorCode.NOT_FOUND,
            f"No registry knows `{target.key}`. {question} A package that was first published "
            "an hour ago may not have reached them.",
            details={
                "path": "target",
                "target": target.key,
                **({"suggestion": meant.key} if meant else {}),
            },
        )
    if not collected.is_known:
        pause = min(collected.pauses.values(), default=float(RETRY_SECONDS))
        raise ServiceError(
            ErrorCode.UPSTREAMS_UNAVAILABLE,
            f"No registry that knows `{target.key}` can be reached, and nothing is stored.",
            details={"target": target.key, "unavailable": list(collected.failures)},
            retry_after=max(1, ceil(pause)),
        )


def _is_malware(target: Target, collected: Collected) -> bool:
    """Return whether the package is known malware.

    Without a version, this requires that all registries have removed the package. If it still
    exists, maybe only single old versions were malicious.
    """
    return (collected.is_unknown or bool(target.version)) and is_known_malware(
        Facts(collected.facts)
    )


def famous_name(target: Target) -> Target | None:
    """Return the famous package whose name this name seems to imitate or misspell, or None."""
    found = suspicion(target.ecosystem, target.name)
    if found is None or not (found.suspicious and found.is_famous):
        return None
    return Target(target.ecosystem, found.target)


log = logging.getLogger(__name__)

PARTIAL_SECONDS = 300.0
"""How long a snapshot with missing upstream data is fresh."""
LASTING = frozenset({SourceProblem.REFUSED})
"""Problems that will be the same in five minutes, such as a renamed repository.

A repeated request would only cost the other upstreams requests.
"""
REFUSED_SECONDS = 30.0
"""How long an unknown package, or one that no upstream can report on, is not requested again."""
STALE_DAYS = 7
"""Maximum age in days of facts that replace those of a failing upstream."""
ABOUT = {
    "attestations": ("version",),
    "licenses": ("version",),
    "published_at": ("version",),
    "repository_proof": ("version", "repository"),
}
"""Facts that are invalid once another fact has changed, in addition to those that their
collector needs.
"""
AT_ONCE = 32
"""Number of packages that are looked up at the same time, because anonymous callers can name
any number.
"""
_ASKERS = frozenset({ErrorCode.OVERLOADED, ErrorCode.RATE_LIMIT_EXCEEDED})
"""Refusals that do not concern the package, so that other callers may request it."""


@dataclass(frozen=True)
class Snapshot:
    """A package's score with its inputs.

    :param outage: failures that made it older than it should be.
    """

    id: str
    collected_ms: int
    inputs: Inputs
    score: Score
    outage: tuple[Failure, ...] = ()

    @property
    def target(self) -> Target:
        """The package of the score."""
        return self.inputs.target

    @property
    def is_recorded(self) -> bool:
        """Whether the evidence is the demo's. A lookup replaces it, however new it is."""
        return is_recorded(self.id)


class Trust:
    """The snapshots of all packages.

    :param fresh_seconds: how long a snapshot counts as fresh.
    """

    def __init__(
        self,
        store: TrustStore,
        collecting: Collecting,
        scorers: Sequence[Scorer],
        fresh_seconds: float,
    ) -> None:
        self.store = store
        self.collecting = collecting
        self.scorers = tuple(scorers)
        self.scorer_version = scores.scorer_version(self.scorers)
        self.when_stored: Callable[[str], None] = lambda _: None
        """Called with the key of a package that has a new snapshot."""
        self._fresh = fresh_seconds
        self._under_way: SingleFlight[str, Snapshot] = SingleFlight()
        self._refused: TTLCache[str, ServiceError] = TTLCache(4_096, REFUSED_SECONDS)

    def snapshot(self, target: Target, admit: Callable[[], None] | None = None) -> Snapshot:
        """Return the current snapshot of a package.

        :param admit: called before requests to upstreams, but not for fresh stored snapshots or
            requests that are already in progress. Its exceptions prevent the requests.
        :raises ServiceError: `not_found` if the package is unknown, `upstreams_unavailable` if no
            registry answers and nothing is stored, `overloaded`, and what `admit` raises if nothing
            is stored.
        """
        try:
            found, outcome = self._found(target, admit)
        except ServiceError as error:
            is_unknown = error.code is ErrorCode.NOT_FOUND
            table.TRUST_LOOKUPS.add("unknown" if is_unknown else "refused")
            raise
        table.TRUST_LOOKUPS.add(outcome)
        return found

    def _found(
        self, target: Target, admit: Callable[[], None] | None = None
    ) -> tuple[Snapshot, str]:
        """Return the snapshot as :meth:`snapshot` does, and its origin in a word."""
        kept = self.stored(target)
        if kept is not None and self._is_fresh(kept):
            return kept, "stored"
        refused = self._refused.get(target.key)
        if refused is None:
            try:
                return self._once(target, admit), "collected"
            except ServiceError as error:
                refused = error
                if error.code not in _ASKERS:
                    self._refused[target.key] = error
        if kept is not None and refused.code is not ErrorCode.NOT_FOUND:
            busy = Failure("codeintel", SourceProblem.RATE_LIMITED, refused.message)
            failures = refused.details.get("unavailable") or [busy]
            old = Snapshot(kept.id, kept.collected_ms, kept.inputs, kept.score, tuple(failures))
            return old, "stale"
        raise ServiceError(
            refused.code,
            refused.message,
            details=refused.details,
            retry_after=refused.retry_after,
        )

    def stored(self, target: Target) -> Snapshot | None:
        """Return the newest stored snapshot, however old, or None."""
        found = self.store.newest(target.key)
        if found is None:
            return None
        try:
            return read(found)
        except msgspec.ValidationError as error:  # another release wrote it, so a new one is made
            log.warning("snapshot %s is skipped: %s", found.id, describe(error))
            return None

    def collect(self, target: Target, *, is_patient: bool = False) -> tuple[Stored, Inputs]:
        """Collect the facts of a package now and score it, without storing the result.

        :param is_patient: whether to respect the hourly limits of upstreams, and wait for them.
        :raises ServiceError: as :meth:`snapshot`.
        """
        at = now_ms()
        collected = self.collecting.collect(target, is_patient=is_patient)
        refuse_unknown(target, collected)
        inputs = self._inputs(target, collected, at)
        score = scores.score(inputs, self.scorers)
        encoded = scores.encode_inputs(inputs)
        stored = Stored(
            new_id("snap"),
            target.key,
            at,
            score.scorer_version,
            score.inputs_hash,
            encoded.decode(),
            scores.encode_score(score).decode(),
        )
        return stored, inputs

    def patient_snapshot(self, target: Target) -> Snapshot:
        """Return the snapshot for background work, which respects the hourly limits of upstreams.

        No client's request waits for it.

        :raises ServiceError: as :meth:`snapshot`.
        """
        kept = self.stored(target)
        if kept is not None and self._is_fresh(kept):
            return kept
        try:
            stored, inputs = self.collect(target, is_patient=True)
        except ServiceError as error:
            if kept is None or error.code is ErrorCode.NOT_FOUND:
                raise
            failures = error.details.get("unavailable", ())
            return Snapshot(kept.id, kept.collected_ms, kept.inputs, kept.score, tuple(failures))
        work = partial(save, target=target, inputs=inputs, stored=stored)
        self.store.writer.run(work, order=target.key)
        self._tell_stored(target.key)
        return read(stored)

    def _once(self, target: Target, admit: Callable[[], None] | None) -> Snapshot:
        """Return a new snapshot, or that of a concurrent request for the same package."""

        def allowed() -> None:
            if len(self._under_way) >= AT_ONCE:
                raise ServiceError(
                    ErrorCode.OVERLOADED,
                    "Too many packages are being looked up. Try again in a moment.",
                    retry_after=5,
                )
            if admit is not None:
                admit()

        return self._under_way.do(target.key, partial(self._fetch, target), allowed)

    def _fetch(self, target: Target) -> Snapshot:
        stored, inputs = self.collect(target)
        work = partial(save, target=target, inputs=inputs, stored=stored)
        self.store.writer.run(work, order=target.key)
        self._tell_stored(target.key)
        return read(stored)

    def _tell_stored(self, package: str) -> None:
        """Notify about a stored snapshot.

        An error is logged, because the snapshot is already stored.
        """
        try:
            self.when_stored(package)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is not the asker's
            log.error(
                "the follow-up work for the snapshot of %s failed: %s", package, describe(error)
            )

    def _is_fresh(self, kept: Snapshot) -> bool:
        if kept.is_recorded or kept.score.scorer_version != self.scorer_version:
            return False
        is_whole = all(each.code in LASTING for each in kept.inputs.failures)
        seconds = self._fresh if is_whole else min(self._fresh, PARTIAL_SECONDS)
        return time.time() - kept.collected_ms / 1_000 < seconds

    def _inputs(self, target: Target, collected: Collected, at_ms: int) -> Inputs:
        """Return the new facts, with earlier facts instead of those that a failing
        upstream lacks.
        """
        facts = dict(collected.facts)
        failed = {failure.source for failure in collected.failures}
        kept = self.stored(target) if failed else None
        oldest = _moment(at_ms - STALE_DAYS * 86_400_000)
        before = {fact.name: fact for fact in kept.inputs.facts} if kept is not None else {}
        stale = []
        for fact in before.values():
            if fact.source not in failed or fact.name in facts or fact.observed_at < oldest:
                continue
            # Facts about another version, or another repository, do not apply to this one.
            about = (*self.collecting.needs(fact.source), *ABOUT.get(fact.name, ()))
            if not any(_differs(name, before, collected.facts) for name in about):
                facts[fact.name] = fact
                stale.append(fact.name)
        missing = {name for each in self.scorers for name in each.reads} - facts.keys()
        return Inputs(
            target=target,
            as_of=_moment(at_ms),
            facts=tuple(sorted(facts.values(), key=_by_name)),
            failures=collected.failures,
            givers={name: self.collecting.givers(name) for name in missing} if failed else {},
            stale=tuple(sorted(stale)),
        )


def read(stored: Stored) -> Snapshot:
    """Return a stored snapshot."""
    return Snapshot(stored.id, stored.collected_ms, stored.read_inputs(), stored.read_score())


def _differs(name: str, before: Mapping[str, Fact], now: Mapping[str, Fact]) -> bool:
    """Return whether a fact is known now and has changed."""
    return name in now and (name not in before or before[name].value != now[name].value)


def _by_name(fact: Fact) -> str:
    return fact.name


def _moment(at_ms: int) -> str:
    return f"{datetime.fromtimestamp(at_ms // 1_000, UTC):%Y-%m-%dT%H:%M:%SZ}"
