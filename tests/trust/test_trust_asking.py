"""Collectors' requests to upstreams: how many, how often, and what refusals mean."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from collector_talks import asking, collect, one_post, told
from trust_cases import KIT, Told
from trust_upstreams import FakeUpstreams, fake_upstreams

from codeintel.contracts import (
    Conversation,
    Evidence,
    Facts,
    SourceAnswer,
    SourceError,
    SourceProblem,
    SourceRequest,
    Target,
)
from codeintel.platform.upstreams.upstream import Upstream
from codeintel.trust.collection import Collecting, session as talking
from codeintel.trust.collection.session import Budget, Talk


@pytest.fixture(scope="module")
def upstreams() -> Iterator[FakeUpstreams]:
    with fake_upstreams() as fake:
        fake.add("kit")
        yield fake


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


def test_collectors_of_one_upstream_share_what_is_known_of_it(upstreams: FakeUpstreams) -> None:
    """Check that a limit of one collector applies to both. Another upstream is still queried."""
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
