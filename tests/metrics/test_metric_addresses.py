"""The address of the figures, which may not be the service's own."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from servers import free_port

from codeintel.platform.config import SettingError, load_settings
from codeintel.platform.config.settings import Settings
from codeintel.platform.metrics import exposition
from codeintel.testing.server import COMMAND

OWN = "127.0.0.1:9464"


@pytest.fixture
def settings() -> Settings:
    environ = {"CODEINTEL_METRICS_PORT": "9464", "CODEINTEL_KEY_PEPPER": "p" * 32}
    return load_settings({}, environ=environ).settings


@pytest.mark.parametrize(
    "binds",
    [
        [OWN],  # gunicorn's command line takes the place of all others
        [OWN, OWN],
        ["10.0.0.11:9464", OWN],
        ["0.0.0.0:9464", OWN],
        ["[::1]:9464", OWN],
        ["127.0.0.1:8000", ":9464", OWN],
    ],
)
def test_the_service_may_not_listen_at_the_port(settings: Settings, binds: list[str]) -> None:
    with pytest.raises(SettingError, match=r"CODEINTEL_METRICS_PORT is 9464.*--port.*BIND_PORT"):
        exposition.refuse_own(settings, binds)


@pytest.mark.parametrize(
    "binds",
    [
        ["127.0.0.1:8000", OWN],
        ["127.0.0.1:8000"],
        ["127.0.0.1:0", OWN],
        ["unix:/run/codeintel.sock", OWN],
        ["fd://9464", OWN],
    ],
)
def test_other_places_are_the_service_s(settings: Settings, binds: list[str]) -> None:
    exposition.refuse_own(settings, binds)


def test_a_server_says_so_and_does_not_start(tmp_path: Path) -> None:
    """Check the refusal, because such a server would show metrics to everyone."""
    port = str(free_port())
    ended = subprocess.run(
        [*COMMAND, "serve", "--port", port],
        env={
            **os.environ,
            "CODEINTEL_INSTANCE": str(tmp_path),
            "CODEINTEL_METRICS_PORT": port,
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode != 0
    assert f"CODEINTEL_METRICS_PORT is {port}" in ended.stderr
    assert "BIND_PORT" in ended.stderr
    assert "Traceback" not in ended.stderr
