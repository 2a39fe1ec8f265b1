"""A service that answers as the test says, and a folder to push to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from scripted_workspaces import (
    ScriptedService,
    scripted_service,
)

from codeintel.client.workspaces import api as workspace_api


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedService]:
    monkeypatch.setattr(workspace_api, "SEND_PAUSES", (0, 0))
    with scripted_service() as made:
        yield made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "my app"
    made.mkdir()
    (made / "a.py").write_text("a\n")
    return made
