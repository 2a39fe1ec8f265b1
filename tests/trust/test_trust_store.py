"""Snapshots, observations and packages in each kind of database."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from sqlalchemy import func, select
from trust_cases import AS_OF, HOSTILE, SHIPPED, Told, inputs_of

from codeintel.app import Services
from codeintel.contracts import Ecosystem, Target
from codeintel.trust.collection import Collecting
from codeintel.trust.scores import encode_inputs, encode_score, score
from codeintel.trust.service import Trust
from codeintel.trust.store import KEPT_SNAPSHOTS, Stored, TrustStore, save
from codeintel.trust.tables import TrustObservation, TrustPackage, TrustSnapshot

NOW = 1_795_341_600_000
DAY = 86_400_000


@pytest.fixture
def store(database_services: Services) -> TrustStore:
    return database_services.trust.store


def put(
    store: TrustStore, at: int, name: str = "kit", *, id_: str = "", of: str = "", **facts: Any
) -> Stored:
    """Store a snapshot of a package of npm."""
    target = Target(Ecosystem.NPM, name, of)
    inputs = inputs_of(facts, target)
    judged = score(inputs, SHIPPED)
    stored = Stored(
        id_ or f"snap_{name}_{at}",
        target.key,
        at,
        judged.scorer_version,
        judged.inputs_hash,
        encode_inputs(inputs).decode(),
        encode_score(judged).decode(),
    )
    store.writer.run(lambda connection: save(connection, target, inputs, stored))
    return stored


def count(store: TrustStore, model: Any) -> int:
    with store.engine.connect() as connection:
        return connection.scalar(select(func.count()).select_from(model)) or 0


def package(store: TrustStore, key: str = "npm:kit") -> Any:
    with store.engine.connect() as connection:
        return connection.execute(select(TrustPackage.__table__).filter_by(key=key)).one()


def releases(number: int) -> list[dict[str, str]]:
    return [
        {"version": f"1.{n}", "at": f"20{n // 336:02}-{n // 28 % 12 + 1:02}-{n % 28 + 1:02}T00:00Z"}
        for n in range(number)
    ]


def test_what_is_stored_is_what_is_read(store: TrustStore) -> None:
    assert store.newest("npm:kit") is None and store.find("snap_kit_1") is None
    stored = put(store, NOW, stars=5, licenses=["MIT", "\x00\u2028\u202e\U0001f600"])
    assert store.newest("npm:kit") == store.find(stored.id) == stored
    assert store.newest("npm:ki") is None and store.newest("npm:kit@1.0.0") is None
    inputs, judged = stored.read_inputs(), stored.read_score()
    assert encode_inputs(inputs).decode() == stored.inputs
    assert encode_score(judged).decode() == stored.body
    row = package(store)
    assert (row.ecosystem, row.name, row.version) == ("npm", "kit", "")
    assert (row.snapshot_id, row.score) == (stored.id, judged.score)
    assert row.created_ms == row.refreshed_ms == NOW


def test_the_same_snapshot_twice_counts_once(store: TrustStore) -> None:
    first = put(store, NOW, stars=5, releases=releases(3))
    assert put(store, NOW, stars=5, releases=releases(3)) == first
    assert count(store, TrustSnapshot) == count(store, TrustPackage) == 1
    assert count(store, TrustObservation) == 4


def test_what_comes_late_does_not_undo_what_is_newer(store: TrustStore) -> None:
    newer = put(store, NOW + 1, status="active")
    older = put(store, NOW)
    assert store.newest("npm:kit") == newer and store.find(older.id) == older
    row = package(store)
    assert (row.snapshot_id, row.refreshed_ms) == (newer.id, NOW + 1)
    assert row.score == newer.read_score().score
    newest = put(store, NOW + 2)
    assert store.newest("npm:kit") == newest


def test_a_history_grows(store: TrustStore) -> None:
    """Counts with each snapshot, releases once; more of them than one statement takes."""
    many = releases(1_200)
    put(store, NOW, stars=5, releases=many[:1_100], downloads={"count": 9, "period": "last-month"})
    put(store, NOW + 5, stars=6, releases=many, dependents={"packages": 3, "repositories": 4})
    put(store, NOW, name="kat", stars=50)
    found = store.observations("npm:kit")
    assert found["stars"] == [(NOW, 5.0), (NOW + 5, 6.0)]
    assert found["downloads"] == [(NOW, 9.0)]
    assert found["dependents"] == [(NOW + 5, 3.0)]
    assert len(found["release"]) == 1_200
    assert found["release"] == sorted(found["release"])
    assert store.observations("npm:kat") == {"stars": [(NOW, 50.0)]}
    assert store.observations("npm:none") == {}


def test_the_oldest_snapshots_are_forgotten_and_observations_are_not(store: TrustStore) -> None:
    other = put(store, NOW - 1, name="kat")
    for at in range(KEPT_SNAPSHOTS + 3):
        put(store, NOW + at, stars=at)
    assert count(store, TrustSnapshot) == KEPT_SNAPSHOTS + 1
    for at in range(3):
        assert store.find(f"snap_kit_{NOW + at}") is None
    assert store.find(f"snap_kit_{NOW + 3}") is not None
    assert store.newest("npm:kat") == other
    assert len(store.observations("npm:kit")["stars"]) == KEPT_SNAPSHOTS + 3


def test_packages(store: TrustStore) -> None:
    for name in ("zebra", "kit", "@a/b"):
        put(store, NOW, name=name)
    put(store, NOW, of="1.0.0", id_="snap_version")
    assert store.packages() == ["npm:@a/b", "npm:kit", "npm:kit@1.0.0", "npm:zebra"]
    assert store.packages("npm") == store.packages()
    assert store.packages("pypi") == []


def test_nonsense_of_plugins_is_stored(store: TrustStore) -> None:
    """Facts of any shape under names that mean something: none keeps the score back."""
    names = (
        *("releases", "downloads", "dependents", "stars", "forks", "maintainers", "repository"),
        *("dependencies", "licenses", "version", "status"),
    )
    strange = [
        *HOSTILE,
        10**400,
        [{"id": "\x00", "name": "a\x00b", "url": "\x00"}],
        [{"id": "x" * 5_000, "name": "x" * 5_000}],
        {"direct": [{"name": "\x00", "requirement": "\x00"}, {"name": "b", "requirement": "\x00"}]},
        {"direct": [{"name": "b", "version": "1", "requirement": "x" * 5_000}], "isComplete": True},
        {"count": 10**400, "period": "last-month", "packages": 10**400},
        [{"version": "1", "at": "9999-12-31T23:59:59-23:59"}, {"at": "0001-01-01T00:00:00+23:59"}],
        "github.com/a\x00b/c",
    ]
    for at, value in enumerate(strange):
        facts = msgspec.json.decode(msgspec.json.encode(dict.fromkeys(names, value)))
        registry = Told("registry", is_registry=True, **facts)
        trust = Trust(store, Collecting([registry]), SHIPPED, 0)
        target = Target(Ecosystem.NPM, f"kit{at}")
        found = trust.snapshot(target)
        assert found.target == target
        assert trust.stored(target) == found


def test_times_are_in_the_right_order() -> None:
    assert AS_OF == "2026-11-22T10:00:00Z"
    assert len({each["at"] for each in releases(1_200)}) == 1_200


def test_versions_have_one_history(store: TrustStore) -> None:
    """Check that thousands of releases are not stored again for each requested version."""
    for at, version in enumerate(("", "1.0.0", "2.0.0")):
        put(store, NOW + at * DAY, of=version, stars=5 + at, releases=releases(300))
    assert count(store, TrustObservation) == 300 + 3
    assert count(store, TrustPackage) == 3
    found = store.observations("npm:kit@1.0.0")
    assert found == store.observations("npm:kit")
    assert [value for _, value in found["stars"]] == [5, 6, 7]
    for key in ("npm:kit", "npm:kit@2.0.0"):
        counts = store.counts_apart(key, "stars", 1)
        assert counts == [(NOW + DAY, 6.0), (NOW + 2 * DAY, 7.0)]
