"""Invariants of a server's database, regardless of earlier failures."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from server_helpers import Stream
from sqlalchemy import create_engine, text

TERMINAL = ("run.completed", "run.incomplete", "run.failed", "run.cancelled")


def database_url(instance: Path) -> str:
    """Return the URL of a SQLite database in an instance folder."""
    return f"sqlite:///{instance}/codeintel.db"


class Books:
    """The credits and runs of a database, read without the server."""

    def __init__(self, url: str) -> None:
        engine = create_engine(url.replace("postgresql:", "postgresql+psycopg:"))
        with engine.connect() as connection:

            def rows(query: str) -> list[Any]:
                return list(connection.execute(text(query)))

            self.runs = {row.id: row for row in rows("SELECT * FROM runs")}
            self.holds = {row.id: row for row in rows("SELECT * FROM holds")}
            self.balances = {row.account_id: row for row in rows("SELECT * FROM balances")}
            self.entries = rows("SELECT * FROM ledger_entries")
            keys = rows("SELECT digest, made FROM idempotency_keys")
            self.under = {row.digest: row.made for row in keys}
        engine.dispose()

    @property
    def running(self) -> list[str]:
        """The runs that have not ended."""
        return [run.id for run in self.runs.values() if run.state == "running"]

    def run_under(self, request_key: str) -> str | None:
        """Return the run under an `Idempotency-Key`."""
        return self.under.get(hashlib.sha256(request_key.encode()).hexdigest())

    def check(self) -> None:
        """Check that every run has ended once, with its hold, and that no run is lost or
        duplicated."""
        assert not self.running
        assert all(self.runs[run_id].state != "failed" for run_id in self.under.values())
        charges = [entry.run_id for entry in self.entries if entry.run_id is not None]
        assert len(charges) == len(set(charges))
        paid = {entry.run_id: -entry.amount for entry in self.entries if entry.run_id is not None}
        for run in self.runs.values():
            assert run.charged == paid.get(run.id, 0), run
            assert run.charged <= run.price
            assert run.state != "failed" or run.charged == 0
            assert self.holds[run.id].state == ("settled" if run.id in paid else "voided")
        for account, balance in self.balances.items():
            own = [entry.amount for entry in self.entries if entry.account_id == account]
            assert (balance.posted, balance.held) == (sum(own), 0)

    def agree(self, stream: Stream) -> None:
        """Check that a reader received the run's true outcome."""
        run = self.runs[stream.run_id]
        if stream.last["type"] in TERMINAL:
            assert stream.last["type"] == f"run.{run.state}"
            assert stream.last["creditsCharged"] == run.charged
