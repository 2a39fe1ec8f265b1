"""How runs end. Every terminal event says what the database says."""

from __future__ import annotations

import math
import sys
from typing import Any

import gevent
import pytest
from msgspec.structs import replace
from run_helpers import complete, crash, cut_short, set_, types
from scripted_runs import (
    FULL,
    LEAST,
    START,
    TASK,
    Runs,
    Script,
    finding,
    result,
    says_and_stays,
    stays,
)

from codeintel.contracts import FlowStep, Incomplete, Range, StepKind, Usage
from codeintel.identity.ledger import Balance
from codeintel.runs.run import RunOutcome
from codeintel.runs.service import SHUTDOWN


def test_a_run_that_completes(runs: Runs) -> None:
    run = runs.start(complete)
    assert runs.balance() == Balance(START, FULL)
    assert runs.row(run).state == "running"
    runs.settled(run, "completed", FULL)
    assert runs.balance() == Balance(START - FULL, 0)
    events = runs.events(run)
    assert types(events) == [
        "run.created",
        "progress",
        "finding",
        "output.delta",
        "output.delta",
        "result",
        "usage",
        "run.completed",
    ]
    del events[0]["runId"], events[0]["sequence"]
    assert events[0] == {
        "type": "run.created",
        "kind": "analysis",
        "engine": "scripted",
        "model": "pro",
        "creditsReserved": FULL,
        "ignoredFields": [],
    }
    assert events[-1]["usage"] == {"inputCharacters": len(TASK.code), "outputTokens": 5}
    row = runs.row(run)
    assert (row.kind, row.engine, row.model, row.price) == ("analysis", "scripted", "pro", FULL)


def test_the_reservation_is_told_before_any_work(sqlite_runs: Runs) -> None:
    worked: list[object] = []
    run = sqlite_runs.start(lambda task, _: worked.append(task) or result())
    frames, after = run.log.wait(0, 0)
    assert (after, worked) == (1, [])
    assert b"run.created" in frames
    sqlite_runs.settled(run, "completed", FULL)
    assert worked == [TASK]


def test_what_was_used_is_told_however_it_ends(sqlite_runs: Runs) -> None:
    def use(_task: object, context: Any) -> Any:
        context.used(Usage(input_characters=1, output_tokens=7))
        return cut_short(_task, context)

    run = sqlite_runs.start(use)
    sqlite_runs.settled(run, "incomplete", LEAST)
    assert sqlite_runs.events(run)[-1]["usage"] == {"inputCharacters": 1, "outputTokens": 7}
    run = sqlite_runs.start(lambda _task, context: context.used({"tokens": 7}))
    sqlite_runs.settled(run, "failed", 0)
    assert sqlite_runs.events(run)[-1]["usage"] == {"inputCharacters": len(TASK.code)}


def crash_late(_task: object, context: Any) -> Any:
    context.output("half a")
    raise ZeroDivisionError


def leave(_task: object, _context: object) -> Any:
    sys.exit(3)


def point_outside(task: Any, context: Any) -> Any:
    context.finding(finding(task.code.count("\n") + 2))
    return result()


def lead_outside(_task: Any, context: Any) -> Any:
    steps = (FlowStep(StepKind.SINK, Range(1, 1, 9, 9), "there"),)
    context.finding(replace(finding(1), flow=steps))
    return result()


def result_in_the_end(**changes: Any) -> Any:
    made, usage = result()
    return replace(made, **changes), usage


def half_an_unencodable_result(_task: object, _context: object) -> Any:
    raise Incomplete("too_long", "It is half done.", result("\ud800")[0])


def end_the_greenlet(_task: object, _context: object) -> Any:
    raise gevent.GreenletExit


def interrupt(_task: object, _context: object) -> Any:
    raise KeyboardInterrupt


def say_nonsense(_task: object, context: Any) -> Any:
    context.output("\ud800")
    return result()


