"""Known facts replace those that fail now. Without known facts, the refusal gives the reason."""

from __future__ import annotations

import pytest
from switched_collectors import DAY, KAT, Switched, count, refused
from trust_cases import KIT, Clock, MakeTrust, Told, signal

from codeintel.base.errors import ErrorCode
from codeintel.trust.scores import Status
from codeintel.trust.service import PARTIAL_SECONDS, RETRY_SECONDS


def test_a_partial_snapshot_is_fresh_for_less_long(
    make_trust: MakeTrust, registry: Told, clock: Clock
) -> None:
    people = Switched("people", maintainers=[{"id": "ada"}])
    people.state = "unreachable"
    trust = make_trust(registry, people)
    found = trust.snapshot(KIT)
    missing = signal(found.score, "maintainers")
    assert (missing.status, missing.note) == (Status.MISSING, "The people is away.")
    assert [each.source for each in found.inputs.failures] == ["people"]
    assert not found.outage
    people.state = ""
    clock.now += PARTIAL_SECONDS - 1
    assert trust.snapshot(KIT) == found
    clock.now += 1
    whole = trust.snapshot(KIT)
    assert signal(whole.score, "maintainers").status is Status.MEASURED
    assert not whole.inputs.failures and not whole.inputs.givers
    clock.now += PARTIAL_SECONDS
    assert trust.snapshot(KIT) == whole


def test_what_fails_now_is_as_it_was_for_a_week(
    make_trust: MakeTrust, registry: Told, clock: Clock
) -> None:
    """Check that they keep their time, and that reuse does not make a stale fact younger."""
    people = Switched("people", maintainers=[{"id": "ada"}])
    trust = make_trust(registry, people, fresh=DAY)
    first = trust.snapshot(KIT)
    seen_at = signal(first.score, "maintainers").observed_at
    people.state = "timeout"
    for _ in range(7):
        clock.now += DAY
        stale = trust.snapshot(KIT)
        told = signal(stale.score, "maintainers")
        assert (told.status, told.observed_at) == (Status.STALE, seen_at)
        assert stale.inputs.stale == ("maintainers",)
        assert stale.score.score == first.score.score
        assert signal(stale.score, "license").status is Status.MEASURED
    assert people.asked == registry.asked == 8
    clock.now += DAY
    gone = trust.snapshot(KIT)
    assert signal(gone.score, "maintainers").status is Status.MISSING
    assert gone.inputs.stale == ()


def test_what_another_tells_now_is_not_replaced(
    make_trust: MakeTrust, registry: Told, clock: Clock
) -> None:
    first = Switched("first", licenses=["ours"])
    trust = make_trust(first, registry, fresh=1)
    assert signal(trust.snapshot(KIT).score, "license").value == "ours"
    first.state = "timeout"
    clock.now += 1
    found = trust.snapshot(KIT)
    assert signal(found.score, "license").value == "MIT"
    assert found.inputs.stale == ()


def test_what_is_not_told_any_more_goes(
    make_trust: MakeTrust, registry: Told, clock: Clock
) -> None:
    """Check that an upstream's answer removes its earlier facts. Only failures are replaced by
    them."""
    people = Switched("people", maintainers=[{"id": "ada"}])
    other = Switched("other", stars=5)
    trust = make_trust(registry, people, other, fresh=1)
    trust.snapshot(KIT)
    people._found, other.state = {}, "timeout"
    clock.now += 1
    found = trust.snapshot(KIT)
    assert signal(found.score, "maintainers").status is Status.MISSING
    assert found.inputs.stale == ("stars",)


def test_nobody_knows_it(make_trust: MakeTrust, clock: Clock) -> None:
    assert clock
    registry = Switched("registry", is_registry=True)
    registry.state = "unknown"
    trust = make_trust(registry, Told("other", stars=5))
    for _ in range(3):
        error = refused(trust)
        assert error.code is ErrorCode.NOT_FOUND
        assert error.details == {"path": "target", "target": "npm:kit"}
    assert registry.asked == 1  # for a while
    assert refused(trust, KAT).code is ErrorCode.NOT_FOUND
    trust._refused.clear()
    registry.state = ""
    assert trust.snapshot(KIT).target == KIT
    assert count(trust) == 1


@pytest.mark.parametrize("states", ["unknown timeout", "timeout unknown", "timeout timeout"])
def test_nobody_can_say_whether_it_exists(make_trust: MakeTrust, states: str) -> None:
    registries = [Switched(f"r{n}", is_registry=True) for n in range(2)]
    for each, state in zip(registries, states.split(), strict=True):
        each.state = state
    trust = make_trust(*registries, Told("other", stars=5))
    for _ in range(2):
        error = refused(trust)
        assert error.code is ErrorCode.UPSTREAMS_UNAVAILABLE
        assert error.retry_after == 7
        failed = [f"r{n}" for n, state in enumerate(states.split()) if state == "timeout"]
        assert [each.source for each in error.details["unavailable"]] == failed
        assert error.details["target"] == "npm:kit"
    assert {each.asked for each in registries} == {1}
    assert count(trust) == 0
    assert trust.stored(KIT) is None


@pytest.mark.parametrize(
    ("pauses", "retry_after"), [((9.2, 4.1), 5), ((None, 8.0), 8), ((0.0, None), 1), ((), 30)]
)
def test_when_to_try_again(
    make_trust: MakeTrust, pauses: tuple[float | None, ...], retry_after: int
) -> None:
    """Check that it is the earliest time at which an upstream may answer, and never immediately."""
    registries = []
    for number, pause in enumerate(pauses):
        registries.append(Switched(f"r{number}", is_registry=True))
        registries[-1].state, registries[-1].pause_seconds = "timeout", pause
    assert refused(make_trust(*registries)).retry_after == retry_after


def test_without_any_registry(make_trust: MakeTrust) -> None:
    error = refused(make_trust(Told("other", stars=5)))
    assert (error.code, error.retry_after) == (ErrorCode.UPSTREAMS_UNAVAILABLE, RETRY_SECONDS)


def test_what_is_stored_stands_in_for_all(make_trust: MakeTrust, clock: Clock) -> None:
    registry = Switched("registry", is_registry=True, licenses=["MIT"])
    trust = make_trust(registry, fresh=10)
    kept = trust.snapshot(KIT)
    registry.state = "unreachable"
    clock.now += 40 * DAY
    for _ in range(3):
        found = trust.snapshot(KIT)
        assert (found.id, found.score, found.inputs) == (kept.id, kept.score, kept.inputs)
        assert [each.source for each in found.outage] == ["registry"]
    assert registry.asked == 2
    assert count(trust) == 1
    registry.state = ""
    trust._refused.clear()
    new = trust.snapshot(KIT)
    assert new.id != kept.id and not new.outage


def test_what_was_removed_is_not_found(make_trust: MakeTrust, clock: Clock) -> None:
    registry = Switched("registry", is_registry=True, licenses=["MIT"])
    trust = make_trust(registry, fresh=10)
    trust.snapshot(KIT)
    registry.state = "unknown"
    assert trust.snapshot(KIT).target == KIT
    clock.now += 10
    assert refused(trust).code is ErrorCode.NOT_FOUND
