"""Snapshots of packages: kept ones while they are fresh, else new ones, else old ones."""

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
from codeintel.trust.scores import Failure, Inputs, Score
from codeintel.trust.store import Stored, TrustStore, save

RETRY_SECONDS = 30


def refuse_unknown(target: Target, collected: Collected) -> None:
    """Nothing where a registry knows the package, or where it is known malware: registries remove
    that, and its name is what somebody may be about to install.

    :raises ServiceError: `not_found` where none of them does, `upstreams_unavailable` where that
        cannot be told.
    """
    if _is_malware(target, collected):
        return
    if collected.is_unknown:
        meant = famous_name(target)
        question = f"Is `{meant.name}` meant?" if meant else "Is the name right?"
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
    """Without a version this needs the word of all registries that the package is gone: of one
    that is there, single versions may have been malicious, and not the current one."""
    return (collected.is_unknown or bool(target.version)) and is_known_malware(
        Facts(collected.facts)
    )


def famous_name(target: Target) -> Target | None:
    """The famous package whose name a package's looks like an imitation of, or a slip of."""
    found = suspicion(target.ecosystem, target.name)
    if found is None or not (found.suspicious and found.is_famous):
        return None
    return Target(target.ecosystem, found.target)


log = logging.getLogger(__name__)

PARTIAL_SECONDS = 300.0
"""How long a snapshot is fresh that lacks what an upstream did not tell."""
LASTING = frozenset({SourceProblem.REFUSED})
"""What an upstream tells in five minutes as it does now, such as a repository that was renamed:
asking for all of it again would only cost the others requests."""
REFUSED_SECONDS = 30.0
"""How long a package is not asked for again that no registry knows, or that nobody can tell of."""
STALE_DAYS = 7
"""How old facts may be that stand in for those of an upstream that fails."""
ABOUT = {
    "attestations": ("version",),
    "licenses": ("version",),
    "published_at": ("version",),
    "repository_proof": ("version", "repository"),
}
"""Facts that say nothing once another is no more what it was, beside those whose collector needs
it."""
AT_ONCE = 32
"""Packages that are asked for at the same time: strangers can name as many as they like."""
_ASKERS = frozenset({ErrorCode.OVERLOADED, ErrorCode.RATE_LIMIT_EXCEEDED})
"""Refusals that say nothing of the package: others may ask for it."""


@dataclass(frozen=True)
class Snapshot:
    """A package's score with what it was made of.

    :param outage: failures because of which it is older than it should be.
    """

    id: str
    collected_ms: int
    inputs: Inputs
    score: Score
    outage: tuple[Failure, ...] = ()

    @property
    def target(self) -> Target:
        """Whose it is."""
        return self.inputs.target


class Trust:
    """All packages.

    :param fresh_seconds: how long a snapshot is as good as a new one.
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
        """Called with the key of a package of which there is a new snapshot."""
        self._fresh = fresh_seconds
        self._under_way: SingleFlight[str, Snapshot] = SingleFlight()
        self._refused: TTLCache[str, ServiceError] = TTLCache(4_096, REFUSED_SECONDS)

    def snapshot(self, target: Target, admit: Callable[[], None] | None = None) -> Snapshot:
        """What is known of a package now.

        :param admit: called before upstreams are asked, not for what is stored and fresh, nor for
            what somebody else asks for already. What it raises stops that.
        :raises ServiceError: `not_found` if no registry knows it, `upstreams_unavailable` if none
            can be asked and nothing is stored, `overloaded`, and what `admit` raises if nothing is
            stored.
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
        """As :meth:`snapshot`, and in a word where it comes from."""
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
        """The newest snapshot that there is, however old."""
        found = self.store.newest(target.key)
        if found is None:
            return None
        try:
            return read(found)
        except msgspec.ValidationError as error:  # another release wrote it: a new one is made
            log.warning("snapshot %s is passed over: %s", found.id, describe(error))
            return None

    def collect(self, target: Target, *, is_patient: bool = False) -> tuple[Stored, Inputs]:
        """Ask for a package now and judge it. Stores nothing.

        :param is_patient: whether to keep within what upstreams are asked of in an hour, and wait
            for it.
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
        """As :meth:`snapshot`, for background work, which keeps within what upstreams are asked of
        in an hour and waits for it. Nobody's request waits with it.

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
        """A new snapshot, or that of whoever asks for the same package just now."""

        def allowed() -> None:
            if len(self._under_way) >= AT_ONCE:
                raise ServiceError(
                    ErrorCode.OVERLOADED,
                    "Too many packages are being looked up: try again in a moment.",
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
        """What follows may fail: the snapshot is there."""
        try:
            self.when_stored(package)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is not the asker's
            log.error("nothing follows the snapshot of %s: %s", package, describe(error))

    def _is_fresh(self, kept: Snapshot) -> bool:
        if kept.score.scorer_version != self.scorer_version:
            return False
        is_whole = all(each.code in LASTING for each in kept.inputs.failures)
        seconds = self._fresh if is_whole else min(self._fresh, PARTIAL_SECONDS)
        return time.time() - kept.collected_ms / 1_000 < seconds

    def _inputs(self, target: Target, collected: Collected, at_ms: int) -> Inputs:
        """What was found, and for what an upstream did not tell now, what it told before."""
        facts = dict(collected.facts)
        failed = {failure.source for failure in collected.failures}
        kept = self.stored(target) if failed else None
        oldest = _moment(at_ms - STALE_DAYS * 86_400_000)
        before = {fact.name: fact for fact in kept.inputs.facts} if kept is not None else {}
        stale = []
        for fact in before.values():
            if fact.source not in failed or fact.name in facts or fact.observed_at < oldest:
                continue
            # What was told of another version, or of another repository, is not of this one.
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
    """A stored snapshot."""
    return Snapshot(stored.id, stored.collected_ms, stored.read_inputs(), stored.read_score())


def _differs(name: str, before: Mapping[str, Fact], now: Mapping[str, Fact]) -> bool:
    """Whether a fact is known now, and is not what it was."""
    return name in now and (name not in before or before[name].value != now[name].value)


def _by_name(fact: Fact) -> str:
    return fact.name


def _moment(at_ms: int) -> str:
    return f"{datetime.fromtimestamp(at_ms // 1_000, UTC):%Y-%m-%dT%H:%M:%SZ}"
