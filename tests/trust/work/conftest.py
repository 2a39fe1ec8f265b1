"""A service with packages to refresh, and one without what follows a refresh."""

from __future__ import annotations

import pytest
from flask import Flask
from refreshes import SETTINGS
from support import MakeApp
from trust_upstreams import FakeUpstreams

from codeintel.app import Services


@pytest.fixture
def app(make_app: MakeApp, upstreams: FakeUpstreams) -> Flask:
    for number in range(12):
        upstreams.add(f"kit{number}", repository=f"example-org/kit{number}")
    return make_app({**SETTINGS, **upstreams.settings()})


@pytest.fixture
def quiet(services: Services) -> Services:
    """Disable the work after a snapshot, whose forecasts take seconds."""
    services.trust.work._jobs = None
    return services
