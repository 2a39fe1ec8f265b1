"""A server and a fake model API that the tests of a module share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fake_models import FakeApi, running_fake_api

from codeintel.testing.server import LiveServer


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with LiveServer(tmp_path_factory.mktemp("instance")) as running:
        yield running


@pytest.fixture(scope="module")
def fake_api() -> Iterator[FakeApi]:
    with running_fake_api() as api:
        yield api
