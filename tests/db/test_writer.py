"""The writer: many requests' work in few transactions, each owner with its own result or error."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from math import ceil

import gevent
import pytest
from flask import Flask
from servers import free_port
from sqlalchemy import Connection, Engine, create_engine, event, insert, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError, OperationalError, ProgrammingError
from support import MakeApp

from codeintel.platform.db import db, writer
from codeintel.platform.db.models import Fact
from codeintel.platform.db.writer import Writer, is_unavailable

BOUND = 0.1


@pytest.fixture
def engine(database_app: Flask) -> Engine:
    with database_app.app_context():
        return db.engine


@pytest.fixture
def sqlite_engine(app: Flask) -> Engine:
    with app.app_context():
        return db.engine


@pytest.fixture
def postgres_engine(postgres_url: str, make_app: MakeApp) -> Engine:
    app = make_app({"DATABASE_URL": postgres_url, "CODEINTEL_KEY_PEPPER": "p" * 40})
    with app.app_context():
        return db.engine


@pytest.fixture
def locker(sqlite_engine: Engine) -> Iterator[sqlite3.Connection]:
    """Hold SQLite's write lock in another connection."""
    with closing(sqlite3.connect(sqlite_engine.url.database or "")) as other:
        other.isolation_level = None
        other.execute("BEGIN IMMEDIATE")
        yield other


def add(name: str, value: str = "") -> Callable[[Connection], str]:
    """Work that inserts a row and returns its name."""

    def work(connection: Connection) -> str:
        connection.execute(insert(Fact).values(name=name, value=value))
        return name

    return work


def names(engine: Engine) -> list[str]:
    """Return the rows that :func:`add` inserted, in order of insertion if `value` counts it."""
    with engine.connect() as connection:
        query = select(Fact.name).where(Fact.name.like("t%")).order_by(Fact.value, Fact.name)
        return list(connection.scalars(query))


def run_all(jobs: list[gevent.Greenlet[..., object]]) -> list[object]:
    """Return the result or the exception of each greenlet."""
    gevent.joinall(jobs, timeout=20)
    assert all(job.dead for job in jobs)
    return [job.exception or job.value for job in jobs]


def test_many_callers_share_transactions_and_get_their_own_results(engine: Engine) -> None:
    commits: list[Connection] = []
    event.listen(engine, "commit", commits.append)
    write = Writer(engine)
    expected = [f"t{number:03}" for number in range(writer.BATCH + 50)]
    results = run_all([gevent.spawn(write.run, add(name)) for name in expected])
    assert results == expected
    assert names(engine) == expected
    assert len(commits) == ceil(len(expected) / writer.BATCH)


def test_a_bad_job_fails_alone_and_leaves_nothing_behind(engine: Engine) -> None:
    def half_done(connection: Connection) -> None:
        add("t-half")(connection)
        raise LookupError("its own error")

    write = Writer(engine)
    works = [add("t1"), half_done, add("t2"), add("t1"), add("t3")]
    first, half, second, twice, third = run_all([gevent.spawn(write.run, work) for work in works])
    assert (first, second, third) == ("t1", "t2", "t3")
    assert isinstance(half, LookupError)
    assert isinstance(twice, IntegrityError)
    assert names(engine) == ["t1", "t2", "t3"]


def test_a_batch_is_done_in_the_order_of_the_keys_then_of_arrival(engine: Engine) -> None:
    done: list[str] = []
    write = Writer(engine)
    asked = [("b", "b1"), ("a", "a1"), ("b", "b2"), ("", "none"), ("a", "a2")]
    run_all(
        [gevent.spawn(write.run, lambda _, x=name: done.append(x), order=o) for o, name in asked]
    )
    assert done == ["none", "a1", "a2", "b1", "b2"]


def test_the_writer_goes_on_after_errors(engine: Engine) -> None:
    write = Writer(engine)
    with pytest.raises((OperationalError, ProgrammingError), match="nowhere"):
        write.run(lambda connection: connection.execute(text("SELECT 1 FROM nowhere")))
    assert write.run(add("t1")) == "t1"
    assert names(engine) == ["t1"]


def test_a_locked_database_is_waited_for_while_others_run(
    sqlite_engine: Engine, locker: sqlite3.Connection
) -> None:
    write = Writer(sqlite_engine)
    job = gevent.spawn(write.run, add("t1"))
    ticks = 0
    while ticks < 10:  # these turns are taken while the writer waits
        gevent.sleep(0.005)
        ticks += 1
    assert not job.dead
    locker.execute("ROLLBACK")
    assert run_all([job]) == ["t1"]
    assert names(sqlite_engine) == ["t1"]


