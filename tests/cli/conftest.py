"""Every command runs in an empty folder, and knows nothing of the environment of the tests."""

from __future__ import annotations

import os
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in list(os.environ):
        if name.startswith("CODEINTEL_") or name in {"DATABASE_URL", "REDIS_URL", "NO_COLOR"}:
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use a separate instance folder, and only plugins that a test drops in."""
    monkeypatch.setenv("CODEINTEL_INSTANCE", str(tmp_path / "instance"))
    monkeypatch.setattr("codeintel.platform.plugins.discovery.shipped", tuple)
    return tmp_path / "instance"
