"""Background jobs: whether anybody works on them."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import Connection, func, select

from codeintel.base.text.quantities import lasting
from codeintel.contracts.states import JobState
from codeintel.operations.doctor.machine.installation import Installation
from codeintel.operations.doctor.results import Finding, error, ok, warning
from codeintel.operations.doctor.words import some
from codeintel.platform.db.clock import database_now_ms
from codeintel.platform.db.leases import is_gone
from codeintel.platform.db.models import now_ms
from codeintel.platform.jobs.tables import JobRow

WAITING, FAILED, LEASES = "jobs.waiting", "jobs.failed", "jobs.leases"
LONG_SECONDS = 300.0
DAY_MS = 86_400_000
GRACE_MS = 60_000
"""After a lease's end, in which somebody should have noticed."""


def look_at_jobs(installation: Installation) -> Iterator[Finding]:
    """The findings."""
    with installation.connection() as connection:
        yield _waiting(connection)
        yield _failed(connection)
        yield _leases(connection)


def _waiting(connection: Connection) -> Finding:
    now: int = connection.execute(select(database_now_ms())).scalar_one()
    due = JobRow.state == JobState.QUEUED, JobRow.run_after_ms < now - LONG_SECONDS * 1000
    count, oldest = connection.execute(
        select(func.count(), func.min(JobRow.run_after_ms)).where(*due)
    ).one()
    busy = connection.scalar(
        select(func.count()).where(JobRow.state == JobState.RUNNING, JobRow.lease_ms >= now)
    )
    if not count:
        return ok(WAITING, f"None waits for long; {busy} under way.")
    # A job that was put in to begin at once has 0 there.
    since = oldest or connection.scalar(select(func.min(JobRow.created_ms)).where(*due)) or now
    kinds = some(sorted(connection.scalars(select(JobRow.kind).where(*due).distinct())))
    told = f"{count} due for more than {lasting(LONG_SECONDS)} ({kinds}), the first one for "
    told += f"{lasting((now - since) / 1000)}"
    if busy:
        return warning(
            WAITING,
            f"{told}; {busy} under way.",
            "Have more worked on at once: `codeintel worker --workers 4`, or a higher "
            "CODEINTEL_JOB_WORKERS.",
        )
    return error(
        WAITING,
        f"{told}, and nobody works on any.",
        "Start the service with CODEINTEL_JOB_WORKERS above 0, or `codeintel worker`; if one "
        "runs, see with `codeintel jobs list --state queued` whether it knows their kinds.",
    )


def _failed(connection: Connection) -> Finding:
    """Those of the last day."""
    query = (
        select(JobRow.kind, func.count())
        .where(JobRow.state == JobState.FAILED, JobRow.finished_ms > now_ms() - DAY_MS)
        .group_by(JobRow.kind)
        .order_by(JobRow.kind)
    )
    kinds = [f"{count} of {kind}" for kind, count in connection.execute(query)]
    if not kinds:
        return ok(FAILED, "None in the last day.")
    return warning(
        FAILED,
        f"In the last day: {some(kinds, 5)}.",
        "`codeintel jobs list --state failed` says why.",
    )


def _leases(connection: Connection) -> Finding:
    """Those whose process is gone, and that nobody has taken over."""
    rows = connection.execute(
        select(JobRow.id, JobRow.owner, JobRow.lease_ms).where(JobRow.state == JobState.RUNNING)
    ).all()
    limit = connection.execute(select(database_now_ms())).scalar_one() - GRACE_MS
    left = [
        row.id
        for row in rows
        if (row.lease_ms or 0) < limit or (row.owner is not None and is_gone(row.owner))
    ]
    if not left:
        return ok(LEASES, "All that run belong to a process that lives.")
    return warning(
        LEASES,
        f"{some(left)} belong to processes that are gone.",
        "Start the service or `codeintel worker`: jobs go on from their last checkpoint.",
    )
