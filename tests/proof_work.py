"""The proof loop in tests: pushed workspaces, and jobs that run immediately."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlalchemy import text
from support import User

from codeintel.app import Services
from codeintel.contracts.states import JobState
from codeintel.workspaces.proof.pipeline import KIND
from codeintel.workspaces.records import WorkspaceRecord
from codeintel.workspaces.requests import SyncBody

PYTHON = "import subprocess\n\n\ndef run(line):\n    subprocess.call(line, shell=True)\n"
"""With a defect of severity high."""
JAVASCRIPT = "function show(text) {\n  document.body.innerHTML = eval(text);\n}\nshow(name);\n"
CLEAN = "def double(number: int) -> int:\n    return 2 * number\n"


def push(services: Services, user: User, files: Mapping[str, str], **more: Any) -> WorkspaceRecord:
    """Push a workspace called `demo`; returns its session."""
    body = SyncBody(files=dict(files), **{"name": "demo", **more})
    return services.workspaces.sync(user.account.id, user.account.tier, body).session


def work_off(services: Services) -> int:
    """Do the jobs of the proof loop that wait, whenever they were to begin; returns how many."""
    waiting = services.jobs.list(KIND, JobState.QUEUED)
    for job in reversed(waiting):
        services.jobs.hurry(job.id)
        services.jobs._work.do(job.id)
    return len(waiting)


def rows(services: Services, query: str, **values: Any) -> list[Any]:
    """Return the rows of a query."""
    with services.proof._reader._engine.connect() as connection:
        return list(connection.execute(text(query), values))


def change(services: Services, statement: str, **values: Any) -> None:
    """Change rows as time or an accident would."""
    services.proof._writer.run(lambda connection: connection.execute(text(statement), values))


def check_books(services: Services) -> None:
    """Check the invariants of credits."""
    for balance in rows(services, "SELECT * FROM balances"):
        of = {"account": balance.account_id}
        entries = rows(
            services, "SELECT amount FROM ledger_entries WHERE account_id = :account", **of
        )
        holds = rows(
            services,
            "SELECT amount FROM holds WHERE account_id = :account AND state = 'pending'",
            **of,
        )
        assert balance.posted == sum(row.amount for row in entries)
        assert balance.held == sum(row.amount for row in holds)
