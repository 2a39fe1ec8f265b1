"""The rows that a new snapshot adds to the stored ones, and those that it leaves unchanged."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from snapshot_rows import NOW, put_snapshot, snapshot
from sqlalchemy import event, select
from trust_cases import (
    KIT,
)

from codeintel.app import Services
from codeintel.contracts import (
    Ecosystem,
    Target,
)
from codeintel.trust.network.reading import neighbourhood
from codeintel.trust.tables import TrustObservation

DAY_MS = 86_400_000


def test_known_releases_are_not_written_again(services: Services) -> None:
    """Thousands of rows for one new release would hold up all requests of the process."""
    store = services.trust.store
    days = [datetime.fromtimestamp(NOW / 1_000 - day * 86_400, UTC) for day in range(300)]
    releases = [{"version": str(n), "at": f"{at:%Y-%m-%dT%H:%M:%SZ}"} for n, at in enumerate(days)]
    put_snapshot(store, snapshot(KIT, NOW, releases=releases[1:]))
    written = []

    @event.listens_for(store.engine, "before_cursor_execute")
    def note(_c: Any, _k: Any, statement: str, parameters: Any, *_: Any) -> None:
        if "INTO trust_observations" in statement:
            written.append(len(parameters))

    put_snapshot(store, snapshot(KIT, NOW + 1, releases=releases))
    event.remove(store.engine, "before_cursor_execute", note)
    assert written == [4]  # one row of four columns
    with store.engine.connect() as connection:
        assert len(connection.execute(select(TrustObservation.at_ms)).all()) == 300


@pytest.mark.parametrize(
    ("days", "found"),
    [
        ((), []),
        ((0,), [0]),
        ((0, 5, 27), [27, 5, 0]),
        ((0, 5, 28, 30, 400), [28, 0]),
        ((0, 400), [400, 0]),
    ],
)
def test_of_a_history_two_counts_are_read(
    services: Services, days: tuple[int, ...], found: list[int]
) -> None:
    store = services.trust.store
    for day in days:
        facts = {"dependents": {"packages": 1_000 - day, "repositories": 1}, "stars": 5}
        put_snapshot(store, snapshot(KIT, NOW - day * DAY_MS, **facts))
    expected = [(NOW - day * DAY_MS, 1_000.0 - day) for day in found]
    assert store.counts_apart("npm:kit", "dependents", 28) == expected


def test_an_old_version_does_not_replace_what_the_current_one_depends_on(
    services: Services,
) -> None:
    """Anybody may ask for any version: the network is of the current ones."""
    store = services.trust.store

    def tell(version: str, needs: str, at: int) -> list[str]:
        facts = {"dependencies": {"direct": [{"name": needs}], "isComplete": True}}
        put_snapshot(store, snapshot(Target(Ecosystem.NPM, "kit", version), at, **facts))
        with store.engine.connect() as connection:
            around = neighbourhood(connection, KIT.key)
        assert around is not None
        return [node.label for node in around.nodes if node.depth]

    assert tell("0.1.0", "oldest", 5) == ["oldest"]  # better than nothing
    assert tell("0.2.0", "older", 6) == ["oldest"]
    assert tell("", "left", 7) == ["left"]
    assert tell("0.1.0", "oldest", 8) == ["left"]
    assert tell("", "right", 9) == ["right"]
