"""The process that works for all others."""

from __future__ import annotations

import pytest
from flask import Flask
from scripted_runs import Runs
from sqlalchemy import text

from codeintel.platform.db import db
from codeintel.platform.db.leases import Leadership
from codeintel.platform.db.writer import Writer


@pytest.fixture
def writer(database_app: Flask) -> Writer:
    with database_app.app_context():
        return Writer(db.engine)


def expire(writer: Writer) -> None:
    writer.run(lambda connection: connection.execute(text("UPDATE leader_leases SET expires_ms=1")))


def test_old_runs_are_deleted_by_the_leader_alone(
    database_app: Flask, writer: Writer, monkeypatch: pytest.MonkeyPatch
) -> None:
    with database_app.app_context():
        runs = Runs(database_app.extensions["codeintel"], db.engine)
    rounds: list[float] = []
    store = runs.services.runs.store
    monkeypatch.setattr(store, "forget", lambda age, _: rounds.append(age) or True)
    assert Leadership(writer, "another process").leads("runs.retention", 60)
    runs.services.runs._supervisor._forget()
    assert rounds == []
    expire(writer)
    runs.services.runs._supervisor._forget()
    assert rounds == [runs.services.settings.run_retention]


def test_one_leads_until_its_lease_is_over(writer: Writer) -> None:
    one, two = Leadership(writer, "one"), Leadership(writer, "two")
    assert [one.leads("work", 60), two.leads("work", 60)] == [True, False]
    assert two.leads("other work", 60)
    expire(writer)
    assert two.leads("work", 60)
    assert [one.leads("work", 60), two.leads("work", 60)] == [False, True]


def test_the_work_of_a_dead_process_goes_on_at_once(writer: Writer) -> None:
    assert Leadership(writer, "dead").leads("work", 60)
    heir = Leadership(writer, "heir", lambda owner: owner == "dead")
    assert heir.leads("work", 60)
    assert not Leadership(writer, "third", lambda owner: owner == "dead").leads("work", 60)
