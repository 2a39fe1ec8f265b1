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
"""Pause from the first new snapshot to the ranking that includes it."""
GATHER_SECONDS = 5
"""How long to collect packages whose forecasts are computed together, because each process
needs a second to start.
"""
AT_A_TIME = 50
"""Number of packages for one such process."""
LOOK_BACK_SECONDS = 3_600.0
"""How far back to look for snapshots without forecasts, because a failed job may leave some."""
TOGETHER = 25
"""Number of packages of a refresh that are forecast together."""
MANY = 10
"""Number of packages in a refresh after which the network is ranked immediately."""
NETWORK = "network"
EVERYTHING = "all"
"""The key of a refresh of all packages."""


class Packages(msgspec.Struct):
    """The arguments of a job: packages by their keys."""

    packages: list[str]


class Pending(msgspec.Struct):
    """The arguments of a job: packages without forecasts."""

    since_ms: int
    """The start of the oldest snapshot among them."""


class Cursor(msgspec.Struct):
    """The progress of a refresh."""

    done: int = 0
    failed: int = 0


class TrustWork:
    """The jobs of the trust network."""

    def __init__(self, trust: Trust, forecasts: Forecasts) -> None:
        self._trust = trust
        self._forecasts = forecasts
        self._jobs: Jobs | None = None

    def kinds(self) -> Iterable[JobKind]:
        """Yield the job kinds for :class:`codeintel.platform.jobs.service.Jobs`."""
        yield JobKind(FORECAST, self._forecast, timeout_seconds=1_800)
        yield JobKind(REFRESH, self._refresh, timeout_seconds=24 * 3_600)
        yield JobKind(RANK, self._rank, max_attempts=3, timeout_seconds=2 * RANK_SECONDS)

    def follow(self, jobs: Jobs) -> None:
        """Compute forecasts and ranks after new snapshots."""
        self._jobs = jobs
        self._trust.when_stored = self._enqueue

    def _enqueue(self, _package: str) -> None:
        if self._jobs is None:
            return
        # The key changes before the job starts, so later snapshots use another key.
        window = int(time.time() // GATHER_SECONDS)
        begins = (window + 1) * GATHER_SECONDS
        pending = {"since_ms": int((begins - LOOK_BACK_SECONDS) * 1_000)}
        if not FORECASTS.is_missing:
            self._jobs.enqueue(FORECAST, f"pending {window}", pending, run_after=begins + 1)
        if RANKS.is_missing:
            return
        # One ranking for many snapshots: it takes seconds, and one package hardly changes it.
        self._jobs.enqueue(RANK, NETWORK, run_after=time.time() + RANK_PAUSE_SECONDS)

    def _forecast(self, context: JobContext) -> int:
        if "packages" in context.arguments:
            return self._forecasts.work_out(msgspec.convert(context.arguments, Packages).packages)
        since_ms = msgspec.convert(context.arguments, Pending).since_ms
        new, seen = 0, set[str]()
        while True:
            context.stop_if_asked()
            found = self._forecasts.pending(since_ms, AT_A_TIME)
            if seen.issuperset(
                found
            ):  # no packages, or only packages that were stored again and will be found later
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
        """Refresh the packages one at a time.

        The snapshot and the progress are stored in one transaction. After a stop, the job continues
        with the next package, and no package counts twice.
        """
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
        """Queue a job for the forecasts of some packages together, because each process takes a
        second to start.

        This is part of the transaction, so that a stop cannot come in between.
        """
        if self._jobs is None or (done % TOGETHER and done != len(packages)):
            return
        some = packages[(done - 1) // TOGETHER * TOGETHER : done]
        self._jobs.enqueue_with(connection, FORECAST, f"{context.id} {done}", {"packages": some})


def refresh_key(packages: Iterable[str]) -> str:
    """Return the key of a refresh, which is the same for the same packages."""
    keys = sorted(packages)
    return (
        keys[0] if len(keys) == 1 else f"{len(keys)} packages, {hash_of(' '.join(keys).encode())}"
    )
