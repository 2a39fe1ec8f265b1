"""Signing in with a link."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask
from flask.testing import FlaskClient
from identity_clock import Clock
from signed_in import COOKIE, OWN, sign_in, who
from support import MakeApp
from web_pages import Page, assert_sound

from codeintel.app import Services
from codeintel.base.entitlements import Tier


def test_looking_at_a_link_does_not_use_it(
    client: FlaskClient, services: Services, ann: str
) -> None:
    token = services.links.make(ann)
    for _ in range(10):
        answer = client.get(f"/signin/{token}")
        assert answer.status_code == 200
        assert "Set-Cookie" not in answer.headers
        assert answer.headers["Cache-Control"] == "private, no-store"
        assert answer.headers["Referrer-Policy"] == "strict-origin"
    assert client.head(f"/signin/{token}").status_code == 200
    page = Page(answer.text)
    assert_sound(page)
    assert "ann@example.org" in page.root.one("h1").text
    form = page.root.one("main").one("form")
    assert (form["method"], len(form.all("button"))) == ("post", 1)
    assert who(client) == ""
    answer = client.post(f"/signin/{token}", headers=OWN)
    assert (answer.status_code, answer.location) == (303, "/?notice=signed-in")
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert who(client) == "ann@example.org"


def refused(client: FlaskClient, token: str) -> None:
    """Check that an invalid link gets a page with instructions, and does not sign in."""
    for answer in (client.get(f"/signin/{token}"), client.post(f"/signin/{token}", headers=OWN)):
        assert answer.status_code == 410
        page = Page(answer.text)
        assert_sound(page)
        assert page.root.one("h1").text == "This link no longer works"
        assert "Request a new one" in page.root.one(class_="wrong").text
        assert "codeintel accounts invite" in page.text
        assert "Set-Cookie" not in answer.headers


def test_a_link_works_once(app: Flask, services: Services, ann: str) -> None:
    token = services.links.make(ann)
    assert app.test_client().post(f"/signin/{token}", headers=OWN).status_code == 303
    other = app.test_client()
    refused(other, token)
    assert who(other) == ""


def test_a_link_ends_after_ten_minutes(
    client: FlaskClient, services: Services, ann: str, clock: Clock
) -> None:
    token = services.links.make(ann)
    clock.pass_seconds(599)
    assert client.get(f"/signin/{token}").status_code == 200
    clock.pass_seconds(1)
    refused(client, token)


def test_a_newer_link_ends_those_before(client: FlaskClient, services: Services, ann: str) -> None:
    older, newer = services.links.make(ann), services.links.make(ann)
    refused(client, older)
    assert client.post(f"/signin/{newer}", headers=OWN).status_code == 303


@pytest.mark.parametrize("token", ["x", "a" * 43, "a" * 5_000, "é", "<script>"])
def test_what_is_no_link_is_refused(client: FlaskClient, token: str) -> None:
    refused(client, token)


def test_links_cannot_be_tried_without_end(make_app: MakeApp) -> None:
    client = make_app({"CODEINTEL_LIMIT_FAILED_AUTH": "3/minute"}).test_client()
    statuses = [client.post(f"/signin/{each}", headers=OWN).status_code for each in "abcd"]
    assert statuses == [410, 410, 410, 429]
    answer = client.get("/signin/e")
    assert (answer.status_code, answer.mimetype) == (429, "text/html")
    assert int(answer.headers["Retry-After"]) > 0
    assert client.get("/signin").status_code == 200


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"},
    ],
)
def test_other_sites_sign_nobody_in(
    client: FlaskClient, services: Services, ann: str, headers: dict[str, str]
) -> None:
    token = services.links.make(ann)
    answer = client.post(f"/signin/{token}", headers=headers)
    assert answer.status_code == 403
    assert "Set-Cookie" not in answer.headers
    assert client.post(f"/signin/{token}", headers=OWN).status_code == 303


def test_a_forged_host_changes_no_address(
    make_app: MakeApp, client: FlaskClient, services: Services, ann: str
) -> None:
    token = services.links.make(ann)
    for path in (f"/signin/{token}", "/signin"):
        answer = client.get(path, headers={"Host": "evil.example"})
        assert "evil.example" not in answer.text
    headers = {"Host": "evil.example", "Origin": "http://evil.example"}
    answer = client.post(f"/signin/{token}", headers=headers)
    assert "evil.example" not in answer.headers.get("Location", "")
    named = make_app({"CODEINTEL_PUBLIC_URL": "https://code.example"}).test_client()
    for method in ("GET", "POST"):
        answer = named.open(f"/signin/{token}", method=method, headers=headers)
        assert answer.status_code == 400
        assert "evil.example" not in answer.text


def test_signing_in_begins_a_new_session(client: FlaskClient, services: Services, ann: str) -> None:
    client.set_cookie(COOKIE, "chosen-by-somebody-else")
    first = sign_in(client, services, ann)
    second = sign_in(client, services, ann)
    assert len({first, second, "chosen-by-somebody-else"}) == 3
    assert services.sessions.find(first) is None
    assert services.sessions.find(second) is not None
    assert [each.how for each in services.sessions.list(ann)] == ["link"]


def test_the_page_says_who_will_be_signed_out(
    client: FlaskClient, services: Services, ann: str
) -> None:
    bob = services.accounts.create("bob@example.org", Tier.FREE, 0, False).id
    sign_in(client, services, ann)
    page = Page(client.get(f"/signin/{services.links.make(bob)}").text)
    assert "This signs out ann@example.org in this browser." in page.text
    sign_in(client, services, bob)
    assert who(client) == "bob@example.org"


@pytest.mark.parametrize(
    ("following", "location"),
    [
        ("/runs?a=b%26c", "/runs?a=b%26c"),
        ("//evil.example", "/?notice=signed-in"),
        ("https://evil.example", "/?notice=signed-in"),
        ("/\\evil.example", "/?notice=signed-in"),
        ("/signout", "/?notice=signed-in"),
    ],
)
def test_it_leads_on(
    client: FlaskClient, services: Services, ann: str, following: str, location: str
) -> None:
    token = services.links.make(ann)
    page = Page(client.get(f"/signin/{token}", query_string={"next": following}).text)
    sent = page.root.one("main").one("input", name="next")["value"]
    assert sent == (following if following == location else "/")
    for value in (sent, following):
        token = services.links.make(ann)
        answer = client.post(f"/signin/{token}", data={"next": value}, headers=OWN)
        assert answer.location == location


def test_pages_lead_to_it_and_back(client: FlaskClient) -> None:
    page = Page(client.get("/search?q=&form=1").text)
    (link,) = [each for each in page.root.one("header").all("a") if each.text == "Sign in"]
    assert link["href"] == "/signin?next=/search%3Fq%3D%26form%3D1"
    page = Page(client.get("/").text)
    assert page.root.one(class_="who").one("a")["href"] == "/signin"


def test_the_page_without_a_link(client: FlaskClient, services: Services, ann: str) -> None:
    page = Page(client.get("/signin").text)
    assert_sound(page)
    assert "codeintel serve" in page.text
    assert page.root.all(class_="signin-now") == []
    sign_in(client, services, ann)
    page = Page(client.get("/signin?next=/runs").text)
    now = page.root.one(class_="signin-now")
    assert now.text.startswith("You are signed in as ann@example.org.")
    assert now.one("a")["href"] == "/runs"


def test_a_button_for_each_provider(make_app: MakeApp) -> None:
    issuers = [
        {
            "name": "Works",
            "issuer": "https://works.example",
            "audience": "https://code.example",
            "client_id": "a",
            "client_secret": "not to be shown",
        },
        {"issuer": "https://tokens.example", "audience": "https://code.example"},
    ]
    client = make_app({"CODEINTEL_OIDC_ISSUERS": json.dumps(issuers)}).test_client()
    page = Page(client.get("/signin?next=/runs?a=b").text)
    assert_sound(page)
    buttons = page.root.one(class_="signin-providers").all("a")
    assert [each.text for each in buttons] == ["Sign in with Works"]
    address = urlsplit(buttons[0]["href"])
    asked = parse_qs(address.query)
    assert (address.path, asked["next"]) == ("/auth/login", ["/runs?a=b"])
    assert "not to be shown" not in page.text


def test_a_link_leads_to_the_page_that_the_visitor_asked_for(
    client: FlaskClient, services: Services, ann: str
) -> None:
    asked = client.get("/runs?q=app.py")
    assert client.get(asked.location).status_code == 200  # the ways to sign in
    for following in ("/runs?q=app.py&notice=", "/?notice="):  # the second link leads to the start
        link = f"/signin/{services.links.make(ann)}"
        wanted = wanted_by(client, link)
        answer = client.post(link, data={"next": wanted}, headers=OWN)
        assert answer.location.startswith(following.removesuffix("&notice="))
        assert client.get(answer.location).status_code == 200


def test_no_other_site_is_the_page_that_the_visitor_asked_for(
    client: FlaskClient, services: Services, ann: str
) -> None:
    for path in ("https://evil.example/", "//evil.example", "/signout", "/signin"):
        assert client.get("/signin", query_string={"next": path}).status_code == 200
        link = f"/signin/{services.links.make(ann)}"
        assert wanted_by(client, link) == "/"


def wanted_by(client: FlaskClient, link: str) -> str:
    """Return the page that a link leads to."""
    form = Page(client.get(link).text).root.one("main").one("form")
    return form.one("input", name="next")["value"]
