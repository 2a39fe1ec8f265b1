"""Every test has an empty folder, and an instance folder in it that it may fill."""

from __future__ import annotations

from pathlib import Path

import pytest
from doctor_scenes import Scene


@pytest.fixture(autouse=True)
def _empty_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("SERVER_WORKERS", "WEB_CONCURRENCY", "GUNICORN_CMD_ARGS", "PGPASSWORD"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    """Return an installation without a database: an empty instance folder."""
    folder = tmp_path / "instance"
    folder.mkdir(mode=0o700)
    return Scene(folder)
