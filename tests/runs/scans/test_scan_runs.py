"""Scans over the API: contents, events, charges, reuse, resumption and the end."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import gevent
import pytest
from scan_accounts import Scanning, events_of, files_of
from scan_helpers import SQL_INJECTION, found_file, scanned, scanner

from codeintel.base.entitlements import Tier
from codeintel.contracts import AnalysisResult, AnalysisTask
from codeintel.contracts.scans.records import Cause
from codeintel.identity.auth.caller import Caller, Proof
from codeintel.runs.scans.analysis import ContentAnalysis
from codeintel.runs.scans.results import with_excerpts

FILES = {"app/db.py": SQL_INJECTION, "app/copy.py": SQL_INJECTION, "ok.js": "let x = 1\n"}


def wait_for(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until a condition is true."""
    with gevent.Timeout(seconds):
        while not condition():
            gevent.sleep(0.02)


def test_a_scan_has_the_results_of_a_local_one(scanning: Scanning) -> None:
    answer = scanning.request(FILES, name="shop\nweb", model="flash")
    assert answer.status_code == 201, answer.text
    ticket = answer.json["data"]
    assert ticket["price"] == 2
    # A content is sent once for any number of files.
    wanted = list(dict.fromkeys(found_file(path, text).sha256 for path, text in FILES.items()))
    assert ticket["missing"] == wanted
    assert scanning.send(ticket["runId"], SQL_INJECTION).json["data"] == {"missing": 1}
    assert scanning.send(ticket["runId"], FILES["ok.js"]).json["data"] == {"missing": 0}
    assert scanning.balance == (100, 0)
    events = scanning.stream(ticket["runId"])
    assert [events[0]["type"], events[0]["kind"], events[0]["creditsReserved"]] == [
        "run.created",
        "scan",
        2,
    ]
    local = scanned(scanner(scanning.services), FILES)
    found = {path: with_excerpts(each, FILES[path]) for path, each in files_of(events).items()}
    assert found == local
    result = next(each["result"] for each in events if each["type"] == "result")
    assert result["kind"] == "scan"
    assert result["findings"] == []
    summary = result["summary"]
    assert (summary["files"], summary["analyzed"], summary["cached"]) == (3, 3, 0)
    assert summary["lines"] == sum(each.lines for each in local.values())
    assert sum(summary["counts"].values()) == sum(len(each.findings) for each in local.values())
    assert (events[-1]["type"], events[-1]["creditsCharged"]) == ("run.completed", 2)
    assert scanning.balance == (98, 0)


def test_contents_are_deleted_and_results_are_reused(scanning: Scanning) -> None:
    run_id = scanning.ready(FILES)
    assert scanning.rows() == (1, 2, 0)
    scanning.stream(run_id)
    wait_for(lambda: scanning.rows() == (0, 0, 2))
    again = scanning.request(FILES | {"new.py": "y = 2\n"})
    assert again.json["data"]["missing"] == [found_file("", "y = 2\n").sha256]
    scanning.send(again.json["data"]["runId"], "y = 2\n")
    events = scanning.stream(again.json["data"]["runId"])
    assert {path: each.cached for path, each in files_of(events).items()} == {
        **dict.fromkeys(FILES, True),
        "new.py": False,
    }
    # A deeper model has other results, and so has another account.
    assert len(scanning.request(FILES, model="pro").json["data"]["missing"]) == 2
    assert len(Scanning(scanning.app).request(FILES).json["data"]["missing"]) == 2


def test_the_stored_run_has_the_findings(scanning: Scanning) -> None:
    run_id = scanning.ready(FILES, name="shop")
    events = scanning.stream(run_id)
    report = scanning.ask("GET", f"/runs/{run_id}").json["data"]
    assert (report["kind"], report["state"], report["creditsCharged"]) == ("scan", "completed", 2)
    findings = report["result"]["findings"]
    expected = [each for file in files_of(events).values() for each in file.findings]
    assert sorted(each["fingerprint"] for each in findings) == sorted(
        each.fingerprint for each in expected
    )
    ranks = ["critical", "high", "medium", "low", "info"]
    order = [ranks.index(each["finding"]["severity"]) for each in findings]
    assert order == sorted(order)
    assert scanning.services.runs.records.find(run_id).file == "shop"  # type: ignore[union-attr]


