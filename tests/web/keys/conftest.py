"""A signed-in user without keys."""

from __future__ import annotations

import pytest
from flask import Flask
from signed_browser import SignedBrowser

from codeintel.app import Services
from codeintel.base.entitlements import Tier


@pytest.fixture
def account(services: Services) -> str:
    return services.accounts.create("ann@example.org", Tier.FREE, 5, False).id


@pytest.fixture
def browser(app: Flask, services: Services, account: str) -> SignedBrowser:
    return SignedBrowser(app, services, account)
