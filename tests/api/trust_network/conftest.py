"""Upstreams with made-up answers, and applications that query them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask
from flask.testing import FlaskClient
from support import MakeApp
from trust_upstreams import FakeUpstreams, fake_upstreams

from codeintel import create_app
from codeintel.platform.db import db
from codeintel.platform.db.migrate import ensure_schema


@pytest.fixture(scope="module")
def upstreams() -> Iterator[FakeUpstreams]:
    with fake_upstreams() as fake:
        fake.add("kit")
        fake.add("@scope/kit", repository="example-org/scoped")
        fake.add(
            "bad",
            repository="example-org/bad",
            advisories=(("GHSA-1", "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H"),),
            status="deprecated",
            attested=False,
            maintainers=("ada",),
            days_since=2_000,
            archived=True,
            checks=dict.fromkeys(
                ("Maintained", "Code-Review", "Dangerous-Workflow", "Token-Permissions"), 0
            ),
        )
        yield fake


@pytest.fixture(scope="module")
def app(upstreams: FakeUpstreams, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flask]:
    """Yield an application that is shared by all tests without side effects."""
    made = create_app(
        {
            "CODEINTEL_INSTANCE": tmp_path_factory.mktemp("instance"),
            "DATABASE_URL": "",
            "REDIS_URL": "",
            "CODEINTEL_JOB_WORKERS": 0,
            **upstreams.settings(),
        }
    )
    ensure_schema(made)
    yield made
    with made.app_context():
        db.engine.dispose()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    return app.test_client()


@pytest.fixture
def alone(make_app: MakeApp, upstreams: FakeUpstreams) -> Iterator[FlaskClient]:
    """Yield a client of an application without stored data."""
    app = make_app({"CODEINTEL_JOB_WORKERS": 0, **upstreams.settings()})
    yield app.test_client()
    upstreams.down.clear()
    upstreams.limited.clear()
