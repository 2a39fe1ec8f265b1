"""Asking all collectors, in the order that their needs allow."""

from __future__ import annotations

from typing import Any

import pytest
from collector_talks import OUTAGE, after, collect, failing, noting, setting, told, values
from gevent.event import Event
from trust_cases import Told

from codeintel.contracts import (
    Conversation,
    Ecosystem,
    Evidence,
    SourceAnswer,
    SourceRequest,
    Target,
)
from codeintel.platform.upstreams.upstream import Upstream
from codeintel.trust import collection
from codeintel.trust.collection import Collecting


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
    """Check that they are skipped immediately. Waiting for the deadline would take eight seconds
    and show up in `killed`."""
    waiting = [Told(name, gives, needs) for name, gives, needs in circle]
    others = [Told("other", other=1)] if has_others else []
    found = collect(*waiting, *others)
    assert values(found) == ({"other": 1} if has_others else {})
    assert not found.failures
    assert not any(each.asked for each in waiting)


def test_who_waited_for_one_that_never_begins_is_given_the_next() -> None:
    """Check that a collector can begin although another was given up in the same round, when the
    last conversation ends."""
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
    """Check that it does not wait for the end of the conversation that found the fact."""
    monkeypatch.setattr(Upstream, "exchange", lambda *_: SourceAnswer(200, {}, b""))
    monkeypatch.setattr(collection, "COLLECT_SECONDS", 2.0)
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


def test_givers() -> None:
    parties = Collecting([Told("a", x=1, y=1), Told("b", y=1), Told("c", z=1)])
    assert parties.givers("y") == ("a", "b")
    assert parties.givers("none") == ()
