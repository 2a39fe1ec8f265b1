"""The pages of a workspace's reports."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import msgspec
import pytest
import report_samples as samples
from flask import Flask
from report_storage import keep, keep_all, skip
from signed_browser import SignedBrowser
from signed_pages import page_of
from sqlalchemy import Engine
from support import User

from codeintel.app import Services
from codeintel.contracts.workspaces.records import LeftOutFile, ProofState, ProofStatus
from codeintel.operations.demo import bundle
from codeintel.operations.demo.evidence import load
from codeintel.platform.db import db
from codeintel.workspaces.proof.shapes import Report
from codeintel.workspaces.records import WorkspaceRecord
from codeintel.workspaces.requests import SyncBody


@pytest.fixture
def browser(app: Flask, services: Services, user: User) -> SignedBrowser:
    return SignedBrowser(app, services, user.account.id)


@pytest.fixture
def engine(app: Flask) -> Engine:
    with app.app_context():
        return db.engine


@pytest.fixture
def session(services: Services, user: User) -> WorkspaceRecord:
    body = SyncBody(files=samples.TEXTS_TO_PUSH, name="Shop <b>\u202e")
    account = user.account
    found = services.workspaces.sync(account.id, account.tier, body).session
    stands(services, ProofState.PASSED)
    return found


def stands(services: Services, state: ProofState, **more: Any) -> None:
    """Set the state of the proof loop for every workspace."""
    status = ProofStatus(status=state, revision=1, **more)
    object.__setattr__(services.proof, "status", lambda _session, _revision=None: status)


def reports_of(*revisions: int) -> list[Report]:
    return [
        samples.report(summary=told)
        for told in samples.history(max(revisions))
        if told.revision in revisions
    ]


def test_before_the_first_report(browser: SignedBrowser, session: WorkspaceRecord) -> None:
    page = page_of(browser, f"/workspace/{session.id}/reports")
    empty = page.root.one("div", class_="empty")
    assert [each.text for each in empty.all("button")] == ["Analyze now"]
    assert "at most 2 credits" in empty.text
    assert not page.root.all("table")
    assert "\u202e" not in page.text
    assert "Shop <b>[U+202E]" in page.root.one("h1").text


def test_what_goes_on_is_followed(
    browser: SignedBrowser, services: Services, session: WorkspaceRecord
) -> None:
    stands(services, ProofState.RUNNING, done=12, total=40)
    page = page_of(browser, f"/workspace/{session.id}/reports")
    now = page.root.one("section", class_="rp-now")
    assert now["data-proof"] == f"/api/workspace/{session.id}/proof/events"
    assert now["data-token"] == "/playground/token"
    progress = now.one("progress")
    assert (progress["value"], progress["max"]) == ("12", "40")
    assert "12 of 40 files analyzed so far." in now.text
    assert now.one("a")["href"] == f"/workspace/{session.id}/reports"
    assert not page.root.all("form", class_="rp-analyse")


def test_what_waits_for_the_interval_can_be_asked_for(
    browser: SignedBrowser, services: Services, session: WorkspaceRecord
) -> None:
    stands(services, ProofState.QUEUED, note="Not before 03:34 UTC, unless you request it.")
    page = page_of(browser, f"/workspace/{session.id}/reports")
    now = page.root.one("section", class_="rp-now")
    assert "Not before 03:34 UTC" in now.text
    assert "hidden" in now.one("progress").attributes, "nothing moves"
    assert [each.text for each in page.root.one("form", class_="rp-analyse").all("button")] == [
        "Analyze now"
    ]
    stands(services, ProofState.QUEUED)
    page = page_of(browser, f"/workspace/{session.id}/reports")
    assert not page.root.all("form", class_="rp-analyse"), "it begins in a second"


def test_why_it_was_skipped(
    browser: SignedBrowser, services: Services, session: WorkspaceRecord, engine: Engine
) -> None:
    skip(engine, session, 1, "It costs 2 credits, and `none` is free.")
    stands(services, ProofState.SKIPPED, reason="It costs 2 credits, and `none` is free.")
    page = page_of(browser, f"/workspace/{session.id}/reports")
    assert "was not analyzed" in page.root.one("div", class_="rp-skipped").text
    assert "Not analyzed" in page.root.one("table").text
    page = page_of(browser, f"/workspace/{session.id}/reports/1")
    assert "It costs 2 credits, and none is free." in page.text


def test_the_list_has_the_newest_verdict_and_all_reports(
    browser: SignedBrowser, session: WorkspaceRecord, engine: Engine
) -> None:
    keep_all(engine, session, reports_of(*range(1, 31)))
    page = page_of(browser, f"/workspace/{session.id}/reports")
    verdict = page.root.one("section", class_="rp-verdict")
    assert "Revision 30" in verdict.text
    rows = page.root.one("table").one("tbody").all("tr")
    assert len(rows) == 25
    assert "Findings by report" in page.root.one("svg", id="trend").text
    (older,) = [each for each in page.root.all("a") if each.text == "Older reports"]
    page = page_of(browser, older["href"])
    rows = page.root.one("table").one("tbody").all("tr")
    assert [row.one("a").text for row in rows] == [f"Revision {n}" for n in (5, 4, 3, 2, 1)]
    assert "\u2013" in rows[-1].text  # compared with nothing
    assert not page.root.all("section", class_="rp-verdict")
    assert page_of(browser, f"/workspace/{session.id}/reports?before=1").text.count("no older")


@pytest.mark.parametrize("trust", [True, False])
def test_analyse_now(
    browser: SignedBrowser, services: Services, session: WorkspaceRecord, trust: bool
) -> None:
    asked: list[WorkspaceRecord] = []
    object.__setattr__(services.proof, "request", asked.append)
    path = f"/workspace/{session.id}/reports"
    answer = browser.send(path, **({"trust": "yes"} if trust else {}))
    assert (answer.status_code, answer.headers["Location"]) == (303, path)
    assert [each.trust_dependencies for each in asked] == [trust]
    box = page_of(browser, path).root.one("input", name="trust")
    assert ("checked" in box.attributes) is trust
    assert browser.client.post(path, data={"csrf": "wrong"}).status_code == 403
    assert len(asked) == 1


def test_a_report_with_everything(
    browser: SignedBrowser, session: WorkspaceRecord, engine: Engine
) -> None:
    keep(engine, session, samples.report())
    path = f"/workspace/{session.id}/reports/3"
    page = page_of(browser, path)
    text = page.text
    for told in (
        *("Revision 3: failed", "CWE-502", "Use json, which only holds data.", "Fix Take json"),
        *("Unchanged", "suppressed in the code", "Check it yourself", "longer than 100,000"),
        *("81 of 100", "74 to 90", "One maintainer alone.", "Not checked: an index of its own"),
        *("dotenv", "One file was not analyzed.", "It is no JSON.", "Most complex function"),
    ):
        assert told in " ".join(text.split()), told
    assert "correct horse" not in text
    assert not set("\u202e\u2066\x1b") & set(text)
    rows = page.root.all("li", class_="finding")
    links = [each["href"] for row in rows for each in row.all("a")]
    assert f"/workspace/{session.id}?path=/web/app.js&line=3&revision=3" in [
        link.replace("%2F", "/") for link in links
    ]
    assert "/docs/rules/ruff/F401" in links
    assert "/trust?target=pypi:requests" in list(page.values("href"))
    assert not [each for each in page.values("href") if "ours" in each]
    ids = {each["id"] for each in page.root.all("svg") if "id" in each.attributes}
    assert ids == {"by-severity", "by-file", "by-language"}


def test_what_was_not_analyzed_is_named(
    browser: SignedBrowser, services: Services, session: WorkspaceRecord, engine: Engine
) -> None:
    files = {f"/{name}.py": f"x = '{name}'\n" for name in "abcde"} | {"/empty.py": ""}
    skipped = (LeftOutFile("/bin.dat", "binary"),)
    body = SyncBody(files=files, name="Shop <b>\u202e", skipped=skipped)
    services.workspaces.sync(session.account_id, services.settings.default_tier, body)
    summary = msgspec.structs.replace(samples.report().summary, revision=2, files_analyzed=5)
    clean = samples.report(summary=summary, secrets=(), unchecked=())
    keep(engine, session, clean)
    page = page_of(browser, f"/workspace/{session.id}/reports/2")
    figures = page.root.one("dl", class_="rp-figures")
    assert "5 of 6; 1 empty file needs no analysis" in " ".join(figures.text.split())
    section = page.root.one("section", **{"aria-labelledby": "left-out"})
    told = " ".join(section.text.split())
    assert "Left out of the push" in told
    assert "/bin.dat binary" in told
    assert "/empty.py" in told
    assert "All files were analyzed" not in told


def test_dependencies_that_were_not_looked_up_have_no_page(
    browser: SignedBrowser, session: WorkspaceRecord, engine: Engine, services: Services
) -> None:
    keep(engine, session, msgspec.structs.replace(samples.report(), trust_asked=False))
    path = f"/workspace/{session.id}/reports/3"
    assert not [each for each in page_of(browser, path).values("href") if "/trust?" in each]
    trust = services.trust
    load(trust.store, trust.snapshots.scorers, bundle.recorded_packages())
    links = [each for each in page_of(browser, path).values("href") if "/trust?" in each]
    assert "/trust?target=pypi:requests" in links
    assert {each.partition("=")[2] for each in links} <= set(trust.store.packages())


def test_nothing_of_the_workspace_becomes_markup(
    browser: SignedBrowser, session: WorkspaceRecord, engine: Engine
) -> None:
    keep(engine, session, samples.report())
    page = page_of(browser, f"/workspace/{session.id}/reports/3")
    names = {each.tag for each in page.root.one("main").all()}
    assert not names & {"script", "img", "i", "b", "iframe"}
    hostile = [each for each in page.root.all("bdi") if "<script>" in each.text]
    assert all(each["dir"] == "ltr" for each in hostile)
    assert any("[U+202E]" in each.text for each in hostile)


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("", 7),
        ("?severity=&comparison=&path=&page=1", 7),
        ("?severity=medium", 2),
        ("?comparison=new", 2),
        ("?comparison=fixed", 1),
        ("?path=/src/shop/", 4),
        ("?path=src/shop/&severity=critical", 1),
        ("?path=/nowhere", 0),
        ("?rule=ruff/F401", 5),
        ("?rule=ruff/F401&severity=low", 1),
        ("?category=secrets", 1),
        ("?category=unused code", 1),
        ("?confidence=low", 0),
        ("?group=file", 7),
        ("?page=99", 7),
    ],
)
def test_filters(
    browser: SignedBrowser, session: WorkspaceRecord, engine: Engine, query: str, count: int
) -> None:
    keep(engine, session, samples.report())
    page = page_of(browser, f"/workspace/{session.id}/reports/3{query}")
    assert len(page.root.all("li", class_="finding")) == count
    assert bool(page.root.all("div", class_="empty")) is not bool(count)


@pytest.mark.parametrize(
    "query",
    ["severity=bad", "page=0", "comparison=x", "group=x", "severity=low&severity=high"],
)
def test_filters_that_are_not_understood(
    browser: SignedBrowser, session: WorkspaceRecord, engine: Engine, query: str
) -> None:
    keep(engine, session, samples.report())
    assert browser.client.get(f"/workspace/{session.id}/reports/3?{query}").status_code == 400


def test_many_findings_come_in_pages(
    browser: SignedBrowser, session: WorkspaceRecord, engine: Engine
) -> None:
    keep(engine, session, samples.many(501))
    path = f"/workspace/{session.id}/reports/3"
    seen: list[str] = []
    following = path + "?path=/src/"
    for _ in range(12):
        page = page_of(browser, following)
        rows = page.root.all("li", class_="finding")
        assert len(rows) <= 50
        seen += [row.one("pre").text for row in rows]
        more = [each["href"] for each in page.root.all("a") if each.text == "Next page"]
        if not more:
            break
        following = more[0].partition("#")[0]
    assert len(seen) == len(set(seen)) == 501
    assert "501 to 501 of 501 findings" in page.text


def test_files_to_keep(browser: SignedBrowser, session: WorkspaceRecord, engine: Engine) -> None:
    keep(engine, session, samples.report())
    path = f"/workspace/{session.id}/reports/3"
    links = [each for each in page_of(browser, path).values("href") if each.startswith(path + "/")]
    assert links == [f"{path}/{form}" for form in ("sarif", "csv", "json", "html")]
    found = {
        form: browser.client.get(f"{path}/{form}") for form in ("sarif", "csv", "html", "json")
    }
    for form, answer in found.items():
        assert answer.status_code == 200
        name = f"report-{session.id}-3.{form}"
        assert answer.headers["Content-Disposition"] == f"attachment; filename={name}"
        assert "sandbox" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert found["sarif"].json["version"] == "2.1.0"
    assert len(list(csv.reader(io.StringIO(found["csv"].text, newline="")))) == 9
    assert "<script" not in found["html"].text
    report = msgspec.json.decode(found["json"].data, type=Report)
    assert len(report.findings) == 7
    assert json.loads(found["json"].data)["summary"]["sessionId"] == session.id
    assert browser.client.get(f"{path}/pdf").status_code == 404


ENDS = ("", "/3", "/3/sarif", "/3/csv", "/3/html", "/3/json", "/4", "/0", f"/{10**30}", "/x")


@pytest.mark.parametrize("end", ENDS)
def test_others_reports_are_not_there(
    app: Flask,
    browser: SignedBrowser,
    services: Services,
    session: WorkspaceRecord,
    engine: Engine,
    end: str,
) -> None:
    keep(engine, session, samples.report())
    other = services.accounts.create("bob@example.org", services.settings.default_tier, 9, False)
    bob = SignedBrowser(app, services, other.id)
    answers = [bob.client.get(f"/workspace/{id_}/reports{end}") for id_ in (session.id, "ws_none")]
    kind = "text/html" if end in ENDS[:7] else "application/json"  # of what is no address at all
    assert [(each.status_code, each.mimetype) for each in answers] == [(404, kind)] * 2
    own = browser.client.get(f"/workspace/{session.id}/reports{end}")
    assert own.status_code == (200 if end in ENDS[:6] else 404)
    away = app.test_client().get(f"/workspace/{session.id}/reports{end}")
    assert away.status_code in (303, 404)


def test_nobody_else_starts_an_analysis(
    app: Flask, services: Services, session: WorkspaceRecord
) -> None:
    asked: list[object] = []
    object.__setattr__(services.proof, "request", asked.append)
    other = services.accounts.create("bob@example.org", services.settings.default_tier, 9, False)
    bob = SignedBrowser(app, services, other.id)
    assert bob.send(f"/workspace/{session.id}/reports", trust="yes").status_code == 404
    assert not asked
    assert services.workspaces.find(session.account_id, session.id).trust_dependencies is False
