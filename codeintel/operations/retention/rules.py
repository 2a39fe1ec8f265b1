"""Which rows may go, and when: a rule for each table that grows without end.

Entries of the ledger are not among them: a balance is their sum. Nor is what is swept elsewhere:
runs, requests and ended holds (:mod:`codeintel.runs.store`), ended jobs
(:mod:`codeintel.platform.jobs.store`), contents and results of files (:mod:`codeintel.workspaces`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Table, and_, exists, or_

from codeintel.identity.audit.tables import AuditRow
from codeintel.identity.tables import SessionRow, SignInLinkRow
from codeintel.platform.config import Settings
from codeintel.platform.db.batches import Old
from codeintel.platform.db.models import ApiKey, SourceReportRow
from codeintel.trust.tables import TrustObservation, TrustPackage, TrustSnapshot

Condition = Callable[[int], ColumnElement[bool]]
"""Whether a row was over before a moment, in milliseconds since 1970."""


@dataclass(frozen=True)
class Rule:
    """Rows of a table that go once they have been over for `seconds`. `by_age` makes them ready to
    be deleted through an index of which their condition is a range, where there is one."""

    table: Table
    seconds: float
    is_over_before: Condition
    by_age: Callable[[ColumnElement[bool]], Old] | None = None


def rules(settings: Settings) -> list[Rule]:
    """What is to be deleted by these settings; what is kept for ever has none."""
    found = [
        Rule(
            _table(AuditRow),
            settings.audit_retention,
            lambda at: AuditRow.at_ms < at,
            lambda is_over: Old(AuditRow, is_over, AuditRow.at_ms),
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
    """Ended, run out, or not used for too long."""
    idle_ms = int(settings.session_idle * 1000)
    return lambda at: or_(
        SessionRow.ended_ms < at, SessionRow.expires_ms < at, SessionRow.seen_ms < at - idle_ms
    )


def _link_over(at: int) -> ColumnElement[bool]:
    return or_(SignInLinkRow.ended_ms < at, SignInLinkRow.expires_ms < at)


def _key_over(at: int) -> ColumnElement[bool]:
    return or_(ApiKey.revoked_ms < at, ApiKey.expires_ms < at)


def _report_over(at: int) -> ColumnElement[bool]:
    """Of a source that works again; what fails still is reported however old."""
    return SourceReportRow.answered_ms < at


def _snapshot_over(at: int) -> ColumnElement[bool]:
    """One that is no package's newest."""
    is_newest = exists().where(
        TrustPackage.key == TrustSnapshot.package, TrustPackage.snapshot_id == TrustSnapshot.id
    )
    return and_(TrustSnapshot.collected_ms < at, ~is_newest)


def _table(model: Any) -> Table:
    table: Table = model.__table__
    return table
