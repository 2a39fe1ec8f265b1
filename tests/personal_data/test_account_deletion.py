"""Accounts that are deleted: nothing of them stays but what the books need."""

from __future__ import annotations

from typing import Any

import gevent
import pytest
from flask import Flask
from sqlalchemy import Connection, insert, select
from stored_samples import check_balances, contents_of, fill, run_row
from support import MakeApp, make_user

from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts.states import RunState
from codeintel.identity import ledger
from codeintel.identity.audit import OPERATOR, Actor
from codeintel.operations.personal_data.service import UNSAID
from codeintel.platform.db import db
from codeintel.platform.db.models import LedgerEntry, RunRow
from codeintel.runs.store import Ending, NewRun
from codeintel.workspaces.requests import SyncBody

EMPTY = {
    *("sessions", "sign_in_links", "identities", "api_keys", "runs", "holds", "idempotency_keys"),
    *("workspace_sessions", "workspace_revisions", "workspace_files", "workspace_contents"),
    *("workspace_reports", "workspace_file_results"),
    *("scans", "scan_contents", "scan_results"),
}


@pytest.fixture
def services(database_app: Flask) -> Services:
    found: Services = database_app.extensions["codeintel"]
    return found


def stored(app: Flask) -> dict[str, list[tuple[Any, ...]]]:
    with app.app_context(), db.engine.connect() as connection:
        check_balances(connection)
        return contents_of(connection)


def test_nothing_stays_but_the_books(database_app: Flask, services: Services) -> None:
    user, other = fill(services), fill(services, "other@example.org")
    services.ledger.grant(user.account.id, 7, "for Ann Smith, who wrote the plugin")
    kept = {
        name: [row for row in rows if other.account.id in row]
        for name, rows in stored(database_app).items()
    }
    services.personal_data.delete(user.account.id, Actor("session:ses_1", "192.0.2.7"))
    left = stored(database_app)
    for name, rows in left.items():
        if name in EMPTY:
            mine = [row for row in rows if user.account.id in row]
            assert mine == [], name
        assert [row for row in rows if other.account.id in row] == kept[name], name
    assert (len(left["workspace_revisions"]), len(left["workspace_reports"])) == (1, 2)
    said = repr([row for rows in left.values() for row in rows if other.account.id not in row])
    for word in ("user@example.org", "Ann Smith", "192.0.2.7", "shop of user", "ses_1"):
        assert word not in said, word
    balance = services.ledger.balance(user.account.id)
    assert (balance.posted, balance.held) == (0, 0)
    entries = [(each.kind, each.amount) for each in services.ledger.entries(user.account.id)]
    assert entries == [("forfeit", -105), ("grant", 7), ("charge", -2), ("grant", 100)]
    with database_app.app_context(), db.engine.connect() as connection:
        grants = select(LedgerEntry.reason).where(
            LedgerEntry.account_id == user.account.id, LedgerEntry.kind == "grant"
        )
        assert set(connection.scalars(grants)) == {UNSAID}
    events = {event.kind: event for event in services.audit.events(user.account.id)}
    assert events["account.deleted"].email == f"{user.account.id}@deleted.invalid"
    assert (events["account.deleted"].actor, events["account.deleted"].address) == ("session", "")
    assert services.personal_data.sweep() == 0


def test_nobody_gets_in_and_the_address_is_free(database_app: Flask, services: Services) -> None:
    user = make_user(services)
    account_id = user.account.id
    client = database_app.test_client()
    assert client.get("/api/v1/account", headers=user.headers).status_code == 200
    session = services.sessions.open(account_id, "link")
    link = services.links.make(account_id)
    jwt, _ = services.issuer.sign(account_id, 60)
    services.personal_data.delete(account_id, OPERATOR)
    assert services.sessions.find(session) is None
    assert client.get("/api/v1/account", headers=user.headers).status_code == 401
    bearer = {"Authorization": f"Bearer {jwt}"}
    assert client.get("/api/v1/account", headers=bearer).status_code == 401
    with pytest.raises(ServiceError, match="Request a new one"):
        services.links.consume(link)
    with pytest.raises(ServiceError, match="No account exists"):
        services.accounts.find("user@example.org")
    with pytest.raises(ServiceError, match="This account was deleted") as refused:
        services.personal_data.delete(account_id, OPERATOR)
    assert refused.value.code is ErrorCode.UNAUTHORIZED
    again = make_user(services)
    assert again.account.id != account_id
    assert client.get("/api/v1/account", headers=again.headers).status_code == 200


