"""Asking all collectors: in the order that their needs allow, each on its own risk."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gevent
import pytest
from gevent.event import Event
from trust_cases import KIT, Told
from trust_upstreams import FakeUpstreams, fake_upstreams

from codeintel.contracts import (
    Collector,
    Conversation,
    Ecosystem,
    Evidence,
    Facts,
    SourceAnswer,
    SourceError,
    SourceProblem,
    SourceRequest,
    Target,
)
from codeintel.trust import collecting, talking
from codeintel.trust.budget import Budget
from codeintel.trust.collecting import Collected, Collecting
from codeintel.trust.talking import Talk
from codeintel.upstreams.upstream import Upstream

OUTAGE = SourceError(SourceProblem.UNREACHABLE, "It is away.", 7.0)
Talking = Callable[[Target, Evidence], Conversation | None]


def collect(*collectors: Collector, target: Target = KIT, **more: Any) -> Collected:
    return Collecting(collectors).collect(target, **more)


def values(found: Collected) -> dict[str, Any]:
    return {name: each.value for name, each in found.facts.items()}


def told(found: Collected) -> dict[str, str]:
    return {each.source: each.code for each in found.failures}


def failing(error: Exception) -> Talking:
    def talk(_target: Target, _evidence: Evidence) -> Conversation:
        raise error
        yield

    return talk


def after(moment: Event, **found: Any) -> Talking:
    """Finds something once another thing has happened."""

    def talk(_target: Target, evidence: Evidence) -> None:
        moment.wait()
        for name, value in found.items():
            evidence.add(name, value)

    return talk


def setting(moment: Event) -> Talking:
    return lambda _target, _evidence: moment.set()


def noting(names: list[str], *wanted: str) -> Talking:
    def talk(_target: Target, evidence: Evidence) -> None:
        names.extend(str(evidence.known.value(name)) for name in wanted)

    return talk


def test_the_order_decides_and_not_the_speed() -> None:
    """The slower collector is the first: what it finds counts, and is what others are given."""
    is_over, seen = Event(), list[str]()
    slow = Told("slow", ("a",), talk=after(is_over, a="slow"))
    fast = Told("fast", ("a",), talk=setting(is_over), a="fast")
    needing = Told("needing", needs=("a",), talk=noting(seen, "a"))
    found = collect(slow, fast, needing)
    assert values(found) == {"a": "slow"}
    assert found.facts["a"].source == "slow"
    assert seen == ["slow"]
    assert not found.failures


def test_the_next_one_stands_in() -> None:
    seen: list[str] = []
    found = collect(
        Told("needing", needs=("a", "b"), talk=noting(seen, "a", "b")),
        Told("broken", ("a", "b"), talk=failing(OUTAGE), b="partly"),
        Told("empty", ("a", "b")),
        Told("full", a="full", b="full"),
    )
    assert seen == ["full", "partly"]
    assert values(found) == {"a": "full", "b": "partly"}
    assert told(found) == {"broken": "unreachable"}
    assert found.pauses == {"broken": 7.0}


def test_empty_lists_make_way_for_full_ones() -> None:
    found = collect(Told("a", x=[], y={}, z=0), Told("b", x=[1], y={"k": 1}, z=5), Told("c", x=[2]))
    assert values(found) == {"x": [1], "y": {"k": 1}, "z": 0}


def test_a_chain_of_needs() -> None:
    found = collect(
        Told("c", needs=("b",), c=1), Told("b", needs=("a",), b=1), Told("a", a=1), Told("d", d=1)
    )
    assert values(found) == {"a": 1, "b": 1, "c": 1, "d": 1}


@pytest.mark.parametrize(
    "circle",
    [
        [("a", ("a",), ("a",))],
        [("a", ("a",), ("b",)), ("b", ("b",), ("a",))],
        [("a", ("a",), ("b",)), ("b", ("b",), ("c",)), ("c", ("c",), ("a",))],
        [("a", ("a",), ("nobody",)), ("b", ("b",), ("a",))],
    ],
)
@pytest.mark.parametrize("has_others", [True, False])
def test_who_can_never_begin_is_left_out(circle: list[Any], *, has_others: bool) -> None:
    """At once: the deadline would be eight seconds, which `killed` would show."""
    waiting = [Told(name, gives, needs) for name, gives, needs in circle]
    others = [Told("other", other=1)] if has_others else []
    found = collect(*waiting, *others)
    assert values(found) == ({"other": 1} if has_others else {})
    assert not found.failures
    assert not any(each.asked for each in waiting)


def test_who_waited_for_one_that_never_begins_is_given_the_next() -> None:
    """When the last conversation ends, one is left that can begin only after another was given up
    in the same round."""
    seen: list[str] = []
    found = collect(
        Told("needing", needs=("x",), talk=noting(seen, "x")),
        Told("never", ("x",), needs=("y",)),
        Told("next", x="next"),
        Told("last", ("y",)),
    )
    assert seen == ["next"]
    assert values(found) == {"x": "next"}


def test_who_needs_a_fact_begins_as_soon_as_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """And not only when the conversation is over in which it was found."""
    monkeypatch.setattr(Upstream, "exchange", lambda *_: SourceAnswer(200, {}, b""))
    monkeypatch.setattr(collecting, "COLLECT_SECONDS", 2.0)
    has_begun = Event()

    def long(_target: Target, evidence: Evidence) -> Conversation:
        yield SourceRequest("/x")
        evidence.add("a", 1)
        yield SourceRequest("/y")
        has_begun.wait()
        evidence.add("b", 1)

    found = collect(
        Told("long", ("a", "b"), talk=long),
        Told("needing", ("c",), needs=("a",), talk=setting(has_begun), c=1),
    )
    assert values(found) == {"a": 1, "b": 1, "c": 1}
    assert not found.failures


def test_each_begins_once() -> None:
    many = [Told(f"c{n}", needs=("a",), **{f"f{n}": n}) for n in range(20)]
    found = collect(*many, Told("a", a=1))
    assert len(found.facts) == 21
    assert {each.asked for each in many} == {1}


class Careless(Told):
    def collects(self, target: Target) -> bool:
        raise RuntimeError(target.name)


class NoConversation(Told):
    def collect(self, target: Target, evidence: Evidence) -> Any:
        evidence.add("found", target.name)


@pytest.mark.parametrize(
    ("broken", "kept"),
    [
        (Told("broken", talk=failing(RuntimeError("secret")), found="kit"), {"found": "kit"}),
        (Told("broken", talk=failing(OUTAGE), found="kit"), {"found": "kit"}),
        (Told("broken", found="kit", strange=object()), {"found": "kit"}),
        (Told("broken", found="kit", strange="\ud800"), {"found": "kit"}),
        (Told("broken", found="kit", strange={"a": ["\udfff"]}), {"found": "kit"}),
        (Told("broken", found="kit", strange={(1, 2): 3}), {"found": "kit"}),
        (NoConversation("broken"), {"found": "kit"}),
    ],
)
def test_one_that_breaks_costs_its_own_facts(broken: Collector, kept: dict[str, Any]) -> None:
    found = collect(broken, Told("other", other=1))
    assert values(found) == {**kept, "other": 1}
    (failure,) = found.failures
    assert failure.source == "broken"
    assert failure.message in {"Reading The broken failed.", "It is away."}


def test_one_that_cannot_say_what_it_collects_is_left_out() -> None:
    found = collect(Careless("broken", a=1), Told("other", other=1))
    assert values(found) == {"other": 1}


def test_facts_are_what_json_makes_of_them() -> None:
    """A score must follow from what is stored."""
    found = collect(Told("a", nan=float("nan"), pair=(1, 2.0), keys={1: {"b": float("inf")}}))
    assert values(found) == {"pair": [1, 2.0], "keys": {"1": {"b": None}}}
    assert not found.failures


def test_a_failure_is_passed_on_to_those_that_needed_it() -> None:
    """What they would have found is not known: that is another thing than not there."""
    found = collect(
        Told("third", ("c",), needs=("b",)),
        Told("first", ("a",), talk=failing(OUTAGE)),
        Told("second", ("b",), needs=("a",)),
        Told("else", ("d",), needs=("e",)),
    )
    assert [(each.source, each.code) for each in found.failures] == [
        ("third", "unreachable"),
        ("first", "unreachable"),
        ("second", "unreachable"),
    ]
    assert found.failures[2].message == "The second could not be asked: It is away."
    assert set(found.pauses.values()) == {7.0}


def test_what_is_late_is_told_and_what_it_found_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collecting, "COLLECT_SECONDS", 0.05)
    never = Event()
    late = Told("late", ("b",), talk=after(never), a=1)
    found = collect(late, Told("other", other=1), Told("needing", ("c",), needs=("b",)))
    assert values(found) == {"a": 1, "other": 1}
    assert told(found) == {"late": "timeout", "needing": "timeout"}
    assert found.failures[0].message == "The late did not answer in time."


def test_the_deadline_of_background_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collecting, "PATIENT_SECONDS", 0.0)
    late = Told("late", talk=after(Event()))
    assert told(collect(late, is_patient=True)) == {"late": "timeout"}
    assert not told(collect(Told("soon", a=1)))


def unknown(_target: Target, evidence: Evidence) -> None:
    evidence.unknown()


@pytest.mark.parametrize(
    ("states", "is_known", "is_unknown"),
    [
        ("yes yes", True, False),
        ("yes no", True, False),
        ("yes down", True, False),
        ("no no", False, True),
        ("no down", False, False),
        ("down down", False, False),
        ("no", False, True),
        ("", False, False),
    ],
)
def test_whether_a_package_exists(states: str, *, is_known: bool, is_unknown: bool) -> None:
    """One registry that knows it is enough; that none does is known only if all were asked."""
    talks: dict[str, Talking | None] = {"yes": None, "no": unknown, "down": failing(OUTAGE)}
    registries = [
        Told(f"r{n}", talk=talks[each], is_registry=True) for n, each in enumerate(states.split())
    ]
    found = collect(*registries, Told("other", other=1), Told("away", talk=unknown))
    assert (found.is_known, found.is_unknown) == (is_known, is_unknown)


def test_repositories_say_themselves_where_they_are() -> None:
    seen: list[str] = []
    needing = Told("needing", needs=("repository",), talk=noting(seen, "repository"))
    found = collect(
        Told("wrong", repository="github.com/x/y"),
        needing,
        target=Target(Ecosystem.GITHUB, "a/b"),
    )
    assert seen == ["github.com/a/b"] == [found.facts["repository"].value]
    assert found.facts["repository"].url == "https://github.com/a/b"


@pytest.fixture(scope="module")
def upstreams() -> Iterator[FakeUpstreams]:
    with fake_upstreams() as fake:
        fake.add("kit")
        yield fake


def asking(times: int, statuses: list[int] | None = None) -> Talking:
    def talk(_target: Target, evidence: Evidence) -> Conversation:
        for n in range(times):
            answer = yield SourceRequest("/v3/systems/npm/packages/kit")
            evidence.add(f"answer{n}", n)
            if statuses is not None:
                statuses.append(answer.status)

    return talk


def test_answers_reach_the_conversation(upstreams: FakeUpstreams) -> None:
    statuses: list[int] = []
    base = f"{upstreams.url}/depsdev"
    found = collect(Told("a", talk=asking(talking.MAX_REQUESTS, statuses), base_url=base))
    assert statuses == [200] * talking.MAX_REQUESTS
    assert len(found.facts) == talking.MAX_REQUESTS
    assert not found.failures


def test_one_that_asks_on_and_on_is_stopped(upstreams: FakeUpstreams) -> None:
    upstreams.asked.clear()
    found = collect(Told("a", talk=asking(10**9), base_url=f"{upstreams.url}/depsdev"))
    assert upstreams.asked["depsdev"] == talking.MAX_REQUESTS == len(found.facts)
    assert told(found) == {"a": "broken"}
    assert found.failures[0].message == "Reading The a took too many requests."


class Pausing(Told):
    def pause(self, answer: SourceAnswer, now: float) -> float | None:
        return 11.0 if answer.status in {429, 503} and now > 0 else None


class Raising(Told):
    def is_limit(self, answer: SourceAnswer) -> bool:
        raise RuntimeError(answer.status)


@pytest.mark.parametrize(
    ("kind", "down", "code", "pause"),
    [
        (Told, "", None, None),
        (Told, "down", "unavailable", None),
        (Pausing, "down", "unavailable", 11),
        (Pausing, "limited", "rate_limited", 11),
        (Told, "limited", "rate_limited", 60),  # what is assumed where nothing is said
        (Raising, "", "broken", None),
    ],
)
def test_refusals(
    upstreams: FakeUpstreams, kind: type[Told], down: str, code: str | None, pause: float | None
) -> None:
    base = f"{upstreams.url}/osv"
    if down:
        getattr(upstreams, down).add("osv")
    try:
        found = collect(kind("a", talk=one_post, base_url=base), Told("b", b=1))
    finally:
        upstreams.down.clear()
        upstreams.limited.clear()
    assert told(found) == ({} if code is None else {"a": code})
    assert found.pauses == ({} if pause is None else {"a": pytest.approx(pause, abs=1)})
    assert found.facts["b"].value == 1


def one_post(_target: Target, _evidence: Evidence) -> Conversation:
    yield SourceRequest("/v1/query", body=b'{"package": {"name": "kit", "ecosystem": "npm"}}')


def test_collectors_of_one_upstream_share_what_is_known_of_it(upstreams: FakeUpstreams) -> None:
    """A limit that one runs into holds for both; another upstream is asked on."""
    base, other = f"{upstreams.url}/osv", f"{upstreams.url}/depsdev"
    upstreams.limited.add("osv")
    upstreams.asked.clear()
    parties = Collecting(
        [
            Told("a", talk=one_post, base_url=base),
            Told("b", talk=one_post, base_url=f"{base}/"),
            Told("c", talk=asking(1), base_url=other),
        ]
    )
    found = parties.collect(KIT)
    upstreams.limited.clear()
    before = upstreams.asked["osv"]
    again = parties.collect(KIT)
    assert told(found) == told(again) == {"a": "rate_limited", "b": "rate_limited"}
    assert upstreams.asked == {"osv": before, "depsdev": 2}


def test_givers() -> None:
    parties = Collecting([Told("a", x=1, y=1), Told("b", y=1), Told("c", z=1)])
    assert parties.givers("y") == ("a", "b")
    assert parties.givers("none") == ()


def test_background_work_takes_turns(
    upstreams: FakeUpstreams, monkeypatch: pytest.MonkeyPatch
) -> None:
    """People's requests do not: only those of background work are counted."""
    turns: list[str] = []
    monkeypatch.setattr(Budget, "wait", lambda _, base_url, _title: turns.append(base_url))
    base = f"{upstreams.url}/depsdev"
    parties = Collecting([Told("a", talk=asking(3), base_url=base)])
    parties.collect(KIT)
    assert turns == []
    parties.collect(KIT, is_patient=True)
    assert turns == [base] * 3


