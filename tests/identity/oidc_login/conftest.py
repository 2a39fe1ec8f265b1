"""A made-up provider, and a browser with an application that knows it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
import responses
from login_browser import NAME, SECRET, Browser, BrowserOf
from oidc_providers import FakeProvider
from support import MakeApp


@pytest.fixture
def fake() -> Iterator[FakeProvider]:
    with responses.RequestsMock(assert_all_requests_are_fired=False) as mock:
        yield FakeProvider(mock)


@pytest.fixture
def browser_of(make_app: MakeApp, fake: FakeProvider) -> BrowserOf:
    """Return a function that makes an application with the provider, and a browser."""

    def make(config: dict[str, Any] | None = None, **entry: Any) -> Browser:
        raw = fake.raw_entry(**{"name": NAME, "client_secret": SECRET, **entry})
        app = make_app({"CODEINTEL_OIDC_ISSUERS": json.dumps([raw]), **(config or {})})
        return Browser(app.test_client(), app.extensions["codeintel"], fake)

    return make


@pytest.fixture
def browser(browser_of: BrowserOf) -> Browser:
    return browser_of()
