"""The endpoints of a run: its state, its result, its events, and its cancellation."""

from __future__ import annotations

from typing import Any

import gevent
import pytest
from flask import Flask
from flask.testing import FlaskClient
from scripted_runs import FULL, LEAST, START, Runs, decode, finding, result, says_and_stays, stays
from support import User, make_user

from codeintel.app import Services
from codeintel.contracts import AnalysisResult, Usage
from codeintel.platform.db import db
from codeintel.runs.run import Run

SECONDS = 10


@pytest.fixture
def runs(app: Flask, services: Services) -> Runs:
    with app.app_context():
        return Runs(services, db.engine)


@pytest.fixture
def headers(runs: Runs) -> dict[str, str]:
    """Return the headers of the account that owns the runs."""
    _, token = runs.services.keys.create(runs.caller.account_id, "reader", ["analysis:write"])
    return {"x-api-key": token}


def ended(runs: Runs, run: Run) -> Run:
    runs.events(run)
    return run


def with_findings(_task: object, context: Any) -> tuple[AnalysisResult, Usage]:
    found = tuple(finding(line) for line in (1, 2))
    for each in found:
        context.finding(each)
    context.output("Two.")
    whole, usage = result("Two.")
    return AnalysisResult(
        **{**{name: getattr(whole, name) for name in whole.__struct_fields__}, "findings": found}
    ), usage


def test_a_completed_run(client: FlaskClient, runs: Runs, headers: dict[str, str]) -> None:
    run = ended(runs, runs.start(with_findings))
    answer = client.get(f"/api/v1/runs/{run.plan.id}", headers=headers)
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "private, no-store"
    data = answer.json["data"]
    assert data["finishedAt"] >= data["createdAt"]
    assert len(data["result"]["findings"]) == 2
    assert {key: data[key] for key in set(data) - {"createdAt", "finishedAt", "result"}} == {
        "id": run.plan.id,
        "kind": "analysis",
        "state": "completed",
        "engine": "scripted",
        "model": "pro",
        "creditsReserved": FULL,
        "creditsCharged": FULL,
        "reason": None,
        "usage": {"inputCharacters": len(run.plan.task.code), "outputTokens": 5},
    }


def test_a_run_under_way(client: FlaskClient, runs: Runs, headers: dict[str, str]) -> None:
    run = runs.start(stays)
    data = client.get(f"/api/v1/runs/{run.plan.id}", headers=headers).json["data"]
    assert (data["state"], data["creditsCharged"], data["finishedAt"], data["result"]) == (
        "running",
        None,
        None,
        None,
    )


def test_sarif(client: FlaskClient, runs: Runs, headers: dict[str, str]) -> None:
    run = ended(runs, runs.start(with_findings))
    url = f"/api/v1/runs/{run.plan.id}?format=sarif&path=src/app.py"
    answer = client.get(url, headers=headers)
    assert answer.mimetype == "application/sarif+json"
    [sarif_run] = answer.json["runs"]
    assert sarif_run["artifacts"][0]["location"]["uri"] == "src/app.py"
    marks = [each["partialFingerprints"] for each in sarif_run["results"]]
    # Both lines say the same: what tells them apart is their order.
    assert len(marks) == 2
    assert marks[0] != marks[1]


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("src/a b.py", "src/a%20b.py"),
        ("src\\a.py", "src/a.py"),
        ("a#b?.py", "a%23b%3F.py"),
        ("/etc/passwd", None),
        ("C:\\a.py", None),
        ("https://example.org/a.py", None),
        ("../a.py", None),
    ],
)
def test_paths_in_sarif(
    client: FlaskClient, runs: Runs, headers: dict[str, str], path: str, uri: str | None
) -> None:
    run = ended(runs, runs.start(with_findings))
    wanted = {"format": "sarif", "path": path}
    answer = client.get(f"/api/v1/runs/{run.plan.id}", query_string=wanted, headers=headers)
    if uri is None:
        assert (answer.status_code, answer.json["error"]["details"]) == (400, {"path": "path"})
    else:
        assert answer.json["runs"][0]["artifacts"][0]["location"]["uri"] == uri


def test_there_is_no_sarif_without_a_result(
    client: FlaskClient, runs: Runs, headers: dict[str, str]
) -> None:
    run = runs.start(stays)
    answer = client.get(f"/api/v1/runs/{run.plan.id}?format=sarif", headers=headers)
    assert (answer.status_code, answer.json["error"]["code"]) == (404, "not_found")
    assert "running" in answer.json["error"]["message"]


@pytest.mark.parametrize(
    ("query", "header", "first"),
    [("", None, 1), ("?after=2", None, 3), ("", "2", 3), ("?after=1", "3", 4), ("", "0", 1)],
)
def test_events_again(
    client: FlaskClient,
    runs: Runs,
    headers: dict[str, str],
    query: str,
    header: str | None,
    first: int,
) -> None:
    run = runs.start(with_findings)
    everything = runs.events(run)
    if header is not None:
        headers = {**headers, "Last-Event-ID": header}
    answer = client.get(f"/api/v1/runs/{run.plan.id}/events{query}", headers=headers)
    assert (answer.status_code, answer.mimetype) == (200, "text/event-stream")
    assert decode(answer.data) == everything[first - 1 :]


