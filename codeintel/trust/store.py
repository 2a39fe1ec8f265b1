"""Snapshots, observations and packages in the database."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Connection, Engine, delete, func, select

from codeintel.base.logging import describe
from codeintel.contracts import Facts, Target
from codeintel.platform.db.statements import insert_into
from codeintel.platform.db.writer import Writer
from codeintel.trust.network import package_key
from codeintel.trust.network.store import chunks, links_of, put
from codeintel.trust.recorded import RECORDED_PREFIX, forget, is_recorded
from codeintel.trust.scores import Inputs, Score, decode_inputs, decode_score
from codeintel.trust.tables import TrustObservation, TrustPackage, TrustSnapshot
from codeintel.trust.targets import without_version

DOWNLOADS = "downloads"
"""The downloads of the last month."""
DOWNLOADS_TOTAL = "downloads_total"
DEPENDENTS = "dependents"
STARS = "stars"
RELEASE = "release"
MOST = 2**53
"""A bound for counts. Beyond it, JSON numbers are not exact."""
_DOWNLOADS = {"last-month": DOWNLOADS, "total": DOWNLOADS_TOTAL}


class Observed(NamedTuple):
    """A number at one moment, in milliseconds since 1970."""

    metric: str
    at_ms: int
    value: float


def observed(inputs: Inputs, collected_ms: int) -> Iterator[Observed]:
    """Yield the observations of a fetch: current counts, and all releases, which have their own
    dates.

    Stale facts are skipped, because they were counted when they were fetched.
    """
    facts = {fact.name: fact.value for fact in inputs.facts if fact.name not in inputs.stale}
    downloads = facts.get("downloads")
    if isinstance(downloads, dict) and downloads.get("period") in _DOWNLOADS:
        yield from _count(_DOWNLOADS[downloads["period"]], downloads.get("count"), collected_ms)
    dependents = facts.get("dependents")
    if isinstance(dependents, dict):
        yield from _count(DEPENDENTS, dependents.get("packages"), collected_ms)
    yield from _count(STARS, facts.get("stars"), collected_ms)
    seen = set()
    for at_ms in _release_times(facts.get("releases")):
        if at_ms not in seen:
            seen.add(at_ms)
            yield Observed(RELEASE, at_ms, 1.0)


def _count(metric: str, value: Any, at_ms: int) -> Iterator[Observed]:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if is_number and 0 <= value < MOST:
        yield Observed(metric, at_ms, float(value))


def _release_times(rows: Any) -> Iterator[int]:
    for row in rows if isinstance(rows, list) else ():
        try:
            yield int(datetime.fromisoformat(row["at"]).timestamp()) * 1_000
        except (TypeError, KeyError, ValueError, OverflowError):  # the fact may be a plugin's
            continue


log = logging.getLogger(__name__)

KEPT_SNAPSHOTS = 50
"""Number of stored snapshots of one package. Older ones are deleted, their observations are not."""
_ROWS = 500
"""Rows in one statement. Each has a handful of parameters, and a database accepts some thousand."""


class Stored(NamedTuple):
    """A snapshot in the database."""

    id: str
    package: str
    collected_ms: int
    scorer_version: str
    inputs_hash: str
    inputs: str
    body: str

    def read_inputs(self) -> Inputs:
        """Return the inputs of the score."""
        return decode_inputs(self.inputs.encode())

    def read_score(self) -> Score:
        """Return the score."""
        return decode_score(self.body.encode())


class Listed(NamedTuple):
    """A package in a list. `coverage` is the share of the points with evidence."""

    key: str
    score: float
    coverage: float
    collected_ms: int


class _Known(msgspec.Struct):
    coverage: float = 0.0


_known = msgspec.json.Decoder(_Known).decode
_COLUMNS = (
    TrustSnapshot.id,
    TrustSnapshot.package,
    TrustSnapshot.collected_ms,
    TrustSnapshot.scorer_version,
    TrustSnapshot.inputs_hash,
    TrustSnapshot.inputs,
    TrustSnapshot.body,
)


_LISTED = select(
    TrustPackage.key, TrustPackage.score, TrustSnapshot.body, TrustSnapshot.collected_ms
).join(TrustSnapshot, TrustPackage.snapshot_id == TrustSnapshot.id)


class TrustStore:
    """Reads and writes snapshots, observations and packages."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self.engine = engine
        self.writer = writer

    def newest(self, package: str) -> Stored | None:
        """Return the current snapshot of a package, or None."""
        statement = (
            select(*_COLUMNS)
            .join(TrustPackage, TrustPackage.snapshot_id == TrustSnapshot.id)
            .where(TrustPackage.key == package)
        )
        return self._one(statement)

    def find(self, snapshot_id: str) -> Stored | None:
        """Return a snapshot by its id, or None."""
        return self._one(select(*_COLUMNS).where(TrustSnapshot.id == snapshot_id))

    def _one(self, statement: Any) -> Stored | None:
        with self.engine.connect() as connection:
            row = connection.execute(statement).one_or_none()
        return None if row is None else Stored(*row)

    def packages(self, ecosystem: str = "") -> list[str]:
        """Return the sorted keys of all packages."""
        statement = select(TrustPackage.key).order_by(TrustPackage.key)
        if ecosystem:
            statement = statement.where(TrustPackage.ecosystem == ecosystem)
        with self.engine.connect() as connection:
            return list(connection.scalars(statement))

    def listed(self, limit: int) -> list[Listed]:
        """Return the first packages by key."""
        return self._listed(_LISTED.order_by(TrustPackage.key).limit(limit))

    def among(self, keys: Iterable[str]) -> dict[str, Listed]:
        """Return the stored packages among these keys."""
        found: dict[str, Listed] = {}
        for some in chunks(sorted(set(keys))):
            rows = self._listed(_LISTED.where(TrustPackage.key.in_(some)))
            found |= {each.key: each for each in rows}
        return found

    def named(self, name: str) -> list[str]:
        """Return the keys of the packages with a name, of all ecosystems, without versions."""
        mine = (TrustPackage.name == name, TrustPackage.version == "")
        statement = select(TrustPackage.key).where(*mine).order_by(TrustPackage.key)
        with self.engine.connect() as connection:
            return list(connection.scalars(statement))

    def _listed(self, statement: Any) -> list[Listed]:
        with self.engine.connect() as connection:
            return [
                Listed(key, score, _known(body.encode()).coverage, at_ms)
                for key, score, body, at_ms in connection.execute(statement)
            ]

    def scores(self, ecosystem: str, scorer_version: str) -> list[tuple[str, float]]:
        """Return current scores of an ecosystem's packages by one scorer version, best first.

        Packages with an explicit version or with recorded evidence are excluded.
        """
        statement = (
            select(TrustPackage.key, TrustPackage.score)
            .join(TrustSnapshot, TrustPackage.snapshot_id == TrustSnapshot.id)
            .where(
                TrustPackage.ecosystem == ecosystem,
                TrustPackage.version == "",
                TrustSnapshot.scorer_version == scorer_version,
                ~TrustSnapshot.id.startswith(RECORDED_PREFIX, autoescape=True),
            )
            .order_by(TrustPackage.score.desc(), TrustPackage.key)
        )
        with self.engine.connect() as connection:
            return [(key, score) for key, score in connection.execute(statement)]

    def observations(self, package: str) -> dict[str, list[tuple[int, float]]]:
        """Return numbers by metric: sorted times in milliseconds since 1970, with values.

        :param package: its key; all versions share one history.
        """
        statement = (
            select(TrustObservation.metric, TrustObservation.at_ms, TrustObservation.value)
            .where(TrustObservation.package == without_version(package))
            .order_by(TrustObservation.metric, TrustObservation.at_ms)
        )
        found: dict[str, list[tuple[int, float]]] = {}
        with self.engine.connect() as connection:
            for metric, at_ms, value in connection.execute(statement):
                found.setdefault(metric, []).append((at_ms, value))
        return found

    def counts_apart(self, package: str, metric: str, days: int) -> list[tuple[int, float]]:
        """Return the newest count, and the newest one that is at least `days` older.

        If no such older count exists, return all counts. A history grows with each fetch, so most
        of it is not read.

        :param package: see :meth:`observations`.
        """
        at_ms, value = TrustObservation.at_ms, TrustObservation.value
        history = without_version(package)
        mine = (TrustObservation.package == history, TrustObservation.metric == metric)
        newest_first = select(at_ms, value).where(*mine).order_by(at_ms.desc())
        with self.engine.connect() as connection:
            last = connection.execute(newest_first.limit(1)).one_or_none()
            if last is None:
                return []
            before = newest_first.where(at_ms <= last.at_ms - days * 86_400_000).limit(1)
            earlier = connection.execute(before).one_or_none()
            rows = [earlier, last] if earlier else connection.execute(newest_first).all()[::-1]
        return [(row.at_ms, row.value) for row in rows]


