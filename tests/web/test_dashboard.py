"""The dashboard at `/`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import msgspec
import pytest
import report_samples as samples
from flask import Flask
from flask.testing import FlaskClient
from report_storage import keep, skip
from signed_browser import SignedBrowser
from signed_pages import page_of
from sqlalchemy import insert
from stored_samples import run_row
from support import User, make_user
from web_pages import Page

from codeintel.app import Services
from codeintel.base.entitlements import Scope, Tier
from codeintel.contracts import SourceProblem
from codeintel.contracts.findings import Severity
from codeintel.contracts.workspaces.records import ProofState
from codeintel.identity.keys.records import KeyRecord, KeyStatus
from codeintel.identity.ledger import Balance
from codeintel.platform.db import db
from codeintel.platform.db.models import RunRow, now_ms
from codeintel.search.reports import SourceReport
from codeintel.web.dashboard.facts import (
    change_words,
    ending_keys,
    failing_sources,
    low_credits,
    severity_list,
    trend_bars,
)
from codeintel.workspaces.proof.shapes import ReportSummary
from codeintel.workspaces.requests import SyncBody

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)


@pytest.fixture
def browser(app: Flask, services: Services, user: User) -> SignedBrowser:
    return SignedBrowser(app, services, user.account.id)


def section(page: Page, name: str) -> list[str]:
    """Return the addresses of the links of a section."""
    found = page.root.one("section", **{"aria-labelledby": f"dash-{name}"})
    return [each["href"] for each in found.all("a")]


def test_visitors_see_the_home_page(client: FlaskClient, browser: SignedBrowser) -> None:
    assert "Dashboard" not in Page(client.get("/").text).root.one("h1").text
    page = page_of(browser, "/")
    assert page.root.one("h1").text == "Dashboard"
    (current,) = [
        each.text
        for each in page.root.one("nav", id="site-nav").all("a")
        if "aria-current" in each.attributes
    ]
    assert current == "Dashboard"


def test_an_empty_account_has_one_action_for_each_part(browser: SignedBrowser) -> None:
    page = page_of(browser, "/")
    assert section(page, "projects") == ["/workspace"]
    assert section(page, "runs") == ["/playground"]
    assert page.root.one("section", **{"aria-labelledby": "dash-limits"}).all("svg")


def test_workspaces_runs_and_what_failed(
    app: Flask, browser: SignedBrowser, services: Services
) -> None:
    account = browser.account_id
    body = SyncBody(files={"/a.py": "x = 1\n"}, name="<shop>")
    stored = services.workspaces.sync(account, Tier.FREE, body).session
    with app.app_context(), db.engine.begin() as connection:
        for run_id, state in (("run_1", "completed"), ("run_2", "failed")):
            row = run_row(account, run_id, state) | {"created_ms": now_ms()}
            connection.execute(insert(RunRow).values(row))
    page = page_of(browser, "/")
    assert f"/workspace/{stored.id}" in section(page, "projects")
    assert {"/runs/run_1", "/runs/run_2"} <= set(section(page, "runs"))
    assert "/runs?state=failed&since=week" in section(page, "attention")
    assert "1 run failed in the last 7 days." in page.text
    (demo,) = page.root.all("a", href="/demo")
    assert demo.text == "Load the demo"


def test_a_skipped_revision_does_not_hide_the_newest_findings(
    browser: SignedBrowser, services: Services
) -> None:
    body = SyncBody(files={"/a.py": "x = 1\n"}, name="shop")
    stored = services.workspaces.sync(browser.account_id, Tier.FREE, body).session
    keep(services.engine, stored, samples.renumbered(samples.report(), 1))
    skip(services.engine, stored, 2, "It costs 2 credits, and `none` is free.")
    page = page_of(browser, "/")
    part = page.root.one("section", **{"aria-labelledby": "dash-projects"})
    counts = [each.text for each in part.one("ul", class_="counts").all("li")]
    (newest,) = services.proof.verdicts(stored, 1)
    assert newest.status is ProofState.FAILED
    assert f"/workspace/{stored.id}/reports/1" in section(page, "attention")
    assert "Workspace “shop” failed its newest analysis" in page.text
    assert counts == [f"{number} {severity}" for severity, number in severity_list(newest)]
    assert change_words(newest) in part.text
    (row,) = page_of(browser, "/workspace").root.one("table", class_="ws-list").all("tr")[1:]
    assert f"/workspace/{stored.id}/reports/1" in [each["href"] for each in row.all("a")]


def test_operators_see_registries_that_fail(app: Flask, services: Services, user: User) -> None:
    other = make_user(services, "other@example.org")
    report = SourceReport("github", SourceProblem.TIMEOUT, "late", 3, now_ms(), now_ms() + 60_000)
    services.source_reports.all = lambda: {"github": report}  # type: ignore[method-assign]
    operator = services.accounts.first()
    assert operator is not None
    for account_id in (user.account.id, other.account.id):
        page = page_of(SignedBrowser(app, services, account_id), "/")
        assert ("Registry github fails: timeout." in page.text) is (account_id == operator.id)


def key(days: float, **more: object) -> KeyRecord:
    made = KeyRecord(
        id="key_1",
        name="CI",
        scopes=(Scope.API_V1,),
        status=KeyStatus.ACTIVE,
        preview="ci_live_…",
        created_at=NOW,
        expires_at=NOW + timedelta(days=days),
        last_used_at=None,
        revoked_at=None,
    )
    return msgspec.structs.replace(made, **more)


@pytest.mark.parametrize(
    ("record", "told"),
    [
        (key(3), ["API key “CI” expires in 3 days."]),
        (key(60), []),
        (key(3, status=KeyStatus.REVOKED), []),
        (key(3, replaced_by="key_2"), []),
    ],
)
def test_keys_about_to_expire(record: KeyRecord, told: list[str]) -> None:
    assert [each.text for each in ending_keys([record], "/account/keys", NOW)] == told


def test_low_credits() -> None:
    for balance, unlimited, count in (
        (Balance(posted=5, held=0), False, 1),
        (Balance(posted=500, held=490), False, 1),
        (Balance(posted=500, held=0), False, 0),
        (Balance(posted=0, held=0), True, 0),
    ):
        assert len(list(low_credits(balance, "/account", unlimited=unlimited))) == count


def test_registries_that_answer_again_need_no_attention() -> None:
    failed = SourceReport("npm", SourceProblem.RATE_LIMITED, "", 1, 1, answered_ms=2)
    assert list(failing_sources([failed], "/search", 3)) == []


def report(**more: object) -> ReportSummary:
    made = ReportSummary(
        id="rep_1",
        session_id="wsp_1",
        revision=1,
        status=ProofState.PASSED,
        reason="",
        started_at=NOW,
        finished_at=NOW,
        credits_charged=1,
        counts={Severity.LOW: 2, Severity.CRITICAL: 1, Severity.HIGH: 0},
        files_analyzed=1,
    )
    return msgspec.structs.replace(made, **more)


def test_the_trend_of_a_workspace() -> None:
    assert severity_list(report()) == [("critical", 1), ("low", 2)]
    assert change_words(report()) == "First report"
    assert change_words(report(new=0, fixed=0)) == "No change"
    assert change_words(report(new=2, fixed=1)) == "2 new, 1 fixed"
    assert trend_bars([4]) == ""
    drawn = trend_bars([4, 0, 2])
    assert drawn.count("<rect") == 3
    assert "Findings in the last 3 reports: 4, 0, 2" in drawn
