"""The demo in tests: its jobs run immediately."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import func, select

from codeintel.app import Services
from codeintel.contracts.states import JobState
from codeintel.platform.db.models import Base

ROUNDS = 50


def work_off(services: Services) -> None:
    """Do all jobs that wait, and those that they queue, whenever they were to begin."""
    for _ in range(ROUNDS):
        waiting = services.jobs.list(state=JobState.QUEUED)
        if not waiting:
            return
        for job in reversed(waiting):
            services.jobs.hurry(job.id)
            services.jobs._work.do(job.id)
    raise AssertionError("the jobs do not come to an end")


def counts(services: Services) -> dict[str, int]:
    """Return the number of rows of each table. Leases are of processes, not of data."""
    with services.engine.connect() as connection:
        return {
            table.name: connection.scalar(select(func.count()).select_from(table)) or 0
            for table in Base.metadata.sorted_tables
            if table.name != "leader_leases"
        }


def failed_jobs(services: Services) -> list[Any]:
    """Return the jobs that did not succeed."""
    return [each for each in services.jobs.list() if each.state is not JobState.DONE]


@contextmanager
def no_network(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[object]]:
    """Refuse all connections but those of Unix sockets, and yield the addresses that were asked."""
    asked: list[object] = []

    def refuse(*given: object, **_: object) -> None:
        asked.append(given)
        raise OSError("no network in this test")

    really = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        if self.family != socket.AF_UNIX:
            refuse(address)
        really(self, address)

    with monkeypatch.context() as patched:
        patched.setattr(socket.socket, "connect", connect)
        patched.setattr(socket, "getaddrinfo", refuse)
        yield asked
