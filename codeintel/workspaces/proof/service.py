"""The proof loop: schedule the analyses of revisions, and report and stream their states."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator

import gevent
import msgspec
from msgspec import UNSET
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts import RuleInfo
from codeintel.contracts.workspaces.records import ProofStatus
from codeintel.platform.config import Settings
from codeintel.platform.db.writer import Writer
from codeintel.platform.jobs.kinds import JobKind, explain
from codeintel.platform.jobs.service import Jobs
from codeintel.platform.plugins.registry import Registry
from codeintel.platform.workers.pool import AnalyzerPool
from codeintel.platform.workers.text_functions import TextWorkError
from codeintel.runs.events.frames import frame
from codeintel.runs.events.log import CREDENTIAL_SECONDS, HEARTBEAT_SECONDS, PING
from codeintel.trust.assembly import TrustNetwork
from codeintel.workspaces.proof.analysis import FileAnalysis
from codeintel.workspaces.proof.cross_file import RevisionLinks
from codeintel.workspaces.proof.exports import EXPORT, ExportFormat, ExportPart
from codeintel.workspaces.proof.job import IsFree, ProofJob
from codeintel.workspaces.proof.manifests.dependencies import DependencyReader
from codeintel.workspaces.proof.pipeline import KIND, ProofQueue
from codeintel.workspaces.proof.reading import ReportReader
from codeintel.workspaces.proof.shapes import Report, ReportSummary
from codeintel.workspaces.proof.sweeping import UNDER_WAY, ProofSweeper
from codeintel.workspaces.proof.withheld import Withheld
from codeintel.workspaces.records import WorkspaceRecord
from codeintel.workspaces.service import Workspaces

log = logging.getLogger(__name__)

POLL_SECONDS = 0.5
EVENT = b"proof"
_encode = msgspec.json.Encoder().encode
BACKOFF_SECONDS = 2.0
_EXPANSION = 30
"""Number of characters in a report per stored byte."""


def changes(
    read: Callable[[], ProofStatus | None], seconds: float = POLL_SECONDS
) -> Iterator[ProofStatus | None]:
    """Yield the status now and at each change, else None, twice a second.

    This ends when the status is final or the report is deleted. While the database is out of reach,
    the status does not change.
    """
    last: ProofStatus | None = None
    while True:
        try:
            status = read()
        except SQLAlchemyError as error:
            log.warning("a report cannot be followed: %s", explain(error))
            yield None
        else:
            if status is None:
                return
            yield status if status != last else None
            last = status
            if status.status not in UNDER_WAY:
                return
        gevent.sleep(seconds)


def frames(
    statuses: Iterator[ProofStatus | None],
    is_gone: Callable[[], bool],
    may_read: Callable[[], bool],
) -> Iterator[bytes]:
    """Yield statuses as events, numbered from 1.

    A heartbeat is sent after 15 s of silence. `is_gone` is called each time, because a server
    notices a disconnected client only when it writes. `may_read` is called every 3 s, so that a
    stream ends when its credential does.
    """
    number = 0
    beat = time.monotonic() + HEARTBEAT_SECONDS
    check = time.monotonic() + CREDENTIAL_SECONDS
    for status in statuses:
        now = time.monotonic()
        if now >= check:
            if not may_read():
                return
            check = now + CREDENTIAL_SECONDS
        if status is not None:
            number += 1
            yield frame(number, EVENT, _encode(status))
            beat = now + HEARTBEAT_SECONDS
        elif is_gone():
            return
        elif now >= beat:
            yield PING
            beat = now + HEARTBEAT_SECONDS


class ProofLoop:
    """The reports of all sessions, and the job that creates them (see docs/workspace.md)."""

    def __init__(
        self,
        engine: Engine,
        writer: Writer,
        settings: Settings,
        registry: Registry,
        pool: AnalyzerPool,
        trust: TrustNetwork,
    ) -> None:
        self._writer = writer
        self._texts = pool.texts
        self._queue = ProofQueue(settings.proof_interval)
        self._reader = ReportReader(engine)
        self._sweeper = ProofSweeper(engine, writer)
        analysis = FileAnalysis(settings, registry, pool)
        self._withheld = Withheld(engine, writer, analysis, pool.texts)
        self._job = ProofJob(
            engine,
            settings,
            analysis,
            RevisionLinks(engine, writer, pool, settings.scan_results),
            self._withheld,
            DependencyReader(trust, pool.texts),
            self._queue,
        )

    def kinds(self) -> list[JobKind]:
        """Return the kinds of jobs that it needs."""
        return [JobKind(KIND, self._job.run, backoff_seconds=BACKOFF_SECONDS)]

    def follow(self, jobs: Jobs, workspaces: Workspaces) -> None:
        """Set the job queue, and the source of files."""
        self._queue.jobs = jobs
        self._job.workspaces = workspaces
        workspaces.on_secrets = self._withheld.analyze

    def set_free(self, is_free: IsFree) -> None:
        """Set which analyses cost nothing."""
        self._job.is_free = is_free

    def sweep(self) -> int:
        """End abandoned reports, release unused credits, and delete old results.

        Returns the number of ended reports.
        """
        return self._sweeper.sweep()

    def on_revision(self, connection: Connection, session: WorkspaceRecord) -> None:
        """Schedule the analysis of a new revision, in the revision's transaction.

        It starts immediately, or when `CODEINTEL_PROOF_INTERVAL` has passed since the session's
        last analysis started.
        """
        self._queue.on_revision(connection, session.id, session.revision)

    def request(self, session: WorkspaceRecord) -> ProofStatus:
        """Analyze the newest revision without waiting for the interval. A queued or running
        analysis continues.

        :raises ServiceError: `not_found` for a deleted session.
        """
        job_id = self._writer.run(
            lambda connection: self._queue.request(connection, session.account_id, session.id),
            order=session.account_id,
        )
        if job_id is None:
            raise _no_report("This workspace was deleted.")
        if self._queue.jobs is not None:
            self._queue.jobs.hurry(job_id)
        return self.status(session)

    def status(self, session: WorkspaceRecord, revision: int | None = None) -> ProofStatus:
        """Return the state of a revision, or of the newest for None."""
        newest = revision or self._reader.newest_revision(session.id) or session.revision
        return self._reader.status(session.id, newest)

    def statuses(self, session: WorkspaceRecord) -> dict[int, ProofStatus]:
        """Return the states of all revisions with a report, by number."""
        return self._reader.statuses(session.id)

    def reports(self, session: WorkspaceRecord) -> list[ReportSummary]:
        """Return all ended reports of the session, the newest first, without findings."""
        return self._reader.summaries(session.id)

    def verdicts(self, session: WorkspaceRecord, most: int) -> list[ReportSummary]:
        """Return the newest reports with a verdict, the newest first, without findings."""
        return self._reader.summaries(session.id, most_verdicts=most)

    def report(self, session: WorkspaceRecord, revision: int | None = None) -> Report:
        """Return the last report on a revision, or for None the newest with a verdict.

        A skipped revision has a report without parts, whose summary has the reason.

        :raises ServiceError: `not_found`.
        """
        found = self._reader.report(session.id, revision)
        if found is None:
            raise self._nothing(session, revision)
        return found

    def export(
        self,
        session: WorkspaceRecord,
        revision: int | None,
        form: ExportFormat,
        rules: dict[str, list[RuleInfo]],
        origin: str,
    ) -> tuple[int, bytes]:
        """Return the report as a file, written by a worker process, with its revision.

        :param rules: known rules, by analyzer.
        :param origin: the address of the service.
        :raises ServiceError: `not_found`; `overloaded`, if it could not be written in time.
        """
        found = self._reader.document(session.id, revision)
        if found is None:
            raise self._nothing(session, revision)
        number, document = found
        part = ExportPart(
            format=form, document=document, session=session, rules=rules, origin=origin
        )
        size = len(document) * _EXPANSION
        try:
            pieces = list(self._texts.run(session.account_id, EXPORT, [part], size))
        except TextWorkError:
            raise ServiceError(
                ErrorCode.OVERLOADED,
                "The report could not be written in time. Try again, or read it as JSON.",
                retry_after=5,
            ) from None
        return number, b"".join(pieces)

    def _nothing(self, session: WorkspaceRecord, revision: int | None) -> ServiceError:
        status = self.status(session, revision)
        which = "this workspace" if revision is None else f"revision {revision}"
        why = "it may still be written." if status.reason is UNSET else status.reason
        return _no_report(f"No report on {which}: {why}")

    def ticks(self, session: WorkspaceRecord) -> Iterator[ProofStatus | None]:
        """Yield the status at each change until the newest revision's proof has ended, else
        None, twice a second.
        """

        def read() -> ProofStatus | None:
            newest = self._reader.newest_revision(session.id)
            return self._reader.status(session.id, newest) if newest is not None else None

        return changes(read)


def _no_report(message: str) -> ServiceError:
    return ServiceError(ErrorCode.NOT_FOUND, message)
