"""Rotation: the old key stays valid for the overlap and never beyond its own expiration. A key
has one replacement, and the log entry is in the same transaction."""

from __future__ import annotations

from typing import Any

import gevent
import pytest
from hypothesis import given, settings, strategies as st
from identity_clock import Clock
from sqlalchemy import Connection, Engine, func, select

from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.identity.audit import Actor, AuditKind, AuditRow
from codeintel.identity.keys import service
from codeintel.identity.keys.records import KeyStatus
from codeintel.identity.keys.service import DAY_MS, Keys
from codeintel.platform.db.models import ApiKey
from codeintel.platform.db.writer import Writer

BROWSER = Actor("session:ses_1", "192.0.2.7")


@pytest.fixture
def account(database_services: Services) -> str:
    return database_services.accounts.create("a@example.org", Tier.FREE, 0, False).id


def events(engine: Engine) -> list[tuple[str, str, str, str]]:
    """Return the log's entries about keys: kind, key, actor, address."""
    query = select(AuditRow.kind, AuditRow.subject, AuditRow.actor, AuditRow.address)
    query = query.where(AuditRow.kind.startswith("key.")).order_by(AuditRow.id)
    with engine.connect() as connection:
        return [tuple(row) for row in connection.execute(query)]


def test_both_work_in_the_overlap_and_then_one(keys: Keys, account: str, clock: Clock) -> None:
    old, old_token = keys.create(account, "ci", ["search:read", "api:v1"], 30)
    clock.now += 10 * DAY_MS
    made = keys.rotate(account, old.id, 3_600, actor=BROWSER)
    assert (made.key.name, made.key.scopes) == (old.name, old.scopes)
    assert made.key.expires_at - made.key.created_at == old.expires_at - old.created_at
    assert made.previous.replaced_by == made.key.id
    assert (made.previous.id, made.previous.status) == (old.id, KeyStatus.ACTIVE)
    for later, old_works in ((0, True), (3_599_999, True), (3_600_000, False)):
        clock.now = int(made.key.created_at.timestamp() * 1000) + later
        assert (keys.find(old_token) is not None) is old_works
        assert keys.is_active(old.id) is old_works
        assert keys.find(made.token) is not None


@given(
    days=st.integers(1, 3_650),
    passed=st.floats(0, 1, exclude_max=True),
    overlap=st.integers(0, 604_800),
)
@settings(max_examples=40, deadline=None)
def test_the_old_key_never_lives_longer_than_it_would_have(
    days: int, passed: float, overlap: int
) -> None:
    keys, account, clock = _Lent.keys, _Lent.account, _Lent.clock
    old, old_token = keys.create(account, "x", ["api:v1"], days)
    born, end = clock.now, clock.now + days * DAY_MS
    clock.now = min(end - 1, born + int(passed * days * DAY_MS))
    made = keys.rotate(account, old.id, overlap)
    ends = round(made.previous.expires_at.timestamp() * 1000)
    assert ends == min(end, clock.now + overlap * 1000)
    new_end = clock.now + days * DAY_MS
    assert round(made.key.expires_at.timestamp() * 1000) == new_end
    clock.now = max(ends - 1, clock.now)
    assert (keys.find(old_token) is not None) is (clock.now < ends)
    clock.now = ends
    assert keys.find(old_token) is None
    assert (keys.find(made.token) is not None) is (ends < new_end)


class _Lent:
    """Data that the examples of one test share. They only add to it."""

    keys: Keys
    account: str
    clock: Clock


@pytest.fixture(autouse=True)
def _lend(request: pytest.FixtureRequest) -> None:
    if request.node.originalname.startswith("test_the_old_key_never"):
        services: Services = request.getfixturevalue("services")
        _Lent.clock = request.getfixturevalue("clock")
        _Lent.keys = services.keys
        _Lent.account = services.accounts.create("h@example.org", Tier.FREE, 0, False).id


