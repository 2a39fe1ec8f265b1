"""Delete old records after their retention time."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Engine,
    Table,
    and_,
    delete,
    exists,
    or_,
    select,
    tuple_,
)

from codeintel.base.greenlets import give_way
from codeintel.identity.audit import AuditRow
from codeintel.identity.tables import SessionRow, SignInLinkRow
from codeintel.platform.config import Settings
from codeintel.platform.db.batches import BatchDeleter, Old
from codeintel.platform.db.models import ApiKey, SourceReportRow, now_ms
from codeintel.platform.db.writer import Writer
from codeintel.runs.scans.tables import ScanResultRow
from codeintel.trust.tables import TrustObservation, TrustPackage, TrustSnapshot

Condition = Callable[[int], ColumnElement[bool]]
"""A condition for rows that were done before a time, in milliseconds since 1970."""


@dataclass(frozen=True)
class Rule:
    """Deletes rows of a table after they have been done for `seconds`. `by_age` deletes them
    through an index on which their condition is a range, if the table has one.
    """

    table: Table
    seconds: float
    is_over_before: Condition
    by_age: Callable[[ColumnElement[bool]], Old] | None = None


def rules(settings: Settings) -> list[Rule]:
    """Return the rules of these settings. Tables that are kept forever have none.

    Entries of the ledger have no rule, because a balance is their sum. Some rows are swept
    elsewhere: runs, requests and ended holds (:mod:`codeintel.runs.store`), ended jobs
    (:mod:`codeintel.platform.jobs.store`), contents and results of files
    (:mod:`codeintel.workspaces`).
    """
    found = [
        Rule(
            _table(AuditRow),
            settings.audit_retention,
            lambda at: AuditRow.at_ms < at,
            lambda is_over: Old(AuditRow, is_over, AuditRow.at_ms),
        ),
        Rule(
            _table(ScanResultRow),
            settings.scan_results,
            lambda at: ScanResultRow.stored_ms < at,
            lambda is_over: Old(ScanResultRow, is_over, ScanResultRow.stored_ms),
        ),
        Rule(_table(SessionRow), settings.session_retention, _session_over(settings)),
        Rule(_table(SignInLinkRow), settings.session_retention, _link_over),
        Rule(_table(ApiKey), settings.key_retention, _key_over),
        Rule(_table(SourceReportRow), settings.source_report_retention, _report_over),
        Rule(_table(TrustSnapshot), settings.trust_retention, _snapshot_over),
        Rule(
            _table(TrustObservation),
            settings.trust_retention,
            lambda at: TrustObservation.at_ms < at,
        ),
    ]
    return [rule for rule in found if rule.seconds]


def _session_over(settings: Settings) -> Condition:
    """Return a condition for sessions that ended, expired or were unused for too long."""
    idle_ms = int(settings.session_idle * 1000)
    return lambda at: or_(
        SessionRow.ended_ms < at, SessionRow.expires_ms < at, SessionRow.seen_ms < at - idle_ms
    )


def _link_over(at: int) -> ColumnElement[bool]:
    return or_(SignInLinkRow.ended_ms < at, SignInLinkRow.expires_ms < at)


def _key_over(at: int) -> ColumnElement[bool]:
    return or_(ApiKey.revoked_ms < at, ApiKey.expires_ms < at)


def _report_over(at: int) -> ColumnElement[bool]:
    """Return a condition for reports of sources that work again. Current failures are kept at any
    age.
    """
    return SourceReportRow.answered_ms < at


def _snapshot_over(at: int) -> ColumnElement[bool]:
    """Return a condition for snapshots that are not a package's newest."""
    is_newest = exists().where(
        TrustPackage.key == TrustSnapshot.package, TrustPackage.snapshot_id == TrustSnapshot.id
    )
    return and_(TrustSnapshot.collected_ms < at, ~is_newest)


def _table(model: Any) -> Table:
    table: Table = model.__table__
    return table


BATCH = 500
"""The maximum number of rows that one transaction deletes."""
LOOKED_AT = 10_000
"""The number of rows that one round checks. The next round continues after them. Most tables have
no index by age, because every insertion would pay for it.
"""
BY_AGE_SECONDS = 30.0
"""The maximum time of a round for a table that has an index by age."""

Place = tuple[Any, ...]


class RetentionSweeper:
    """Sweeps the tables in small steps, so that other processes can write.

    :param clock: the time in milliseconds since 1970.
    """

    def __init__(
        self,
        engine: Engine,
        writer: Writer,
        settings: Settings,
        clock: Callable[[], int] = now_ms,
    ) -> None:
        self._engine = engine
        self._writer = writer
        self._rules = rules(settings)
        self._deleter = BatchDeleter(engine, writer)
        self._clock = clock
        self._places: dict[str, Place] = {}

    def sweep(self) -> int:
        """Delete old rows and return their number."""
        return sum(map(self._apply, self._rules))

    def _apply(self, rule: Rule) -> int:
        condition = rule.is_over_before(self._clock() - int(rule.seconds * 1000))
        if rule.by_age is not None:
            deadline = time.monotonic() + BY_AGE_SECONDS
            return self._deleter.delete(rule.by_age(condition), deadline)[0]
        deleted = 0
        for _ in range(0, LOOKED_AT, BATCH):
            found, is_last = self._look(rule, condition)
            if found:
                deleted += self._writer.run(_deleting(rule, condition, found))
            if is_last:
                break
            give_way()
        return deleted

    def _look(self, rule: Rule, condition: ColumnElement[bool]) -> tuple[list[Place], bool]:
        """Return the keys of old rows among the next ones, and whether the table has no more
        rows.
        """
        key = list(rule.table.primary_key.columns)
        query = select(*key, condition.label("is_over")).order_by(*key).limit(BATCH)
        place = self._places.pop(rule.table.name, None)
        if place is not None:
            query = query.where(tuple_(*key) > tuple_(*place))
        with self._engine.connect() as connection:
            seen = connection.execute(query).all()
        is_last = len(seen) < BATCH
        if not is_last:
            self._places[rule.table.name] = tuple(seen[-1][:-1])
        return [tuple(row[:-1]) for row in seen if row[-1]], is_last


def _deleting(
    rule: Rule, condition: ColumnElement[bool], found: Sequence[Place]
) -> Callable[[Connection], int]:
    """Return a function that deletes these rows if they still meet the condition."""
    key = tuple_(*rule.table.primary_key.columns)
    statement = delete(rule.table).where(key.in_(found), condition)
    return lambda connection: connection.execute(statement).rowcount