def save(connection: Connection, target: Target, inputs: Inputs, stored: Stored) -> None:
    """Store a snapshot with everything that follows from it, as a piece of work for the writer.

    Storing the same snapshot twice has no effect. Each version has its own snapshots, but all
    versions share one history. Otherwise a stranger who names versions could fill the table with
    the same releases. What was collected replaces the recorded evidence of the demo.
    """
    if not is_recorded(stored.id):
        forget(connection, package_key(target))
    is_new = _insert_new(
        connection, TrustSnapshot, [stored._asdict()], [TrustSnapshot.__table__.c.id]
    )
    if not is_new:
        return
    _put_package(connection, target, stored)
    history = package_key(target)
    known = _releases(connection, history)
    rows = [
        {"package": history, "metric": each.metric, "at_ms": each.at_ms, "value": each.value}
        for each in observed(inputs, stored.collected_ms)
        if each.metric != RELEASE or each.at_ms not in known
    ]
    keys = list(TrustObservation.__table__.primary_key)
    for chunk in chunks(rows, _ROWS):
        _insert_new(connection, TrustObservation, chunk, keys)
    _put_links(connection, target, inputs, stored.collected_ms)
    _forget(connection, stored.package)


def _releases(connection: Connection, package: str) -> set[int]:
    """Return the stored times of releases.

    Of thousands hardly one is new, and inserting them all again would block the process for a third
    of a second.
    """
    statement = select(TrustObservation.at_ms).where(
        TrustObservation.package == package, TrustObservation.metric == RELEASE
    )
    return set(connection.scalars(statement))


