"""The job that analyzes a revision and reports on it.

It may be killed anywhere and continues from there. Results of files are stored as they arrive,
credits are reserved once, and the report, its state and the charge are one transaction.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any, TypeVar

import gevent
import msgspec
from gevent.queue import Empty, SimpleQueue
from sqlalchemy import Engine, select

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.timestamps import from_milliseconds
from codeintel.contracts import AnalysisResult, Engine as CodeEngine
from codeintel.contracts.workspaces.records import FileEntry
from codeintel.identity.ledger import repository_price
from codeintel.platform.config import Settings
from codeintel.platform.jobs.kinds import JobContext
from codeintel.workspaces.proof import pipeline
from codeintel.workspaces.proof.analysis import (
    AnalysisOutcome,
    Chosen,
    FileAnalysis,
    FileResults,
    Plan,
    Task,
    left_behind,
    packed,
    plan,
)
from codeintel.workspaces.proof.assembling import Facts, assemble
from codeintel.workspaces.proof.cross_file import RevisionLinks
from codeintel.workspaces.proof.manifests.dependencies import DependencyReader
from codeintel.workspaces.proof.pipeline import Begun, Pass, ProofQueue, Refusal
from codeintel.workspaces.proof.reading import ReportReader
from codeintel.workspaces.proof.shapes import Report, UncheckedFile
from codeintel.workspaces.proof.withheld import Withheld, secret_files
from codeintel.workspaces.reading import Texts
from codeintel.workspaces.records import WorkspaceRecord
from codeintel.workspaces.service import Workspaces
from codeintel.workspaces.tables import ReportRow, SessionRow

T = TypeVar("T")
CHECKPOINT_SECONDS = 1.0
STORED_AT_ONCE = 50
ANALYSING = "Analyzing files"
FOLLOWING = "Following values across files"
NO_ENGINE = "No engine of this service can analyze a repository."
GONE = "gone"


class SessionDeleted(Exception):  # noqa: N818 - says what happened
    """Raised when the session was deleted during its analysis. The credits are released."""


class Steps:
    """The checkpoints of a pass.

    :param total: the number of files to analyze.
    """

    def __init__(self, context: JobContext, this: Pass, hold_id: str | None, total: int) -> None:
        self.total = total
        self.done = 0
        self._context = context
        self._this = this
        self._hold_id = hold_id

    def keep(self, rows: Sequence[dict[str, object]], note: str) -> None:
        """Store results and report the progress.

        :raises SessionDeleted: if the session was deleted.
        """
        # Never backwards: an attempt that starts at the first file must not count as progress, or a
        # pass that fails at one place would be retried forever.
        cursor = max(self._context.cursor or 0, self.done)
        work = partial(pipeline.go_on, this=self._this, hold_id=self._hold_id, rows=rows)
        is_there = self._context.checkpoint(work, cursor, self.done, self.total, note)
        if not is_there:
            raise SessionDeleted

    def beside(self, work: Callable[[], T], note: str) -> T:
        """Return the result of `work`, which may take long and lets other greenlets run."""
        done: list[T] = []
        errors: list[Exception] = []

        def guarded() -> None:
            try:
                done.append(work())
            except Exception as error:  # noqa: BLE001 - raised below
                errors.append(error)

        greenlet = gevent.spawn(guarded)
        try:
            while not greenlet.ready():
                self.keep((), note)
                greenlet.join(CHECKPOINT_SECONDS)
        finally:
            greenlet.kill()
        if errors:
            raise errors[0]
        return done[0]


class FilesWork:
    """Analyzes the files of a revision without stored results."""

    def __init__(
        self, analysis: FileAnalysis, results: FileResults, engine: CodeEngine, account_id: str
    ) -> None:
        self._analysis = analysis
        self._results = results
        self._engine = engine
        self._account_id = account_id

    def analyze(
        self, steps: Steps, chosen: Sequence[Chosen], texts: Texts
    ) -> tuple[dict[str, AnalysisResult], list[UncheckedFile]]:
        """Return the results by path, and the files without a result.

        :raises SessionDeleted: if the session was deleted.
        """
        by = {
            language: self._analysis.made_by(self._engine, language)
            for language in {each.language for each in chosen}
        }
        places: defaultdict[Task, list[Chosen]] = defaultdict(list)
        for each in chosen:
            places[Task(each.entry.sha256, each.language, by[each.language])].append(each)
        found: dict[str, AnalysisResult] = {}
        failed: list[UncheckedFile] = []

        def take(outcome: AnalysisOutcome) -> None:
            for each in places.pop(outcome.task):
                steps.done += 1
                if outcome.result is not None:
                    found[each.entry.path] = outcome.result
                else:
                    failed.append(
                        UncheckedFile(each.entry.path, outcome.reason, cause=outcome.cause)
                    )

        for task, result in self._results.kept(self._account_id, list(places)):
            take(AnalysisOutcome(task, result))
        steps.keep((), ANALYSING)
        missing = [(task, same[0].entry) for task, same in places.items()]
        with self._analysis.outcomes(self._engine, missing, texts) as outcomes:
            while places:
                batch = _gathered(outcomes, len(places))
                for outcome in batch:
                    take(outcome)
                steps.keep(self._rows(batch), ANALYSING)
        return found, failed

    def _rows(self, outcomes: Sequence[AnalysisOutcome]) -> list[dict[str, object]]:
        made = (
            packed(self._account_id, each.task, each.result)
            for each in outcomes
            if each.result is not None
        )
        return [row for row in made if row is not None]


def _gathered(outcomes: SimpleQueue[AnalysisOutcome], missing: int) -> list[AnalysisOutcome]:
    """Return the outcomes that arrive within a second."""
    batch: list[AnalysisOutcome] = []
    until = time.monotonic() + CHECKPOINT_SECONDS
    while len(batch) < min(missing, STORED_AT_ONCE) and (left := until - time.monotonic()) > 0:
        try:
            batch.append(outcomes.get(timeout=left))
        except Empty:
            break
    return batch


IsFree = Callable[[WorkspaceRecord, Sequence[FileEntry]], bool]
"""Returns whether the analysis of these files of a session costs nothing."""


def _never(_session: WorkspaceRecord, _entries: Sequence[FileEntry]) -> bool:
    return False


class Arguments(msgspec.Struct):
    """The arguments of the job, as ids."""

    session: str
    report: str


class ProofJob:
    """The work of the job."""

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        analysis: FileAnalysis,
        links: RevisionLinks,
        withheld: Withheld,
        dependencies: DependencyReader,
        queue: ProofQueue,
    ) -> None:
        self._engine = engine
        self._settings = settings
        self._analysis = analysis
        self._links = links
        self._withheld = withheld
        self._dependencies = dependencies
        self._queue = queue
        self._reader = ReportReader(engine)
        self._results = FileResults(engine)
        self.workspaces: Workspaces | None = None
        self.is_free: IsFree = _never

    def run(self, context: JobContext) -> dict[str, Any]:
        """Analyze a revision for :class:`JobKind`, unless the report is already obsolete."""
        arguments = msgspec.convert(context.arguments, Arguments)
        try:
            return self._run(context, arguments)
        except SessionDeleted:
            return {"state": GONE}
        except ServiceError as error:
            if error.code is not ErrorCode.NOT_FOUND or self._find(arguments.report) is not None:
                raise
            return {"state": GONE}  # the reserved credits are released when their lease runs out

    def _run(self, context: JobContext, arguments: Arguments) -> dict[str, Any]:
        found = self._find(arguments.report)
        if found is None:
            return {"state": GONE}
        account_id, revision = found
        workspaces = self._workspaces()
        session = workspaces.find(account_id, arguments.session)
        entries = workspaces.files(session, revision)
        texts = Texts(workspaces, account_id, entries)
        planned = plan(entries)
        skipped = workspaces.revision(session, revision).skipped
        files = len(planned.chosen) + sum(bool(each.digest) for each in skipped)
        is_free = not skipped and self.is_free(session, entries)
        this = Pass(
            report_id=arguments.report,
            session_id=session.id,
            account_id=account_id,
            revision=revision,
            price=0 if is_free else repository_price(files),
            ttl=self._settings.hold_ttl,
        )
        begun = context.checkpoint(
            lambda connection: pipeline.begin(connection, self._queue, context.id, this, files),
            context.cursor,
            note="Beginning",
        )
        if isinstance(begun, Refusal):
            return {"state": begun.name.lower()}
        engine = self._analysis.engine()
        if engine is None:
            context.checkpoint(
                lambda connection: pipeline.skip(connection, this, begun.hold_id, NO_ENGINE),
                context.cursor,
            )
            return {"state": "skipped"}
        steps = Steps(context, this, begun.hold_id, len(planned.chosen))
        report = self._report(steps, engine, session, this, begun, planned, texts)
        return self._finish(context, this, begun, report)

    def _report(
        self,
        steps: Steps,
        engine: CodeEngine,
        session: WorkspaceRecord,
        this: Pass,
        begun: Begun,
        planned: Plan,
        texts: Texts,
    ) -> Report:
        """Analyze the files and assemble the report."""
        workspaces = self._workspaces()
        work = FilesWork(self._analysis, self._results, engine, this.account_id)
        results, failed = work.analyze(steps, planned.chosen, texts)
        skipped = workspaces.revision(session, this.revision).skipped
        secrets = secret_files(skipped)
        results |= self._withheld.found(this.account_id, secrets)
        crossed = steps.beside(
            lambda: self._links.result(this.account_id, planned.chosen, texts, results), FOLLOWING
        )
        # Checked again, because the permission may have been revoked during the analysis.
        allowed = workspaces.find(this.account_id, session.id).trust_dependencies
        dependencies = steps.beside(
            lambda: self._dependencies.read(
                this.account_id, texts, [each.path for each in skipped], allowed
            ),
            "Looking up dependencies" if allowed else "Reading manifests",
        )
        facts = Facts(
            report_id=this.report_id,
            session_id=session.id,
            revision=this.revision,
            started_at=from_milliseconds(begun.started_ms),
            engine=engine.name,
        )
        return steps.beside(
            lambda: assemble(
                facts,
                results,
                texts,
                (*planned.unchecked, *failed, *left_behind(skipped)),
                secrets,
                dependencies,
                crossed,
                self._reader.before(session.id, this.revision),
                lambda: datetime.now(UTC),
            ),
            "Writing the report",
        )

    def _finish(
        self, context: JobContext, this: Pass, begun: Begun, report: Report
    ) -> dict[str, Any]:
        ready = pipeline.encoded(report, begun.amount)
        total = report.summary.files_analyzed
        done = context.checkpoint(
            partial(pipeline.finish, this=this, hold_id=begun.hold_id, ready=ready),
            context.cursor,
            note="Done",
        )
        return {"state": str(report.summary.status) if done else GONE, "files": total}

    def _find(self, report_id: str) -> tuple[str, int] | None:
        """Return the account and the revision of an existing report, or None."""
        query = (
            select(SessionRow.account_id, ReportRow.revision)
            .join(SessionRow, SessionRow.id == ReportRow.session_id)
            .where(ReportRow.id == report_id)
        )
        with self._engine.connect() as connection:
            row = connection.execute(query).one_or_none()
        return (row.account_id, row.revision) if row is not None else None

    def _workspaces(self) -> Workspaces:
        if self.workspaces is None:
            raise RuntimeError("no source of workspace files was set")
        return self.workspaces
