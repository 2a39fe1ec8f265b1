"""The forecasts of packages: their inputs, and their storage."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, date, datetime
from functools import partial
from itertools import islice
from typing import Any

import msgspec
from sqlalchemy import Connection, Engine, func, select, update

from codeintel.base.extras import FORECASTS
from codeintel.platform.db.models import now_ms
from codeintel.platform.db.statements import insert_into
from codeintel.platform.db.writer import Writer
from codeintel.trust.forecasts import (
    DORMANCY_RISK,
    RELEASE_CADENCE,
    Forecast,
    ForecastOutcome,
    NoForecast,
    Observation,
    ReleasesTask,
    SeriesTask,
    Task,
)
from codeintel.trust.genome import Observations
from codeintel.trust.scores import hash_of
from codeintel.trust.shapes import PackageForecast, Unforecast
from codeintel.trust.store import DEPENDENTS, DOWNLOADS, DOWNLOADS_TOTAL, RELEASE, STARS, TrustStore
from codeintel.trust.tables import TrustForecasts, TrustPackage
from codeintel.trust.targets import without_version

QUARTER_DAYS = 91
"""13 weeks."""
YEAR_DAYS = 365
START_SECONDS = 60.0
PACKAGE_SECONDS = 20.0
"""Time limit for the forecasts of one package, in addition to the start."""
METRICS = (DOWNLOADS, DEPENDENTS, STARS, RELEASE_CADENCE, DORMANCY_RISK)
PENDING = "It is not computed yet. Try again in a moment."
_decode = msgspec.json.Decoder(tuple[ForecastOutcome, ...]).decode


def tasks(observations: Observations, as_of: date) -> tuple[Task, ...]:
    """Return the forecasts to compute for a package, as one task per metric."""
    return tuple(_tasks(observations, as_of))


def _tasks(observations: Observations, as_of: date) -> Iterator[Task]:
    # Registries count one of the two: downloads of a month, or all downloads so far.
    has_total = DOWNLOADS_TOTAL in observations and DOWNLOADS not in observations
    for metric in (DOWNLOADS_TOTAL if has_total else DOWNLOADS, DEPENDENTS, STARS):
        found = _by_day(observations.get(metric, ()))
        yield SeriesTask(metric, found, horizon_days=QUARTER_DAYS, as_of=as_of)
    releases = tuple(_day(at_ms) for at_ms, _ in observations.get(RELEASE, ()))
    yield ReleasesTask(RELEASE_CADENCE, releases, as_of, QUARTER_DAYS)
    yield ReleasesTask(DORMANCY_RISK, releases, as_of, YEAR_DAYS)


def _by_day(counts: Any) -> tuple[Observation, ...]:
    """Return the last count of each day."""
    days = {_day(at_ms): value for at_ms, value in counts}
    return tuple(Observation(day, value) for day, value in sorted(days.items()))


def _day(at_ms: int) -> date:
    return datetime.fromtimestamp(at_ms / 1_000, UTC).date()


class Forecasts:
    """The forecasts of all packages, as far as they are computed."""

    def __init__(self, engine: Engine, writer: Writer, store: TrustStore) -> None:
        self._engine = engine
        self._writer = writer
        self._store = store

    def of(self, package: str) -> tuple[tuple[PackageForecast, ...], tuple[Unforecast, ...]]:
        """Return the forecasts of a package, and the metrics without a forecast, each with the
        reason.

        :param package: its key; all versions share the forecasts, because they share the history.
        """
        own = TrustForecasts.package == without_version(package)
        statement = select(TrustForecasts.body).where(own)
        with self._engine.connect() as connection:
            body = connection.scalar(statement)
        if body is None:
            why = f"{FORECASTS.refusal}." if FORECASTS.is_missing else PENDING
            pending = (Unforecast(metric, None, why, target=package) for metric in METRICS)
            return (), tuple(pending)
        forecasts, unforecast = [], []
        for outcome in _decode(body):
            if outcome.forecast is not None:
                forecasts.append(PackageForecast(**_fields(outcome.forecast), target=package))
            elif outcome.none is not None:
                unforecast.append(Unforecast(**_fields(outcome.none), target=package))
        return tuple(forecasts), tuple(unforecast)

    def pending(self, since_ms: int, most: int) -> list[str]:
        """Return the keys, without versions, of packages with missing or outdated forecasts.

        Packages that wait longest come first.

        :param since_ms: start of the first snapshot that is checked. Checking all snapshots of a
            large network would take long.
        :param most: maximum number of snapshots that are checked.
        """
        if FORECASTS.is_missing:
            return []
        # In the format of `Target.key`, for all versions together.
        key = TrustPackage.ecosystem + ":" + TrustPackage.name
        statement = (
            select(key)
            .join(TrustForecasts, TrustForecasts.package == key, isouter=True)
            .where(
                TrustPackage.refreshed_ms >= since_ms,
                func.coalesce(TrustForecasts.computed_ms, -1) <= TrustPackage.refreshed_ms,
            )
            .order_by(TrustPackage.refreshed_ms)
            .limit(most)
        )
        with self._engine.connect() as connection:
            return list(dict.fromkeys(connection.scalars(statement)))

    def work_out(self, keys: Sequence[str], as_of: date | None = None) -> int:
        """Compute the forecasts of packages in a separate process, and return the number of new
        ones.

        The same observations on the same day give the same forecasts.

        :param keys: of packages, with or without versions. If the optional dependencies are not
            installed, no forecast is computed.
        :param as_of: the day of the forecasts, for recorded histories; today for None.
        :raises codeintel.trust.forecasts.process.ForecastError: if the computation fails or takes
            too long.
        """
        from codeintel.trust.forecasts.process import run_tasks

        if FORECASTS.is_missing:
            return 0
        packages = list(dict.fromkeys(map(without_version, keys)))
        # Before the first read, because snapshots that are stored meanwhile are newer.
        begun_ms = now_ms()
        today = as_of or datetime.now(UTC).date()
        given = {each: tasks(self._store.observations(each), today) for each in packages}
        hashes = {each: hash_of(msgspec.json.encode(own)) for each, own in given.items()}
        known = self._hashes(packages)
        new = [each for each in packages if known.get(each) != hashes[each]]
        same = [each for each in packages if known.get(each) == hashes[each]]
        if same:
            self._writer.run(partial(_confirm, same, begun_ms))
        if not new:
            return 0
        seconds = START_SECONDS + len(new) * PACKAGE_SECONDS
        outcomes = iter(run_tasks([task for each in new for task in given[each]], seconds))
        for package in new:
            own = tuple(map(_outcome, islice(outcomes, len(given[package]))))
            values = {
                "package": package,
                "computed_ms": begun_ms,
                "inputs_hash": hashes[package],
                "body": msgspec.json.encode(own).decode(),
            }
            self._writer.run(partial(_put, values), order=package)
        return len(new)

    def _hashes(self, packages: Sequence[str]) -> dict[str, str]:
        """Return the hashes of the inputs of existing forecasts."""
        statement = select(TrustForecasts.package, TrustForecasts.inputs_hash).where(
            TrustForecasts.package.in_(packages)
        )
        with self._engine.connect() as connection:
            return {row.package: row.inputs_hash for row in connection.execute(statement)}


def _outcome(told: Forecast | NoForecast) -> ForecastOutcome:
    return (
        ForecastOutcome(forecast=told) if isinstance(told, Forecast) else ForecastOutcome(none=told)
    )


def _fields(struct: msgspec.Struct) -> dict[str, Any]:
    return msgspec.structs.asdict(struct)


def _confirm(packages: Sequence[str], at_ms: int, connection: Connection) -> None:
    """Mark unchanged forecasts as current."""
    own = TrustForecasts.package.in_(packages)
    connection.execute(update(TrustForecasts).where(own).values(computed_ms=at_ms))


def _put(values: dict[str, Any], connection: Connection) -> None:
    statement = insert_into(connection, TrustForecasts).values(values)
    connection.execute(statement.on_conflict_do_update(index_elements=["package"], set_=values))
