"""The proof loop: which revisions are analyzed when, what is known of them, and following that."""

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
from codeintel.runs.events.log import CREDENTIAL_SECONDS, HEARTBEAT_SECONDS, PING, frame
from codeintel.trust.assembly import TrustNetwork
from codeintel.workspaces.proof.analysis import FileAnalysis
from codeintel.workspaces.proof.exports import EXPORT, ExportFormat, ExportPart
from codeintel.workspaces.proof.job import ProofJob
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
"""So many characters a report has for a byte of what is stored of it."""


def changes(
    read: Callable[[], ProofStatus | None], seconds: float = POLL_SECONDS
) -> Iterator[ProofStatus | None]:
    """The status now and whenever it has changed, else None, twice a second, until it is final or
    there is none any more. While the database is out of reach nothing changes."""
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
    """Statuses as events, numbered from 1.

    Silence is broken by a heartbeat every 15 s. `is_gone` is asked each time, for a server notices
    that a client has gone only when it writes; `may_read` every 3 s: a stream ends when the
    credential that opened it does.
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
            self._withheld,
            DependencyReader(trust, pool.texts),
            self._queue,
        )

    def kinds(self) -> list[JobKind]:
        """The kinds of jobs that it has done."""
        return [JobKind(KIND, self._job.run, backoff_seconds=BACKOFF_SECONDS)]

    def follow(self, jobs: Jobs, workspaces: Workspaces) -> None:
        """Say where its jobs are put in, and where the files come from."""
        self._queue.jobs = jobs
        self._job.workspaces = workspaces
        workspaces.on_secrets = self._withheld.analyze

    def sweep(self) -> int:
        """End the reports that nobody works on any more, give back what is reserved for nothing,
        and delete results that are of no use; returns how many reports were ended."""
        return self._sweeper.sweep()

    def on_revision(self, connection: Connection, session: WorkspaceRecord) -> None:
        """Have a new revision analyzed: at once, or when `CODEINTEL_PROOF_INTERVAL` has passed
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
        """The same report as a file, written by a worker process, with its revision.

        :param rules: what is known about rules, by analyzer.
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
                "The report could not be written in time: try again, or read it as JSON.",
                retry_after=5,
            ) from None
        return number, b"".join(pieces)

    def _nothing(self, session: WorkspaceRecord, revision: int | None) -> ServiceError:
        status = self.status(session, revision)
        which = "this workspace" if revision is None else f"revision {revision}"
        why = "it may come yet." if status.reason is UNSET else status.reason
        return _no_report(f"There is no report on {which}: {why}")

    def ticks(self, session: WorkspaceRecord) -> Iterator[ProofStatus | None]:
        """The status each time that it changes, until the newest revision's proof has ended; None
        in between, twice a second."""

        def read() -> ProofStatus | None:
            newest = self._reader.newest_revision(session.id)
            return self._reader.status(session.id, newest) if newest is not None else None

        return changes(read)


def _no_report(message: str) -> ServiceError:
    return ServiceError(ErrorCode.NOT_FOUND, message)
