"""The ledger's single steps: grant, hold, release, and that a refusal changes nothing."""

from __future__ import annotations

import gevent
import pytest
from flask import Flask
from sqlalchemy import Connection, Engine, select
from sqlalchemy.exc import IntegrityError

from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.identity import ledger
from codeintel.identity.ledger import Balance, Entry
from codeintel.platform.db import db
from codeintel.platform.db.models import Hold, LedgerEntry, new_id
from codeintel.platform.db.writer import Writer

LATER = 3_600_000


@pytest.fixture
def engine(database_app: Flask) -> Engine:
    with database_app.app_context():
        return db.engine


@pytest.fixture
def writer(engine: Engine) -> Writer:
    return Writer(engine)


@pytest.fixture
def account(database_services: Services) -> str:
    """Return an account with 10 credits."""
    return database_services.accounts.create("a@example.org", Tier.FREE, 10, False).id


def hold(writer: Writer, account: str, amount: int, hold_id: str = "") -> bool:
    return writer.run(
        lambda connection: ledger.hold(connection, hold_id or new_id("run"), account, amount, LATER)
    )


def release(writer: Writer, hold_id: str, charge: int, metered: int) -> None:
    writer.run(
        lambda connection: ledger.release(
            connection, hold_id, charge=charge, metered=metered, reason="analysis, flash"
        )
    )


def state(engine: Engine, hold_id: str) -> str | None:
    with engine.connect() as connection:
        return connection.scalar(select(Hold.state).where(Hold.id == hold_id))


def essence(entries: list[Entry]) -> list[tuple[str, int, int, str | None, str]]:
    return [(e.kind, e.amount, e.metered, e.run_id, e.reason) for e in entries]


def test_a_grant_is_an_entry_and_raises_the_balance(
    database_services: Services, account: str
) -> None:
    assert database_services.ledger.grant(account, 5, "  a gift ") == Balance(15, 0)
    assert database_services.ledger.balance(account) == Balance(15, 0)
    assert essence(database_services.ledger.entries(account)) == [
        ("grant", 5, 0, None, "a gift"),
        ("grant", 10, 0, None, "account created"),
    ]
    assert len(database_services.ledger.entries(account, limit=1)) == 1


@pytest.mark.parametrize(("amount", "reason"), [(0, "x"), (-1, "x"), (1, ""), (1, " \t")])
def test_a_grant_that_makes_no_sense_changes_nothing(
    database_services: Services, account: str, amount: int, reason: str
) -> None:
    with pytest.raises(ServiceError) as caught:
        database_services.ledger.grant(account, amount, reason)
    assert caught.value.code is ErrorCode.INVALID_REQUEST
    assert database_services.ledger.balance(account) == Balance(10, 0)
    assert len(database_services.ledger.entries(account)) == 1


def test_there_is_no_balance_and_no_grant_without_an_account(
    database_services: Services, engine: Engine
) -> None:
    with pytest.raises(ServiceError) as caught:
        database_services.ledger.balance("acc_none")
    assert caught.value.code is ErrorCode.NOT_FOUND
    with pytest.raises((ServiceError, IntegrityError)):
        database_services.ledger.grant("acc_none", 5, "x")
    with engine.connect() as connection:
        assert connection.execute(select(LedgerEntry.id)).all() == []


def test_a_hold_reserves_and_a_refusal_changes_nothing(
    database_services: Services, engine: Engine, writer: Writer, account: str
) -> None:
    assert hold(writer, account, 7, "run_a")
    assert not hold(writer, account, 4, "run_b")
    assert database_services.ledger.balance(account) == Balance(10, 7)
    assert database_services.ledger.balance(account).available == 3
    assert state(engine, "run_b") is None
    assert hold(writer, account, 3, "run_c")
    assert hold(writer, account, 0, "run_free")
    assert database_services.ledger.balance(account) == Balance(10, 10)
    assert len(database_services.ledger.entries(account)) == 1


@pytest.mark.parametrize(
    ("held", "charge", "metered", "posted", "end"),
    [
        (3, 3, 3, 7, "settled"),  # the whole price
        (3, 1, 1, 9, "settled"),  # the least price
        (3, 0, 0, 10, "voided"),  # free of charge
        (0, 0, 2, 10, "settled"),  # an unlimited account: metered, not charged
    ],
)
def test_a_release_charges_and_gives_back_the_rest(
    database_services: Services,
    engine: Engine,
    writer: Writer,
    account: str,
    held: int,
    charge: int,
    metered: int,
    posted: int,
    end: str,
) -> None:
    hold(writer, account, held, "run_a")
    release(writer, "run_a", charge, metered)
    assert database_services.ledger.balance(account) == Balance(posted, 0)
    assert state(engine, "run_a") == end
    charges = essence(database_services.ledger.entries(account))[:-1]
    expected = [("charge", -charge, metered, "run_a", "analysis, flash")] if metered else []
    assert charges == expected


@pytest.mark.parametrize(("hold_id", "charge"), [("run_none", 0), ("run_a", 4), ("run_done", 1)])
def test_what_cannot_be_released_changes_nothing(
    database_services: Services, writer: Writer, account: str, hold_id: str, charge: int
) -> None:
    hold(writer, account, 3, "run_a")
    hold(writer, account, 1, "run_done")
    release(writer, "run_done", 1, 1)
    before = database_services.ledger.entries(account)
    with pytest.raises(RuntimeError, match=hold_id):
        release(writer, hold_id, charge, charge)
    assert database_services.ledger.balance(account) == Balance(9, 3)
    assert database_services.ledger.entries(account) == before


def test_the_database_itself_refuses_a_second_entry_for_a_run(
    database_services: Services, writer: Writer, account: str
) -> None:
    def charge(connection: Connection) -> None:
        ledger.post_entry(connection, account, "charge", -1, metered=1, run_id="run_a")

    writer.run(charge)
    with pytest.raises(IntegrityError):
        writer.run(charge)
    assert database_services.ledger.balance(account) == Balance(9, 0)


def test_the_database_itself_refuses_to_hold_more_than_there_is(
    database_services: Services, writer: Writer, account: str
) -> None:
    hold(writer, account, 10)
    with pytest.raises(IntegrityError, match="held_is_covered"):
        writer.run(lambda connection: ledger.post_entry(connection, account, "charge", -1))
    assert database_services.ledger.balance(account) == Balance(10, 10)


def test_of_many_reservations_at_once_as_many_succeed_as_there_are_credits(
    database_services: Services, writer: Writer, account: str
) -> None:
    database_services.ledger.grant(account, 10, "to make it 20")
    jobs = [gevent.spawn(hold, writer, account, 1) for _ in range(50)]
    gevent.joinall(jobs, timeout=20, raise_error=True)
    assert sum(job.get(block=False) for job in jobs) == 20
    assert database_services.ledger.balance(account) == Balance(20, 20)


def test_several_processes_reserve_no_more_than_there_is(
    database_services: Services, engine: Engine, account: str
) -> None:
    """Check several writers. Each has a separate queue and transactions, like the processes of a
    service."""
    writers = [Writer(engine) for _ in range(4)]
    jobs = [gevent.spawn(hold, writers[number % 4], account, 1) for number in range(40)]
    gevent.joinall(jobs, timeout=20, raise_error=True)
    assert sum(job.get(block=False) for job in jobs) == 10
    assert database_services.ledger.balance(account) == Balance(10, 10)
