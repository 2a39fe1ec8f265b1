"""The usage of an account by day, and the pages of its ledger."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from sqlalchemy import Connection, insert

from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.identity.ledger import DAY_MS, DayOfUse, Ledger
from codeintel.platform.db.models import LedgerEntry

DAY = date(2026, 3, 1)
START = (DAY - date(1970, 1, 1)).days * DAY_MS


@pytest.fixture
def ledger(database_services: Services) -> Ledger:
    return database_services.ledger


@pytest.fixture
def account(database_services: Services) -> str:
    return database_services.accounts.create("a@example.org", Tier.FREE, 0, False).id


@pytest.fixture
def other(database_services: Services) -> str:
    return database_services.accounts.create("b@example.org", Tier.FREE, 0, True).id


def post(ledger: Ledger, account_id: str, *entries: dict[str, Any]) -> None:
    """Add entries as they would have been written at that time."""

    def work(connection: Connection) -> None:
        for number, entry in enumerate(entries):
            row = {"kind": "charge", "amount": -2, "metered": 2, "reason": "", **entry}
            row |= {"account_id": account_id, "run_id": f"{account_id[-8:]}_{number}"}
            connection.execute(insert(LedgerEntry).values(row))

    ledger._writer.run(work)


def test_the_runs_of_each_day(ledger: Ledger, account: str, other: str) -> None:
    post(
        ledger,
        account,
        {"created_ms": START - 1},
        {"created_ms": START},
        {"created_ms": START + DAY_MS - 1, "amount": 0, "metered": 3},
        {"created_ms": START + 2 * DAY_MS},
        {"created_ms": START + 2 * DAY_MS, "kind": "grant", "amount": 50, "metered": 0},
        {"created_ms": START + 3 * DAY_MS},
    )
    post(ledger, other, {"created_ms": START, "metered": 40})
    assert ledger.usage(account, DAY, DAY + timedelta(days=2)) == [
        DayOfUse(DAY, 2, 5),
        DayOfUse(DAY + timedelta(days=1), 0, 0),
        DayOfUse(DAY + timedelta(days=2), 1, 2),
    ]
    assert ledger.usage(other, DAY, DAY) == [DayOfUse(DAY, 1, 40)]


def test_an_account_that_did_nothing(ledger: Ledger, account: str) -> None:
    assert ledger.usage(account, DAY, DAY) == [DayOfUse(DAY, 0, 0)]
    assert ledger.usage(account, DAY, DAY - timedelta(days=1)) == []
    assert ledger.usage("acc_unknown", DAY, DAY) == [DayOfUse(DAY, 0, 0)]


@pytest.mark.parametrize("size", [1, 2, 3, 7, 8])
def test_pages_hold_each_entry_once(ledger: Ledger, account: str, other: str, size: int) -> None:
    for number in range(7):
        ledger.grant(account, 1, f"gift {number}")
        ledger.grant(other, 1, "another's")
    seen, before = [], None
    while page := ledger.entries(account, size, before):
        assert len(page) <= size
        seen += [entry.reason for entry in page]
        before = page[-1].id
    assert seen == [f"gift {number}" for number in reversed(range(7))]
