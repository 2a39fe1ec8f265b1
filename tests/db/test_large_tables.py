"""Accounts with many rows: pages are read through indexes, and retention completes."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date
from functools import partial
from typing import Any

import gevent
import pytest
from flask import Flask
from large_tables import ACCOUNT, FIRST_MS, RUNS, TABLES, fill, plan
from sqlalchemy import Engine, event, func, select, update

from codeintel import create_app
from codeintel.app import Services
from codeintel.operations.doctor.stored import _runs as abandoned_runs
from codeintel.platform.db import batches, db
from codeintel.platform.db.migrate import ensure_schema
from codeintel.platform.db.models import Account, Hold, IdempotencyKey, RunRow
from codeintel.platform.db.writer import Writer, begin_write
from codeintel.runs.listing import MAX_SEARCHED, RunFilter, languages_of_runs, list_runs
from codeintel.runs.store import RunStore

DELAY_SECONDS = 1.0
"""The longest that anybody else's transaction may wait for retention. A batch takes 0.1 s at most;
the rest is for machines that do other work."""
OWN_RUN = f"run_{RUNS // 2 + 1}"
MIDDLE_MS = FIRST_MS + 20_000 * 60_000
_NAMES = "|".join(TABLES)
COSTLY = re.compile(
    rf"Seq Scan on ({_NAMES})|SCAN ({_NAMES})(?! USING INDEX ix_runs_running)"
    r"|(?<!Incremental )Sort  \(|FOR ORDER BY"
)
"""How the databases tell that they read a table from end to end, or sort what they have found."""


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def large(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Flask]:
    """Provide each kind of database, filled once."""
    url = ""
    if request.param == "postgresql":
        url = request.getfixturevalue("postgres_server").empty()
    app = create_app(
        {
            "CODEINTEL_INSTANCE": tmp_path_factory.mktemp("large"),
            "CODEINTEL_KEY_PEPPER": "a-pepper-for-tests-that-is-long-enough",
            "DATABASE_URL": url,
            "REDIS_URL": "",
        }
    )
    with app.app_context():
        engine = db.engine
    if not url:
        event.listen(engine, "connect", _without_a_disk)
    ensure_schema(app)
    with closing(begin_write(engine)) as connection:
        fill(connection)
        connection.commit()
    yield app
    engine.dispose()


def _without_a_disk(connection: Any, _: Any) -> None:
    """Disable disk writes, because the disk of the test machine is not measured."""
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute("PRAGMA cache_size=-200000")


@pytest.fixture
def services(large: Flask) -> Services:
    found: Services = large.extensions["codeintel"]
    return found


@pytest.fixture
def engine(large: Flask) -> Engine:
    with large.app_context():
        return db.engine


def store_of(engine: Engine) -> RunStore:
    return RunStore(engine, Writer(engine), "host:2:y", 60.0)


def sent_by(engine: Engine, call: Callable[[], object]) -> list[tuple[str, Any]]:
    """Return the statements that a call sends."""
    sent: list[tuple[str, Any]] = []

    def note(_: Any, __: Any, statement: str, parameters: Any, *___: Any) -> None:
        if statement.startswith(("SELECT", "DELETE", "UPDATE")):
            sent.append((statement, parameters))

    event.listen(engine, "before_cursor_execute", note)
    try:
        call()
    finally:
        event.remove(engine, "before_cursor_execute", note)
    return sent


PAGES: dict[str, Callable[[Services, Engine], object]] = {
    "runs": lambda _, engine: list_runs(engine, ACCOUNT, limit=50),
    "runs, further": lambda _, engine: list_runs(engine, ACCOUNT, limit=50, before=OWN_RUN),
    "languages of runs": lambda _, engine: languages_of_runs(engine, ACCOUNT),
    "ledger": lambda services, _: services.ledger.entries(ACCOUNT),
    "ledger, further": lambda services, _: services.ledger.entries(ACCOUNT, before=20_000),
    "usage": lambda services, _: services.ledger.usage(
        ACCOUNT, date(2020, 9, 13), date(2020, 9, 13)
    ),
    "audit": lambda services, _: services.audit.events(ACCOUNT),
    "audit, further": lambda services, _: services.audit.events(ACCOUNT, before_ms=MIDDLE_MS),
    "lost runs": lambda _, engine: store_of(engine).sweep(),
    "orphans": lambda _, engine: store_of(engine).fail_orphans(),
    "runs of dead processes": lambda _, engine: store_of(engine).fail_gone(),
    "old runs": lambda _, engine: store_of(engine).forget(10 * 365 * 86_400),
}


@pytest.mark.parametrize("page", PAGES)
def test_everything_is_a_range_of_an_index(services: Services, engine: Engine, page: str) -> None:
    sent = sent_by(engine, lambda: PAGES[page](services, engine))
    assert sent
    for statement, parameters in sent:
        with engine.connect() as connection:
            told = plan(connection, statement, parameters)
        assert COSTLY.search(told) is None, told


def test_a_search_stops_and_goes_on_behind_its_end(engine: Engine) -> None:
    wanted = RunFilter(text="nowhere")
    first = list_runs(engine, ACCOUNT, limit=50, filter_=wanted)
    assert (first.runs, first.searched) == ([], MAX_SEARCHED)
    later = list_runs(engine, ACCOUNT, limit=1, before=first.older).runs[0]
    with engine.connect() as connection:
        between = connection.scalar(
            select(func.count())
            .select_from(RunRow)
            .where(RunRow.account_id == ACCOUNT, RunRow.created_ms > later.created_ms)
        )
    assert between == MAX_SEARCHED
    # The first run behind the end is found by the next search, and not by this one.
    wanted = RunFilter(text=later.id)
    assert list_runs(engine, ACCOUNT, limit=50, filter_=wanted).runs == []
    found = list_runs(engine, ACCOUNT, limit=50, before=first.older, filter_=wanted)
    assert [each.id for each in found.runs] == [later.id]


@pytest.mark.parametrize("before", ["", OWN_RUN])
@pytest.mark.parametrize("wanted", [RunFilter(text="nowhere"), RunFilter(severity="high")])
def test_a_search_reads_a_bounded_range(engine: Engine, before: str, wanted: RunFilter) -> None:
    sent = sent_by(
        engine, lambda: list_runs(engine, ACCOUNT, limit=50, before=before, filter_=wanted)
    )
    with engine.connect() as connection:
        *_, places, found = (plan(connection, *each) for each in sent)
    assert COSTLY.search(places) is None, places
    assert re.search("Index Only Scan|USING COVERING INDEX", places), places
    # The second statement may sort, because the range has few rows.
    (line,) = re.findall("Index Cond.*|SEARCH runs USING INDEX ix_runs_account_created .*", found)
    assert re.search("created_ms >=?|created_ms>", line), found
    assert not before or re.search("created_ms <=?|created_ms<", line), found


def test_keys_are_read_through_their_index(services: Services, engine: Engine) -> None:
    [(statement, parameters)] = sent_by(engine, lambda: services.keys.list(ACCOUNT))
    with engine.connect() as connection:
        told = plan(connection, f"{statement} LIMIT 10", parameters)
    assert "ix_api_keys_account" in told
    assert COSTLY.search(told) is None, told


def test_the_doctor_looks_at_running_runs_alone(engine: Engine) -> None:
    def look() -> None:
        with engine.connect() as connection:
            abandoned_runs(connection)

    [(statement, parameters)] = sent_by(engine, look)
    with engine.connect() as connection:
        assert "ix_runs_running" in plan(connection, statement, parameters)


@pytest.mark.alone
def test_retention_ends_and_others_write_meanwhile(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(batches.gevent, "sleep", _short_sleep)
    writer = Writer(engine)
    store = RunStore(engine, writer, "host:2:y", 60.0)
    longest, commits = 0.0, 0
    done: list[bool] = []

    def write() -> None:
        nonlocal longest, commits
        statement = update(Account).where(Account.id == ACCOUNT).values(created_ms=2)
        while not done:
            began = time.monotonic()
            writer.run(lambda connection: connection.execute(statement))
            longest, commits = max(longest, time.monotonic() - began), commits + 1
            gevent.sleep(0.01)

    other = gevent.spawn(write)
    batches_sent = sent_by(engine, lambda: done.append(store.forget(0)))
    other.join(timeout=10)
    assert done == [True]
    deletions = [each for each in batches_sent if each[0].startswith("DELETE FROM runs")]
    assert len(deletions) >= RUNS / batches.MOST_ROWS
    assert commits > len(deletions) / 4
    assert longest < DELAY_SECONDS
    with engine.connect() as connection:
        for model in (RunRow, Hold, IdempotencyKey):
            assert connection.scalar(select(func.count()).select_from(model)) == 0


_sleep = gevent.sleep


def _short_sleep(seconds: float = 0.0) -> None:
    _sleep(min(seconds, 0.005))


def test_the_list_of_workspaces_is_a_range_of_an_index(services: Services, engine: Engine) -> None:
    for before in ("", f"{MIDDLE_MS}.wsp_1"):
        [(statement, parameters)] = sent_by(
            engine, partial(services.workspaces.sessions, ACCOUNT, before=before)
        )
        with engine.connect() as connection:
            told = plan(connection, statement, parameters)
        # PostgreSQL prefers the index of all accounts, because most rows belong to this one.
        assert re.search("ix_workspace_sessions_(account|synced_ms)", told), told
        assert COSTLY.search(told) is None, told
