"""Stored reports about failing sources."""

from __future__ import annotations

import time
from collections.abc import Callable

import gevent
import pytest
from flask import Flask
from responses import RequestsMock

from codeintel.app import Services
from codeintel.contracts import SourceError, SourceProblem
from codeintel.platform.db.models import now_ms
from codeintel.platform.upstreams.upstream import SourceState
from codeintel.search import reports
from codeintel.search.reports import Breaker, SourceReport, report_of

AT = 1_700_000_000_000
TIMEOUT, LIMITED = SourceProblem.TIMEOUT, SourceProblem.RATE_LIMITED
SECONDS = 60


def until(condition: Callable[[], bool]) -> None:
    """Wait, because a greenlet writes the reports."""
    with gevent.Timeout(SECONDS):
        while not condition():
            gevent.sleep(0.005)


@pytest.mark.parametrize(
    ("problem", "failures", "paused_for", "answered", "breaker"),
    [
        (TIMEOUT, 1, None, False, Breaker.CLOSED),
        (TIMEOUT, 3, 5_000, False, Breaker.OPEN),
        (TIMEOUT, 3, 0, False, Breaker.HALF_OPEN),
        (TIMEOUT, 3, -1, False, Breaker.HALF_OPEN),
        (TIMEOUT, 0, -1, True, Breaker.CLOSED),
        (LIMITED, 0, 5_000, False, Breaker.LIMITED),
        (LIMITED, 0, -1, False, Breaker.CLOSED),
        (SourceProblem.REFUSED, 0, None, False, Breaker.CLOSED),
    ],
)
def test_the_breaker(
    problem: SourceProblem, failures: int, paused_for: int | None, answered: bool, breaker: Breaker
) -> None:
    report = SourceReport(
        "a",
        problem,
        "why",
        failures,
        AT - 9_000,
        None if paused_for is None else AT + paused_for,
        AT - 1_000 if answered else None,
    )
    assert report.breaker(AT) is breaker


def test_a_report_of_a_source_that_is_left_alone_and_answers_again() -> None:
    state = SourceState()
    with pytest.raises(ValueError, match="has not failed"):
        report_of("a", state)
    for _ in range(3):
        state.failed(SourceError(TIMEOUT, "late"))
    report = report_of("a", state)
    assert (report.problem, report.message, report.failures) == (TIMEOUT, "late", 3)
    assert report.paused_until_ms is not None
    assert 4_000 < report.paused_until_ms - now_ms() <= 5_000
    assert report.breaker(now_ms()) is Breaker.OPEN
    assert [state.answered(), state.answered()] == [True, False]
    after = report_of("a", state)
    assert (after.failures, after.paused_until_ms) == (0, None)
    assert after.breaker(now_ms()) is Breaker.CLOSED
    state.failed(SourceError(TIMEOUT, "late"))
    assert report_of("a", state).answered_ms is None


def test_what_is_written_is_read_elsewhere(
    database_app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "PAUSE_SECONDS", 0.0)
    services: Services = database_app.extensions["codeintel"]
    first = SourceReport("a", TIMEOUT, "late", 3, AT, AT + 5_000)
    again = SourceReport("a", TIMEOUT, "late", 0, AT, None, AT + 9_000)
    other = SourceReport("b", LIMITED, "enough", 0, AT, AT + 60_000)
    for each in (first, other, again):
        services.source_reports.add(each)
    until(lambda: services.source_reports.all() == {"a": again, "b": other})
    services.source_reports.add(first)
    until(lambda: services.source_reports.all()["a"] == first)


def test_writing_is_bounded_and_keeps_the_newest(
    app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    services: Services = app.extensions["codeintel"]
    written: list[int] = []
    put = reports._put
    monkeypatch.setattr(reports, "_put", lambda *some: (written.append(1), put(*some)))
    monkeypatch.setattr(reports, "PAUSE_SECONDS", 0.05)
    begin = time.monotonic()
    for number in range(20):
        services.source_reports.add(SourceReport("a", TIMEOUT, str(number), number, AT))
        gevent.sleep(0)
    added = time.monotonic() - begin
    until(lambda: [each.failures for each in services.source_reports.all().values()] == [19])
    assert len(written) <= 3 + added / 0.05


def test_an_answer_ends_what_another_process_has_told(
    database_app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "PAUSE_SECONDS", 0.0)
    services: Services = database_app.extensions["codeintel"]
    for name in ("a", "b"):
        services.source_reports.add(SourceReport(name, TIMEOUT, "late", 3, AT, AT + 5_000))
    until(lambda: services.source_reports.all().keys() == {"a", "b"})
    services.source_reports.answered("a")
    services.source_reports.answered("never-failed")
    until(lambda: services.source_reports.all()["a"].answered_ms is not None)
    found = services.source_reports.all()
    assert {name: each.breaker(AT + 6_000) for name, each in found.items()} == {
        "a": Breaker.CLOSED,
        "b": Breaker.HALF_OPEN,
    }


def test_a_search_that_fails_is_written_down(app: Flask) -> None:
    services: Services = app.extensions["codeintel"]
    with RequestsMock() as mock:
        mock.get("https://hub.docker.com/v2/search/repositories/", status=500)
        app.test_client().get("/api/v1/search?q=redis&sources=docker")
    until(lambda: "docker" in services.source_reports.all())
    report = services.source_reports.all()["docker"]
    assert (report.problem, report.failures) == (SourceProblem.UNAVAILABLE, 1)
