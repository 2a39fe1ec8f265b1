"""`codeintel doctor`: what is stored about jobs, runs and credits."""

from __future__ import annotations

import os
from typing import Any

import pytest
from doctor_scenes import Scene
from flask import Flask
from sqlalchemy import delete, insert, update
from support import make_user

from codeintel.identity import ledger
from codeintel.operations.doctor import stored
from codeintel.operations.doctor.checks import CHECKS
from codeintel.platform.db import db
from codeintel.platform.db.leases import new_owner
from codeintel.platform.db.models import Balance, Hold, RunRow, now_ms
from codeintel.platform.jobs.store import JobRow

HOUR = 3_600_000
HERE = new_owner().split(":", 1)[0]
ALIVE = f"{HERE}:{os.getpid()}:x"
GONE = f"{HERE}:4194305:x"  # above the highest number that Linux gives
ELSEWHERE = "another-machine:1:x"


def write(scene: Scene, *statements: Any) -> str:
    """Create an account, and execute the statements with its id."""
    accounts: list[str] = []

    def work(app: Flask) -> None:
        accounts.append(make_user(app.extensions["codeintel"]).account.id)
        with db.engine.connect().execution_options(write=True) as connection:
            for each in statements:
                connection.execute(each(accounts[0]))
            connection.commit()

    scene.filled(work)
    return accounts[0]


def job(**values: Any) -> Any:
    row = {
        "id": "job_1",
        "kind": "trust.refresh",
        "key": "k",
        "arguments": "null",
        "epoch": 0,
        "attempts": 0,
        "run_after_ms": 0,
        "created_ms": now_ms() - HOUR,
        **values,
    }
    return lambda _: insert(JobRow).values(**row)


def run(owner: str, **values: Any) -> Any:
    row = {
        "id": "run_1",
        "kind": "analysis",
        "state": "running",
        "engine": "static",
        "model": "flash",
        "owner": owner,
        "epoch": 1,
        "price": 1,
        "created_ms": now_ms(),
        **values,
    }
    return lambda account: insert(RunRow).values(account_id=account, **row)


def hold(amount: int, expires_ms: int, state: str = ledger.PENDING) -> Any:
    row = {"id": f"run_{amount}", "amount": amount, "state": state, "created_ms": 0}
    return lambda account: insert(Hold).values(account_id=account, expires_ms=expires_ms, **row)


def balance(**values: int) -> Any:
    return lambda account: update(Balance).where(Balance.account_id == account).values(**values)


def test_all_is_well(scene: Scene, database_config: dict[str, Any]) -> None:
    scene.environ = database_config
    write(
        scene,
        job(state="queued", run_after_ms=now_ms() + HOUR),
        job(id="job_2", key="l", state="running", owner=ALIVE, lease_ms=now_ms() + HOUR),
        job(id="job_3", key="m", state="failed", finished_ms=now_ms() - 30 * HOUR),
        run(ALIVE),
        hold(5, now_ms() + HOUR),
        hold(7, 0, ledger.SETTLED),
        balance(held=5),
    )
    for look in (stored.look_at_jobs, stored.look_at_leases, stored.look_at_books):
        found = scene.look(look)
        assert {str(each.status) for each in found} == {"ok"}, found


def test_nothing_is_well(scene: Scene, database_config: dict[str, Any]) -> None:
    scene.environ = database_config
    write(
        scene,
        job(state="queued"),
        job(id="job_2", key="l", state="running", owner=GONE, lease_ms=now_ms() + HOUR),
        job(id="job_3", key="m", state="failed", finished_ms=now_ms()),
        run(GONE),
        hold(5, now_ms() - HOUR),
        balance(held=4),
    )
    found = scene.look_all(CHECKS)
    names = (
        stored.WAITING,
        stored.FAILED,
        stored.LEASES,
        stored.RUNS,
        stored.HOLDS,
        stored.BALANCES,
    )
    assert [found.status(each) for each in names] == [*["warning"] * 5, "error"]


@pytest.mark.parametrize(
    ("rows", "bad"),
    [
        ([job(state="queued")], {stored.WAITING: "error"}),
        ([job(state="queued", run_after_ms=1)], {stored.WAITING: "error"}),
        (
            [
                job(state="queued"),
                job(id="j", key="l", state="running", owner=ALIVE, lease_ms=2**45),
            ],
            {stored.WAITING: "warning"},
        ),
        ([job(state="failed", finished_ms=2**45)], {stored.FAILED: "warning"}),
        ([job(state="running", owner=GONE, lease_ms=2**45)], {stored.LEASES: "warning"}),
        ([job(state="running", owner=ELSEWHERE, lease_ms=2**45)], {}),
        ([job(state="running", owner=ELSEWHERE, lease_ms=1)], {stored.LEASES: "warning"}),
    ],
)
def test_jobs(scene: Scene, rows: list[Any], bad: dict[str, str]) -> None:
    write(scene, *rows)
    assert scene.look(stored.look_at_jobs).bad == bad


def test_how_long_a_job_waits_is_told(scene: Scene) -> None:
    write(scene, job(state="queued"))
    found = scene.look(stored.look_at_jobs)[stored.WAITING].found
    assert "trust.refresh" in found
    assert "1 hour" in found


def test_runs_whose_process_is_gone(scene: Scene) -> None:
    write(scene, run(GONE), run(ELSEWHERE, id="run_2"))
    found = scene.look(stored.look_at_leases)
    assert found.bad == {stored.RUNS: "warning"}
    assert found[stored.RUNS].found == f"1 belong to processes that no longer exist: {GONE}."


def test_holds_that_are_overdue(scene: Scene) -> None:
    write(scene, hold(5, now_ms() - HOUR), hold(6, now_ms()), balance(held=11))
    found = scene.look(stored.look_at_leases)
    assert found.bad == {stored.HOLDS: "warning"}
    assert found[stored.HOLDS].found.startswith("1 are overdue and hold 5 credits")


@pytest.mark.parametrize(
    "change", [balance(posted=101), balance(held=3), hold(4, 2**45), balance(posted=99)]
)
def test_books_that_do_not_balance(scene: Scene, change: Any) -> None:
    account = write(scene, change)
    found = scene.look(stored.look_at_books)
    assert found.bad == {stored.BALANCES: "error"}
    assert account in found[stored.BALANCES].found


def test_an_account_without_a_balance(scene: Scene) -> None:
    write(scene, lambda account: delete(Balance).where(Balance.account_id == account))
    assert scene.look(stored.look_at_books).bad == {stored.ACCOUNTS: "error"}