def test_rotations_at_the_same_time_make_one_replacement(
    keys: Keys, engine: Engine, account: str
) -> None:
    """Check that parallel rotations of one process share a transaction, and that other processes
    have separate ones."""
    old, _ = keys.create(account, "x", ["api:v1"])
    processes = [keys, *(Keys(engine, Writer(engine), b"pepper") for _ in range(3))]

    def rotate(here: Keys) -> str:
        try:
            return here.rotate(account, old.id).key.id
        except ServiceError as error:
            assert error.code is ErrorCode.KEY_NOT_ACTIVE
            return ""

    work = [gevent.spawn(rotate, here) for here in processes for _ in range(3)]
    gevent.joinall(work, timeout=60, raise_error=True)
    (replacement,) = [each.value for each in work if each.value]
    listed = {each.id: each for each in keys.list(account)}
    assert listed.keys() == {old.id, replacement}
    assert listed[old.id].replaced_by == replacement
    assert [kind for kind, *_ in events(engine)] == [AuditKind.KEY_CREATED, AuditKind.KEY_ROTATED]


def test_a_replacement_can_be_rotated_in_turn(keys: Keys, account: str) -> None:
    first, _ = keys.create(account, "x", ["api:v1"])
    second = keys.rotate(account, first.id).key
    third = keys.rotate(account, second.id).key
    found = {each.id: each.replaced_by for each in keys.list(account)}
    assert found == {first.id: second.id, second.id: third.id, third.id: None}


@pytest.mark.parametrize("overlap", [-1, 604_801])
def test_what_is_no_overlap(keys: Keys, account: str, overlap: int) -> None:
    old, _ = keys.create(account, "x", ["api:v1"])
    with pytest.raises(ServiceError) as caught:
        keys.rotate(account, old.id, overlap)
    assert caught.value.details == {"path": "overlapSeconds"}
    assert keys.list(account) == [old]


@pytest.mark.parametrize("key_id", ["key_unknown", "", "é" * 50])
def test_what_is_no_key(keys: Keys, account: str, key_id: str) -> None:
    for change in (keys.rotate, keys.revoke):
        with pytest.raises(ServiceError) as caught:
            change(account, key_id)
        assert caught.value.code is ErrorCode.NOT_FOUND


def test_the_log_tells_of_each_change_once(keys: Keys, engine: Engine, account: str) -> None:
    old, _ = keys.create(account, "x", ["api:v1"], actor=BROWSER)
    new = keys.rotate(account, old.id, actor=BROWSER).key
    keys.revoke(account, new.id)
    keys.revoke(account, new.id)
    assert events(engine) == [
        ("key.created", old.id, BROWSER.name, BROWSER.address),
        ("key.rotated", old.id, BROWSER.name, BROWSER.address),
        ("key.revoked", new.id, "command line", ""),
    ]


@pytest.mark.parametrize("change", ["create", "rotate", "revoke"])
def test_a_change_that_cannot_be_logged_is_not_made(
    keys: Keys, engine: Engine, account: str, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    old, token = keys.create(account, "x", ["api:v1"])

    def broken(connection: Connection, *_: Any, **__: Any) -> None:
        connection.execute(select(func.count()).select_from(ApiKey))
        raise RuntimeError("the log is full")

    monkeypatch.setattr(service, "record", broken)
    with pytest.raises(RuntimeError, match="full"):
        if change == "create":
            keys.create(account, "y", ["api:v1"])
        else:
            getattr(keys, change)(account, old.id)
    monkeypatch.undo()
    assert keys.list(account) == [old]
    assert Keys(engine, keys._writer, keys._pepper).find(token) is not None


def test_a_name_that_one_database_could_not_store(keys: Keys, account: str) -> None:
    with pytest.raises(ServiceError) as caught:
        keys.create(account, "x\0y", ["api:v1"])
    assert caught.value.details == {"path": "name"}
