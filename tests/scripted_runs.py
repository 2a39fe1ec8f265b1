"""An engine that runs a test's script, and helpers about runs."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import gevent
from sqlalchemy import Engine as Database, select

from codeintel.app import Services
from codeintel.contracts import (
    AnalysisResult,
    AnalysisTask,
    Confidence,
    Engine,
    Finding,
    Model,
    Range,
    RunContext,
    RunKind,
    Severity,
    Usage,
)
from codeintel.identity.auth.caller import Caller, Proof
from codeintel.identity.ledger import Balance
from codeintel.platform.db.models import Hold, LedgerEntry, RunRow
from codeintel.runs.events.log import tail
from codeintel.runs.run import Run

Script = Callable[[AnalysisTask, RunContext], Any]
CODE = "x = 1\n"
# PRO above 20,000 characters, so that full price (3) and least price (1) differ.
TASK = AnalysisTask(code=CODE * 4_000, language="python", prompt="", model=Model.PRO)
FULL, LEAST, START = 3, 1, 10
SECONDS = 10


def result(summary: str = "fine") -> tuple[AnalysisResult, Usage]:
    """Return a result without findings."""
    made = AnalysisResult(
        language="python", engine="scripted", summary=summary, findings=(), metrics={}, analyzers=()
    )
    return made, Usage(input_characters=len(TASK.code), output_tokens=5)


def finding(line: int) -> Finding:
    """Return a finding at the first character of a line."""
    return Finding(
        rule_id="T1",
        engine="tests",
        severity=Severity.LOW,
        confidence=Confidence.LOW,
        cwe=None,
        message="here",
        range=Range(line, 1, line, 2),
    )


class Scripted(Engine):
    """Runs a test's function."""

    name = "scripted"
    preference = 1_000

    def __init__(self, script: Script) -> None:
        self.script = script
        self.is_available = True

    def available(self, kind: RunKind, model: Model) -> bool:  # noqa: ARG002
        return self.is_available

    def analyze(self, task: AnalysisTask, context: RunContext) -> tuple[AnalysisResult, Usage]:
        found: tuple[AnalysisResult, Usage] = self.script(task, context)
        return found


def says_and_stays(_: AnalysisTask, context: RunContext) -> None:
    """Say something, then work on for longer than any test."""
    context.output("a word")
    gevent.sleep(SECONDS * 10)


def stays(_: AnalysisTask, __: RunContext) -> None:
    """Work in silence for longer than any test."""
    gevent.sleep(SECONDS * 10)


class Runs:
    """Starts runs of one account and compares what they say with what the database says."""

    def __init__(self, services: Services, database: Database, unlimited: bool = False) -> None:
        self.services = services
        self.database = database
        account = services.accounts.create(
            f"{'un' if unlimited else ''}limited@example.org",
            services.settings.default_tier,
            START,
            unlimited,
        )
        self.caller = Caller(proof=Proof.API_KEY, account_id=account.id, unlimited=unlimited)
        self.engine = Scripted(lambda _task, _context: result())
        if "scripted" not in services.runs.registry.engines:
            services.runs.registry.engines.registrar("tests")(self.engine)

    def start(self, script: Script | None = None) -> Run:
        """Start a run that executes the script."""
        if script is not None:
            self.engine.script = script
        return self.services.runs.start(self.services.runs.plan_analysis(self.caller, TASK))

    def events(self, run: Run) -> list[dict[str, Any]]:
        """Return all events of a run, read until its end."""
        with gevent.Timeout(SECONDS):
            return decode(b"".join(tail(run.log, lambda: False)))

    def row(self, run: Run) -> RunRow:
        """Return the run in the database."""
        with self.database.connect() as connection:
            found: Any = connection.execute(
                select(RunRow.__table__).where(RunRow.id == run.plan.id)
            ).one()
        return found  # type: ignore[no-any-return]

    def hold(self, run: Run) -> Any:
        """Return its hold in the database."""
        with self.database.connect() as connection:
            query = select(Hold.state, Hold.amount, Hold.expires_ms)
            return connection.execute(query.where(Hold.id == run.plan.id)).one()

    def balance(self) -> Balance:
        """Return the account's balance."""
        return self.services.ledger.balance(self.caller.account_id)

    def settled(self, run: Run, state: str, charged: int, metered: int | None = None) -> None:
        """Check that the events end as the database says, and both as given."""
        events = self.events(run)
        last, row, hold = events[-1], self.row(run), self.hold(run)
        assert [event["sequence"] for event in events] == list(range(1, len(events) + 1))
        assert {event["runId"] for event in events} == {run.plan.id}
        assert events[0]["type"] == "run.created"
        assert [e["type"] for e in events if e["type"].startswith("run.")][1:] == [last["type"]]
        assert (last["type"], last["creditsCharged"]) == (f"run.{state}", charged)
        assert last["creditsRefunded"] == events[0]["creditsReserved"] - charged
        assert (row.state, row.charged, row.reason) == (state, charged, last.get("reason"))
        assert (row.finished_ms or 0) >= row.created_ms
        has_result = any(event["type"] == "result" for event in events)
        assert (row.result is not None) is has_result
        if has_result:
            assert json.loads(row.result or "") == result_of(events)
        metered = charged if metered is None else metered
        assert hold.state == ("settled" if metered else "voided")
        with self.database.connect() as connection:
            query = select(LedgerEntry.amount, LedgerEntry.metered, LedgerEntry.account_id)
            entries = connection.execute(query.where(LedgerEntry.run_id == run.plan.id)).all()
        expected = [(-charged, metered, self.caller.account_id)] if metered else []
        assert [tuple(entry) for entry in entries] == expected


def result_of(events: list[dict[str, Any]]) -> Any:
    """Return the content of the `result` event."""
    return next(event["result"] for event in events if event["type"] == "result")


def decode(stream: bytes) -> list[dict[str, Any]]:
    """Return the events in a stream."""
    events = []
    for frame in stream.decode().split("\n\n")[:-1]:
        if frame.startswith(":"):
            continue
        identifier, type_, data = frame.split("\n")
        event = json.loads(data.removeprefix("data: "))
        assert identifier == f"id: {event['sequence']}"
        assert type_ == f"event: {event['type']}"
        events.append(event)
    return events
