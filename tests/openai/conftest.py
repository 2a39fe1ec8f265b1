"""A fake API that these tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fake_models import FakeApi, running_fake_api


@pytest.fixture(scope="session")
def fake_api() -> Iterator[FakeApi]:
    with running_fake_api() as api:
        yield api
