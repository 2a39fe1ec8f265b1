"""The number of keys of an account, with parallel requests."""

from __future__ import annotations

import threading
from contextlib import closing

import pytest
from sqlalchemy import Engine, insert

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.identity.keys import service
from codeintel.identity.keys.service import Keys
from codeintel.platform.db.models import ApiKey
from codeintel.platform.db.writer import Writer, begin_write


def test_a_key_of_a_number_is_made_once(
    keys: Keys, engine: Engine, account: str, other: str
) -> None:
    """Check two processes, each with a separate writer."""
    elsewhere = Keys(engine, Writer(engine), b"another process has the same, in truth")
    keys.create(other, "x", ["api:v1"])  # which does not count
    keys.create(account, "x", ["api:v1"], as_number=0)
    for each in (keys, elsewhere):
        with pytest.raises(ServiceError) as refusal:
            each.create(account, "x", ["api:v1"], as_number=0)
        assert refusal.value.code is ErrorCode.IDEMPOTENCY_CONFLICT
    elsewhere.create(account, "x", ["api:v1"], as_number=1)
    assert len(keys.list(account)) == 2


def test_processes_count_an_accounts_keys_one_after_the_other(engine: Engine, account: str) -> None:
    counts: list[int] = []

    def count() -> None:
        with closing(begin_write(engine)) as connection:
            counts.append(service._count_alone(connection, account))
            connection.commit()

    with closing(begin_write(engine)) as first:
        assert service._count_alone(first, account) == 0
        waiting = threading.Thread(target=count)
        waiting.start()
        waiting.join(0.3)
        assert counts == []
        row = {"account_id": account, "name": "x", "scopes": "api:v1", "preview": "x"}
        row |= {"id": "key_1", "digest": "x"}
        first.execute(insert(ApiKey).values(created_ms=1, expires_ms=2, **row))
        first.commit()
    waiting.join(10)
    assert counts == [1]


def test_an_account_has_so_many_active_keys(
    keys: Keys, account: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "MAX_ACTIVE", 2)
    first, _ = keys.create(account, "x", ["api:v1"])
    keys.create(account, "x", ["api:v1"])
    with pytest.raises(ServiceError, match="Revoke one first"):
        keys.create(account, "x", ["api:v1"])
    keys.create(other, "x", ["api:v1"])
    keys.revoke(account, first.id)
    keys.create(account, "x", ["api:v1"])
    assert len(keys.list(account)) == 3
