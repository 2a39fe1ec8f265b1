"""The demo in pages: the button that loads it, its marks, and its removal."""

from __future__ import annotations

import pytest
from demo_work import counts, work_off
from flask import Flask
from signed_browser import SignedBrowser
from support import User
from web_pages import Page, assert_sound

from codeintel.app import Services
from codeintel.contracts.states import RunSource
from codeintel.operations.demo import bundle
from codeintel.operations.demo.evidence import load
from codeintel.runs.listing import list_runs

MARK = "Demo data, recorded on "


@pytest.fixture
def browser(app: Flask, services: Services, user: User) -> SignedBrowser:
    return SignedBrowser(app, services, user.account.id)


def page_of(browser: SignedBrowser, path: str) -> Page:
    answer = browser.client.get(path)
    assert answer.status_code == 200, answer.text
    page = Page(answer.text)
    assert_sound(page)
    return page


def test_the_button_loads_the_demo_which_every_page_marks(
    browser: SignedBrowser, services: Services, user: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services.demo, "_last", lambda _: None)  # ranks and forecasts take seconds
    before = counts(services)
    empty = page_of(browser, "/")
    form = empty.root.one("form", action="/demo", method="post")
    assert form.one("button").text == "Load the demo"
    assert form.one("input", name="csrf")["value"]
    assert "Load the demo" in page_of(browser, "/demo").root.text

    sent = browser.send("/demo")
    assert (sent.status_code, sent.headers["Location"]) == (303, "/?notice=demo-loading")
    assert "Loading the demo" in page_of(browser, "/").root.text
    for path in ("/", "/demo"):  # reload without a script
        assert browser.client.get(path).headers["Refresh"].endswith(f"; url={path}")
    assert "is being loaded" in page_of(browser, "/demo").root.text
    work_off(services)

    session = services.demo.session(user.account.id)
    assert session is not None
    workspace = f"/workspace/{session.id}"
    assert "Refresh" not in browser.client.get("/").headers
    notices = page_of(browser, "/").root.one("section", **{"aria-labelledby": "dash-attention"})
    assert "Demo workspace" in notices.text
    assert notices.all("a", href=f"{workspace}/reports/2")
    runs = page_of(browser, "/runs")
    assert "demo" in [each["value"] for each in runs.root.all("option")]
    run = runs.root.one("table").all("a")[0]["href"]
    chosen = [each["value"] for each in runs.root.all("input", name="run")][:2]
    for path in (
        "/",
        "/runs",
        run,
        f"/runs/compare?run={chosen[0]}&run={chosen[1]}",
        "/workspace",
        workspace,
        f"{workspace}/history",
        f"{workspace}/reports",
        f"{workspace}/reports/2",
        "/trust",
    ):
        page = page_of(browser, path)
        assert MARK in page.root.text, path
        assert page.root.all("a", href="/demo"), path

    exported = browser.client.get(f"{workspace}/reports/2/html")
    assert MARK in exported.text, exported.status_code
    assert "Remove the demo" in page_of(browser, "/demo").root.text

    removed = browser.send("/demo/remove")
    assert (removed.status_code, removed.headers["Location"]) == (303, "/?notice=demo-removed")
    assert MARK not in page_of(browser, "/").root.text
    assert counts(services) == before


def test_forms_without_the_token_do_nothing(browser: SignedBrowser, services: Services) -> None:
    for path in ("/demo", "/demo/remove"):
        assert browser.client.post(path, data={"csrf": "wrong"}).status_code == 403
    assert services.jobs.list() == []


def test_pages_of_packages_mark_the_day_of_their_own_evidence(
    browser: SignedBrowser, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    trust = services.trust
    load(trust.store, trust.snapshots.scorers, bundle.recorded_packages())
    monkeypatch.setattr(trust.snapshots, "_is_fresh", lambda _: True)  # without a lookup
    page = page_of(browser, "/trust?target=github:grafana/k6")
    assert f"{MARK}August 21, 2026" in page.root.text
    assert "which npm and PyPI support" not in page.root.text
    compared = page_of(
        browser, "/trust?target=package:pypi:flask..vs..package:pypi:click&kind=comparison"
    )
    assert MARK in compared.root.text


def test_no_client_can_claim_to_be_the_demo(
    browser: SignedBrowser, services: Services, user: User
) -> None:
    headers = {**user.headers, "X-Codeintel-Source": "demo"}
    answer = browser.client.post(
        "/api/v1/analyze/stream", json={"code": "x = 1\n", "language": "python"}, headers=headers
    )
    assert (answer.status_code, b"event: run.completed" in answer.data) == (200, True)
    assert services.ledger.balance(user.account.id).posted < 100
    (run,) = list_runs(services.engine, user.account.id, limit=10).runs
    assert run.source == RunSource.API
