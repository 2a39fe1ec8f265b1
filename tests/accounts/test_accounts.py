"""Accounts: made and found."""

from __future__ import annotations

import gevent
import pytest
from flask import Flask
from sqlalchemy import select

from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.identity.ledger import Balance
from codeintel.platform.db import db
from codeintel.platform.db.models import Account as AccountRow, now_ms


@pytest.mark.parametrize(
    ("tier", "credits_", "unlimited"),
    [(Tier.FREE, 0, False), (Tier.PRO, 100, True), (Tier.TEAM, 1, False)],
)
def test_an_account_is_found_as_it_was_made(
    database_services: Services, tier: Tier, credits_: int, unlimited: bool
) -> None:
    accounts = database_services.accounts
    before = now_ms()
    made = accounts.create("  Ada@Example.ORG ", tier, credits_, unlimited)
    assert made.id.startswith("acc_")
    assert (made.email, made.tier, made.unlimited) == ("ada@example.org", tier, unlimited)
    assert before <= made.created_ms <= now_ms()
    assert accounts.get(made.id) == made
    assert accounts.find(" ADA@example.org") == made
    assert database_services.ledger.balance(made.id) == Balance(credits_, 0)
    grants = [(e.kind, e.amount) for e in database_services.ledger.entries(made.id)]
    assert grants == ([("grant", credits_)] if credits_ else [])


@pytest.mark.parametrize(
    ("email", "credits_", "path"),
    [
        ("", 1, "email"),
        ("ada", 1, "email"),
        ("@example.org", 1, "email"),
        ("ada@", 1, "email"),
        ("a@b@example.org", 1, "email"),
        ("a da@example.org", 1, "email"),
        ("ada@example.org\nx", 1, "email"),
        ("a\x00da@example.org", 1, "email"),
        ("a\u200bda@example.org", 1, "email"),
        ("a" * 309 + "@example.org", 1, "email"),
        ("ada@example.org", -1, "credits"),
        ("Taken@example.org", 1, "email"),
    ],
)
def test_what_makes_no_account(
    database_app: Flask, database_services: Services, email: str, credits_: int, path: str
) -> None:
    taken = database_services.accounts.create("taken@example.org", Tier.FREE, 0, False)
    with pytest.raises(ServiceError) as caught:
        database_services.accounts.create(email, Tier.FREE, credits_, False)
    assert caught.value.code is ErrorCode.INVALID_REQUEST
    assert caught.value.details == {"path": path}
    with database_app.app_context(), db.engine.connect() as connection:
        assert connection.scalars(select(AccountRow.id)).all() == [taken.id]


def test_the_longest_address_is_allowed(database_services: Services) -> None:
    email = "a" * 308 + "@example.org"
    assert database_services.accounts.create(email, Tier.FREE, 0, False).email == email


def test_of_two_that_want_an_address_at_once_one_gets_it(database_services: Services) -> None:
    def create(email: str) -> str:
        try:
            return database_services.accounts.create(email, Tier.FREE, 5, False).id
        except ServiceError as error:
            return error.code

    jobs = [gevent.spawn(create, email) for email in ("a@x.org", "A@x.org", "b@x.org")]
    gevent.joinall(jobs, timeout=10, raise_error=True)
    first, second, third = (job.get(block=False) for job in jobs)
    assert second == ErrorCode.INVALID_REQUEST
    assert database_services.accounts.find("a@x.org").id == first
    assert database_services.ledger.balance(third) == Balance(5, 0)


def test_nobody_is_not_found(database_services: Services) -> None:
    for look in (database_services.accounts.find, database_services.accounts.get):
        with pytest.raises(ServiceError) as caught:
            look("nobody@example.org")
        assert caught.value.code is ErrorCode.NOT_FOUND


def test_a_change_holds_for_keys_that_are_in_use(database_services: Services) -> None:
    """Check that the change takes effect within the seconds for which a key is cached."""
    accounts, keys = database_services.accounts, database_services.keys
    made = accounts.create("ada@example.org", Tier.FREE, 10, False)
    token = keys.create(made.id, "ci", ["search:read"])[1]
    before = keys.find(token)
    assert before is not None
    assert (before.tier, before.unlimited) == (Tier.FREE, False)
    changed = accounts.change(made.email, tier=Tier.TEAM, unlimited=True)
    assert (changed.tier, changed.unlimited, changed.id) == (Tier.TEAM, True, made.id)
    with gevent.Timeout(5):
        while (match := keys.find(token)) == before:
            gevent.sleep(0.05)
    assert match is not None
    assert (match.tier, match.unlimited) == (Tier.TEAM, True)
    assert database_services.ledger.balance(made.id) == Balance(10, 0)
