"""Places for databases, and for a backup."""

from __future__ import annotations

from pathlib import Path

import pytest
from backup_places import Places


@pytest.fixture
def places(tmp_path: Path, request: pytest.FixtureRequest) -> Places:
    return Places(tmp_path, lambda: request.getfixturevalue("postgres_server").empty())


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "backup.zip"
