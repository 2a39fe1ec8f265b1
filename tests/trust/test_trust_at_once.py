"""Many parallel requests: they share the work, and are limited."""

from __future__ import annotations

import gevent
import pytest
from gevent.event import Event
from switched_collectors import KAT, Switched, count, refused, together
from trust_cases import KIT, Clock, MakeTrust, Told

from codeintel.base.errors import ErrorCode, ServiceError
from codeintel.contracts import Ecosystem, SourceProblem, Target
from codeintel.trust.service import AT_ONCE


def test_many_who_ask_at_once_ask_once(make_trust: MakeTrust, clock: Clock) -> None:
    """Check that they share one query, even if the first of them leaves."""
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
    """Check that stored scores are still returned to them, although they are stale."""
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
