"""Snapshots are cached while they are fresh, otherwise renewed. Listeners are notified."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import update
from switched_collectors import count
from trust_cases import KIT, SHIPPED, Clock, Fixed, MakeTrust, Told

from codeintel.contracts import Conversation, Ecosystem, Evidence, Target
from codeintel.trust import service
from codeintel.trust.collection import session as talking
from codeintel.trust.scores import encode_score, score
from codeintel.trust.service import PARTIAL_SECONDS
from codeintel.trust.tables import TrustSnapshot


def test_a_fresh_snapshot_asks_nobody(make_trust: MakeTrust, registry: Told, clock: Clock) -> None:
    trust = make_trust(registry, fresh=100)
    first = trust.snapshot(KIT)
    clock.now += 99
    assert trust.snapshot(KIT) == first
    assert make_trust(registry, fresh=100).snapshot(KIT) == first  # another process
    assert registry.asked == 1
    clock.now += 1
    second = trust.snapshot(KIT)
    assert registry.asked == 2
    assert second.id != first.id and second.collected_ms == first.collected_ms + 100_000
    assert trust.stored(KIT) == second
    assert count(trust) == 2


def test_other_rules_ask_again(make_trust: MakeTrust, registry: Told, clock: Clock) -> None:
    assert clock
    first = make_trust(registry).snapshot(KIT)
    other = make_trust(registry, by=(*SHIPPED, Fixed("more", 5, 1.0)))
    second = other.snapshot(KIT)
    assert registry.asked == 2
    assert second.score.scorer_version == other.scorer_version != first.score.scorer_version
    assert other.snapshot(KIT) == second
    assert registry.asked == 2


def test_who_follows_is_told_of_new_snapshots(make_trust: MakeTrust, registry: Told) -> None:
    told: list[str] = []
    trust = make_trust(registry)
    trust.when_stored = told.append
    trust.snapshot(KIT)
    trust.snapshot(KIT)
    trust.collect(KIT)
    assert told == ["npm:kit"]


def test_who_follows_may_fail(make_trust: MakeTrust, registry: Told) -> None:
    def failing(_package: str) -> None:
        raise RuntimeError("the queue is away")

    trust = make_trust(registry)
    trust.when_stored = failing
    assert trust.snapshot(KIT) == trust.stored(KIT)


def test_collecting_stores_nothing(make_trust: MakeTrust, registry: Told, clock: Clock) -> None:
    trust = make_trust(registry)
    stored, inputs = trust.collect(KIT)
    assert count(trust) == 0
    assert stored.package == "npm:kit" and stored.collected_ms == clock.now_ms()
    assert inputs.as_of == f"{datetime.fromtimestamp(clock.now, UTC):%Y-%m-%dT%H:%M:%SZ}"


def test_patience_is_passed_on(
    make_trust: MakeTrust, registry: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    trust, seen = make_trust(registry), list[bool]()
    real = trust.collecting.collect

    def collect(target: Target, *, is_patient: bool) -> Any:
        seen.append(is_patient)
        return real(target, is_patient=is_patient)

    monkeypatch.setattr(trust.collecting, "collect", collect)
    trust.snapshot(KIT)
    trust.collect(KIT, is_patient=True)
    assert seen == [False, True]


STRANGE: dict[str, Any] = {
    "licenses": ["MIT", "\x00", "\u202e", "x" * 10_000],
    "maintainers": [{"id": "\x00", "name": "a\x00b"}, {"id": 5}, "x"],
    "downloads": {"count": 10**400, "period": "last-month"},
    "stars": 10**400,
    "forks": float("nan"),
    "dependents": {"packages": -1, "repositories": 10**30},
    "dependencies": {"direct": [{"name": "\x00"}, {"name": 5}], "edges": 3},
    "releases": [{"version": 1, "at": "9999-12-31T23:59:59Z"}, {"at": "0001-01-01T00:00:00Z"}],
    "repository": "github.com/\x00/..",
    "extra": {"deep": [[[[["\u2028"]]]]]},
}


def test_what_is_stored_replays(make_trust: MakeTrust) -> None:
    """Check that the score follows from the stored data, regardless of plugins' results."""
    trust = make_trust(Told("registry", is_registry=True, **STRANGE))
    trust.snapshot(KIT)
    stored = trust.store.newest("npm:kit")
    assert stored is not None
    again = score(stored.read_inputs(), SHIPPED)
    assert encode_score(again).decode() == stored.body
    assert again.inputs_hash == stored.inputs_hash


class Frozen(datetime):
    @classmethod
    def now(cls, tz: Any = None) -> datetime:
        return datetime(2026, 11, 22, 10, tzinfo=tz)


def test_a_score_depends_on_its_package_alone(
    make_trust: MakeTrust, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that the bytes are the same in any order, and with any other packages."""
    clock.now = 1_795_341_600.0
    monkeypatch.setattr(talking, "datetime", Frozen)

    def talk(target: Target, evidence: Evidence) -> Conversation:
        evidence.add("maintainers", [{"id": "ada"}] * len(target.name))
        evidence.add("licenses", ["MIT"] if target.name < "m" else [])
        yield from ()

    names = ["kit", "kat", "zebra", "a", "express"]
    found = []
    for order in (names, names[::-1], names[2:] + names[:2]):
        trust = make_trust(Told("registry", talk=talk, is_registry=True), fresh=0)
        for name in order:
            trust.snapshot(Target(Ecosystem.NPM, name))
        newest = [trust.store.newest(f"npm:{name}") for name in names]
        found.append([(each.inputs, each.body) for each in newest if each is not None])
    assert found[0] == found[1] == found[2]
    assert len({body for _, body in found[0]}) == len(names)


def test_versions_are_packages_of_their_own(make_trust: MakeTrust, registry: Told) -> None:
    trust = make_trust(registry)
    first = trust.snapshot(KIT)
    second = trust.snapshot(Target(Ecosystem.NPM, "kit", "1.0.0"))
    assert first.id != second.id and registry.asked == 2
    assert trust.store.packages() == ["npm:kit", "npm:kit@1.0.0"]


def test_the_limits_are_what_the_documentation_says() -> None:
    assert (PARTIAL_SECONDS, service.STALE_DAYS, service.REFUSED_SECONDS) == (300, 7, 30)


def test_a_snapshot_of_another_release_is_made_anew(make_trust: MakeTrust, registry: Told) -> None:
    """Check that a new release causes a new snapshot, because the old score may lack evidence."""
    trust = make_trust(registry)
    first = trust.snapshot(KIT)
    older = update(TrustSnapshot).values(body='{"score": 1}')
    trust.store.writer.run(lambda connection: connection.execute(older))
    assert trust.stored(KIT) is None
    second = trust.snapshot(KIT)
    assert second.id != first.id and second.score.score == first.score.score
    assert trust.snapshot(KIT) == second
