"""Each collector is asked on its own risk: one that breaks or is late costs its own facts."""

from __future__ import annotations

from typing import Any

import gevent
import pytest
from collector_talks import OUTAGE, Talking, after, collect, failing, told, unknown, values
from gevent.event import Event
from trust_cases import KIT, Told

from codeintel.contracts import Collector, Conversation, Evidence, SourceRequest, Target
from codeintel.trust import collection
from codeintel.trust.collection import Collecting


class Careless(Told):
    def collects(self, target: Target) -> bool:
        raise RuntimeError(target.name)


class NoConversation(Told):
    def collect(self, target: Target, evidence: Evidence) -> Any:
        evidence.add("found", target.name)


@pytest.mark.parametrize(
    ("broken", "code", "message"),
    [
        (
            Told("broken", talk=failing(RuntimeError("secret")), found="kit"),
            "broken",
            "Reading The broken failed.",
        ),
        (Told("broken", talk=failing(OUTAGE), found="kit"), "unreachable", "It is away."),
        *(
            (each, "broken", "Reading The broken failed.")
            for each in (
                Told("broken", found="kit", strange=object()),
                Told("broken", found="kit", strange="\ud800"),
                Told("broken", found="kit", strange={"a": ["\udfff"]}),
                Told("broken", found="kit", strange={(1, 2): 3}),
                NoConversation("broken"),
            )
        ),
    ],
)
def test_one_that_breaks_costs_its_own_facts(broken: Collector, code: str, message: str) -> None:
    """Check that earlier facts of a failing collector stay."""
    found = collect(broken, Told("other", other=1))
    assert values(found) == {"found": "kit", "other": 1}
    (failure,) = found.failures
    assert (failure.source, failure.code, failure.message) == ("broken", code, message)


def test_one_that_cannot_say_what_it_collects_is_left_out() -> None:
    broken = Careless("broken", a=1)
    found = collect(broken, Told("other", other=1))
    assert values(found) == {"other": 1}
    assert not found.failures and not broken.asked


def test_facts_are_what_json_makes_of_them() -> None:
    """A score must follow from what is stored."""
    found = collect(Told("a", nan=float("nan"), pair=(1, 2.0), keys={1: {"b": float("inf")}}))
    assert values(found) == {"pair": [1, 2.0], "keys": {"1": {"b": None}}}
    assert not found.failures


def test_a_failure_is_passed_on_to_those_that_needed_it() -> None:
    """Check that facts are unknown, rather than missing, if the collector that they need fails."""
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
    assert found.failures[2].message == "The second was not queried: It is away."
    assert set(found.pauses.values()) == {7.0}


def test_what_is_late_is_told_and_what_it_found_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collection, "COLLECT_SECONDS", 0.05)
    never = Event()
    late = Told("late", ("b",), talk=after(never), a=1)
    found = collect(late, Told("other", other=1), Told("needing", ("c",), needs=("b",)))
    assert values(found) == {"a": 1, "other": 1}
    assert told(found) == {"late": "timeout", "needing": "timeout"}
    assert found.failures[0].message == "The late did not answer in time."


def test_the_deadline_of_background_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collection, "PATIENT_SECONDS", 0.0)
    late = Told("late", talk=after(Event()))
    assert told(collect(late, is_patient=True)) == {"late": "timeout"}
    assert not told(collect(Told("soon", a=1)))


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
    """Check that one registry with the package is enough, and that only answers of all prove
    absence."""
    talks: dict[str, Talking | None] = {"yes": None, "no": unknown, "down": failing(OUTAGE)}
    registries = [
        Told(f"r{n}", talk=talks[each], is_registry=True) for n, each in enumerate(states.split())
    ]
    found = collect(*registries, Told("other", other=1), Told("away", talk=unknown))
    assert (found.is_known, found.is_unknown) == (is_known, is_unknown)


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
