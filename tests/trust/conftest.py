"""Fixtures that tests of the trust core share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from trust_cases import SHIPPED, Clock, MakeTrust, Told
from trust_upstreams import FakeUpstreams, fake_upstreams

from codeintel.app import Services
from codeintel.contracts import Collector, Scorer
from codeintel.trust import service
from codeintel.trust.collection import Collecting
from codeintel.trust.service import Trust


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """Replace the clock of the service by one that only moves when a test advances it."""
    made = Clock()
    monkeypatch.setattr(service, "time", made)
    monkeypatch.setattr(service, "now_ms", made.now_ms)
    return made


@pytest.fixture
def make_trust(services: Services) -> MakeTrust:
    """Return a function that builds the trust network of a process, over one database, with the
    given collectors."""

    def make(
        *collectors: Collector, by: tuple[Scorer, ...] = SHIPPED, fresh: float = 21_600
    ) -> Trust:
        return Trust(services.trust.store, Collecting(collectors), by, fresh)

    return make


@pytest.fixture
def registry() -> Told:
    """Return a registry that lists every package."""
    return Told("registry", is_registry=True, version="1.0.0", licenses=["MIT"])


@pytest.fixture
def upstreams() -> Iterator[FakeUpstreams]:
    """Provide upstreams that know a package."""
    with fake_upstreams() as fake:
        fake.add("kit")
        yield fake
