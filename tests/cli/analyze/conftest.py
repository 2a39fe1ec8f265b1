"""A service whose answers are recorded, and a file to analyze."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import responses


@pytest.fixture
def service() -> Iterator[responses.RequestsMock]:
    with responses.RequestsMock() as mock:
        yield mock


@pytest.fixture
def code() -> Path:
    path = Path("a.py")
    path.write_bytes(b"x = 1\r\n")
    return path
