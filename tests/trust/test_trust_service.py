"""Snapshots: kept ones while they are fresh, else new ones, else old ones."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import gevent
import pytest
from gevent.event import Event
from sqlalchemy import func, select, update
from trust_cases import KIT, SHIPPED, Clock, Fixed, MakeTrust, Told, signal

from codeintel.contracts import (
    Conversation,
    Ecosystem,
    Evidence,
    SourceError,
    SourceProblem,
    Target,
)
from codeintel.errors import ErrorCode, ServiceError
from codeintel.trust import service, talking
from codeintel.trust.refusals import RETRY_SECONDS
from codeintel.trust.scoring import Status, encode_score, score
from codeintel.trust.service import AT_ONCE, PARTIAL_SECONDS, Snapshot, Trust
from codeintel.trust.tables import TrustSnapshot

DAY = 86_400
KAT = Target(Ecosystem.NPM, "kat")


class Switched(Told):
    """A collector that is away while it is told to be, or knows no package."""

    state = ""
    wait: Event | None = None
    pause_seconds: float | None = 7.0

    def say(self, target: Target, evidence: Evidence) -> Conversation:
        if self.wait is not None:
            self.wait.wait()
        if self.state == "unknown":
            evidence.unknown()
            return
        if self.state:
            raise SourceError(
                SourceProblem(self.state), f"{self.title} is away.", self.pause_seconds
            )
        yield from super().say(target, evidence)


def count(trust: Trust) -> int:
    with trust.store.engine.connect() as connection:
        return connection.scalar(select(func.count()).select_from(TrustSnapshot)) or 0


def refused(trust: Trust, target: Target = KIT) -> ServiceError:
    with pytest.raises(ServiceError) as caught:
        trust.snapshot(target)
    return caught.value


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
    """With the time when it was seen; a stale fact gets no younger by being used again."""
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
    """An upstream that answers takes back what it said: only what fails is stood in for."""
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
    """When the first of them may answer; never at once."""
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


def together(trust: Trust, *targets: Target) -> list[gevent.Greenlet[..., Any]]:
    def ask(target: Target) -> Snapshot | ServiceError:
        try:
            return trust.snapshot(target)
        except ServiceError as error:
            return error

    jobs = [gevent.spawn(ask, each) for each in targets]
    gevent.idle()
    return jobs


def test_many_who_ask_at_once_ask_once(make_trust: MakeTrust, clock: Clock) -> None:
    """Also when the first of them goes away."""
    assert clock
    registry = Switched("registry", is_registry=True, licenses=["MIT"])
    registry.wait = Event()
    trust = make_trust(registry)
    jobs = together(trust, KIT, KIT, KAT, KIT, KIT)
    assert registry.asked == 2
    jobs[0].kill()
    registry.wait.set()
    gevent.joinall(jobs)
    assert len({each.value.id for each in jobs[1:]}) == 2
    assert {each.value.target for each in jobs[1:]} == {KIT, KAT}
    assert registry.asked == count(trust) == 2
    assert not trust._under_way


def test_many_who_ask_at_once_fail_together(make_trust: MakeTrust) -> None:
    registry = Switched("registry", is_registry=True)
    registry.wait, registry.state = Event(), "timeout"
    trust = make_trust(registry)
    jobs = together(trust, KIT, KIT, KIT)
    registry.wait.set()
    gevent.joinall(jobs)
    assert {each.value.code for each in jobs} == {ErrorCode.UPSTREAMS_UNAVAILABLE}
    assert len({id(each.value) for each in jobs}) == 3  # each has its own
    assert registry.asked == 1 and not trust._under_way


def test_strangers_cannot_name_as_many_as_they_like(make_trust: MakeTrust, clock: Clock) -> None:
    """What is stored is told nevertheless, as older than it should be."""
    registry = Switched("registry", is_registry=True, licenses=["MIT"])
    trust = make_trust(registry, fresh=10)
    kept = trust.snapshot(KIT)
    clock.now += 10
    registry.wait = Event()
    jobs = together(trust, *(Target(Ecosystem.NPM, f"kit{n}") for n in range(AT_ONCE)))
    assert registry.asked == AT_ONCE + 1
    for _ in range(2):
        error = refused(trust, KAT)
        assert (error.code, error.retry_after) == (ErrorCode.OVERLOADED, 5)
    found = trust.snapshot(KIT)
    assert found.id == kept.id
    assert [each.code for each in found.outage] == [SourceProblem.RATE_LIMITED]
    registry.wait.set()
    gevent.joinall(jobs)
    assert trust.snapshot(KAT).target == KAT  # it was not kept for refused
    assert trust.snapshot(KIT).id != kept.id


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
    """Whatever plugins find, the score follows from what lies in the database."""
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
    """In any order, and whatever other packages there are: the same bytes."""
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
    """Its score may lack what one has now."""
    trust = make_trust(registry)
    first = trust.snapshot(KIT)
    older = update(TrustSnapshot).values(body='{"score": 1}')
    trust.store.writer.run(lambda connection: connection.execute(older))
    assert trust.stored(KIT) is None
    second = trust.snapshot(KIT)
    assert second.id != first.id and second.score.score == first.score.score
    assert trust.snapshot(KIT) == second


def test_who_may_have_upstreams_asked(make_trust: MakeTrust, registry: Told, clock: Clock) -> None:
    """Asked before a collection begins, and not by those who find or join one."""
    admitted: list[int] = []

    def admit() -> None:
        admitted.append(registry.asked)
        if len(admitted) > 2:
            raise ServiceError(ErrorCode.RATE_LIMIT_EXCEEDED, "Too often.", retry_after=9)

    trust = make_trust(registry, fresh=100)
    waiting = [gevent.spawn(trust.snapshot, KIT, admit) for _ in range(5)]
    gevent.joinall(waiting)
    assert len({job.get().id for job in waiting}) == 1
    trust.snapshot(KIT, admit)
    assert admitted == [0] and registry.asked == 1
    clock.now += 101
    trust.snapshot(KIT, admit)
    clock.now += 101
    old = trust.snapshot(KIT, admit)
    assert len(admitted) == 3 and registry.asked == 2
    assert [(each.source, each.code) for each in old.outage] == [("codeintel", "rate_limited")]
    with pytest.raises(ServiceError, match="Too often") as error:
        trust.snapshot(Target(Ecosystem.NPM, "other"), admit)
    assert error.value.retry_after == 9
    assert trust.snapshot(Target(Ecosystem.NPM, "other")).outage == ()
