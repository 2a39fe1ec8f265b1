"""Making keys at `/account/keys`, as a browser without scripts does."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import gevent
import pytest
from flask import Flask
from key_pages import HOSTILE, PATH, make, token_of
from signed_browser import OWN, SignedBrowser
from signed_pages import checked, page_of

from codeintel.app import Services
from codeintel.base.entitlements import Scope
from codeintel.base.key_format import is_well_formed


def test_an_account_without_keys_has_one_thing_to_do(browser: SignedBrowser) -> None:
    page = page_of(browser, PATH)
    assert not page.root.all("table")
    empty = page.root.one("div", class_="empty")
    assert [link["href"] for link in empty.all("a")] == ["#make"]
    assert page.root.one("section", id="make")
    form = page.root.one("form", class_="make-key")
    assert (form["method"], form["action"]) == ("post", PATH)


def test_the_form_explains_each_scope_and_ticks_none(browser: SignedBrowser) -> None:
    form = page_of(browser, PATH).root.one("form", class_="make-key")
    labels = form.all("label", class_="scope")
    assert [each.one("input")["value"] for each in labels] == list(Scope)
    for label, scope in zip(labels, Scope, strict=True):
        assert label.text == f"{scope} {scope.meaning}"
        assert "checked" not in label.one("input").attributes
    presets = form.all("input", name="expiry")
    assert [each["value"] for each in presets] == ["7", "30", "90", "365", "custom"]
    assert [each["value"] for each in presets if "checked" in each.attributes] == ["365"]


def test_a_new_key_is_shown_once_with_a_command_that_is_ready(
    browser: SignedBrowser, services: Services, account: str
) -> None:
    page = make(browser, scopes=["analysis:write", "search:read"])
    token = token_of(page)
    assert is_well_formed(token)
    field = page.root.one("textarea", id="token")
    assert "readonly" in field.attributes
    assert page.root.one("button", type="button", **{"data-copy": "token"})
    texts = [each.text for each in page.root.all("code") if (each.attributes.get("id") or "")]
    assert texts[0].startswith(f"export CODEINTEL_API_KEY={token} curl")
    assert ["analyze/stream" in texts[0], "api/v1/search" in texts[1]] == [True, True]
    assert len(texts) == 2
    (record,) = services.keys.list(account)
    assert record.scopes == (Scope.SEARCH_READ, Scope.ANALYSIS_WRITE)
    assert record.expires_at - record.created_at == timedelta(days=90)
    (event, *_) = services.audit.events(account)
    assert (event.kind, event.actor) == ("key.created", f"session:{browser.session_id}")
    later = browser.client.get(PATH).text
    assert token not in later
    assert record.preview in later
    found = services.keys.find(token)
    assert found is not None
    assert found.key_id == record.id


@pytest.mark.parametrize(
    ("expiry", "days", "lives"),
    [("7", "", 7), ("365", "12", 365), ("custom", "1", 1), ("custom", " 3650 ", 3650)],
)
def test_how_long(
    browser: SignedBrowser, services: Services, account: str, expiry: str, days: str, lives: int
) -> None:
    make(browser, expiry=expiry, days=days)
    (record,) = services.keys.list(account)
    assert record.expires_at - record.created_at == timedelta(days=lives)


@pytest.mark.parametrize(
    ("changed", "wrong"),
    [
        ({"name": " "}, ["name"]),
        ({"name": "x" * 101}, ["name"]),
        ({"scopes": []}, ["scope-1"]),
        ({"scopes": ["everything"]}, ["scope-1"]),
        ({"expiry": ""}, ["expiry-7"]),
        ({"expiry": "8"}, ["expiry-7"]),
        ({"expiry": "custom", "days": ""}, ["days"]),
        ({"expiry": "custom", "days": "0"}, ["days"]),
        ({"expiry": "custom", "days": "3651"}, ["days"]),
        ({"expiry": "custom", "days": "1.5"}, ["days"]),
        ({"expiry": "custom", "days": "٣"}, ["days"]),
        ({"expiry": "custom", "days": "9" * 5000}, ["days"]),
        (
            {"name": "", "scopes": [], "expiry": "custom", "days": ""},
            ["name", "scope-1", "days"],
        ),
    ],
)
def test_mistakes_stand_at_their_fields_and_values_stay(
    browser: SignedBrowser,
    services: Services,
    account: str,
    changed: dict[str, Any],
    wrong: list[str],
) -> None:
    sent = {"name": HOSTILE, "scopes": ["api:v1"], "expiry": "30", "days": "45", **changed}
    page = checked(browser.send(PATH, number="0", **sent), 400)
    assert services.keys.list(account) == []
    summary = page.root.one("div", role="alert")
    assert summary["tabindex"] == "-1"
    assert [link["href"] for link in summary.all("a")] == [f"#{id_}" for id_ in wrong]
    assert page.root.one("title").text.startswith("Error: ")
    messages = [each.text for each in page.root.all("p", class_="wrong")]
    assert sorted(messages) == sorted(link.text for link in summary.all("a"))
    form = page.root.one("form", class_="make-key")
    assert form.one("input", id="name")["value"] == sent["name"]
    assert form.one("input", id="days")["value"] == sent["days"]
    ticked = [
        each["value"] for each in form.all("input", name="scopes") if "checked" in each.attributes
    ]
    assert ticked == [scope for scope in sent["scopes"] if scope in list(Scope)]
    for id_ in wrong:
        field = form.one("input", id=id_)
        if id_ in {"name", "days"}:
            assert field["aria-invalid"] == "true"
            assert f"{id_}-wrong" in field["aria-describedby"].split()


def test_loading_the_answer_again_makes_no_second_key(
    browser: SignedBrowser, services: Services, account: str
) -> None:
    sent = {"name": "x", "scopes": ["api:v1"], "expiry": "7", "number": "0"}
    first = checked(browser.send(PATH, **sent), 201)
    again = checked(browser.send(PATH, **sent), 409)
    assert len(services.keys.list(account)) == 1
    assert token_of(first) not in again.text
    assert "No second key created" in again.root.one("div", role="alert").text
    # Its form is good for another one, if that is what was meant.
    form = again.root.one("form", class_="make-key")
    assert form.one("input", id="name")["value"] == "x"
    assert form.one("input", name="number")["value"] == "1"
    checked(browser.send(PATH, **{**sent, "number": "1"}), 201)
    assert len(services.keys.list(account)) == 2


def test_two_clicks_make_one_key(
    browser: SignedBrowser, app: Flask, services: Services, account: str
) -> None:
    """Check two requests that race: another request runs between the check and the creation."""
    csrf = browser.csrf()
    token = browser.client.get_cookie("codeintel_session")
    assert token is not None

    def click() -> int:
        client = app.test_client()
        client.set_cookie("codeintel_session", token.value)
        data = {"csrf": csrf, "name": "x", "scopes": "api:v1", "expiry": "7", "number": "0"}
        return client.post(PATH, data=data, headers=OWN).status_code

    clicks = [gevent.spawn(click) for _ in range(5)]
    gevent.joinall(clicks, timeout=30, raise_error=True)
    assert sorted(each.value for each in clicks) == [201, 409, 409, 409, 409]
    assert len(services.keys.list(account)) == 1


def test_a_form_without_its_number_makes_nothing(
    browser: SignedBrowser, services: Services, account: str
) -> None:
    for number in ({}, {"number": ""}, {"number": "x"}, {"number": "-1"}):
        answer = browser.send(PATH, name="x", scopes="api:v1", expiry="7", **number)
        assert answer.status_code == 409
    assert services.keys.list(account) == []
