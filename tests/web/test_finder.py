"""`/find` and the results of the command palette."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from signed_browser import SignedBrowser
from signed_pages import page_of
from sqlalchemy import insert
from stored_samples import run_row
from support import User, make_user
from web_pages import Page, assert_sound

from codeintel.app import Services
from codeintel.base.entitlements import Tier
from codeintel.platform.db import db
from codeintel.platform.db.models import RunRow
from codeintel.runs.capability_types import RuleQuery
from codeintel.web.finder.packages import package_hits
from codeintel.web.hits import Hit, matching
from codeintel.workspaces.requests import SyncBody

HITS = [
    Hit("SQL injection", "/1", "law", "python-sql CWE-89"),
    Hit("NoSQL injection", "/2", "law", "javascript-nosql CWE-943"),
    Hit("Path traversal", "/3", "law", "sqlite-path"),
]


@pytest.fixture
def browser(app: Flask, services: Services, user: User) -> SignedBrowser:
    account = user.account.id
    services.workspaces.sync(account, Tier.FREE, SyncBody(files={"/a.py": "x = 1\n"}, name="shop"))
    other = make_user(services, "other@example.org").account.id
    with app.app_context(), db.engine.begin() as connection:
        row = run_row(account, "run_1", "completed", file="shop/orders.py")
        connection.execute(insert(RunRow).values(row))
        row = run_row(other, "run_2", "completed", file="shop/secret.py")
        connection.execute(insert(RunRow).values(row))
    return SignedBrowser(app, services, account)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("sql", ["/1", "/2", "/3"]),
        ("SQL Inj", ["/1", "/2"]),
        ("cwe-89", ["/1"]),
        ("cwe inj path", []),
        ("", ["/1", "/2", "/3"]),
        ("(", []),
    ],
)
def test_all_words_must_match_and_titles_come_first(text: str, found: list[str]) -> None:
    assert [each.address for each in matching(HITS, text)] == found


@pytest.mark.parametrize(
    ("text", "addresses"),
    [
        ("", []),
        ("@scope/kit", ["/trust?target=%40scope/kit", "/search?q=%40scope/kit"]),
        ("two words", ["/search?q=two%20words"]),
        ("a&b=c", ["/search?q=a%26b%3Dc"]),
    ],
)
def test_packages(text: str, addresses: list[str]) -> None:
    assert [each.address.replace("%2F", "/") for each in package_hits(text)] == addresses


def groups(browser: SignedBrowser, text: str) -> dict[str, list[str]]:
    """Return the titles of the hits by group."""
    answer = browser.client.get("/find/results", query_string={"q": text})
    assert (answer.status_code, answer.mimetype) == (200, "application/json")
    assert "no-store" in answer.headers["Cache-Control"]
    body: dict[str, Any] = answer.get_json()
    return {each["title"]: [hit["title"] for hit in each["hits"]] for each in body["groups"]}


def test_everything_of_the_account_and_nothing_of_others(browser: SignedBrowser) -> None:
    found = groups(browser, "shop")
    assert found["Workspaces"] == ["shop"]
    assert found["Runs"] == ["shop/orders.py"]
    assert found["Packages"] == ["Trust of shop", "Search registries for “shop”"]
    assert groups(browser, "developer sett") | {"Packages": []} == {
        "Pages": ["Developer settings"],
        "Packages": [],
    }
    assert groups(browser, "injection")["Rules"]


def test_rules_name_their_language_and_the_worst_come_first(browser: SignedBrowser) -> None:
    answer = browser.client.get("/find/results", query_string={"q": "sql inj"})
    (found,) = [each for each in answer.get_json()["groups"] if each["title"] == "Rules"]
    titles = [hit["title"] for hit in found["hits"]]
    assert all(title.startswith("SQL injection") and " · " in title for title in titles)
    assert titles.index("SQL injection · Java") < 3
    listed = {
        (each.analyzer, each.id): each.severity.rank
        for each in browser.services.catalogue.rules(RuleQuery())
    }
    ranks = [listed[tuple(hit["address"].split("/")[3:5])] for hit in found["hits"]]
    assert ranks == sorted(ranks)


def test_guides_and_their_sections(browser: SignedBrowser) -> None:
    assert groups(browser, "quick start")["Guides"][0] == "Quick start"
    answer = browser.client.get("/find/results", query_string={"q": "when the connection breaks"})
    (found,) = [each for each in answer.get_json()["groups"] if each["title"] == "Guides"]
    assert found["hits"][0]["address"] == "/docs/guides/api-guide#when-the-connection-breaks"


def test_before_anything_is_typed(browser: SignedBrowser) -> None:
    found = groups(browser, "")
    assert list(found) == ["Pages", "Workspaces", "Runs"]
    assert "Dashboard" in found["Pages"]


def test_the_page_has_links_to_all_hits(browser: SignedBrowser) -> None:
    page = page_of(browser, "/find?q=orders")
    links = [each["href"] for each in page.root.one("main").all("a")]
    assert "/runs/run_1" in links
    assert page.root.one("input", id="find-text")["value"] == "orders"


def test_visitors_find_pages_and_rules(client: FlaskClient) -> None:
    page = Page(client.get("/find?q=run").text)
    assert_sound(page)
    assert "/runs" not in {each["href"] for each in page.root.one("main").all("a")}
    assert '"address":"/runs"' not in client.get("/find/results?q=run").text
    hostile = client.get("/find", query_string={"q": "<script>'\""})
    assert_sound(Page(hostile.text))
    assert client.get(f"/find?q={'x' * 201}").status_code == 400
