"""Runs and reserved credits whose process is gone."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, func, select

from codeintel.identity.credits import ledger
from codeintel.operations.doctor.machine.installation import Installation
from codeintel.operations.doctor.results import Finding, ok, warning
from codeintel.operations.doctor.words import some
from codeintel.platform.db.clock import database_now_ms
from codeintel.platform.db.leases import is_gone
from codeintel.platform.db.models import RUNNING, Hold, RunRow

RUNS, HOLDS = "leases.runs", "leases.holds"
GRACE_MS = 60_000
_RESTART = "Start the service: it ends them and gives the credits back."


def look_at_leases(installation: Installation) -> Iterator[Finding]:
    """The findings."""
    with installation.connection() as connection:
        yield _runs(connection)
        yield _holds(connection)


def _runs(connection: Connection) -> Finding:
    """Those that nobody works on any more."""
    owners = connection.execute(
        select(RunRow.owner, func.count())
        .where(RUNNING)
        .group_by(RunRow.owner)
        .order_by(RunRow.owner)
    ).all()
    gone = [row for row in owners if is_gone(row[0])]
    if not gone:
        return ok(RUNS, f"{sum(row[1] for row in owners)} under way, none abandoned.")
    processes = some([row[0] for row in gone])
    count = sum(row[1] for row in gone)
    return warning(RUNS, f"{count} run on in processes that are gone: {processes}.", _RESTART)


def _holds(connection: Connection) -> Finding:
    """Those that were not renewed and should have been given back."""
    late = Hold.state == ledger.PENDING, Hold.expires_ms < database_now_ms() - GRACE_MS
    count, amount = connection.execute(
        select(func.count(), func.coalesce(func.sum(Hold.amount), 0)).where(*late)
    ).one()
    if not count:
        return ok(HOLDS, "None is overdue.")
    return warning(
        HOLDS, f"{count} are overdue and keep {amount} credits from their accounts.", _RESTART
    )
