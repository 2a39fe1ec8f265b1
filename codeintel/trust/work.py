"""The trust network's background jobs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import Connection

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.extras import FORECASTS, RANKS
from codeintel.platform.jobs.kinds import JobContext, JobFailure, JobKind
from codeintel.platform.jobs.service import Jobs
from codeintel.trust.forecasting import Forecasts
from codeintel.trust.network import ranking
from codeintel.trust.scores import hash_of
from codeintel.trust.service import Trust
from codeintel.trust.store import save
from codeintel.trust.targets import parse_key

FORECAST = "trust.forecast"
REFRESH = "trust.refresh"
RANK = "trust.rank"
RANK_SECONDS = 600.0
RANK_PAUSE_SECONDS = 300.0
"""From the first new snapshot to the ranking that takes it in."""
GATHER_SECONDS = 5
"""For which packages are gathered whose forecasts are worked out together: each process for it
takes a second of computing before it begins."""
AT_A_TIME = 50
"""Packages for one such process."""
LOOK_BACK_SECONDS = 3_600.0
"""How far back snapshots without forecasts are looked for: a job that failed may leave some."""
TOGETHER = 25
"""Packages of a refresh that are forecast together."""
MANY = 10
"""Packages of a refresh after which the network is ranked at once."""
NETWORK = "network"
EVERYTHING = "all"
"""The key of a refresh of all packages."""


class Packages(msgspec.Struct):
    """What a job is about: packages by their keys."""

    packages: list[str]


class Pending(msgspec.Struct):
    """What a job is about: packages without forecasts."""

    since_ms: int
    """When the oldest snapshot of them was begun."""


class Cursor(msgspec.Struct):
    """How far a refresh has come."""

    done: int = 0
    failed: int = 0


class TrustWork:
    """What the jobs do."""

    def __init__(self, trust: Trust, forecasts: Forecasts) -> None:
        self._trust = trust
        self._forecasts = forecasts
        self._jobs: Jobs | None = None

    def kinds(self) -> Iterable[JobKind]:
        """For :class:`codeintel.platform.jobs.service.Jobs`."""
        yield JobKind(FORECAST, self._forecast, timeout_seconds=1_800)
        yield JobKind(REFRESH, self._refresh, timeout_seconds=24 * 3_600)
        yield JobKind(RANK, self._rank, max_attempts=3, timeout_seconds=2 * RANK_SECONDS)

    def follow(self, jobs: Jobs) -> None:
        """Have what follows from new snapshots worked out: forecasts, and ranks in the network."""
        self._jobs = jobs
        self._trust.when_stored = self._enqueue

    def _enqueue(self, _package: str) -> None:
        if self._jobs is None:
            return
        # The key changes before the job begins: what comes once it runs has another.
        window = int(time.time() // GATHER_SECONDS)
        begins = (window + 1) * GATHER_SECONDS
        pending = {"since_ms": int((begins - LOOK_BACK_SECONDS) * 1_000)}
        if not FORECASTS.is_missing:
            self._jobs.enqueue(FORECAST, f"pending {window}", pending, run_after=begins + 1)
        if RANKS.is_missing:
            return
        # One for many: it takes seconds, and what it says hardly changes by one package.
        self._jobs.enqueue(RANK, NETWORK, run_after=time.time() + RANK_PAUSE_SECONDS)

    def _forecast(self, context: JobContext) -> int:
        if "packages" in context.arguments:
            return self._forecasts.work_out(msgspec.convert(context.arguments, Packages).packages)
        since_ms = msgspec.convert(context.arguments, Pending).since_ms
        new, seen = 0, set[str]()
        while True:
            context.stop_if_asked()
            found = self._forecasts.pending(since_ms, AT_A_TIME)
            if seen.issuperset(found):  # none, or such as were stored once more: theirs will come
                return new
            seen.update(found)
            new += self._forecasts.work_out(found)

    def _rank(self, context: JobContext) -> dict[str, Any]:
        store = self._trust.store
        summary = ranking.compute(
            store.engine, store.writer, seconds=RANK_SECONDS, checkpoint=context.stop_if_asked
        )
        result: dict[str, Any] = msgspec.to_builtins(summary)
        return result

    def _refresh(self, context: JobContext) -> dict[str, Any]:
        """Ask for one package after the other. The snapshot and how far it came are stored in one
        transaction: after a stop it goes on with the next package, and none counts twice."""
        packages = msgspec.convert(context.arguments, Packages).packages
        cursor = msgspec.convert(context.cursor or {}, Cursor)
        for position in range(cursor.done, len(packages)):
            context.stop_if_asked()
            cursor = self._one(context, packages, position, cursor.failed)
        if len(packages) >= MANY and not RANKS.is_missing:
            self._rank(context)
        return {"packages": len(packages), "failed": cursor.failed}

    def _one(self, context: JobContext, packages: list[str], position: int, failed: int) -> Cursor:
        key, total = packages[position], len(packages)
        snapshot: Callable[[Connection], None] | None = None
        note = key
        try:
            target = parse_key(key)
            stored, inputs = self._trust.collect(target, is_patient=True)
        except ServiceError as error:
            if total == 1 and error.code is not ErrorCode.NOT_FOUND:
                raise JobFailure(error.message, final=True) from None
            failed, note = failed + 1, f"{key}: {error.code}"
        else:
            snapshot = partial(save, target=target, inputs=inputs, stored=stored)
        cursor = Cursor(position + 1, failed)

        def work(connection: Connection) -> None:
            if snapshot is not None:
                snapshot(connection)
            self._forecast_later(connection, context, packages, position + 1)

        context.checkpoint(work, msgspec.to_builtins(cursor), position + 1, total, note[:255])
        return cursor

    def _forecast_later(
        self, connection: Connection, context: JobContext, packages: list[str], done: int
    ) -> None:
        """Have forecasts worked out for some packages together: each process for it takes a second
        to start. Part of the transaction, so that no stop comes between."""
        if self._jobs is None or (done % TOGETHER and done != len(packages)):
            return
        some = packages[(done - 1) // TOGETHER * TOGETHER : done]
        self._jobs.enqueue_with(connection, FORECAST, f"{context.id} {done}", {"packages": some})


def refresh_key(packages: Iterable[str]) -> str:
    """What makes two refreshes the same: their packages."""
    keys = sorted(packages)
    return (
        keys[0] if len(keys) == 1 else f"{len(keys)} packages, {hash_of(' '.join(keys).encode())}"
    )
