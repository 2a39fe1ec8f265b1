"""Results that are used again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import gevent
import pytest
from flask import Flask
from gevent.event import Event
from msgspec.structs import replace
from run_helpers import complete, crash, until
from scripted_runs import TASK, Runs, result

from codeintel.app import Services
from codeintel.contracts import AnalyzerReport, AnalyzerStatus, Model, Usage
from codeintel.runs import cache
from codeintel.runs.cache import ResultCache
from codeintel.runs.supervisor import ABANDONED


@pytest.fixture
def repeatable(sqlite_runs: Runs, monkeypatch: pytest.MonkeyPatch) -> Iterator[Runs]:
    monkeypatch.setattr(type(sqlite_runs.engine), "repeatable", True)
    yield sqlite_runs


def without_run(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the events about the code, without run ids."""
    said = ("progress", "output.delta", "finding", "result")
    return [{**event, "runId": ""} for event in events if event["type"] in said]


def without_sequence(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the same events without sequence numbers, for runs with more events before them."""
    return [{**event, "sequence": 0} for event in without_run(events)]


def test_an_equal_run_says_the_same_without_working_and_costs_the_same(repeatable: Runs) -> None:
    calls = []

    def counted(task: Any, context: Any) -> Any:
        calls.append(task)
        return complete(task, context)

    first = repeatable.events(repeatable.start(counted))
    run = repeatable.start()
    second = repeatable.events(run)
    assert len(calls) == 1
    assert without_run(first) == without_run(second)
    assert [event["usage"].get("cached", False) for event in (first[-1], second[-1])] == [
        False,
        True,
    ]
    repeatable.settled(run, "completed", charged=3)


class Gated:
    """A script that continues when it is released, and counts its calls."""

    def __init__(self, ending: Callable[[Any, Any], Any]) -> None:
        self.calls = 0
        self.gate = Event()
        self._ending = ending

    def __call__(self, task: Any, context: Any) -> Any:
        self.calls += 1
        self.gate.wait()
        return self._ending(task, context)


def test_equal_runs_at_once_work_once_and_each_costs_its_price(repeatable: Runs) -> None:
    script = Gated(complete)
    started = [repeatable.start(script) for _ in range(3)]
    until(lambda: script.calls == 1)
    gevent.idle()
    script.gate.set()
    said = [repeatable.events(run) for run in started]
    assert script.calls == 1
    # Those that waited say so first.
    assert without_sequence(said[1]) == without_sequence(said[2])
    assert without_sequence(said[1])[1:] == without_sequence(said[0])
    assert [events[-1]["usage"].get("cached", False) for events in said] == [False, True, True]
    for run in started:
        repeatable.settled(run, "completed", charged=3)


def test_where_the_first_fails_the_others_get_a_result(repeatable: Runs) -> None:
    script = Gated(crash)
    first = repeatable.start(script)
    until(lambda: script.calls == 1)
    others = [repeatable.start() for _ in range(2)]
    gevent.sleep(0.05)
    repeatable.engine.script = complete
    script.gate.set()
    repeatable.settled(first, "failed", charged=0)
    for run in others:
        repeatable.settled(run, "completed", charged=3)


def test_when_the_first_fails_one_of_the_others_works_for_all(repeatable: Runs) -> None:
    script = Gated(crash)
    first = repeatable.start(script)
    until(lambda: script.calls == 1)
    second = Gated(complete)
    others = [repeatable.start(second) for _ in range(2)]
    gevent.sleep(0.05)
    script.gate.set()
    until(lambda: second.calls > 0)
    gevent.sleep(0.05)
    assert second.calls == 1  # never two in parallel
    second.gate.set()
    repeatable.settled(first, "failed", charged=0)
    for run in others:
        repeatable.settled(run, "completed", charged=3)
    assert second.calls == 1


def test_where_the_first_is_left_the_other_works_by_itself(repeatable: Runs) -> None:
    script = Gated(complete)
    first = repeatable.start(script)
    until(lambda: script.calls == 1)
    other = repeatable.start()
    gevent.sleep(0.05)
    repeatable.engine.script = complete
    first.stop(ABANDONED)
    repeatable.settled(first, "cancelled", charged=0)
    repeatable.settled(other, "completed", charged=3)


def test_one_that_is_left_while_it_waits_ends_alone(repeatable: Runs) -> None:
    script = Gated(complete)
    first, other = repeatable.start(script), repeatable.start(script)
    until(lambda: script.calls == 1)
    gevent.sleep(0.05)
    other.stop(ABANDONED)
    repeatable.settled(other, "cancelled", charged=0)
    script.gate.set()
    repeatable.settled(first, "completed", charged=3)


def test_what_is_too_large_to_keep_is_given_to_those_who_wait(
    repeatable: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "MAX_BYTES", 8)
    script = Gated(complete)
    started = [repeatable.start(script) for _ in range(2)]
    until(lambda: script.calls == 1)
    gevent.sleep(0.05)
    script.gate.set()
    for run in started:
        repeatable.settled(run, "completed", charged=3)
    assert script.calls == 1


def test_without_a_cache_nobody_waits() -> None:
    store = ResultCache(0)
    with store.making(b"k"):
        assert store.awaited(b"k", pytest.fail) is None


def test_an_engine_that_does_not_say_so_is_asked_each_time(sqlite_runs: Runs) -> None:
    calls = []

    def counted(task: Any, context: Any) -> Any:
        calls.append(task)
        return complete(task, context)

    for _ in range(2):
        sqlite_runs.events(sqlite_runs.start(counted))
    assert len(calls) == 2


class Engine:
    name, version, repeatable = "e", "1", True


class Analyzer:
    name, version = "a", "1"


def key(store: ResultCache, account: str = "acc", **changes: Any) -> Any:
    engine, analyzer = Engine(), Analyzer()
    engine.version = changes.pop("engine_version", "1")
    analyzer.version = changes.pop("analyzer_version", "1")
    return store.key(account, engine, [analyzer], replace(TASK, **changes))  # type: ignore[arg-type, list-item]


@pytest.mark.parametrize(
    "other",
    [
        {"account": "another"},
        {"code": TASK.code + " "},
        {"language": None},
        {"language": "ruby"},
        {"prompt": "?"},
        {"model": Model.FLASH},
        {"engine_version": "2"},
        {"analyzer_version": "2"},
    ],
    ids=str,
)
def test_the_key_depends_on_all_that_the_result_does(other: dict[str, Any]) -> None:
    store = ResultCache(60)
    assert key(store) == key(store)
    assert key(store) != key(store, **other)


@pytest.mark.parametrize("status", list(AnalyzerStatus))
def test_only_what_would_come_out_again_is_kept(status: AnalyzerStatus) -> None:
    store = ResultCache(60)
    report = AnalyzerReport(name="a", version="1", status=status, findings=0, milliseconds=1)
    made = replace(result()[0], analyzers=(report,))
    store.keep(b"k", [], made, Usage(input_characters=1))
    kept = store.get(b"k") is not None
    assert kept is (status is AnalyzerStatus.COMPLETED)


def test_it_holds_a_bounded_number_of_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MAX_BYTES", 100_000)
    store = ResultCache(60)
    made, usage = result("x" * 10_000)
    for number in range(20):
        store.keep(str(number).encode(), [], made, usage)
    kept = [number for number in range(20) if store.get(str(number).encode())]
    assert 5 <= len(kept) < 10
    assert 19 in kept
    store.keep(b"large", [], replace(made, summary="x" * 20_000), usage)
    assert store.get(b"large") is None


def test_no_time_keeps_nothing() -> None:
    store = ResultCache(0)
    store.keep(b"k", [], *result())
    assert store.get(b"k") is None


def test_the_static_engine_is_repeatable(app: Flask, services: Services) -> None:  # noqa: ARG001
    engine = services.runs.registry.engines["static"]
    assert engine.repeatable
    assert engine.version
