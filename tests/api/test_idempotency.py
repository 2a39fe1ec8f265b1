"""`Idempotency-Key`: a repeated request is done once."""

from __future__ import annotations

from collections import Counter
from typing import Any

import gevent
import pytest
from flask import Flask
from flask.testing import FlaskClient
from scripted_runs import Runs, decode, result, stays
from sqlalchemy import func, select, update
from support import MakeApp, User, make_user

from codeintel.app import Services
from codeintel.contracts import Failed
from codeintel.platform.db import db
from codeintel.platform.db.models import IdempotencyKey, RunRow
from codeintel.runs.idempotency import RequestKey
from codeintel.runs.store import NewRun, Repeated
from codeintel.runs.supervisor import ABANDONED

URL = "/api/v1/analyze/stream"
BODY = {"code": "x = 1", "language": "python"}
LIMIT = 30


@pytest.fixture
def app(database_app: Flask) -> Flask:
    """Return an application on each kind of database."""
    return database_app


@pytest.fixture
def runs(app: Flask, services: Services) -> Runs:
    with app.app_context():
        return Runs(services, db.engine)


@pytest.fixture
def sender(client: FlaskClient, user: User) -> Any:
    def send(key: str, body: dict[str, Any] = BODY, who: User = user) -> Any:
        return client.post(URL, json=body, headers={**who.headers, "Idempotency-Key": key})

    return send


def counts(runs: Runs) -> tuple[int, int]:
    """Return the number of runs and of keys."""
    with runs.database.connect() as connection:
        return tuple(  # type: ignore[return-value]
            connection.scalar(select(func.count()).select_from(table))
            for table in (RunRow, IdempotencyKey)
        )


def test_a_repeat_gets_the_same_events_and_costs_nothing(
    sender: Any, runs: Runs, services: Services, user: User
) -> None:
    first, second = sender("k1"), sender("k1", {**BODY, "language": "python"})
    assert (first.status_code, second.status_code) == (200, 200)
    assert first.data == second.data
    assert decode(first.data)[-1]["creditsCharged"] == 1
    assert counts(runs) == (1, 1)
    assert services.ledger.balance(user.account.id).available == 99
    state = services.limits.peek_operation(user.account.id, user.account.tier, "analysis")
    assert state.remaining == LIMIT - 1


def test_a_repeat_attaches_to_a_run_under_way(sender: Any, runs: Runs) -> None:
    runs.engine.script = stays
    jobs = [gevent.spawn(sender, "k1") for _ in range(5)]
    gevent.sleep(0.1)
    assert counts(runs) == (1, 1)
    [run] = runs.services.runs._active.values()
    assert run.log.readers == 5
    run.stop(ABANDONED)
    gevent.joinall(jobs, timeout=10, raise_error=True)
    assert len({job.value.data for job in jobs}) == 1


def test_another_body_is_a_conflict(sender: Any, runs: Runs) -> None:
    assert sender("k1").status_code == 200
    answer = sender("k1", {**BODY, "code": "x = 2"})
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "idempotency_conflict")
    assert counts(runs) == (1, 1)


def test_other_keys_and_accounts_have_runs_of_their_own(
    sender: Any, runs: Runs, services: Services
) -> None:
    other = make_user(services, "other@example.org")
    ids = {
        decode(answer.data)[0]["runId"]
        for answer in (sender("k1"), sender("k2"), sender("k1", who=other))
    }
    assert len(ids) == 3
    assert counts(runs) == (3, 3)


def test_a_failed_run_costs_nothing_and_frees_the_key(sender: Any, runs: Runs) -> None:
    def fail(_task: object, _context: object) -> Any:
        raise Failed("upstream_cut", "The model broke off.")

    runs.engine.script = fail
    last = decode(sender("k1").data)[-1]
    assert (last["type"], last["reason"], last["creditsCharged"]) == (
        "run.failed",
        "upstream_cut",
        0,
    )
    assert counts(runs) == (1, 0)
    runs.engine.script = lambda _task, _context: result()
    assert decode(sender("k1").data)[-1]["type"] == "run.completed"
    assert counts(runs) == (2, 1)


def test_a_run_that_fails_elsewhere_at_the_same_moment_leaves_the_key_to_this_one(
    sender: Any, runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    service, answers = runs.services.runs, [Repeated()]
    really = service.store.open

    def open_(run: NewRun, key: RequestKey | None = None) -> Any:
        return answers.pop() if answers else really(run, key)

    monkeypatch.setattr(service.store, "open", open_)
    assert decode(sender("k1").data)[-1]["type"] == "run.completed"
    assert counts(runs) == (1, 1)


def test_a_key_lasts_as_long_as_its_run(sender: Any, runs: Runs) -> None:
    assert sender("k1").status_code == 200
    with runs.database.connect().execution_options(write=True) as connection:
        connection.execute(update(IdempotencyKey).values(created_ms=1))
        connection.commit()
    runs.services.runs.store.forget(60)
    assert counts(runs) == (1, 1)
    with runs.database.connect().execution_options(write=True) as connection:
        connection.execute(update(RunRow).values(finished_ms=1))
        connection.commit()
    runs.services.runs.store.forget(60)
    assert counts(runs) == (0, 0)


def test_refusals_store_nothing(sender: Any, runs: Runs, services: Services) -> None:
    poor = make_user(services, "poor@example.org", credits_=0)
    assert sender("k1", who=poor).status_code == 402
    assert sender("k2", {"code": ""}).status_code == 400
    assert counts(runs) == (0, 0)
    services.ledger.grant(poor.account.id, 5, "test")
    assert sender("k1", who=poor).status_code == 200


@pytest.mark.parametrize("key", ["", "x" * 256, "a\tb", "é"])
def test_a_wrong_key(sender: Any, runs: Runs, key: str) -> None:
    answer = sender(key)
    assert (answer.status_code, answer.json["error"]["details"]) == (
        400,
        {"path": "Idempotency-Key"},
    )
    assert counts(runs) == (0, 0)


def test_equal_requests_to_two_processes_at_once(
    make_app: MakeApp, postgres_url: str, redis_url: str
) -> None:
    """Check that the database lets one request begin, although neither finds a run."""
    config = {
        "DATABASE_URL": postgres_url,
        "REDIS_URL": redis_url,
        "CODEINTEL_KEY_PEPPER": "a-pepper-for-tests-that-is-long-enough",
    }
    apps = [make_app(config) for _ in range(2)]
    user = make_user(apps[0].extensions["codeintel"])

    def send(app: Flask) -> Any:
        headers = {**user.headers, "Idempotency-Key": "k1"}
        return app.test_client().post(URL, json=BODY, headers=headers)

    for round_ in range(5):
        jobs = [gevent.spawn(send, app) for app in apps for _ in range(3)]
        gevent.joinall(jobs, timeout=20, raise_error=True)
        assert Counter(job.value.status_code for job in jobs) == {200: 6}, round_
        assert len({job.value.data for job in jobs}) == 1
    services = apps[0].extensions["codeintel"]
    assert services.ledger.balance(user.account.id).available == 99
    state = services.limits.peek_operation(user.account.id, user.account.tier, "analysis")
    assert state.remaining == LIMIT - 1
