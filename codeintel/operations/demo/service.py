"""Load the demo into an account, and remove it again.

A background job loads it, because the proof loop analyzes the sample program as after a push, and
the second revision waits for the report on the first. Loading is free. Everything that it stores
can be recognized: the workspace and the runs by their source, the evidence by its snapshots' ids.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Any

import gevent
import msgspec
from sqlalchemy import Connection, Engine, delete, select

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.base.extras import FORECASTS, RANKS
from codeintel.contracts.states import OPEN
from codeintel.contracts.workspaces.records import FileEntry, ProofState
from codeintel.identity.accounts import Account, Accounts
from codeintel.operations.demo import bundle
from codeintel.operations.demo.evidence import load
from codeintel.operations.demo.runs import DemoRuns
from codeintel.platform.db.writer import Writer
from codeintel.platform.jobs.kinds import JobContext, JobKind
from codeintel.platform.jobs.service import Jobs
from codeintel.platform.jobs.store import JobRow
from codeintel.runs.service import RunService
from codeintel.trust.assembly import TrustNetwork
from codeintel.trust.network import ranking
from codeintel.trust.recorded import forget_all, recorded_on
from codeintel.trust.work import NETWORK, RANK
from codeintel.workspaces.proof.pipeline import KIND as PROOF
from codeintel.workspaces.proof.service import ProofLoop
from codeintel.workspaces.records import DEMO_SOURCE, WorkspaceRecord
from codeintel.workspaces.requests import SyncBody
from codeintel.workspaces.service import Workspaces
from codeintel.workspaces.tables import SessionRow

KIND = "demo.load"
RANK_SECONDS = 60.0
POLL_SECONDS = 1.0
WAITS = 300
"""The number of checks for the first report before the load continues without it."""
STOP_SECONDS = 15.0
"""How long the removal waits for a load that is in progress."""
_UNDER_WAY = frozenset({ProofState.QUEUED, ProofState.RUNNING})


class DemoState(StrEnum):
    """The state of the demo in an account."""

    ABSENT = "absent"
    LOADING = "loading"
    LOADED = "loaded"


class Step(msgspec.Struct):
    """The arguments of the job.

    :param waits: how often it has already waited for the first report.
    """

    account: str
    name: str = "first"
    waits: int = 0


class Demo:
    """The demo of all accounts."""

    def __init__(
        self,
        engine: Engine,
        writer: Writer,
        accounts: Accounts,
        runs: RunService,
        workspaces: Workspaces,
        proof: ProofLoop,
        trust: TrustNetwork,
    ) -> None:
        self._engine = engine
        self._writer = writer
        self._accounts = accounts
        self._runs = DemoRuns(engine, writer, runs)
        self._workspaces = workspaces
        self._proof = proof
        self._trust = trust
        self._jobs: Jobs | None = None

    def kinds(self) -> list[JobKind]:
        """Return the kind of its job."""
        return [JobKind(KIND, self._run, max_attempts=3, timeout_seconds=600, backoff_seconds=2)]

    def follow(self, jobs: Jobs) -> None:
        """Set the job queue, and keep the analysis of the sample program free."""
        self._jobs = jobs
        self._proof.set_free(_is_sample)

    def state(self, account_id: str) -> DemoState:
        """Return the state of the demo in an account."""
        if self._open_jobs(account_id):
            return DemoState.LOADING
        if self.session(account_id) is not None or self._runs.are_there(account_id):
            return DemoState.LOADED
        return DemoState.ABSENT

    def session(self, account_id: str) -> WorkspaceRecord | None:
        """Return the demo's workspace in an account, or None."""
        return self._workspaces.demo(account_id)

    def recorded_on(self) -> datetime | None:
        """Return the day of the newest recorded evidence in the trust network, or None."""
        with self._engine.connect() as connection:
            return recorded_on(connection)

    def forecast_example(self) -> str:
        """Return a stored package of the demo with a history that has forecasts, or nothing."""
        if FORECASTS.is_missing:
            return ""
        keys = [each.target.key for each in bundle.recorded_packages() if each.stars]
        return min(self._trust.store.among(keys), default="")

    def load(self, account_id: str) -> DemoState:
        """Start to load the demo, unless it is loaded. Return the state."""
        state = self.state(account_id)
        if state is DemoState.ABSENT:
            self._enqueue(Step(account_id))
            return DemoState.LOADING
        return state

    def remove(self, account_id: str) -> None:
        """Delete everything that the load has stored.

        The recorded evidence stays while other accounts have the demo.

        :raises ServiceError: `overloaded` while a load cannot be stopped.
        """
        self._stop(account_id)
        keys = [f"{account_id}:"]
        session = self.session(account_id)
        while session is not None:
            keys.append(f"{session.id}:")
            self._workspaces.delete(session)
            session = self.session(account_id)
        self._runs.delete(account_id)
        self._writer.run(partial(_delete_jobs, keys), order=account_id)
        if not self._is_used():
            self._forget_evidence()

    def _forget_evidence(self) -> None:
        """Delete the recorded evidence. Rank the packages that remain."""
        is_changed = self._writer.run(forget_all)
        if is_changed and not RANKS.is_missing and self._trust.store.packages():
            self._queue().enqueue(RANK, NETWORK)

    def _stop(self, account_id: str) -> None:
        """Cancel the load, and wait until it has stopped."""
        deadline = time.monotonic() + STOP_SECONDS
        while jobs := self._open_jobs(account_id):
            for job_id in jobs:
                self._queue().cancel(job_id)
            if time.monotonic() > deadline:
                raise ServiceError(
                    ErrorCode.OVERLOADED,
                    "The demo is still being loaded. Remove it again in a minute.",
                    retry_after=30,
                )
            gevent.sleep(0.1)

    def _open_jobs(self, account_id: str) -> list[str]:
        query = select(JobRow.id).where(
            JobRow.kind == KIND,
            JobRow.key.startswith(f"{account_id}:", autoescape=True),
            JobRow.state.in_(OPEN),
        )
        with self._engine.connect() as connection:
            return list(connection.scalars(query))

    def _is_used(self) -> bool:
        """Return whether an account has the demo."""
        mine = select(SessionRow.id).where(
            SessionRow.source == DEMO_SOURCE, SessionRow.revision > 0
        )
        with self._engine.connect() as connection:
            return connection.execute(mine.limit(1)).first() is not None

    def _enqueue(self, step: Step, delay: float = 0.0) -> None:
        key = f"{step.account}:{step.name} {step.waits}"
        after = time.time() + delay if delay else None
        self._queue().enqueue(KIND, key, msgspec.to_builtins(step), run_after=after)

    def _queue(self) -> Jobs:
        if self._jobs is None:
            raise RuntimeError("no queue for the demo's job was set")
        return self._jobs

    def _run(self, context: JobContext) -> dict[str, Any]:
        """Do one step, and queue the next one."""
        step = msgspec.convert(context.arguments, Step)
        account = self._accounts.get(step.account)
        if step.name == "first":
            self._first(context, account)
        elif step.name == "second":
            self._second(context, account, step.waits)
        else:
            self._last(context)
        return {"step": step.name}

    def _first(self, context: JobContext, account: Account) -> None:
        """Store the evidence and the first revision, and analyze some files on their own."""
        scorers = self._trust.snapshots.scorers
        load(self._trust.store, scorers, bundle.recorded_packages())
        context.stop_if_asked()
        files, _ = bundle.revisions()
        session = self._push(account, files, None)
        if not self._runs.are_there(account.id):
            for path in bundle.ANALYZED:
                self._runs.analyze(account, session.id, path, files[path], context.stop_if_asked)
        context.stop_if_asked()
        self._enqueue(Step(account.id, "second"))

    def _second(self, context: JobContext, account: Account, waits: int) -> None:
        """Store the second revision once the first one has a report."""
        session = self.session(account.id)
        if session is None:
            return
        context.stop_if_asked()
        if session.revision == 1:
            if self._proof.status(session, 1).status in _UNDER_WAY and waits < WAITS:
                self._enqueue(Step(account.id, "second", waits + 1), POLL_SECONDS)
                return
            _, files = bundle.revisions()
            self._push(account, files, 1)
            for path in bundle.FIXED:
                self._runs.analyze(account, session.id, path, files[path], context.stop_if_asked)
        self._enqueue(Step(account.id, "last"))

    def _push(self, account: Account, files: dict[str, str], base: int | None) -> WorkspaceRecord:
        body = SyncBody(
            files=files,
            name=bundle.NAME,
            source=DEMO_SOURCE,
            local_root_name=bundle.FOLDER,
            branch_name=bundle.BRANCH,
            base_revision=base,
            trust_dependencies=False,
        )
        stored = self._workspaces.sync(account.id, account.tier, body)
        self._proof.request(stored.session)
        return stored.session

    def _last(self, context: JobContext) -> None:
        """Compute ranks, and forecasts as of the day that the histories end."""
        if self.recorded_on() is None:
            return
        packages = bundle.recorded_packages()
        if not RANKS.is_missing:
            store = self._trust.store
            pause = context.stop_if_asked
            ranking.compute(store.engine, store.writer, seconds=RANK_SECONDS, checkpoint=pause)
        if not FORECASTS.is_missing:
            for day in sorted({each.day for each in packages}):
                context.stop_if_asked()
                keys = [each.target.key for each in packages if each.day == day]
                self._trust.forecasts.work_out(keys, day)


def _is_sample(session: WorkspaceRecord, entries: Sequence[FileEntry]) -> bool:
    """Return whether the files are the unchanged sample program, whose analysis is free."""
    return session.is_demo and bundle.is_bundled(entries)


def _delete_jobs(keys: list[str], connection: Connection) -> None:
    """Delete the jobs of a load, and of its workspace's reports. An active one ends quietly."""
    for key in keys:
        mine = (JobRow.kind.in_((KIND, PROOF)), JobRow.key.startswith(key, autoescape=True))
        connection.execute(delete(JobRow).where(*mine))
