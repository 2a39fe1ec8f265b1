"""The runs of the demo: real analyses, which cost nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import gevent
from sqlalchemy import Connection, Engine, delete, select

from codeintel.contracts import AnalysisTask, Model
from codeintel.contracts.states import RunSource
from codeintel.identity.accounts import Account
from codeintel.identity.auth.caller import Caller, Proof
from codeintel.identity.ledger import Price
from codeintel.platform.db.models import Hold, RunRow
from codeintel.platform.db.writer import Writer
from codeintel.runs.listing import RunOrigin
from codeintel.runs.service import RunService

_FREE = Price(full=0, least=0)
_POLL_SECONDS = 0.05


class DemoRuns:
    """Starts and deletes the runs."""

    def __init__(self, engine: Engine, writer: Writer, runs: RunService) -> None:
        self._engine = engine
        self._writer = writer
        self._runs = runs

    def are_there(self, account_id: str) -> bool:
        """Return whether the account has runs of the demo."""
        with self._engine.connect() as connection:
            return connection.execute(_mine(account_id).limit(1)).first() is not None

    def analyze(
        self,
        account: Account,
        workspace_id: str,
        path: str,
        code: str,
        pause: Callable[[], None],
    ) -> None:
        """Analyze a file of a workspace, and return when the run has ended.

        :param pause: called while the run is active. Its exceptions end the wait.
        """
        caller = Caller(
            proof=Proof.SESSION,
            account_id=account.id,
            tier=account.tier,
            unlimited=account.unlimited,
        )
        task = AnalysisTask(code=code, language=None, prompt="", model=Model.FLASH)
        with self._runs.admission():
            plan = replace(self._runs.plan_analysis(caller, task), price=_FREE)
            origin = RunOrigin(
                source=RunSource.DEMO, file=path.removeprefix("/"), workspace_id=workspace_id
            )
            run = self._runs.start(plan, origin=origin)
        while run is not None and not run.log.ended:
            gevent.sleep(_POLL_SECONDS)
            pause()

    def delete(self, account_id: str) -> None:
        """Delete the runs with their results."""
        self._writer.run(partial(_delete, account_id), order=account_id)


def _mine(account_id: str):  # type: ignore[no-untyped-def]  # a statement
    return select(RunRow.id).where(RunRow.account_id == account_id, RunRow.source == RunSource.DEMO)


def _delete(account_id: str, connection: Connection) -> None:
    ids = list(connection.scalars(_mine(account_id)))
    connection.execute(delete(Hold).where(Hold.id.in_(ids)))
    connection.execute(delete(RunRow).where(RunRow.id.in_(ids)))