def test_hourly_limits_of_upstreams_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    class Scarce(Told):
        hourly = 1

    def turn(_target: Target, _evidence: Evidence) -> Conversation:
        for _ in range(2):
            yield SourceRequest("/x")

    monkeypatch.setattr(Upstream, "exchange", lambda *_: SourceAnswer(200, {}, b""))
    found = collect(Scarce("a", talk=turn), Told("b", b=1), is_patient=True)
    assert told(found) == {"a": "rate_limited"}
    assert found.pauses["a"] == pytest.approx(3_600, abs=5)


def test_a_talk_that_is_late_does_not_ask(upstreams: FakeUpstreams) -> None:
    upstreams.asked.clear()
    talk = Talk(Told("a", talk=asking(1)), Evidence(Facts({})))
    upstream = Upstream(f"{upstreams.url}/depsdev", "Fake")
    with pytest.raises(SourceError) as caught:
        talk.run(KIT, upstream, 0.0, lambda: None, lambda: None)
    assert caught.value.problem is SourceProblem.TIMEOUT
    assert not upstreams.asked


def test_nothing_is_left_running() -> None:
    is_ended = Event()

    def talk(_target: Target, _evidence: Evidence) -> Conversation:
        try:
            Event().wait()
        finally:
            is_ended.set()
        yield SourceRequest("/x")

    parties = Collecting([Told("a", talk=talk)])
    job = gevent.spawn(parties.collect, KIT)
    gevent.sleep(0)
    gevent.sleep(0)
    job.kill()
    assert is_ended.wait(5)
