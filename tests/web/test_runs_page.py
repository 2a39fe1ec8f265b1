"""`/runs` and `/runs/<id>`: what an account has run."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from flask import Flask
from scripted_runs import Scripted, finding, result, stays
from signed_browser import OWN, SignedBrowser
from signed_pages import page_of
from sqlalchemy import insert, update
from stored_samples import run_row
from support import User

from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.contracts import AnalysisTask, Model, RunContext
from codeintel.contracts.findings import Edit, Fix, FlowStep, Range
from codeintel.contracts.states import RunState
from codeintel.identity.auth.caller import Caller, Proof
from codeintel.platform.db import db
from codeintel.platform.db.models import RunRow
from codeintel.runs.listing import list_runs
from codeintel.runs.store import RunRecord
from codeintel.web.run_list import pages as run_list
from codeintel.web.run_list.rows import cost, took
from codeintel.web.runs import how_it_went

TASK = AnalysisTask("x = 1\n", "python", "", Model.FLASH)
HOSTILE = "<script>alert(1)</script> `code`"


@pytest.fixture
def browser(app: Flask, services: Services, user: User) -> SignedBrowser:
    return SignedBrowser(app, services, user.account.id)


@pytest.fixture
def scripted(services: Services) -> Scripted:
    engine = Scripted(lambda _task, _context: result("All is well."))
    services.runs.registry.engines.registrar("tests")(engine)
    return engine


def ran(services: Services, account_id: str, scripted: Scripted, script: Any = None) -> str:
    """Return the id of a completed run."""
    if script is not None:
        scripted.script = script
    run = services.runs.start(
        services.runs.plan_analysis(Caller(proof=Proof.SESSION, account_id=account_id), TASK)
    )
    assert run is not None
    position = 0
    while not run.log.ended:
        _, position = run.log.wait(position, 10)
    return run.plan.id


def test_nothing_yet(browser: SignedBrowser) -> None:
    page = page_of(browser, "/runs")
    empty = page.root.one("div", class_="empty")
    assert [each["href"] for each in empty.all("a")] == ["/playground"]
    assert "30 days" in page.root.one("main").text


def test_runs_of_an_unlimited_account_are_free(app: Flask, services: Services) -> None:
    account = services.accounts.create("boss@example.org", Tier.TEAM, 0, True)
    browser = SignedBrowser(app, services, account.id)
    row = run_row(account.id, "run_free", "completed") | {"price": 2, "charged": 0, "result": None}
    with app.app_context(), db.engine.begin() as connection:
        connection.execute(insert(RunRow).values(row))
    for address in ("/runs", "/"):
        listed = (
            page_of(browser, address).root.one("table", class_="run-list").one("tbody").one("tr")
        )
        assert "Creditsfree" in listed.text
    assert "free for this account" in page_of(browser, "/runs/run_free").text
    assert "Free for this account" in page_of(browser, "/playground").text


def test_the_list_goes_from_new_to_old(
    app: Flask,
    browser: SignedBrowser,
    services: Services,
    scripted: Scripted,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    mine = [ran(services, browser.account_id, scripted) for _ in range(5)]
    other = services.accounts.create("bob@example.org", services.settings.default_tier, 9, False)
    foreign = ran(services, other.id, scripted)
    with app.app_context(), db.engine.begin() as connection:  # three at the same millisecond
        connection.execute(update(RunRow).where(RunRow.id.in_(mine[:3])).values(created_ms=1_000))
    monkeypatch.setattr(run_list, "PAGE_RUNS", 2)
    found: list[str] = []
    address = "/runs"
    while address:
        page = page_of(browser, address)
        rows = page.root.one("table", class_="run-list").one("tbody").all("tr")
        found += [row.one("a")["href"].removeprefix("/runs/") for row in rows]
        pager = page.root.one("nav", class_="pager")
        address = next((a["href"] for a in pager.all("a") if a.text == "Older runs"), "")
    assert sorted(found) == sorted(mine)
    assert set(found[:2]) == set(mine[3:])
    assert found[2:] == sorted(mine[:3], reverse=True)
    assert rows[0].one("time")["title"] == "January 1, 1970, 00:00 UTC"
    assert "Credits1" in rows[0].text
    behind = page_of(browser, f"/runs?before={foreign}").root.one("main").text
    assert "There are no older runs" in behind


@pytest.mark.parametrize("before", ["%00", "run%20x", "x" * 33])
def test_behind_what_is_no_run(browser: SignedBrowser, before: str) -> None:
    assert browser.client.get(f"/runs?before={before}").status_code == 400


def test_the_list_is_of_one_account(app: Flask, user: User) -> None:
    with app.app_context():
        assert list_runs(db.engine, user.account.id, limit=1) == ([], "", 0)


def test_findings_with_all_that_is_known(
    browser: SignedBrowser, services: Services, scripted: Scripted
) -> None:
    place = Range(1, 1, 1, 2)
    whole = msgspec.structs.replace(
        finding(1),
        message=HOSTILE,
        cwe="CWE-89",
        remedy="Use `parameters`.",
        fix=Fix("Put it `there`", "safe", (Edit(place, "y"),)),
        flow=(FlowStep("source", place, "it comes in"), FlowStep("sink", place, "it does harm")),
        unverified=True,
    )

    def script(_: AnalysisTask, __: RunContext) -> Any:
        made, usage = result("In `short`.")
        return msgspec.structs.replace(made, findings=(whole,), unchecked=("The rest.",)), usage

    run_id = ran(services, browser.account_id, scripted, script)
    page = page_of(browser, f"/runs/{run_id}")
    item = page.root.one("li", class_="finding")
    for told in (
        *("<script>alert(1)</script> code", "Low", "CWE-89", "Line 1, column 1", "T1"),
        *("Use parameters.", "Fix Put it there", "it does harm", "Check it yourself"),
    ):
        assert told in item.text, told
    assert [each.text for each in item.all("code")] == [
        "code",
        "parameters",
        "there",
        "Line 1, column 1 to line 1, column 2 +y",
        "T1",
    ]
    assert not item.all("script")
    assert "The rest." in page.text
    facts = page.root.one("dl", class_="run-facts").text
    assert "Charged1 credit" in facts
    assert page.root.one("h1").text == "Analysis of unnamed code Completed"
    assert page.root.one("title").text == "Unnamed code \N{EN DASH} analysis · codeintel"
    assert "5 tokens written" in facts
    assert f"/api/v1/runs/{run_id}" in page.root.one("code", id="run-curl").text
    assert "$CODEINTEL_API_KEY" in page.root.one("code", id="run-curl").text


def test_files_for_programs(browser: SignedBrowser, services: Services, scripted: Scripted) -> None:
    run_id = ran(services, browser.account_id, scripted)
    told = browser.client.get(f"/runs/{run_id}/json")
    assert told.json["data"]["result"]["summary"] == "All is well."
    assert told.headers["Content-Disposition"] == f"attachment; filename={run_id}.json"
    log = browser.client.get(f"/runs/{run_id}/sarif")
    assert (log.json["version"], log.mimetype) == ("2.1.0", "application/sarif+json")
    assert log.headers["Content-Disposition"] == f"attachment; filename={run_id}.sarif"


@pytest.mark.parametrize(
    ("file", "uri"),
    [
        ("src/50% shop.py", "src/50%25%20shop.py"),
        ("../shop.py", "code"),
        ("/home/me/a.py", "code"),
        ("", "code"),
    ],
)
def test_the_sarif_log_names_the_file(
    browser: SignedBrowser, services: Services, scripted: Scripted, file: str, uri: str
) -> None:
    run_id = ran(services, browser.account_id, scripted)
    with services.engine.begin() as connection:
        connection.execute(update(RunRow).where(RunRow.id == run_id).values(file=file))
    log = browser.client.get(f"/runs/{run_id}/sarif").json["runs"][0]
    assert [each["location"]["uri"] for each in log["artifacts"]] == [uri]


def test_a_run_that_goes_on(browser: SignedBrowser, services: Services, scripted: Scripted) -> None:
    scripted.script = stays
    caller = Caller(proof=Proof.SESSION, account_id=browser.account_id)
    run = services.runs.start(services.runs.plan_analysis(caller, TASK))
    assert run is not None
    path = f"/runs/{run.plan.id}"
    page = page_of(browser, path)
    live = page.root.one("div", class_="pg-out")
    assert (live["data-run"], live["data-token"]) == (run.plan.id, "/playground/token")
    assert live.all("a")[0]["href"] == path
    assert "at most" in page.root.one("dl", class_="run-facts").text
    assert browser.client.get(f"{path}/sarif").status_code == 404
    headers = {**OWN, "X-CSRF-Token": live["data-csrf"]}
    assert browser.client.post("/playground/token", headers=headers).status_code == 200
    services.reader.cancel(services.reader.find(caller, run.plan.id))
    page = page_of(browser, path)
    assert page.root.one("p", class_="run-said").text == "The run was cancelled. You cancelled it."
    assert "This run has no result." in page.text
    assert not page.root.all(class_="pg-out")


@pytest.mark.parametrize("end", ["", "/json", "/sarif"])
def test_others_runs_are_not_there(
    app: Flask, browser: SignedBrowser, services: Services, scripted: Scripted, end: str
) -> None:
    run_id = ran(services, browser.account_id, scripted)
    other = services.accounts.create("bob@example.org", services.settings.default_tier, 9, False)
    bob = SignedBrowser(app, services, other.id)
    for missing in (run_id, "run_nobodys"):
        answer = bob.client.get(f"/runs/{missing}{end}")
        assert (answer.status_code, answer.mimetype) == (404, "text/html")
    assert browser.client.get(f"/runs/{run_id}{end}").status_code == 200
    answer = app.test_client().get(f"/runs/{run_id}{end}")
    assert (answer.status_code, answer.headers["Location"][:12]) == (303, "/signin?next")


def record(**changed: Any) -> RunRecord:
    usual: dict[str, Any] = {
        "id": "run_x",
        "account_id": "acc_x",
        "kind": "analysis",
        "state": RunState.COMPLETED,
        "engine": "static",
        "model": "flash",
        "epoch": 1,
        "price": 3,
        "hold": 3,
        "charged": 3,
        "reason": None,
        "usage": None,
        "created_ms": 1_000,
        "finished_ms": 2_500,
    }
    return RunRecord(**{**usual, **changed})


@pytest.mark.parametrize(
    ("charged", "told"),
    [(3, "3 credits"), (1, "1 credit of 3"), (0, "0 credits of 3"), (None, "3 credits at most")],
)
def test_costs_in_words(charged: int | None, told: str) -> None:
    assert cost(record(charged=charged)) == told


@pytest.mark.parametrize(
    ("finished", "told"), [(2_500, "1.5 s"), (13_000, "12 seconds"), (200_000, "4 minutes")]
)
def test_times_in_words(finished: int, told: str) -> None:
    assert took(record(finished_ms=finished)) == told


@pytest.mark.parametrize(
    ("state", "reason", "told"),
    [
        ("incomplete", "time_limit", "The run did not finish. It reached the time limit."),
        ("failed", "upstream_cut", "The run failed. Nothing was charged. The model's API ended"),
        (
            "failed",
            "of_a_plugin",
            "The run failed. Nothing was charged. The reason is `of_a_plugin`.",
        ),
        ("cancelled", None, "The run was cancelled."),
    ],
)
def test_ends_in_words(state: str, reason: str | None, told: str) -> None:
    assert how_it_went(record(state=RunState(state), reason=reason)).startswith(told)


def test_a_rule_that_has_a_page_is_linked(
    browser: SignedBrowser, services: Services, scripted: Scripted
) -> None:
    def script(_: AnalysisTask, __: RunContext) -> Any:
        made, usage = result()
        known, unknown = (
            msgspec.structs.replace(finding(1), engine=engine, rule_id=rule_id)
            for engine, rule_id in (("taint", "taint-sql"), ("taint", "nobodys"))
        )
        return msgspec.structs.replace(made, findings=(known, unknown)), usage

    page = page_of(browser, f"/runs/{ran(services, browser.account_id, scripted, script)}")
    links = [each["href"] for each in page.root.one("main").all("a")]
    rules = [each for each in links if each.startswith("/docs")]
    assert rules == ["/docs/rules/taint/taint-sql"]
    assert browser.client.get(rules[0]).status_code == 200
