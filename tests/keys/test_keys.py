"""API keys in the database: made, found, listed, used, expired, revoked."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from cachetools import TTLCache
from identity_clock import Clock
from sqlalchemy import Engine, select, update

from codeintel.app import Services
from codeintel.base import key_format
from codeintel.base.entitlements import Scope
from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.identity.keys import service
from codeintel.identity.keys.records import KeyMatch, KeyStatus
from codeintel.identity.keys.service import Keys
from codeintel.platform.db.models import ApiKey

MINUTE = 60_000


def change(engine: Engine, key_id: str, **values: Any) -> None:
    with engine.connect().execution_options(write=True) as connection:
        connection.execute(update(ApiKey).where(ApiKey.id == key_id).values(**values))
        connection.commit()


def found(keys: Keys, token: str) -> KeyMatch:
    match = keys.find(token)
    assert match is not None
    return match


def test_a_new_key(keys: Keys, engine: Engine, account: str, clock: Clock) -> None:
    record, token = keys.create(account, " laptop ", ["search:read", "api:v1", "search:read"])
    assert key_format.is_well_formed(token)
    made = datetime.fromtimestamp(clock.now / 1000, UTC)
    assert record.id.startswith("key_")
    assert (record.name, record.status, record.preview) == (
        "laptop",
        KeyStatus.ACTIVE,
        f"ci_live_…{token[-4:]}",
    )
    assert record.scopes == (Scope.API_V1, Scope.SEARCH_READ)
    assert (record.created_at, record.expires_at) == (made, made + timedelta(days=365))
    assert (record.last_used_at, record.revoked_at) == (None, None)
    assert keys.list(account) == [record]
    match = found(keys, token)
    assert match == KeyMatch(
        key_id=record.id,
        scopes=frozenset({"api:v1", "search:read"}),
        account_id=account,
        tier="PRO",
        unlimited=True,
        last_used_ms=None,
        expires_ms=int(record.expires_at.timestamp() * 1000),
    )
    with engine.connect() as connection:
        [row] = connection.execute(select(ApiKey.__table__)).all()
    assert not [value for value in row if isinstance(value, str) and token[8:-4] in value]
    assert len(row.digest) == 64


@pytest.mark.parametrize(
    ("changed", "path"),
    [
        ({"name": ""}, "name"),
        ({"name": " \t"}, "name"),
        ({"name": "x" * 101}, "name"),
        ({"scopes": []}, "scopes"),
        ({"scopes": ["everything"]}, "scopes"),
        ({"scopes": ["api:v1", "API:V1"]}, "scopes"),
        ({"ttl_days": 0}, "ttlDays"),
        ({"ttl_days": -1}, "ttlDays"),
        ({"ttl_days": 3651}, "ttlDays"),
    ],
)
def test_what_makes_no_key(keys: Keys, account: str, changed: dict[str, Any], path: str) -> None:
    with pytest.raises(ServiceError) as caught:
        keys.create(account, **{"name": "x", "scopes": ["api:v1"], **changed})
    assert caught.value.code is ErrorCode.INVALID_REQUEST
    assert caught.value.details == {"path": path}
    assert keys.list(account) == []


@pytest.mark.parametrize(("name", "days"), [("x", 1), ("é" * 100, 3650)])
def test_the_bounds_are_allowed(keys: Keys, account: str, name: str, days: int) -> None:
    record, token = keys.create(account, name, list(Scope), ttl_days=days)
    assert record.expires_at - record.created_at == timedelta(days=days)
    assert record.scopes == tuple(Scope)
    assert found(keys, token).key_id == record.id


@pytest.mark.parametrize(
    ("expires", "revoked", "status"),
    [
        (1, None, KeyStatus.ACTIVE),
        (0, None, KeyStatus.EXPIRED),
        (-1, None, KeyStatus.EXPIRED),
        (1, -5, KeyStatus.REVOKED),
        (-9, -5, KeyStatus.REVOKED),
    ],
)
def test_the_status_is_derived_and_only_active_keys_are_found(
    keys: Keys,
    engine: Engine,
    account: str,
    clock: Clock,
    expires: int,
    revoked: int | None,
    status: KeyStatus,
) -> None:
    record, token = keys.create(account, "x", ["api:v1"])
    change(
        engine,
        record.id,
        expires_ms=clock.now + expires,
        revoked_ms=None if revoked is None else clock.now + revoked,
    )
    [listed] = keys.list(account)
    assert listed.status is status
    assert (keys.find(token) is not None) is (status is KeyStatus.ACTIVE)


def test_keys_are_listed_newest_first_and_apart(
    keys: Keys, account: str, other: str, clock: Clock
) -> None:
    names = []
    for number in range(3):
        clock.now += 1
        names.append(keys.create(account, f"key {number}", ["api:v1"])[0].name)
    mine, _ = keys.create(other, "foreign", ["api:v1"])
    assert [record.name for record in keys.list(account)] == names[::-1]
    assert keys.list(other) == [mine]


def test_revoking_is_for_good_and_doing_it_again_changes_nothing(
    keys: Keys, account: str, clock: Clock
) -> None:
    record, token = keys.create(account, "x", ["api:v1"])
    spare, spare_token = keys.create(account, "y", ["api:v1"])
    clock.now += 1_000
    first = keys.revoke(account, record.id)
    clock.now += 1_000
    assert keys.revoke(account, record.id) == first
    assert first.status is KeyStatus.REVOKED
    assert first.revoked_at == record.created_at + timedelta(seconds=1)
    assert keys.find(token) is None
    assert found(keys, spare_token).key_id == spare.id


def test_a_foreign_key_is_as_unknown_as_none(keys: Keys, account: str, other: str) -> None:
    record, token = keys.create(account, "x", ["api:v1"])
    errors = []
    for key_id in (record.id, "key_unknown"):
        with pytest.raises(ServiceError) as caught:
            keys.revoke(other, key_id)
        error = caught.value
        errors.append((error.code, error.message.replace(key_id, "?"), error.details))
    assert errors[0] == errors[1]
    assert errors[0][0] is ErrorCode.NOT_FOUND
    assert found(keys, token).key_id == record.id


def test_a_key_that_another_process_revokes_is_believed_for_two_seconds(
    keys: Keys, engine: Engine, account: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert service.KNOWN_SECONDS <= 5  # what the documentation promises
    seconds = 0.0
    monkeypatch.setattr(service, "TTLCache", partial(TTLCache, timer=lambda: seconds))
    here = Keys(engine, keys._writer, keys._pepper)
    record, token = keys.create(account, "x", ["api:v1"])
    assert here.find(token) is not None
    keys.revoke(account, record.id)
    assert keys.find(token) is None  # a process that revokes it rejects it immediately
    assert here.find(token) is not None
    seconds = service.KNOWN_SECONDS
    assert here.find(token) is None


def test_the_last_use_is_written_at_most_once_a_minute(
    keys: Keys, account: str, clock: Clock
) -> None:
    _, token = keys.create(account, "x", ["api:v1"])
    begin, seen = clock.now, []
    for later in (0, 1, MINUTE - 1, MINUTE, MINUTE + 1, 3 * MINUTE):
        clock.now = begin + later
        keys.touch(found(keys, token))
        last = keys.list(account)[0].last_used_at
        assert last is not None
        seen.append(round(last.timestamp() * 1000) - begin)
    assert seen == [0, 0, 0, MINUTE, MINUTE, 3 * MINUTE]


def test_requests_at_the_same_time_write_the_last_use_once(
    keys: Keys, account: str, clock: Clock
) -> None:
    _, token = keys.create(account, "x", ["api:v1"])
    matches = [found(keys, token) for _ in range(2)]
    begin = clock.now
    for match in matches:
        keys.touch(match)
        clock.now += 10
    last = keys.list(account)[0].last_used_at
    assert last is not None
    assert round(last.timestamp() * 1000) == begin


def test_a_malformed_key_is_refused_without_the_database(
    keys: Keys, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keys, "_engine", None)
    assert keys.find("ci_live_" + "x" * 36) is None
    with pytest.raises(AttributeError):  # which a well-formed one would ask
        keys.find(key_format.make_token())


def test_a_key_works_under_its_own_pepper_alone(
    keys: Keys, engine: Engine, account: str, database_services: Services
) -> None:
    _, token = keys.create(account, "x", ["api:v1"])
    assert Keys(engine, database_services.ledger._writer, b"another").find(token) is None
    assert found(keys, token).account_id == account


def test_an_unknown_well_formed_key_is_not_found(keys: Keys, account: str) -> None:
    keys.create(account, "x", ["api:v1"])
    assert keys.find(key_format.make_token()) is None
