"""`/runs`: filters, search and comparison."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from flask import Flask
from scripted_runs import finding, result
from signed_browser import SignedBrowser
from signed_pages import page_of
from sqlalchemy import insert
from stored_samples import run_row
from support import User, make_user
from web_pages import Page

from codeintel.app import Services
from codeintel.contracts.findings import Severity
from codeintel.platform.db import db
from codeintel.platform.db.models import RunRow, now_ms

RUNS: dict[str, dict[str, Any]] = {
    "run_shop": {
        "file": "src/shop.py",
        "language": "python",
        "source": "cli",
        "severities": json.dumps({"critical": 1, "high": 2}),
    },
    "run_page": {
        "file": "web/100%_page.ts",
        "language": "typescript",
        "source": "editor",
        "severities": "{}",
    },
    "run_change": {"kind": "transform", "language": "python", "source": "browser"},
    "run_broken": {"state": "failed", "reason": "internal_error", "result": None},
}


@pytest.fixture
def browser(app: Flask, services: Services, user: User) -> Iterator[SignedBrowser]:
    other = make_user(services, "other@example.org").account.id
    with app.app_context(), db.engine.begin() as connection:
        for at, (run_id, row) in enumerate(RUNS.items()):
            values = run_row(user.account.id, run_id, row.get("state", "completed")) | row
            created = now_ms() - 7_200_000 * at
            connection.execute(insert(RunRow).values({**values, "created_ms": created}))
        connection.execute(insert(RunRow).values(run_row(other, "run_foreign", "completed")))
    yield SignedBrowser(app, services, user.account.id)


def listed(page: Page) -> list[str]:
    """Return the ids of the runs on a page."""
    tables = page.root.all("table", class_="run-list")
    rows = tables[0].one("tbody").all("tr") if tables else []
    return [row.one("th").one("a")["href"].removeprefix("/runs/") for row in rows]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", list(RUNS)),
        ("q=SHOP", ["run_shop"]),
        ("q=100%25_", ["run_page"]),
        ("q=%25", ["run_page"]),
        ("q=run_ch", ["run_change"]),
        ("kind=transform", ["run_change"]),
        ("state=failed", ["run_broken"]),
        ("language=python", ["run_shop", "run_change"]),
        ("severity=high", ["run_shop"]),
        ("severity=low", []),
        ("source=editor", ["run_page"]),
        ("since=hour", ["run_shop"]),
        ("kind=analysis&language=python&source=cli&since=week", ["run_shop"]),
        ("kind=nonsense", []),
        ("q=foreign", []),
    ],
)
def test_filters(browser: SignedBrowser, query: str, found: list[str]) -> None:
    page = page_of(browser, f"/runs?{query}")
    assert listed(page) == found
    assert ("No runs match" in page.text) is (not found)
    form = page.root.one("form", class_="filters")
    assert ("Clear" in [each.text for each in form.all("a")]) is bool(query)


def test_a_row_shows_what_a_run_found_and_where_it_came_from(browser: SignedBrowser) -> None:
    page = page_of(browser, "/runs")
    first, second, third, _ = page.root.one("table", class_="run-list").one("tbody").all("tr")
    counts = [each.text for each in first.one("ul", class_="counts").all("li")]
    assert counts == ["1 critical", "2 high"]
    assert "src/shop.py" in first.text and "Python" in first.text and "CLI" in first.text
    assert "No findings" in second.text and "Editor" in second.text
    assert "Pasted code" in third.text and not third.all("input")


def test_filters_stay_on_the_next_page(
    browser: SignedBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codeintel.web.run_list.pages.PAGE_RUNS", 1)
    page = page_of(browser, "/runs?language=python")
    (older,) = page.root.one("nav", class_="pager").all("a")
    assert older["href"] == "/runs?before=run_shop&language=python"
    assert listed(page_of(browser, older["href"])) == ["run_change"]


def store_results(app: Flask, findings: dict[str, list[tuple[int, Severity, str]]]) -> None:
    """Give two runs results: lines, severities and fingerprints."""
    with app.app_context(), db.engine.begin() as connection:
        for run_id, told in findings.items():
            made = [
                msgspec.structs.replace(
                    finding(line), severity=severity, message="`owner` reaches `execute()`"
                )
                for line, severity, _ in told
            ]
            whole = msgspec.structs.replace(result("Fine.")[0], findings=tuple(made))
            values = {
                "result": msgspec.json.encode(whole).decode(),
                "fingerprints": json.dumps([mark for _, _, mark in told]),
            }
            connection.execute(RunRow.__table__.update().where(RunRow.id == run_id).values(values))


def test_comparing_two_analyses(app: Flask, browser: SignedBrowser) -> None:
    store_results(
        app,
        {
            "run_page": [(3, Severity.LOW, "a"), (9, Severity.HIGH, "b")],
            "run_shop": [(4, Severity.LOW, "a"), (7, Severity.CRITICAL, "c")],
        },
    )
    page = page_of(browser, "/runs/compare?run=run_shop&run=run_page")
    assert listed(page) == ["run_page", "run_shop"]  # the older one first
    places = {name: places_in(page, name) for name in ("new", "fixed", "unchanged")}
    assert places == {"new": ["line 7"], "fixed": ["line 9"], "unchanged": ["line 4"]}
    codes = page.root.one("section", **{"aria-labelledby": "new"}).one("summary").all("code")
    assert [each.text for each in codes] == ["owner", "execute()"]
    runs = [each["data-code-of"] for each in page.root.all("ol", class_="findings")]
    assert runs == ["run_shop", "run_page", "run_shop"]
    chosen = [json.loads(each["data-code"])["run"] for each in page.root.all("div", **CHOICE)]
    assert chosen == ["run_page", "run_shop"]


CHOICE = {"class_": "code-choice"}


def places_in(page: Page, name: str) -> list[str]:
    """Return the places of the findings in a part of a comparison."""
    part = page.root.one("section", **{"aria-labelledby": name})
    return [each.text for each in part.all("span", class_="finding-place")]


def test_a_comparison_of_many_findings_shows_the_worst(
    app: Flask, browser: SignedBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codeintel.web.run_list.pages.MOST_FINDINGS", 2)
    found = [(1, Severity.LOW, "a"), (2, Severity.CRITICAL, "b"), (3, Severity.HIGH, "c")]
    store_results(app, {"run_page": [], "run_shop": found})
    page = page_of(browser, "/runs/compare?run=run_shop&run=run_page")
    new = page.root.one("section", **{"aria-labelledby": "new"})
    assert places_in(page, "new") == ["line 2", "line 3"]
    assert "The 2 worst of 3." in new.text
    assert new.all("a")[-1]["href"] == "/runs/run_shop"


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ("run=run_shop&run=run_change", 400),
        ("run=run_shop&run=run_broken", 400),
        ("run=run_shop&run=run_foreign", 404),
        ("run=run_shop&run=run_none", 404),
    ],
)
def test_what_cannot_be_compared(browser: SignedBrowser, query: str, status: int) -> None:
    assert browser.client.get(f"/runs/compare?{query}").status_code == status


@pytest.mark.parametrize(
    "query",
    [
        "",
        "run=run_shop",
        "run=run_shop&run=run_shop",
        "run=run_shop&run=run_page&run=run_change",
    ],
)
def test_a_comparison_of_other_than_two_leads_back(browser: SignedBrowser, query: str) -> None:
    answer = browser.client.get(f"/runs/compare?{query}")
    assert answer.status_code == 303
    page = page_of(browser, answer.headers["Location"])
    assert page.root.one("h1").text == "Runs"
    said = page.root.one("div", class_="said")
    assert said.text.strip() == "Select exactly two analyses to compare."
