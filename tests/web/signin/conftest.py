"""A clock that a test moves, and an account."""

from __future__ import annotations

import pytest
from identity_clock import Clock

from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.identity import links, sessions


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    for module in (links, sessions):
        monkeypatch.setattr(module, "now_ms", made)
    return made


@pytest.fixture
def ann(services: Services) -> str:
    """Return the id of an account."""
    return services.accounts.create("ann@example.org", Tier.FREE, 100, False).id
