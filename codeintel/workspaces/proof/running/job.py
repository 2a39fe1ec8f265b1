"""The job that analyses a revision and reports on it.

It may be killed anywhere and goes on where it was: results of files are kept as they come, credits
are reserved once, and the report, its state and the charge are one transaction.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import Any

import msgspec
from sqlalchemy import Engine, select

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.timestamps import moment
from codeintel.contracts import Engine as CodeEngine
from codeintel.identity.ledger import repository_price
from codeintel.platform.config import Settings
from codeintel.platform.jobs.context import JobContext
from codeintel.workspaces.proof.analysis import FileAnalysis
from codeintel.workspaces.proof.assembling import Facts, assemble
from codeintel.workspaces.proof.manifests.dependencies import DependencyReader
from codeintel.workspaces.proof.planning import Plan, left_behind, plan
from codeintel.workspaces.proof.private.secret_files import secret_files
from codeintel.workspaces.proof.private.withheld import Withheld
from codeintel.workspaces.proof.results import FileResults
from codeintel.workspaces.proof.running import pipeline
from codeintel.workspaces.proof.running.pipeline import Begun, Pass, Refusal
from codeintel.workspaces.proof.running.queue import ProofQueue
from codeintel.workspaces.proof.running.reading import ReportReader
from codeintel.workspaces.proof.running.steps import FilesWork, SessionDeleted, Steps
from codeintel.workspaces.proof.shapes import Report
from codeintel.workspaces.proof.texts import Texts
from codeintel.workspaces.records import WorkspaceRecord
from codeintel.workspaces.service import Workspaces
from codeintel.workspaces.storage.tables import ReportRow, SessionRow

NO_ENGINE = "No engine of this service can analyse a repository."
GONE = "gone"


class Arguments(msgspec.Struct):
    """What the job is about, by ids."""

    session: str
    report: str


class ProofJob:
    """What the job does."""

    def __init__(
        self,
        engine: Engine,
        settings: Settings,
        analysis: FileAnalysis,
        withheld: Withheld,
        dependencies: DependencyReader,
        queue: ProofQueue,
    ) -> None:
        self._engine = engine
        self._settings = settings
        self._analysis = analysis
        self._withheld = withheld
        self._dependencies = dependencies
        self._queue = queue
        self._reader = ReportReader(engine)
        self._results = FileResults(engine)
        self.workspaces: Workspaces | None = None

    def run(self, context: JobContext) -> dict[str, Any]:
        """Analyse, unless there is nothing to do any more: for :class:`JobKind`."""
        arguments = msgspec.convert(context.arguments, Arguments)
        try:
            return self._run(context, arguments)
        except SessionDeleted:
            return {"state": GONE}
        except ServiceError as error:
            if error.code is not ErrorCode.NOT_FOUND or self._find(arguments.report) is not None:
                raise
            return {"state": GONE}  # what is reserved is given back when its lease has run out

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
        this = Pass(
            report_id=arguments.report,
            session_id=session.id,
            account_id=account_id,
            revision=revision,
            price=repository_price(files),
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
        """Analyse the files, and put together what is to be said of them."""
        workspaces = self._workspaces()
        work = FilesWork(self._analysis, self._results, engine, this.account_id)
        results, failed = work.analyze(steps, planned.chosen, texts)
        skipped = workspaces.revision(session, this.revision).skipped
        secrets = secret_files(skipped)
        results |= self._withheld.found(this.account_id, secrets)
        # Asked once more: the permission may have been taken back while files were analysed.
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
            started_at=moment(begun.started_ms),
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
        """The account and the revision of a report that is there."""
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
            raise RuntimeError("nobody has said where the files of workspaces come from")
        return self.workspaces
