"""A server that the tests of a module share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from codeintel.testing.server import LiveServer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with LiveServer(tmp_path_factory.mktemp("instance")) as running:
        yield running
