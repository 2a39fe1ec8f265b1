"""Signing out, here and everywhere, and what those see who are signed in."""

from __future__ import annotations

import pytest
from flask import Flask
from flask.testing import FlaskClient
from signed_in import COOKIE, OWN, csrf, sign_in, who
from web_pages import Page, assert_sound

from codeintel.app import Services


def test_signing_out(client: FlaskClient, services: Services, ann: str) -> None:
    token = sign_in(client, services, ann)
    answer = client.post("/signout", data={"csrf": csrf(client)}, headers=OWN)
    assert (answer.status_code, answer.location) == (303, "/?notice=signed-out")
    assert answer.headers["Clear-Site-Data"] == '"storage"'
    assert services.sessions.find(token) is None
    assert client.get_cookie(COOKIE) is None
    page = Page(client.get(answer.location).text)
    assert page.root.one(class_="said").text == "You are signed out."
    assert client.post("/signout", headers=OWN).status_code == 303


def test_signing_out_everywhere(
    app: Flask, client: FlaskClient, services: Services, ann: str
) -> None:
    elsewhere = app.test_client()
    tokens = [sign_in(each, services, ann) for each in (client, elsewhere)]
    answer = client.post("/signout/everywhere", data={"csrf": csrf(client)}, headers=OWN)
    assert (answer.status_code, answer.location) == (303, "/?notice=signed-out-everywhere")
    assert answer.headers["Clear-Site-Data"] == '"storage"'
    assert [services.sessions.find(token) for token in tokens] == [None, None]
    assert who(elsewhere) == ""


@pytest.mark.parametrize("path", ["/signout", "/signout/everywhere"])
def test_nobody_else_signs_people_out(
    client: FlaskClient, services: Services, ann: str, path: str
) -> None:
    token = sign_in(client, services, ann)
    good = csrf(client)
    cross = {"Sec-Fetch-Site": "cross-site"}
    assert client.post(path, data={"csrf": good}, headers=cross).status_code == 403
    assert client.post(path, data={"csrf": good}).status_code == 403
    for data in ({}, {"csrf": ""}, {"csrf": "0" * 64}):
        answer = client.post(path, data=data, headers=OWN)
        assert (answer.status_code, answer.mimetype) == (403, "text/html")
    assert client.get(path).status_code == 405
    assert services.sessions.find(token) is not None


def test_pages_of_somebody_are_not_kept(client: FlaskClient, services: Services, ann: str) -> None:
    assert client.get("/docs").headers["Cache-Control"] == "private, no-cache"
    sign_in(client, services, ann)
    for path in ("/", "/docs", "/docs/rules", "/search", "/trust", "/signin"):
        assert client.get(path).headers["Cache-Control"] == "private, no-store"


def test_the_menu_of_whoever_is_signed_in(
    client: FlaskClient, services: Services, ann: str
) -> None:
    sign_in(client, services, ann)
    page = Page(client.get("/search").text)
    assert_sound(page)
    menu = page.root.one("details", class_="menu")
    assert [(each.text, each["href"]) for each in menu.all("a")] == [
        ("Account", "/account"),
        ("Developer settings", "/account/keys"),
        ("Activity", "/account/activity"),
        ("Your data", "/account/data"),
    ]
    titles = [each.text for each in page.root.one("nav", **{"aria-label": "Site"}).all("a")]
    assert titles == [
        "Dashboard",
        "Playground",
        "Runs",
        "Workspaces",
        "Search",
        "Trust",
        "Guides",
        "API",
        "Rules",
    ]


@pytest.mark.parametrize("path", ["/runs/run_1", "/workspace/ws_1", "/workspace/ws_1/reports"])
def test_a_page_of_another_account_says_who_is_signed_in(
    client: FlaskClient, services: Services, ann: str, path: str
) -> None:
    # The page does not say whether the run or workspace exists.
    sign_in(client, services, ann)
    answer = client.get(path)
    assert answer.status_code == 404
    page = Page(answer.text)
    assert_sound(page)
    main = page.root.one("main")
    assert "You are signed in as ann@example.org." in main.text
    form = {
        each["name"]: each["value"] for each in main.one("form", action="/signout").all("input")
    }
    left = client.post("/signout", data=form, headers=OWN)
    assert (left.status_code, left.location) == (303, f"/signin?next={path}&notice=signed-out")
    assert page.root.one(class_="said").text == ""
    assert (
        Page(client.get(left.location).text).root.one(class_="said").text == "You are signed out."
    )
    assert who(client) == ""


def test_other_missing_pages_do_not(client: FlaskClient, services: Services, ann: str) -> None:
    sign_in(client, services, ann)
    assert "You are signed in as" not in client.get("/docs/rules/nothing/there").text


def test_signing_out_leads_to_no_other_site(
    client: FlaskClient, services: Services, ann: str
) -> None:
    sign_in(client, services, ann)
    data = {"csrf": csrf(client), "next": "//evil.example/"}
    assert "evil" not in client.post("/signout", data=data, headers=OWN).location
