"""The forecasts of packages: what they are worked out from, and where they lie."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from functools import partial
from itertools import islice
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, select
from sqlalchemy.dialects import postgresql, sqlite

from codeintel.db.models import now_ms
from codeintel.db.writer import Writer
from codeintel.trust.forecasts.shapes import (
    DORMANCY_RISK,
    RELEASE_CADENCE,
    Forecast,
    NoForecast,
    Observation,
    Outcome,
    ReleasesTask,
    SeriesTask,
    Task,
)
from codeintel.trust.genome import Observations
from codeintel.trust.observing import DEPENDENTS, DOWNLOADS, DOWNLOADS_TOTAL, RELEASE, STARS
from codeintel.trust.scoring import hash_of
from codeintel.trust.shapes import PackageForecast, Unforecast
from codeintel.trust.store import TrustStore
from codeintel.trust.tables import TrustForecasts

QUARTER_DAYS = 91
"""13 weeks."""
YEAR_DAYS = 365
START_SECONDS = 60.0
PACKAGE_SECONDS = 20.0
"""Most that the forecasts of one package may take, besides starting."""
METRICS = (DOWNLOADS, DEPENDENTS, STARS, RELEASE_CADENCE, DORMANCY_RISK)
PENDING = "It has not been worked out yet: ask again in a moment."
_decode = msgspec.json.Decoder(tuple[Outcome, ...]).decode


def tasks(observations: Observations, as_of: date) -> tuple[Task, ...]:
    """What is to be forecast of a package, one task a metric."""
    return tuple(_tasks(observations, as_of))


def _tasks(observations: Observations, as_of: date) -> Iterator[Task]:
    # Registries count one of the two: those of a month, or all that there ever were.
    has_total = DOWNLOADS_TOTAL in observations and DOWNLOADS not in observations
    for metric in (DOWNLOADS_TOTAL if has_total else DOWNLOADS, DEPENDENTS, STARS):
        found = _by_day(observations.get(metric, ()))
        yield SeriesTask(metric, found, horizon_days=QUARTER_DAYS, as_of=as_of)
    releases = tuple(_day(at_ms) for at_ms, _ in observations.get(RELEASE, ()))
    yield ReleasesTask(RELEASE_CADENCE, releases, as_of, QUARTER_DAYS)
    yield ReleasesTask(DORMANCY_RISK, releases, as_of, YEAR_DAYS)


def _by_day(counts: Any) -> tuple[Observation, ...]:
    """Of each day the last count."""
    days = {_day(at_ms): value for at_ms, value in counts}
    return tuple(Observation(day, value) for day, value in sorted(days.items()))


def _day(at_ms: int) -> date:
    return datetime.fromtimestamp(at_ms / 1_000, UTC).date()


class Forecasts:
    """Those of all packages, as far as they have been worked out."""

    def __init__(self, engine: Engine, writer: Writer, store: TrustStore) -> None:
        self._engine = engine
        self._writer = writer
        self._store = store

    def of(self, package: str) -> tuple[tuple[PackageForecast, ...], tuple[Unforecast, ...]]:
        """The forecasts of a package, and the figures without one, each with the reason."""
        statement = select(TrustForecasts.body).where(TrustForecasts.package == package)
        with self._engine.connect() as connection:
            body = connection.scalar(statement)
        if body is None:
            pending = (Unforecast(metric, None, PENDING, target=package) for metric in METRICS)
            return (), tuple(pending)
        forecasts, unforecast = [], []
        for outcome in _decode(body):
            if outcome.forecast is not None:
                forecasts.append(PackageForecast(**_fields(outcome.forecast), target=package))
            elif outcome.none is not None:
                unforecast.append(Unforecast(**_fields(outcome.none), target=package))
        return tuple(forecasts), tuple(unforecast)

    def work_out(self, packages: Sequence[str]) -> int:
        """Forecast what is known of packages now, in one process of its own. Returns how many were
        new: the same observations on the same day give the same forecasts.

        :raises codeintel.trust.forecasts.process.ForecastError: if that fails or takes too long.
        """
        from codeintel.trust.forecasts.process import run_tasks

        today = datetime.now(UTC).date()
        given = {each: tasks(self._store.observations(each), today) for each in packages}
        hashes = {each: hash_of(msgspec.json.encode(own)) for each, own in given.items()}
        known = self._hashes(packages)
        new = [each for each in packages if known.get(each) != hashes[each]]
        if not new:
            return 0
        seconds = START_SECONDS + len(new) * PACKAGE_SECONDS
        outcomes = iter(run_tasks([task for each in new for task in given[each]], seconds))
        for package in new:
            own = tuple(map(_outcome, islice(outcomes, len(given[package]))))
            values = {
                "package": package,
                "computed_ms": now_ms(),
                "inputs_hash": hashes[package],
                "body": msgspec.json.encode(own).decode(),
            }
            self._writer.run(partial(_put, values), order=package)
        return len(new)

    def _hashes(self, packages: Sequence[str]) -> dict[str, str]:
        """Of what the forecasts that there are were worked out from."""
        statement = select(TrustForecasts.package, TrustForecasts.inputs_hash).where(
            TrustForecasts.package.in_(packages)
        )
        with self._engine.connect() as connection:
            return {row.package: row.inputs_hash for row in connection.execute(statement)}


def _outcome(told: Forecast | NoForecast) -> Outcome:
    return Outcome(forecast=told) if isinstance(told, Forecast) else Outcome(none=told)


def _fields(struct: msgspec.Struct) -> dict[str, Any]:
    return msgspec.structs.asdict(struct)


def _put(values: dict[str, Any], connection: Connection) -> None:
    inserting: Any = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    statement = inserting(TrustForecasts).values(values)
    connection.execute(statement.on_conflict_do_update(index_elements=["package"], set_=values))
