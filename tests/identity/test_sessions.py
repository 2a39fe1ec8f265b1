"""Sessions: valid while they are used, and never longer than allowed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from flask import Flask
from identity_clock import Clock
from sqlalchemy import select
from support import MakeApp

from codeintel.app import Services
from codeintel.base.errors import ServiceError
from codeintel.identity.audit import Actor, AuditKind
from codeintel.identity.sessions import KNOWN_SECONDS, Sessions
from codeintel.identity.tables import SessionRow
from codeintel.platform.db import db

DAY = 86_400
ACTOR = Actor("session:ses_test", "192.0.2.1")


@pytest.fixture
def sessions(database_services: Services) -> Sessions:
    return database_services.sessions


@pytest.fixture
def forget(sessions: Sessions) -> Callable[[], None]:
    """Clear the cache, so that the next query goes to the database, as in another process or
    later."""
    return sessions._known.clear


def test_it_is_found_with_its_account(sessions: Sessions, bob: str) -> None:
    token = sessions.open(bob, "link", agent="Firefox", address="192.0.2.7")
    found = sessions.find(token)
    assert found is not None
    assert (found.account_id, found.email, found.tier, found.unlimited) == (
        bob,
        "bob@example.org",
        "PRO",
        True,
    )
    [listed] = sessions.list(bob)
    assert (listed.id, listed.how, listed.agent) == (found.session_id, "link", "Firefox")
    assert sessions.is_active(found.session_id)
    assert sessions.find(token + "x") is None
    assert sessions.find("") is None


@pytest.mark.parametrize(
    ("used_after_days", "asked_after_days", "goes_on"),
    [
        ([], 6.99, True),
        ([], 7, False),
        ([6], 12.9, True),
        ([6], 13.1, False),
        ([6, 12, 18, 24], 29.99, True),
        ([6, 12, 18, 24, 29.9], 30, False),
    ],
)
def test_idle_and_absolute_ends(
    sessions: Sessions,
    ann: str,
    clock: Clock,
    forget: Callable[[], None],
    used_after_days: list[float],
    asked_after_days: float,
    goes_on: bool,
) -> None:
    token, start = sessions.open(ann, "link"), clock.now
    for day in used_after_days:
        clock.now = start + int(day * DAY * 1000)
        forget()
        assert sessions.find(token) is not None
    clock.now = start + int(asked_after_days * DAY * 1000)
    forget()
    assert (sessions.find(token) is not None) is goes_on
    assert (len(sessions.list(ann)) == 1) is goes_on


def test_what_is_believed_for_seconds_still_ends_in_time(make_app: MakeApp, clock: Clock) -> None:
    services = make_app({"CODEINTEL_SESSION_LIFETIME": "60"}).extensions["codeintel"]
    account = services.accounts.create("a@example.org", services.settings.default_tier, 0, False)
    token = services.sessions.open(account.id, "link")
    assert services.sessions.find(token)
    clock.pass_seconds(60)
    assert services.sessions.find(token) is None
    assert KNOWN_SECONDS <= 5


def test_signing_in_again_ends_the_session_before(sessions: Sessions, ann: str, bob: str) -> None:
    first = sessions.open(ann, "link")
    second = sessions.open(bob, "link", replacing=first)
    assert sessions.find(first) is None
    assert sessions.find(second) is not None
    assert sessions.list(ann) == []


def test_the_end_of_the_session_before_is_in_its_accounts_log(
    database_services: Services, sessions: Sessions, ann: str, bob: str
) -> None:
    first = sessions.open(ann, "link")
    before = sessions.find(first)
    second = sessions.find(sessions.open(bob, "link", address="192.0.2.7", replacing=first))
    assert before is not None
    assert second is not None
    ended = database_services.audit.events(ann, 1)[0]
    assert (ended.kind, ended.subject) == (AuditKind.SIGNED_OUT, before.session_id)
    assert (ended.actor, ended.address) == (f"session:{second.session_id}", "192.0.2.7")
    sessions.open(bob, "link", replacing=first)  # this session has already ended
    assert len(database_services.audit.events(ann)) == len(
        [AuditKind.ACCOUNT_MADE, AuditKind.CREDITS_GRANTED, AuditKind.SIGNED_IN, ended.kind]
    )


def test_ending_one_and_all(sessions: Sessions, ann: str, bob: str) -> None:
    tokens = [sessions.open(ann, "link") for _ in range(3)]
    others = sessions.open(bob, "link")
    first = sessions.find(tokens[0])
    assert first is not None
    with pytest.raises(ServiceError, match="no such session"):
        sessions.end(bob, first.session_id, ACTOR)
    sessions.end(ann, first.session_id, ACTOR)
    sessions.end(ann, first.session_id, ACTOR)
    assert sessions.find(tokens[0]) is None
    assert not sessions.is_active(first.session_id)
    assert sessions.end_all(ann, ACTOR) == 2
    assert [sessions.find(token) for token in tokens] == [None] * 3
    assert sessions.find(others) is not None
    with pytest.raises(ServiceError, match="no such session"):
        sessions.end(ann, "ses_nonsense", ACTOR)


def test_another_process_learns_of_the_end(
    database_config: dict[str, object], database_app: Flask, make_app: MakeApp, ann: str
) -> None:
    here = database_app.extensions["codeintel"].sessions
    there = make_app(database_config).extensions["codeintel"].sessions
    token = here.open(ann, "link")
    assert there.find(token) is not None
    here.end_all(ann, ACTOR)
    there._known.expire(there._known.timer() + KNOWN_SECONDS)
    assert there.find(token) is None


def test_the_token_is_not_stored(database_app: Flask, sessions: Sessions, ann: str) -> None:
    token = sessions.open(ann, "link", agent="x" * 1_000)
    with database_app.app_context(), db.engine.connect() as connection:
        [row] = connection.execute(select(SessionRow.__table__)).all()
    assert token not in str(row)
    assert len(row.agent) == 200
