"""Ranks against scores that hold still."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from flask import Flask
from hypothesis import given, settings, strategies as st
from sqlalchemy import update
from trust_cases import SHIPPED, inputs_of

from codeintel.app import Services
from codeintel.contracts import Ecosystem, Target
from codeintel.trust import cohorts as module
from codeintel.trust.cohorts import CohortError, Cohorts, Place, _Members
from codeintel.trust.scores import encode_inputs, encode_score, hash_of, score
from codeintel.trust.store import Stored, TrustStore, save
from codeintel.trust.tables import TrustPackage

VERSION = "1-test"


def members(**scores: float) -> _Members:
    return _Members(msgspec.json.encode(sorted(scores.items())).decode())


TEN = members(a=10, b=20, c=30, d=40, e=50, f=50, g=50, h=60, i=70, j=80)


@pytest.mark.parametrize(
    ("key", "score", "place"),
    [
        # A stranger among ten: one above all, below all, and in the middle of three equal ones:
        # 4 are lower, and half of 3: 5.5 of 10.
        ("x", 90, Place(1, 100.0, 11)),
        ("x", 80, Place(1, 95.0, 11)),  # 9 lower, 1 equal
        ("x", 5, Place(11, 0.0, 11)),
        ("x", 10, Place(10, 5.0, 11)),  # 1 equal
        ("x", 50, Place(4, 55.0, 11)),
        ("x", 55, Place(4, 70.0, 11)),
        # A member among the nine others: of the three equal ones two are left: (4 + 1) / 9.
        ("e", 50, Place(4, 55.56, 10)),
        ("j", 80, Place(1, 100.0, 10)),
        ("a", 10, Place(10, 0.0, 10)),
        ("d", 40, Place(7, 33.33, 10)),  # 3 of 9
        # A member whose score is another one now.
        ("j", 55, Place(3, 77.78, 10)),  # h and i are higher; 7 of 9 lower
        ("a", 95, Place(1, 100.0, 10)),
        ("a", 50, Place(4, 50.0, 10)),  # 3 lower, 3 equal: 4.5 of 9
    ],
)
def test_places(key: str, score: float, place: Place) -> None:
    assert TEN.place(key, score) == place


def test_all_equal() -> None:
    equal = members(**dict.fromkeys("abcdefghij", 50.0))
    assert {equal.place(key, 50) for key in "abcdefghijx"} == {
        Place(1, 50.0, 10),
        Place(1, 50.0, 11),
    }


@settings(max_examples=80, deadline=None)
@given(
    st.dictionaries(st.text("abcdef", min_size=1, max_size=3), st.integers(0, 12), min_size=1),
    st.text("abcdef", min_size=1, max_size=3),
    st.integers(0, 12),
)
def test_places_are_as_counted(scores: dict[str, int], key: str, own: int) -> None:
    others = [each for name, each in scores.items() if name != key]
    found = members(**scores).place(key, own)
    assert found.rank == 1 + sum(each > own for each in others)
    points = sum(each < own for each in others) + sum(each == own for each in others) / 2
    expected = 100 * points / len(others) if others else 100
    assert found.percentile == round(expected, 2)
    better = members(**scores).place(key, own + 1)
    assert better.rank <= found.rank and better.percentile >= found.percentile


@pytest.fixture
def store(database_services: Services) -> TrustStore:
    return database_services.trust.store


@pytest.fixture
def cohorts(database_services: Services) -> Cohorts:
    return database_services.trust.cohorts


def put(
    store: TrustStore,
    name: str,
    at: int = 1,
    version: str = VERSION,
    prefix: str = "snap_",
    **more: Any,
) -> str:
    """Store a package, of npm if nothing else is said."""
    target = Target(more.pop("ecosystem", Ecosystem.NPM), name, more.pop("of", ""))
    inputs = inputs_of(more, target)
    judged = score(inputs, SHIPPED)
    judged = msgspec.structs.replace(judged, scorer_version=version)
    encoded = encode_inputs(inputs).decode()
    body = encode_score(judged).decode()
    id_ = f"{prefix}{target.key}_{at}"[:32]
    stored = Stored(id_, target.key, at, version, judged.inputs_hash, encoded, body)
    store.writer.run(lambda connection: save(connection, target, inputs, stored))
    return target.key


def test_building_and_ranking(cohorts: Cohorts, store: TrustStore) -> None:
    """Check on each kind of database which packages count, and that a cohort does not change."""
    assert cohorts.all() == [] and cohorts.newest(Ecosystem.NPM) is None
    for count in range(9):
        put(store, f"kit{count}")
    put(store, "older", version="1-older")
    put(store, "single", of="1.0.0")
    put(store, "recorded", prefix="demo_")
    put(store, "other", ecosystem=Ecosystem.PYPI)
    with pytest.raises(CohortError, match=r"npm has 9 packages with a current score.* requires 10"):
        cohorts.build(Ecosystem.NPM, VERSION)
    put(store, "kit9", status="active")
    made = cohorts.build(Ecosystem.NPM, VERSION)
    assert (made.size, made.ecosystem, made.scorer_version) == (10, "npm", VERSION)
    assert cohorts.newest(Ecosystem.NPM) == made
    rows = store.scores("npm", VERSION)
    assert made.digest == hash_of(msgspec.json.encode(rows))
    assert [key for key, _ in rows] == ["npm:kit9", *(f"npm:kit{n}" for n in range(9))]
    assert rows[0][1] == 13 and rows[1][1] == 8  # a distinct name: 8; 5 for the status
    before = cohorts.place(made, "npm:kit9", 13)
    assert before == Place(1, 100.0, 10)
    # 8 equal of 9 others: 4 / 9.
    assert cohorts.place(made, "npm:kit0", 8) == Place(2, 44.44, 10)
    with store.engine.begin() as connection:  # regardless of later changes to the packages
        connection.execute(update(TrustPackage).values(score=99.0))
    cohorts._members.clear()
    assert cohorts.place(made, "npm:kit9", 13) == before
    with pytest.raises(CohortError, match="1 packages have no current score, such as npm:none"):
        cohorts.build(Ecosystem.NPM, VERSION, ["npm:kit9", "npm:none"])
    with pytest.raises(CohortError, match="npm has 2 packages"):
        cohorts.build(Ecosystem.NPM, VERSION, ["npm:kit9", "npm:kit0", "npm:kit9"])
    chosen = [f"npm:kit{count}" for count in range(9)] + ["npm:kit9"]
    again = cohorts.build(Ecosystem.NPM, VERSION, chosen)
    assert again.digest != made.digest  # by the scores of then
    assert {each.id for each in cohorts.all()} == {made.id, again.id}
    assert cohorts.all(Ecosystem.PYPI) == []


def test_the_newest_counts(app: Flask, services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
    assert app
    for count in range(10):
        put(services.trust.store, f"kit{count}")
    made = []
    for at in (3_000, 1_000, 2_000):
        monkeypatch.setattr(module, "now_ms", lambda at=at: at)
        made.append(services.trust.cohorts.build(Ecosystem.NPM, VERSION))
    newest = services.trust.cohorts.newest(Ecosystem.NPM)
    assert newest is not None and newest.id == made[0].id
    assert [each.id for each in services.trust.cohorts.all()] == [
        made[position].id for position in (0, 2, 1)
    ]
    assert len({each.digest for each in made}) == 1