def test_a_lock_that_stays_fails_all_waiting_jobs_within_one_bound(
    sqlite_engine: Engine, locker: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writer, "BUSY_SECONDS", BOUND)
    write = Writer(sqlite_engine)
    begin = time.monotonic()
    results = run_all([gevent.spawn(write.run, add(f"t{number}")) for number in range(20)])
    took = time.monotonic() - begin
    assert all(isinstance(result, OperationalError) for result in results)
    assert BOUND <= took < 10 * BOUND
    locker.execute("ROLLBACK")
    assert write.run(add("t-later")) == "t-later"


def test_a_database_out_of_reach_is_said_so_at_once() -> None:
    engine = create_engine(f"postgresql+psycopg://test@127.0.0.1:{free_port()}/none")
    results = run_all([gevent.spawn(Writer(engine).run, add("t1")) for _ in range(3)])
    for result in results:
        assert isinstance(result, OperationalError)
        assert is_unavailable(result)


@pytest.mark.parametrize(
    ("error", "invalidated", "unavailable"),
    [
        (OperationalError, False, True),
        (IntegrityError, False, False),
        (ProgrammingError, False, False),
        (DBAPIError, True, True),
    ],
)
def test_which_errors_mean_out_of_reach(
    error: type[DBAPIError], invalidated: bool, unavailable: bool
) -> None:
    made = error("SELECT 1", None, Exception("x"), connection_invalidated=invalidated)
    assert is_unavailable(made) is unavailable


def test_a_database_that_goes_away_in_a_batch_is_not_asked_for_each_of_its_jobs(
    sqlite_engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    down = OperationalError("BEGIN", None, Exception("down"))
    begun: list[Connection] = []
    begin_write = writer.begin_write

    def begin(engine: Engine) -> Connection:
        if begun:
            begun.append(begun[0])
            raise down
        begun.append(begin_write(engine))
        return begun[0]

    def goes_away(_: Connection) -> None:
        raise down

    monkeypatch.setattr(writer, "begin_write", begin)
    subject = Writer(sqlite_engine)
    works = [add(f"t{n}") for n in range(20)]
    jobs = [gevent.spawn(subject.run, work) for work in (*works, goes_away)]
    gevent.joinall(jobs, timeout=5)
    assert all(isinstance(job.exception, OperationalError) for job in jobs)
    assert len(begun) == 2, "once for all of them, and once to find out"
    monkeypatch.undo()
    assert names(sqlite_engine) == []


@pytest.mark.parametrize("others", [0, 3])
def test_work_that_the_database_ended_for_anothers_sake_is_done_again(
    postgres_engine: Engine, others: int
) -> None:
    """Check two transactions that lock two rows in opposite orders: PostgreSQL ends the less
    patient one."""
    engine = postgres_engine
    write = Writer(engine)
    run_all([gevent.spawn(write.run, add(name)) for name in ("ta", "tb")])
    change = text("UPDATE facts SET value = value || :by WHERE name = :name")
    theirs = engine.connect()
    theirs.execute(text("SET deadlock_timeout = '20s'"))
    theirs.execute(change, {"by": "1", "name": "tb"})
    thread = threading.Thread(target=theirs.execute, args=(change, {"by": "1", "name": "ta"}))
    tries: list[int] = []

    def work(connection: Connection) -> str:
        tries.append(len(tries))
        if len(tries) == 2:
            thread.join()
            theirs.commit()
        connection.execute(change, {"by": "2", "name": "ta"})
        if len(tries) == 1:
            thread.start()
            while not connection.scalar(text("SELECT 1 FROM pg_locks WHERE NOT granted")):
                time.sleep(0.01)
        connection.execute(change, {"by": "2", "name": "tb"})
        return "done"

    jobs = [
        gevent.spawn(write.run, each) for each in [work] + [add(f"x{n}") for n in range(others)]
    ]
    assert run_all(jobs) == ["done", *(f"x{n}" for n in range(others))]
    theirs.close()
    assert len(tries) == 2
    with engine.connect() as connection:
        values = connection.scalars(select(Fact.value).where(Fact.name.in_(["ta", "tb"])))
        assert list(values) == ["12", "12"]


def test_what_may_be_committed_is_not_done_twice(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check a connection that breaks between the commit and its answer: all owners get the
    error."""
    done: list[str] = []
    commit = Connection.commit

    def unheard(connection: Connection) -> None:
        commit(connection)
        raise OperationalError("COMMIT", None, Exception("connection lost"))

    def once(name: str) -> Callable[[Connection], str]:
        def work(connection: Connection) -> str:
            done.append(name)
            return add(name)(connection)

        return work

    monkeypatch.setattr(Connection, "commit", unheard)
    write = Writer(engine)
    results = run_all([gevent.spawn(write.run, once(name)) for name in ("t1", "t2", "t3")])
    monkeypatch.undo()
    assert all(isinstance(each, OperationalError) for each in results)
    assert done == names(engine) == ["t1", "t2", "t3"]
