"""Keys in each of the databases, and two accounts."""

from __future__ import annotations

import pytest
from flask import Flask
from identity_clock import Clock
from sqlalchemy import Engine

from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.identity.keys import service
from codeintel.identity.keys.service import Keys
from codeintel.platform.db import db


@pytest.fixture
def engine(database_app: Flask) -> Engine:
    with database_app.app_context():
        return db.engine


@pytest.fixture
def keys(database_services: Services) -> Keys:
    return database_services.keys


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Return the time as keys see it."""
    made = Clock()
    monkeypatch.setattr(service, "now_ms", made)
    return made


@pytest.fixture
def account(database_services: Services) -> str:
    return database_services.accounts.create("a@example.org", Tier.PRO, 0, True).id


@pytest.fixture
def other(database_services: Services) -> str:
    return database_services.accounts.create("b@example.org", Tier.FREE, 0, False).id