def test_what_is_under_way_is_refused(database_app: Flask, services: Services) -> None:
    """Check requests that still see the account in a cache for two seconds."""
    user = fill(services)
    account_id = user.account.id
    services.personal_data.delete(account_id, OPERATOR)
    body = SyncBody(files={"/late.py": "x = 1\n"}, name="late")
    attempts = (
        lambda: services.keys.create(account_id, "late", ["api:v1"]),
        lambda: services.sessions.open(account_id, "link"),
        lambda: services.links.make(account_id),
        lambda: services.identities.join(account_id, "https://i.example", "s", "", OPERATOR),
        lambda: services.workspaces.sync(account_id, Tier.FREE, body),
    )
    for attempt in attempts:
        with pytest.raises(ServiceError, match="This account was deleted"):
            attempt()
    unpaid = services.runs.store.open(_new_run(account_id, hold=0))
    assert isinstance(unpaid, ServiceError)
    refused = services.runs.store.open(_new_run(account_id, hold=2))
    assert refused == ledger.Balance(0, 0)
    # The content that came before its revision went again when that was refused.
    assert stored(database_app)["workspace_contents"] == []
    assert services.personal_data.sweep() == 0


def _new_run(account_id: str, hold: int) -> NewRun:
    return NewRun(
        id=f"run_late{hold}",
        account_id=account_id,
        kind="analysis",
        engine="static",
        model="flash",
        price=2,
        hold=hold,
        usage="{}",
    )


def test_a_run_under_way_settles_nothing(database_app: Flask, services: Services) -> None:
    """Check a run whose process still works when the account is deleted."""
    user = make_user(services)
    store = services.runs.store
    assert store.open(_new_run(user.account.id, hold=2)) is None
    services.personal_data.delete(user.account.id, OPERATOR)
    ending = Ending(state=RunState.COMPLETED, charge=2, metered=2, description="late")
    assert not store.settle("run_late2", user.account.id, ending)
    stored(database_app)


def test_a_deletion_that_was_cut_off_is_finished(database_app: Flask, services: Services) -> None:
    user = fill(services)
    services.personal_data.delete(user.account.id, OPERATOR)
    row = run_row(user.account.id, "run_left", "cancelled")

    def leave(connection: Connection) -> None:
        connection.execute(insert(RunRow).values(row))

    services.ledger._writer.run(leave)
    assert services.personal_data.sweep() == 1
    assert stored(database_app)["runs"] == []


def test_deleting_while_it_is_used(
    database_app: Flask, database_config: dict[str, Any], make_app: MakeApp
) -> None:
    """Pushes and keys from another process at the same time: each is done before, and deleted, or
    refused."""
    services = database_app.extensions["codeintel"]
    other = make_app(database_config).extensions["codeintel"]
    user = make_user(services, tier=Tier.TEAM)
    account_id = user.account.id
    refusals: list[ErrorCode] = []

    def use(number: int) -> None:
        body = SyncBody(files={f"/{number}.py": f"x = {number}\n"}, name=f"w{number}")
        for attempt in (
            lambda: other.workspaces.sync(account_id, Tier.TEAM, body),
            lambda: other.keys.create(account_id, f"k{number}", ["api:v1"]),
        ):
            gevent.sleep(0)
            try:
                attempt()
            except ServiceError as error:
                refusals.append(error.code)

    uses = [gevent.spawn(use, number) for number in range(10)]
    gevent.sleep(0)
    deleting = gevent.spawn(services.personal_data.delete, account_id, OPERATOR)
    gevent.joinall([*uses, deleting], timeout=30, raise_error=True)
    assert set(refusals) <= {ErrorCode.UNAUTHORIZED}
    services.personal_data.sweep()
    left = stored(database_app)
    assert all(not left[name] for name in EMPTY)


def test_the_first_account_is_the_first_that_is_there(services: Services) -> None:
    first, second = make_user(services), make_user(services, "second@example.org")
    services.personal_data.delete(first.account.id, OPERATOR)
    found = services.accounts.first()
    assert found is not None
    assert found.id == second.account.id
