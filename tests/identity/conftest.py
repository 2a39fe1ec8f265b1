"""A clock that stands, and two accounts."""

from __future__ import annotations

import pytest
from identity_clock import Clock

from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.identity import audit as audit, links, sessions


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    for module in (audit, links, sessions):
        monkeypatch.setattr(module, "now_ms", made)
    return made


@pytest.fixture
def ann(database_services: Services) -> str:
    """Return the id of an account."""
    return database_services.accounts.create("ann@example.org", Tier.FREE, 100, False).id


@pytest.fixture
def bob(database_services: Services) -> str:
    """Return the id of another account."""
    return database_services.accounts.create("bob@example.org", Tier.PRO, 7, True).id