def test_a_scan_is_read_as_sarif(scanning: Scanning) -> None:
    answer = scanning.request(
        FILES, leftOut=[{"path": "ä/big.py", "reason": "too large", "cause": "size"}]
    )
    run_id = answer.json["data"]["runId"]
    scanning.send(run_id, *FILES.values())
    found = files_of(scanning.stream(run_id))
    (log,) = scanning.ask("GET", f"/runs/{run_id}?format=sarif").get_json(force=True)["runs"]
    places = [
        each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        for each in log["results"]
    ]
    assert sorted(places) == sorted(path for path, each in found.items() for _ in each.findings)
    told = log["invocations"][0]["toolExecutionNotifications"]
    assert [
        each["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for each in told
    ] == ["%C3%A4/big.py"]


def test_a_stream_resumes_and_costs_nothing_more(scanning: Scanning) -> None:
    run_id = scanning.ready(FILES)
    events = scanning.stream(run_id)
    assert scanning.stream(run_id, after=2) == events[2:]
    assert scanning.stream(run_id) == events
    more = scanning.ask("GET", f"/runs/{run_id}/events")
    assert events_of(more) == events
    assert scanning.balance == (98, 0)


def test_a_file_that_was_not_sent_is_told(scanning: Scanning) -> None:
    answer = scanning.request(
        FILES, leftOut=[{"path": "big.py", "reason": "too large", "cause": "size"}]
    )
    run_id = answer.json["data"]["runId"]
    scanning.send(run_id, SQL_INJECTION)
    events = scanning.stream(run_id)
    missing = files_of(events)["ok.js"]
    assert missing.cause is Cause.UNREADABLE
    summary = next(each["result"]["summary"] for each in events if each["type"] == "result")
    assert [(each["path"], each["cause"]) for each in summary["leftOut"]] == [
        ("ok.js", "unreadable"),
        ("big.py", "size"),
    ]
    assert summary["analyzed"] == 2


def test_a_repeated_request_names_the_same_scan(scanning: Scanning) -> None:
    first = scanning.request(FILES, key="one")
    again = scanning.request(FILES, key="one")
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json["data"] == again.json["data"]
    scanning.send(first.json["data"]["runId"], *FILES.values())
    assert scanning.request(FILES, key="one").json["data"]["missing"] == []
    run_id = first.json["data"]["runId"]
    scanning.stream(run_id)
    wait_for(lambda: scanning.rows()[0] == 0)
    ended = scanning.request(FILES, key="one")
    assert (ended.status_code, ended.json["data"]["runId"]) == (200, run_id)
    assert scanning.balance == (98, 0)
    other = scanning.request({"a.py": "x"}, key="one")
    assert (other.status_code, other.json["error"]["code"]) == (409, "idempotency_conflict")


@pytest.mark.parametrize(
    ("files", "path"),
    [
        ([], "files"),
        ([{"path": "/a.py"}], "files[0].path"),
        ([{"path": "a/../b.py"}], "files[0].path"),
        ([{"path": "a\0.py"}], "files[0].path"),
        ([{"path": "a.py"}, {"path": "a.py"}], "files[1].path"),
        ([{"path": "a.py"}, {"path": "b.py", "size": 2}], "files[1].size"),
        ([{"path": "a.py", "sha256": "A" * 64}], "files[0].sha256"),
        ([{"path": "a.py", "size": 2**31 + 1}], "files"),
    ],
)
def test_invalid_files_are_rejected(
    scanning: Scanning, files: list[dict[str, object]], path: str
) -> None:
    rest = {"sha256": "0" * 64, "size": 1, "language": None}
    answer = scanning.ask("POST", "/scans", json={"files": [{**rest, **each} for each in files]})
    assert (answer.status_code, answer.json["error"]["details"]["path"]) == (400, path)
    assert scanning.rows() == (0, 0, 0)


def test_contents_of_other_files_are_rejected(scanning: Scanning) -> None:
    run_id = scanning.request(FILES).json["data"]["runId"]
    answer = scanning.send(run_id, SQL_INJECTION, "something else")
    assert (answer.status_code, answer.json["error"]["details"]["path"]) == (400, "contents[1]")
    assert scanning.rows()[1] == 0


def test_scans_of_other_accounts_do_not_exist(scanning: Scanning) -> None:
    run_id = scanning.ready(FILES)
    other = Scanning(scanning.app)
    for answer in (
        other.send(run_id, SQL_INJECTION),
        other.ask("GET", f"/scans/{run_id}/stream"),
        other.ask("DELETE", f"/scans/{run_id}"),
    ):
        assert answer.status_code == 404
    assert scanning.rows() == (1, 2, 0)
    assert scanning.ask("DELETE", f"/scans/{run_id}").status_code == 204
    assert scanning.rows() == (0, 0, 0)
    assert scanning.ask("GET", f"/scans/{run_id}/stream").status_code == 404


def test_too_few_credits_are_told_before_contents_and_at_the_start(scanning: Scanning) -> None:
    poor = Scanning(scanning.app, credits_=1)
    answer = poor.request(FILES)
    assert (answer.status_code, answer.json["error"]["code"]) == (402, "insufficient_credits")
    just = Scanning(scanning.app, credits_=2)
    first = just.ready(FILES)
    second = just.request(FILES, key="second").json["data"]["runId"]
    just.stream(first)
    answer = just.ask("GET", f"/scans/{second}/stream")
    assert answer.status_code == 402
    assert just.balance == (0, 0)
    # The key of the request still names the scan, which can start later.
    again = just.request(FILES, key="second")
    assert (again.status_code, again.json["data"]["runId"]) == (200, second)


def test_scans_have_their_own_limit(scanning: Scanning) -> None:
    free = Scanning(scanning.app, tier=Tier.FREE)
    kept = [free.request({"a.py": "x\n"}, key="k").json["data"]["runId"] for _ in range(3)]
    assert len(set(kept)) == 1
    answers = [free.request({"a.py": "x\n"}) for _ in range(5)]
    assert [each.status_code for each in answers] == [201] * 4 + [429]
    assert "scans an hour" in answers[-1].json["error"]["message"]


def test_waiting_scans_and_their_bytes_are_limited(
    scanning: Scanning, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scanning.services.scans._store, "_most_bytes", 30)
    run_id = scanning.request({"a.py": "a" * 20, "b.py": "b" * 20}).json["data"]["runId"]
    assert scanning.send(run_id, "a" * 20).status_code == 200
    full = scanning.send(run_id, "b" * 20)
    assert (full.status_code, full.json["error"]["code"]) == (403, "storage_limit_exceeded")
    assert full.json["error"]["details"] == {"limit": 30, "stored": 20, "needed": 20}
    assert scanning.send(run_id, "a" * 20).status_code == 200  # it is there already
    monkeypatch.setattr("codeintel.runs.scans.storage.MAX_WAITING", 2)
    assert scanning.request({"a.py": "x"}).status_code == 201
    assert scanning.request({"a.py": "x"}).status_code == 403


def test_what_does_not_start_in_time_is_deleted(
    scanning: Scanning, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = scanning.ready(FILES)
    assert scanning.services.scans.sweep() == 0
    later = time.time_ns() // 1_000_000 + 3_601_000
    for module in ("service", "storage"):
        monkeypatch.setattr(f"codeintel.runs.scans.{module}.now_ms", lambda: later)
    assert scanning.ask("GET", f"/scans/{run_id}/stream").status_code == 404
    scanning.services.scans.sweep()
    assert scanning.rows() == (0, 0, 0)


@pytest.mark.parametrize(("analyzed", "charged"), [(40, 2), (80, 3)])
def test_a_cancelled_scan_keeps_its_results_and_costs_what_was_sent(
    scanning: Scanning, monkeypatch: pytest.MonkeyPatch, analyzed: int, charged: int
) -> None:
    analyze = ContentAnalysis.analyze

    def slow(self: Any, engine: Any, task: AnalysisTask, turn: str) -> AnalysisResult:
        if int(task.code.removeprefix("x = ")) >= analyzed:
            gevent.sleep(600)
        return analyze(self, engine, task, turn)

    monkeypatch.setattr(ContentAnalysis, "analyze", slow)
    monkeypatch.setattr("codeintel.runs.scans.plan.SENT_FILES", 1)
    texts = {f"{number}.py": f"x = {number}\n" for number in range(120)}
    run_id = scanning.ready(texts)
    log = scanning.services.scans.start(_caller(scanning), run_id, 0)
    wait_for(lambda: b"".join(log.frames(0, 10**8)).count(b'"path":') == analyzed)
    answer = scanning.ask("POST", f"/runs/{run_id}/cancel").json["data"]
    assert (answer["state"], answer["creditsCharged"]) == ("cancelled", charged)
    wait_for(lambda: scanning.rows()[0] == 0)
    assert len(scanning.request(texts).json["data"]["missing"]) == 120 - analyzed


def test_a_scan_without_a_reader_ends(scanning: Scanning, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = scanning.services.runs
    monkeypatch.setattr(runs, "settings", replace(runs.settings, run_resume_grace=0.3))
    run_id = scanning.ready({f"{number}.py": f"y = {number}\n" for number in range(300)})
    scanning.services.scans.start(_caller(scanning), run_id, 0)
    wait_for(lambda: runs.records.find(run_id).state == "cancelled")  # type: ignore[union-attr]
    assert runs.records.find(run_id).reason == "client_disconnected"  # type: ignore[union-attr]


def test_a_scan_over_its_time_limit_is_incomplete(
    scanning: Scanning, monkeypatch: pytest.MonkeyPatch
) -> None:
    analyze = ContentAnalysis.analyze

    def slow(self: Any, engine: Any, task: AnalysisTask, turn: str) -> AnalysisResult:
        if "slow" in task.code:
            gevent.sleep(600)
        return analyze(self, engine, task, turn)

    monkeypatch.setattr(ContentAnalysis, "analyze", slow)
    scans = scanning.services.scans
    monkeypatch.setattr(scans, "_settings", replace(scans._settings, scan_timeout=20.0))
    events = scanning.scanned({"a.py": "z = 1\n"} | {f"{n}.py": f"slow = {n}\n" for n in range(9)})
    assert (events[-1]["type"], events[-1]["reason"]) == ("run.incomplete", "time_limit")
    assert events[-1]["creditsCharged"] == 2
    summary = next(each["result"]["summary"] for each in events if each["type"] == "result")
    assert summary["analyzed"] == len(files_of(events)) == 1


def _caller(scanning: Scanning) -> Caller:
    account = scanning.user.account
    return Caller(
        account_id=account.id, tier=account.tier, unlimited=False, proof=Proof.API_KEY, scopes=None
    )
