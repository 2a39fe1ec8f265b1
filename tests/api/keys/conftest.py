"""A browser whose user manages keys."""

from __future__ import annotations

import pytest
from flask import Flask
from signed_browser import SignedBrowser
from support import User

from codeintel.app import Services


@pytest.fixture
def browser(app: Flask, services: Services, user: User) -> SignedBrowser:
    return SignedBrowser(app, services, user.account.id)
