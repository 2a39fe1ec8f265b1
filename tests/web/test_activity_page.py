"""`/account/activity`: sessions, and what was done."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from flask import Flask
from signed_browser import AGENT, OWN, SignedBrowser
from signed_pages import checked, page_of
from support import MakeApp, User, make_user
from web_pages import Element

from codeintel.app import Services
from codeintel.identity.audit import OPERATOR, AuditEvent, AuditKind
from codeintel.web import activity
from codeintel.web.activity import agent, event_view, who

PATH = "/account/activity"


@pytest.fixture
def browser(app: Flask, services: Services, user: User) -> SignedBrowser:
    return SignedBrowser(app, services, user.account.id)


def rows(browser: SignedBrowser, class_: str, path: str = PATH) -> list[Element]:
    found = page_of(browser, path).root.all("table", class_=class_)
    return [row for table in found for row in table.one("tbody").all("tr")]


def test_the_sessions(app: Flask, services: Services, browser: SignedBrowser) -> None:
    other = SignedBrowser(app, services, browser.account_id, agent="Mozilla Chrome/140 Windows NT")
    listed = rows(browser, "sessions")
    assert {row.one("th").text for row in listed} == {
        "Firefox on Linux this browser",
        "Chrome on Windows",
    }
    # Ending another browser's session leaves this one.
    answer = browser.send(f"/account/sessions/{other.session_id}/end")
    assert (answer.status_code, answer.location) == (303, f"{PATH}?notice=session-ended")
    said = page_of(browser, answer.location).root.one("div", class_="said")
    assert said.text == "The browser is signed out."
    assert browser.is_signed_in
    assert not other.is_signed_in
    assert len(rows(browser, "sessions")) == 1


def test_ending_the_own_session_signs_out(browser: SignedBrowser) -> None:
    answer = browser.send(f"/account/sessions/{browser.session_id}/end")
    assert (answer.status_code, answer.location) == (303, "/?notice=signed-out")
    assert browser.client.get_cookie("codeintel_session") is None


def test_signing_out_everywhere(app: Flask, services: Services, browser: SignedBrowser) -> None:
    other = SignedBrowser(app, services, browser.account_id)
    form = page_of(browser, PATH).root.one("main").one("form", action="/signout/everywhere")
    assert browser.send(form["action"]).status_code == 303
    assert not browser.is_signed_in
    assert not other.is_signed_in


def test_anothers_session_is_none(app: Flask, services: Services, browser: SignedBrowser) -> None:
    foreign = SignedBrowser(app, services, make_user(services, "b@example.org").account.id)
    for session_id in (foreign.session_id, "ses_1"):
        assert browser.send(f"/account/sessions/{session_id}/end").status_code == 404
    assert foreign.is_signed_in


def test_a_session_is_ended_by_its_own_form_alone(browser: SignedBrowser) -> None:
    path = f"/account/sessions/{browser.session_id}/end"
    assert browser.client.post(path, headers=OWN).status_code == 403
    fields = {"csrf": browser.csrf()}
    for headers in ({}, {"Origin": "https://evil.example"}):
        assert browser.client.post(path, data=fields, headers=headers).status_code == 403
    assert browser.is_signed_in


def test_the_events_of_a_life(browser: SignedBrowser, services: Services, user: User) -> None:
    own, (first,) = browser.account_id, services.keys.list(browser.account_id)
    services.keys.rotate(own, first.id)
    services.ledger.grant(own, 7, "thanks")
    services.identities.join(own, "https://login.example.org", "u1", "", OPERATOR)
    told = [row.text for row in rows(browser, "events")]
    for part in (
        "Account created",
        "Credits added 7 credits: thanks",
        "Credits added 100 credits: account created",
        f"Key created “test” {first.preview}, for api:v1",
        f"Key rotated “test” {first.preview}",
        "Identity connected at login.example.org",
        "Signed in with a link, in Firefox on Linux",
    ):
        assert len([text for text in told if part in text]) == 1, part
    (signed_in,) = [text for text in told if "Signed in" in text]
    assert "this browser from 192.0.2.7" in signed_in
    assert user.token not in " ".join(told)


def test_pages_of_events(
    browser: SignedBrowser, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(activity, "EVENTS", 4)
    for number in range(9):
        services.ledger.grant(browser.account_id, 1, f"number {number}")
    everything = services.audit.events(browser.account_id)
    path, seen = PATH, []
    while path:
        page = page_of(browser, path)
        seen += page.root.one("table", class_="events").one("tbody").all("tr")
        older = page.root.all("a", rel="next")
        path = older[0]["href"].partition("#")[0] if older else ""
        assert len(seen) <= len(everything)
    assert len(seen) == len(everything)
    assert page.root.all("table", class_="sessions") == []
    beyond = page_of(browser, f"{PATH}?before=1")
    assert "There are no older events." in beyond.text


@pytest.mark.parametrize("before", ["", "x", "-1", str(2**70), "1&before=2"])
def test_what_is_no_page(browser: SignedBrowser, before: str) -> None:
    checked(browser.client.get(f"{PATH}?before={before}"), 400)


def test_others_sign_in_first(make_app: MakeApp) -> None:
    answer = make_app().test_client().get(PATH)
    assert (answer.status_code, answer.location) == (303, "/signin?next=/account/activity")


def event(kind: AuditKind, **changed: Any) -> AuditEvent:
    values: dict[str, Any] = {
        "id": "event-1",
        "at": datetime(2026, 6, 1, tzinfo=UTC),
        "kind": kind,
        "account_id": "acc_1",
        "email": "a@example.org",
        "actor": "command line",
        "address": "",
        "subject": "",
        "details": {"amount": -2, "reason": "done"} if kind.startswith("credits.") else {},
    }
    return AuditEvent(**{**values, **changed})


@pytest.mark.parametrize("kind", AuditKind)
def test_every_kind_has_words(kind: AuditKind) -> None:
    view = event_view(event(kind))
    assert view.title
    assert "_" not in view.title
    assert view.who == "the operator"


@pytest.mark.parametrize(
    ("actor", "words"),
    [
        ("session:ses_1", "this browser"),
        ("session:ses_2", "a browser"),
        ("provider:example", "sign-in at example"),
        ("command line", "the operator"),
        ("jwt", "a token"),
        ("ledger", "the service"),
        ("something new", "something new"),
    ],
)
def test_who(actor: str, words: str) -> None:
    assert who(actor, "ses_1") == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (AGENT, "Firefox on Linux"),
        ("Mozilla/5.0 (Windows NT 10.0) Chrome/140.0 Safari/537.36 Edg/140.0", "Edge on Windows"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Safari/605.1", "Safari on macOS"),
        ("Mozilla/5.0 (Linux; Android 15) Chrome/140.0 Mobile Safari/537.36", "Chrome on Android"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18 like Mac OS X) Safari/604.1", "Safari on iPhone"),
        ("Firefox/140.0", "Firefox"),
        ("curl/8.0", "curl/8.0"),
        ("x" * 200, "x" * 60),
        ("", "Unknown browser"),
    ],
)
def test_agents(text: str, words: str) -> None:
    assert agent(text) == words
