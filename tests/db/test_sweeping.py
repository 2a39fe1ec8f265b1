"""The outcome of rows whose lease has expired."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import Connection, Engine, func, select, update
from sqlalchemy.exc import OperationalError

from codeintel.platform.db import db, leases
from codeintel.platform.db.leases import Sweeper
from codeintel.platform.db.writer import Writer
from codeintel.platform.jobs.store import JobRow, insert

ROWS = 7
OVERDUE = select(JobRow.id, JobRow.key).where(JobRow.kind == "swept", JobRow.lease_ms == 1)


@pytest.fixture
def engine(database_app: Flask, monkeypatch: pytest.MonkeyPatch) -> Iterator[Engine]:
    monkeypatch.setattr(leases, "BATCH", 2)
    with database_app.app_context():
        yield db.engine


@pytest.fixture
def writer(engine: Engine) -> Writer:
    def rows(connection: Connection) -> None:
        for number in range(ROWS):
            insert(connection, "swept", str(number), None)
        connection.execute(update(JobRow).values(lease_ms=1))

    writer = Writer(engine)
    writer.run(rows)
    return writer


def end(connection: Connection, row: Any) -> str:
    connection.execute(update(JobRow).where(JobRow.id == row.id).values(lease_ms=None))
    return str(row.key)


def left(engine: Engine) -> int:
    with engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(OVERDUE.subquery())).scalar_one()


def test_all_are_ended_once_in_batches(engine: Engine, writer: Writer) -> None:
    sweeper = Sweeper(engine, writer, "job", end)
    assert sorted(sweeper.sweep(OVERDUE)) == [str(number) for number in range(ROWS)]
    assert left(engine) == 0
    assert sweeper.sweep(OVERDUE) == []


def test_a_bad_row_fails_alone(
    engine: Engine, writer: Writer, caplog: pytest.LogCaptureFixture
) -> None:
    def fail_for_three(connection: Connection, row: Any) -> str:
        if row.key == "3":
            raise ValueError("a bad row")
        return end(connection, row)

    ended = Sweeper(engine, writer, "job", fail_for_three).sweep(OVERDUE)
    assert "3" not in ended
    assert len(ended) == len(set(ended)) == ROWS - 1
    assert left(engine) == 1
    assert "cannot be ended" in caplog.text


def test_bad_rows_keep_nobody_from_those_behind_them(engine: Engine, writer: Writer) -> None:
    """Check that even a whole batch of bad rows does not block the rows after it."""
    with engine.connect() as connection:
        first = connection.scalars(OVERDUE.order_by(JobRow.id).limit(leases.BATCH)).all()

    def fail_for_the_first(connection: Connection, row: Any) -> str:
        if row.id in first:
            raise ValueError("a bad row")
        return end(connection, row)

    ended = Sweeper(engine, writer, "job", fail_for_the_first).sweep(OVERDUE)
    assert len(ended) == ROWS - leases.BATCH


def test_what_was_renewed_meanwhile_stays(engine: Engine, writer: Writer) -> None:
    def renew(connection: Connection, _: str) -> None:
        connection.execute(update(JobRow).where(JobRow.key == "3").values(lease_ms=2))

    ended = Sweeper(engine, writer, "job", end, lock=renew).sweep(OVERDUE)
    assert sorted(ended) == [str(number) for number in range(ROWS) if number != 3]


def test_what_was_ended_is_told_although_the_database_has_gone(
    engine: Engine, writer: Writer
) -> None:
    ended_before: list[str] = []

    def break_down(connection: Connection, row: Any) -> str:
        if len(ended_before) >= 2:
            raise OperationalError("", {}, Exception("it is gone"))
        ended_before.append(end(connection, row))
        return ended_before[-1]

    sweeper = Sweeper(engine, writer, "job", break_down)
    assert sorted(sweeper.sweep(OVERDUE)) == sorted(ended_before)
    with pytest.raises(OperationalError):
        sweeper.sweep(OVERDUE)
    assert left(engine) == ROWS - 2
