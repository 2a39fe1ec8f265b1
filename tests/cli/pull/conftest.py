"""A service that follows a script, and a folder."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from scripted_workspaces import ScriptedService, scripted_service


@pytest.fixture
def service() -> Iterator[ScriptedService]:
    with scripted_service() as made:
        yield made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "folder"
    made.mkdir()
    return made