@pytest.mark.parametrize(
    ("script", "state", "reason", "charged"),
    [
        (cut_short, "incomplete", "length", LEAST),
        (crash, "failed", "internal_error", 0),
        (crash_late, "failed", "internal_error", 0),
        (leave, "failed", "internal_error", 0),
        (end_the_greenlet, "failed", "internal_error", 0),
        (interrupt, "failed", "internal_error", 0),
        (point_outside, "failed", "internal_error", 0),
        (lead_outside, "failed", "internal_error", 0),
        (lambda *_: result_in_the_end(findings=(finding(99_999),)), "failed", "internal_error", 0),
        (lambda *_: result_in_the_end(metrics={"a": math.nan}), "failed", "internal_error", 0),
        (say_nonsense, "failed", "internal_error", 0),
        (lambda _task, _context: None, "failed", "internal_error", 0),
        (lambda _task, _context: (1, 2), "failed", "internal_error", 0),
        (lambda _task, _context: result("\ud800"), "failed", "internal_error", 0),
        (half_an_unencodable_result, "failed", "internal_error", 0),
    ],
    ids=[
        "incomplete",
        "crash",
        "late",
        "exit",
        "greenlet",
        "interrupt",
        "outside",
        "led outside",
        "in the end outside",
        "no number",
        "nonsense",
        "none",
        "other",
        "unencodable",
        "half unencodable",
    ],
)
def test_a_run_that_does_not_complete(
    runs: Runs, script: Script, state: str, reason: str, charged: int
) -> None:
    run = runs.start(script)
    runs.settled(run, state, charged)
    assert runs.balance() == Balance(START - charged, 0)
    events = runs.events(run)
    assert events[-1]["reason"] == reason
    assert "finding" not in types(events)
    assert "result" not in types(events)
    assert "secret value" not in str(events)


def test_the_words_of_a_run_cut_short_are_made_sendable(runs: Runs) -> None:
    def cut_short_badly(_task: object, _context: object) -> Any:
        raise Incomplete("r" * 2_000, "bad \ud800")

    run = runs.start(cut_short_badly)
    runs.settled(run, "incomplete", LEAST)
    assert runs.events(run)[-1]["message"] == "bad ?"


def test_a_run_may_not_take_too_long(runs: Runs) -> None:
    set_(runs, run_timeout=0.05)
    for work in (stays, says_and_stays):
        run = runs.start(work)
        runs.settled(run, "incomplete", LEAST)
        assert runs.events(run)[-1]["reason"] == "time_limit"


def test_the_time_limit_is_over_with_the_work(
    sqlite_runs: Runs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check that a slow settlement does not count."""
    set_(sqlite_runs, run_timeout=0.05)
    settle = sqlite_runs.services.runs.store.settle

    def slowly(*arguments: Any) -> bool:
        gevent.sleep(0.1)
        return settle(*arguments)

    monkeypatch.setattr(sqlite_runs.services.runs.store, "settle", slowly)
    sqlite_runs.settled(sqlite_runs.start(), "completed", FULL)


@pytest.mark.parametrize("outcome", [None, SHUTDOWN])
def test_an_engine_that_does_not_stop_is_left_behind(
    runs: Runs, monkeypatch: pytest.MonkeyPatch, outcome: RunOutcome | None
) -> None:
    monkeypatch.setattr("codeintel.runs.run.STOP_SECONDS", 0.1)
    said_later: list[str] = []

    def will_not_stop(_task: object, context: Any) -> Any:
        for _ in range(2):
            try:
                gevent.sleep(30)
            except BaseException:  # noqa: BLE001
                said_later.append("still here")
        context.output("too late")

    run = runs.start(will_not_stop)
    if outcome is None:
        run._timeout = 0.05
    gevent.sleep(0.01)
    if outcome is not None:
        run.stop(outcome)
    runs.settled(run, "incomplete", LEAST)
    assert "too late" not in str(runs.events(run))
    assert said_later
