"""The validity of open streams' credentials: checked often, with few queries."""

from __future__ import annotations

import pytest
from support import User

from codeintel.app import Services
from codeintel.identity.auth import caller as callers
from codeintel.identity.auth.caller import Credential
from codeintel.runs.events.log import CREDENTIAL_SECONDS

STREAMS = 50


def test_streams_of_one_key_look_it_up_once_a_second(
    services: Services, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys, is_active = services.keys, services.keys.is_active
    looked_up: list[str] = []

    def look_up(key_id: str) -> bool:
        looked_up.append(key_id)
        return is_active(key_id)

    monkeypatch.setattr(keys, "is_active", look_up)
    authenticator = callers.ApiKeyAuthenticator(keys)
    now = [0.0]
    authenticator._active = callers.TTLCache(10, callers.BELIEVED_SECONDS, timer=lambda: now[0])
    caller = authenticator.authenticate(Credential(user.token))
    assert caller is not None and caller.key_id is not None
    assert all(authenticator.is_valid(caller) for _ in range(STREAMS))
    assert looked_up == [caller.key_id]
    keys.revoke(user.account.id, caller.key_id)
    now[0] = callers.BELIEVED_SECONDS
    assert not any(authenticator.is_valid(caller) for _ in range(STREAMS))
    assert len(looked_up) == 2


def test_what_is_believed_leaves_time_to_end_within_five_seconds() -> None:
    assert CREDENTIAL_SECONDS + callers.BELIEVED_SECONDS < 5