def test_behind_the_last_event_there_is_nothing(
    client: FlaskClient, runs: Runs, headers: dict[str, str]
) -> None:
    run = ended(runs, runs.start())
    url, last = f"/api/v1/runs/{run.plan.id}/events?after=", run.log.length
    answer = client.get(f"{url}{last}", headers=headers)
    assert (answer.status_code, answer.data) == (200, b"")
    answer = client.get(f"{url}{last + 1}", headers=headers)
    assert answer.status_code == 400
    assert answer.json["error"]["details"] == {"path": "after", "last": last}


@pytest.mark.parametrize("header", ["x", "-1", "1.5", "", "\u0661", "9" * 30])
def test_a_wrong_event_id(
    client: FlaskClient, runs: Runs, headers: dict[str, str], header: str
) -> None:
    run = ended(runs, runs.start())
    answer = client.get(
        f"/api/v1/runs/{run.plan.id}/events",
        headers={**headers, "Last-Event-ID": header.encode("utf-8").decode("latin-1")},
    )
    assert (answer.status_code, answer.json["error"]["details"]) == (400, {"path": "Last-Event-ID"})


def test_a_reader_comes_back_while_the_run_goes_on(
    client: FlaskClient, runs: Runs, headers: dict[str, str]
) -> None:
    def script(_task: object, context: Any) -> Any:
        for word in ["one", "two", "three", "four"]:
            context.output(word)
            gevent.sleep(0.02)
        return result("".join(["one", "two", "three", "four"]))

    run = runs.start(script)
    first = client.get(f"/api/v1/runs/{run.plan.id}/events", headers=headers, buffered=False)
    begin = next(first.response)  # type: ignore[call-overload]
    first.close()
    seen = len(decode(begin))
    rest = client.get(f"/api/v1/runs/{run.plan.id}/events?after={seen}", headers=headers)
    assert decode(begin + rest.data) == runs.events(run)


def test_events_that_are_gone(
    client: FlaskClient, runs: Runs, headers: dict[str, str], services: Services
) -> None:
    run = ended(runs, runs.start(with_findings))
    services.runs.logs._ended.clear()  # as after a restart
    answer = client.get(f"/api/v1/runs/{run.plan.id}/events", headers=headers)
    assert (answer.status_code, answer.json["error"]["code"]) == (410, "events_gone")
    place = answer.json["error"]["details"]["run"]
    assert client.get(place, headers=headers).json["data"]["result"]["summary"] == "Two."


@pytest.mark.parametrize(
    ("script", "charged"), [(stays, 0), (says_and_stays, LEAST)], ids=["silent", "said something"]
)
def test_cancel(
    client: FlaskClient, runs: Runs, headers: dict[str, str], script: Any, charged: int
) -> None:
    run = runs.start(script)
    gevent.sleep(0.01)
    url = f"/api/v1/runs/{run.plan.id}/cancel"
    answer = client.post(url, headers=headers)
    assert answer.status_code == 200
    data = answer.json["data"]
    assert (data["state"], data["reason"], data["creditsCharged"]) == (
        "cancelled",
        "cancel_requested",
        charged,
    )
    runs.settled(run, "cancelled", charged)
    assert client.post(url, headers=headers).json["data"] == data
    assert runs.balance().posted == START - charged


def test_half_of_the_longest_answer_costs_the_price(
    client: FlaskClient, runs: Runs, headers: dict[str, str]
) -> None:
    def script(_task: object, context: Any) -> None:
        context.expect_output(10)
        context.output("12345")
        gevent.sleep(SECONDS)

    run = runs.start(script)
    gevent.sleep(0.01)
    data = client.post(f"/api/v1/runs/{run.plan.id}/cancel", headers=headers).json["data"]
    assert (data["state"], data["creditsCharged"]) == ("cancelled", FULL)


def test_cancelling_what_has_ended_changes_nothing(
    client: FlaskClient, runs: Runs, headers: dict[str, str]
) -> None:
    run = ended(runs, runs.start())
    data = client.post(f"/api/v1/runs/{run.plan.id}/cancel", headers=headers).json["data"]
    assert (data["state"], data["creditsCharged"]) == ("completed", FULL)


CALLS = [("GET", ""), ("GET", "/events"), ("POST", "/cancel")]


@pytest.mark.parametrize(("method", "path"), CALLS)
def test_others_do_not_see_it(
    client: FlaskClient, runs: Runs, services: Services, method: str, path: str
) -> None:
    run = runs.start(stays)
    stranger: User = make_user(services, "stranger@example.org")
    answers = [
        client.open(f"/api/v1/runs/{run_id}{path}", method=method, headers=stranger.headers)
        for run_id in (run.plan.id, "run_000000000000000000000000")
    ]
    for answer in answers:
        assert (answer.status_code, answer.json["error"]["code"]) == (404, "not_found")
    assert answers[0].json["error"] == answers[1].json["error"]
    assert not run.log.ended


@pytest.mark.parametrize(("method", "path"), CALLS)
def test_a_key_needs_the_scope_of_the_run_s_kind(
    client: FlaskClient, runs: Runs, method: str, path: str
) -> None:
    run = runs.start(stays)
    _, token = runs.services.keys.create(runs.caller.account_id, "other", ["search:read"])
    url = f"/api/v1/runs/{run.plan.id}{path}"
    answer = client.open(url, method=method, headers={"x-api-key": token})
    assert (answer.status_code, answer.json["error"]["code"]) == (403, "insufficient_scope")
    assert client.open(url, method=method).status_code == 401
    assert not run.log.ended
