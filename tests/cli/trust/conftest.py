"""An instance with a dozen packages of made-up upstreams."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from trust_cli import Document, run
from trust_upstreams import FakeUpstreams, fake_upstreams

from codeintel import create_app
from codeintel.platform.db import db
from codeintel.platform.db.migrate import ensure_schema
from codeintel.trust.targets import parse_target
from codeintel.trust.work import TrustWork


@pytest.fixture(scope="module")
def upstreams() -> Iterator[FakeUpstreams]:
    with fake_upstreams() as fake:
        for number in range(12):
            fake.add(
                f"kit{number}",
                repository=f"example-org/kit{number}",
                maintainers=("ada", "grace", "linus")[: number % 3 + 1],
            )
        yield fake


@pytest.fixture(scope="module")
def settings(upstreams: FakeUpstreams, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the settings of an instance with ten packages of npm and one of PyPI."""
    config = {
        "CODEINTEL_INSTANCE": str(tmp_path_factory.mktemp("instance")),
        "CODEINTEL_TRUST_REQUESTS_PER_HOUR": "3600000",
        **upstreams.settings(),
    }
    app = create_app({**config, "DATABASE_URL": "", "REDIS_URL": ""})
    ensure_schema(app)
    services = app.extensions["codeintel"]
    services.trust.work._jobs = None
    for name in (*(f"kit{number}" for number in range(10)), "pypi:kit0"):
        services.trust.snapshots.snapshot(parse_target(name))
    with app.app_context():
        db.engine.dispose()
    return config


@pytest.fixture(autouse=True)
def _instance(
    settings: dict[str, str], upstreams: FakeUpstreams, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Disable the work after a snapshot, because forecasts take seconds."""
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(TrustWork, "follow", lambda *_: None)
    yield
    upstreams.down.clear()


@pytest.fixture
def document() -> Document:
    """Return the output of `explain --json`."""
    result = run("explain", "kit2", "--json")
    assert result.exit_code == 0
    found: Document = json.loads(result.stdout)
    return found
