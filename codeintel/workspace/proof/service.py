"""The proof loop: which revisions are analysed when, and what is known of them."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import UNSET
from sqlalchemy import Connection, Engine

from codeintel.config import Settings
from codeintel.db.writer import Writer
from codeintel.errors import ErrorCode, ServiceError
from codeintel.jobs.kinds import JobKind
from codeintel.jobs.service import Jobs
from codeintel.plugins.registry import Registry
from codeintel.trust.assembly import TrustNetwork
from codeintel.workers.pool import AnalyzerPool
from codeintel.workspace.proof.analysis import FileAnalysis
from codeintel.workspace.proof.dependencies import DependencyReader
from codeintel.workspace.proof.job import ProofJob
from codeintel.workspace.proof.queue import KIND, ProofQueue
from codeintel.workspace.proof.reading import ReportReader
from codeintel.workspace.proof.shapes import Report, ReportSummary
from codeintel.workspace.proof.sweeping import Sweeper
from codeintel.workspace.proof.watching import changes
from codeintel.workspace.records import ProofStatus, WorkspaceRecord
from codeintel.workspace.service import Workspaces

BACKOFF_SECONDS = 2.0


class ProofLoop:
    """The reports of all sessions, and the job that makes them (see docs/workspace.md)."""

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
        self._queue = ProofQueue(settings.proof_interval)
        self._reader = ReportReader(engine)
        self._sweeper = Sweeper(engine, writer)
        self._job = ProofJob(
            engine,
            settings,
            FileAnalysis(settings, registry, pool),
            DependencyReader(trust),
            self._queue,
        )

    def kinds(self) -> list[JobKind]:
        """The kinds of jobs that it has done."""
        return [JobKind(KIND, self._job.run, backoff_seconds=BACKOFF_SECONDS)]

    def follow(self, jobs: Jobs, workspaces: Workspaces) -> None:
        """Say where its jobs are put in, and where the files come from."""
        self._queue.jobs = jobs
        self._job.workspaces = workspaces

    def sweep(self) -> int:
        """End the reports that nobody works on any more, give back what is reserved for nothing,
        and delete results that are of no use; returns how many reports were ended."""
        return self._sweeper.sweep()

    def on_revision(self, connection: Connection, session: WorkspaceRecord) -> None:
        """Have a new revision analysed: at once, or when `CODEINTEL_PROOF_INTERVAL` has passed
        since the session's last analysis began. In the revision's transaction."""
        self._queue.on_revision(connection, session.id, session.revision)

    def request(self, session: WorkspaceRecord) -> ProofStatus:
        """Analyse the newest revision without waiting for the interval; what is queued or runs for
        it already goes on.

        :raises ServiceError: `not_found` for a session that was deleted.
        """
        job_id = self._writer.run(
            lambda connection: self._queue.request(connection, session.account_id, session.id),
            order=session.account_id,
        )
        if job_id is None:
            raise _no_report("There is no such workspace any more.")
        if self._queue.jobs is not None:
            self._queue.jobs.hurry(job_id)
        return self.status(session)

    def status(self, session: WorkspaceRecord, revision: int | None = None) -> ProofStatus:
        """How it stands with a revision, the newest for None."""
        newest = revision or self._reader.newest_revision(session.id) or session.revision
        return self._reader.status(session.id, newest)

    def statuses(self, session: WorkspaceRecord) -> dict[int, ProofStatus]:
        """The same for all revisions that have a report, by number."""
        return self._reader.statuses(session.id)

    def reports(self, session: WorkspaceRecord) -> list[ReportSummary]:
        """All reports of the session that came to an end, the newest first, without findings."""
        return self._reader.summaries(session.id)

    def report(self, session: WorkspaceRecord, revision: int | None = None) -> Report:
        """The last report on a revision; for None on the newest that has one with a verdict. Of one
        that was skipped there is a report without parts, whose summary says why.

        :raises ServiceError: `not_found`.
        """
        found = self._reader.report(session.id, revision)
        if found is None:
            status = self.status(session, revision)
            which = "this workspace" if revision is None else f"revision {revision}"
            why = "it may come yet." if status.reason is UNSET else status.reason
            raise _no_report(f"There is no report on {which}: {why}")
        return found

    def ticks(self, session: WorkspaceRecord) -> Iterator[ProofStatus | None]:
        """The status each time that it changes, until the newest revision's proof has ended; None
        in between, twice a second."""

        def read() -> ProofStatus | None:
            newest = self._reader.newest_revision(session.id)
            return self._reader.status(session.id, newest) if newest is not None else None

        return changes(read)


def _no_report(message: str) -> ServiceError:
    return ServiceError(ErrorCode.NOT_FOUND, message)