def _put_links(connection: Connection, target: Target, inputs: Inputs, at_ms: int) -> None:
    facts = Facts({fact.name: fact for fact in inputs.facts})
    try:
        links = links_of(target, facts)
    except ValueError as error:  # a plugin's fact, which does not affect the score
        log.warning("links of %s could not be stored: %s", target.key, describe(error))
    else:
        put(connection, links, at_ms, is_current=not target.version)


def _put_package(connection: Connection, target: Target, stored: Stored) -> None:
    values = {
        "key": stored.package,
        "ecosystem": str(target.ecosystem),
        "name": target.name,
        "version": target.version,
        "snapshot_id": stored.id,
        "score": stored.read_score().score,
        "created_ms": stored.collected_ms,
        "refreshed_ms": stored.collected_ms,
    }
    changed = {name: values[name] for name in ("snapshot_id", "score", "refreshed_ms")}
    statement = insert_into(connection, TrustPackage).values(values)
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=["key"],
            set_=changed,
            # An earlier request that arrives later must not undo newer data.
            where=TrustPackage.refreshed_ms <= stored.collected_ms,
        )
    )


def _insert_new(
    connection: Connection, model: Any, rows: Sequence[dict[str, Any]], keys: Iterable[Any]
) -> bool:
    """Insert rows. Return whether any of them is new."""
    statement = insert_into(connection, model).values(list(rows))
    result = connection.execute(statement.on_conflict_do_nothing(index_elements=list(keys)))
    return bool(result.rowcount)


def _forget(connection: Connection, package: str) -> None:
    """Delete the oldest snapshots of a package that has too many."""
    mine = TrustSnapshot.package == package
    count = connection.scalar(select(func.count()).select_from(TrustSnapshot).where(mine)) or 0
    if count > KEPT_SNAPSHOTS:
        oldest = (
            select(TrustSnapshot.id)
            .where(mine)
            .order_by(TrustSnapshot.collected_ms, TrustSnapshot.id)
            .limit(count - KEPT_SNAPSHOTS)
        )
        connection.execute(delete(TrustSnapshot).where(TrustSnapshot.id.in_(oldest)))
