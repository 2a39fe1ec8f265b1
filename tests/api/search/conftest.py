"""Registries with made-up answers, and a client of an application that queries them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient
from responses import RequestsMock
from search_requests import CONFIG
from support import MakeApp


@pytest.fixture
def registries() -> Iterator[RequestsMock]:
    with RequestsMock(assert_all_requests_are_fired=False) as mock:
        yield mock


@pytest.fixture
def searching(make_app: MakeApp) -> Flask:
    return make_app(CONFIG)


@pytest.fixture
def api(searching: Flask) -> FlaskClient:
    return searching.test_client()
