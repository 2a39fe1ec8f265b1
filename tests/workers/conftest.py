"""One pool with hostile analyzers for the tests that leave it as it is."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from worker_helpers import Workers, hostile_instance, working


@pytest.fixture(scope="module")
def workers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workers]:
    """Provide a pool of four, shared by the tests of a module."""
    with working(hostile_instance(tmp_path_factory.mktemp("instance"))) as found:
        yield found


@pytest.fixture
def own_instance(tmp_path: Path) -> Path:
    """Return an instance folder with the hostile drop-in, for one test."""
    return hostile_instance(tmp_path / "instance")
