"""Sign-in links: once, for ten minutes, the newest only."""

from __future__ import annotations

import gevent
import pytest
from flask import Flask
from identity_clock import Clock
from sqlalchemy import select

from codeintel.app import Services
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.identity.links import LINK_SECONDS, SignInLinks
from codeintel.identity.tables import SignInLinkRow
from codeintel.platform.db import db


@pytest.fixture
def links(database_services: Services) -> SignInLinks:
    return database_services.links


def works(links: SignInLinks, token: str) -> bool:
    try:
        links.consume(token)
    except ServiceError as error:
        assert error.code is ErrorCode.SIGN_IN_LINK_INVALID
        assert len(token) < 2 or token not in error.message
        return False
    return True


def test_asking_does_not_use_it_and_using_it_does(links: SignInLinks, ann: str, bob: str) -> None:
    token, other = links.make(ann), links.make(bob)
    assert {links.email(token) for _ in range(10)} == {"ann@example.org"}
    assert links.consume(token) == ann
    assert not works(links, token)
    with pytest.raises(ServiceError, match="Request a new one"):
        links.email(token)
    assert links.email(other) == "bob@example.org"


def test_it_ends_after_ten_minutes(links: SignInLinks, ann: str, clock: Clock) -> None:
    token = links.make(ann)
    clock.pass_seconds(LINK_SECONDS - 0.001)
    assert links.email(token)
    clock.pass_seconds(0.001)
    assert not works(links, token)


def test_a_newer_one_takes_its_place(links: SignInLinks, ann: str, bob: str) -> None:
    old, others = links.make(ann), links.make(bob)
    new = links.make(ann)
    assert [works(links, each) for each in (old, new, others)] == [False, True, True]


def test_of_many_at_once_one_signs_in(links: SignInLinks, ann: str) -> None:
    token = links.make(ann)
    attempts = [gevent.spawn(works, links, token) for _ in range(20)]
    gevent.joinall(attempts, timeout=20)
    assert sorted(each.value for each in attempts) == [False] * 19 + [True]


@pytest.mark.parametrize("token", ["", "x", "é" * 10, "a" * 10_000, "' OR 1=1 --"])
def test_what_is_no_token(links: SignInLinks, token: str) -> None:
    assert not works(links, token)


def test_the_token_is_not_stored(database_app: Flask, links: SignInLinks, ann: str) -> None:
    token = links.make(ann)
    with database_app.app_context(), db.engine.connect() as connection:
        rows = connection.execute(select(SignInLinkRow.__table__)).all()
        assert len(rows) == 1
        assert token not in str(rows)
