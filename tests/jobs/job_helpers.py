"""Jobs for tests: kinds that leave rows behind, and processes that know them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import gevent
from flask import Flask
from gevent.event import Event
from sqlalchemy import Connection, Engine, text

from codeintel.platform.db import db
from codeintel.platform.db.models import new_id
from codeintel.platform.db.writer import Writer, begin_write
from codeintel.platform.jobs.holding import JobHolder
from codeintel.platform.jobs.kinds import JobContext, JobKind, by_name
from codeintel.platform.jobs.messages import Messages
from codeintel.platform.jobs.running import JobWork
from codeintel.platform.jobs.service import Jobs
from codeintel.platform.jobs.store import JobStore
from codeintel.platform.shared_redis import SharedRedis

STEPS = 5
RETENTION_SECONDS = 3600.0


def engine_of(app: Flask) -> Engine:
    """Return the engine of an application, with a table for what jobs do."""
    with app.app_context():
        engine = db.engine
    with closing(begin_write(engine)) as connection:  # other processes may be at it
        connection.execute(text("CREATE TABLE IF NOT EXISTS effects (job TEXT, step INTEGER)"))
        connection.commit()
    return engine


def empty(engine: Engine) -> None:
    """Forget all jobs and what they did."""
    with closing(begin_write(engine)) as connection:
        connection.execute(text("DELETE FROM jobs"))
        connection.execute(text("DELETE FROM effects"))
        connection.commit()


def note(job_id: str, step: int) -> Callable[[Connection], None]:
    """Return a function that adds a row."""
    statement = text("INSERT INTO effects (job, step) VALUES (:job, :step)")

    def add(connection: Connection) -> None:
        connection.execute(statement, {"job": job_id, "step": step})

    return add


def effects(engine: Engine, job_id: str) -> list[int]:
    """Return the recorded steps of a job, in order."""
    with engine.connect() as connection:
        found = connection.scalars(
            text("SELECT step FROM effects WHERE job = :job ORDER BY step"), {"job": job_id}
        )
        return list(found)


def count(context: JobContext, until: int = STEPS) -> int:
    """Note each step once."""
    for step in range(context.cursor or 0, until):
        context.checkpoint(note(context.id, step), step + 1, step + 1, until, f"step {step}")
    return until


class Gate:
    """A kind of job that records steps, and waits after the second until it is released."""

    def __init__(self) -> None:
        self.reached = Event()
        self.open = Event()
        self.errors: list[BaseException] = []

    def run(self, context: JobContext) -> str:
        try:
            for step in range(context.cursor or 0, STEPS):
                context.checkpoint(note(context.id, step), step + 1)
                if step == 1:
                    self.reached.set()
                    self.open.wait()
        except BaseException as error:
            self.errors.append(error)
            raise
        return "through"

    def wait(self) -> None:
        with gevent.Timeout(30):
            self.reached.wait()


class Party:
    """The job components of one process.

    :param kinds: functions by the names of their kinds.
    """

    def __init__(
        self,
        engine: Engine,
        folder: Path,
        kinds: Iterable[JobKind] = (),
        redis: SharedRedis | None = None,
        owner: str = "",
    ) -> None:
        self.engine = engine
        self.owner = owner or new_id("p")
        self.kinds = by_name([JobKind("count", count), *kinds])
        writer = Writer(engine)
        self.messages = Messages(folder, redis)
        self.store = JobStore(engine, writer)
        self.holder = JobHolder(engine, writer, self.owner, self.kinds)
        self.jobs = Jobs(
            engine,
            writer,
            self.messages,
            self.kinds.values(),
            self.owner,
            retention=RETENTION_SECONDS,
            interval=0.02,
            watch=0.01,
        )

    @classmethod
    def of(cls, app: Flask, folder: Path, *kinds: JobKind) -> Party:
        """Return a party with the database of an application."""
        return cls(engine_of(app), folder, kinds)

    @property
    def work(self) -> JobWork:
        """What its workers do."""
        return self.jobs._work

    def asked_to_stop(self) -> bool:
        """Return whether all of its jobs in progress have received the request to stop."""
        return all(each._stopping or each._cancelled for each in self.work._attempts)

    def wait(self, *job_ids: str) -> None:
        """Wait until all jobs have ended."""
        with gevent.Timeout(30):
            while any(self.job(each).finished_ms is None for each in job_ids):
                gevent.sleep(0.005)

    def job(self, job_id: str) -> Any:
        """Return the job, which must be there."""
        found = self.jobs.find(job_id)
        assert found is not None
        return found

    def change(self, job_id: str, **values: Any) -> None:
        """Change its row as time would."""
        names = ", ".join(f"{name} = :{name}" for name in values)
        with closing(begin_write(self.engine)) as connection:
            statement = text(f"UPDATE jobs SET {names} WHERE id = :id")
            connection.execute(statement, {**values, "id": job_id})
            connection.commit()


MakeParty = Callable[..., Party]
