"""A folder for settings."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def instance(tmp_path: Path) -> Path:
    return tmp_path
