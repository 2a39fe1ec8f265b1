"""Revoking and rotating keys at `/account/keys`, and who may not."""

from __future__ import annotations

import re

import pytest
from flask import Flask
from key_pages import HOSTILE, PATH, token_of
from signed_browser import OWN, SignedBrowser
from signed_pages import checked, page_of
from support import User

from codeintel.app import Services
from codeintel.base.key_format import is_well_formed


def test_revoking_asks_first(browser: SignedBrowser, services: Services, account: str) -> None:
    record, token = services.keys.create(account, HOSTILE, ["api:v1"])
    row = page_of(browser, PATH).root.one("tr", id=record.id)
    asks = next(link["href"] for link in row.all("a") if link.text.startswith("Revoke"))
    page = page_of(browser, asks)
    assert HOSTILE in page.root.one("h1").text
    assert "The key was never used" in page.text
    services.keys.touch(services.keys.find(token))  # type: ignore[arg-type]
    assert "The key was last used" in page_of(browser, asks).text
    assert services.keys.find(token) is not None

    answer = browser.send(page.root.one("main").one("form")["action"])
    assert (answer.status_code, answer.location) == (303, f"{PATH}?revoked={record.id}")
    assert services.keys.find(token) is None
    listed = page_of(browser, answer.location)
    assert HOSTILE in listed.root.one("div", class_="said").text
    row = listed.root.one("tr", id=record.id)  # it stays
    assert "Revoked" in row.text
    assert row.all("a") == []
    assert "not active" in page_of(browser, asks).text
    assert browser.send(asks).status_code == 303


def test_rotating(browser: SignedBrowser, services: Services, account: str) -> None:
    record, token = services.keys.create(account, "ci", ["search:read"], 30)
    page = page_of(browser, f"{PATH}/{record.id}/rotate")
    choices = page.root.all("input", name="overlap")
    assert [each["value"] for each in choices] == ["0", "3600", "86400", "604800"]
    assert [each["value"] for each in choices if "checked" in each.attributes] == ["86400"]
    made = checked(browser.send(f"{PATH}/{record.id}/rotate", overlap="3600"), 201)
    assert is_well_formed(token_of(made))
    assert record.preview in made.text
    assert services.keys.find(token) is not None
    again = checked(browser.send(f"{PATH}/{record.id}/rotate", overlap="3600"), 409)
    assert "cannot be rotated" in again.root.one("h1").text
    assert token_of(made) not in again.text
    listed = page_of(browser, PATH)
    row = listed.root.one("tr", id=record.id)
    assert "Replaced" in row.text
    assert [link.text for link in row.all("a")] == ["Revoke ci"]
    assert len(services.keys.list(account)) == 2


def test_rotating_without_overlap(browser: SignedBrowser, services: Services, account: str) -> None:
    record, token = services.keys.create(account, "ci", ["workspace:write"], 30)
    made = checked(browser.send(f"{PATH}/{record.id}/rotate", overlap="0"), 201)
    assert "no longer works" in made.text
    assert services.keys.find(token) is None
    assert "/api/v1/capabilities" in made.root.one("code", id="command-1").text


@pytest.mark.parametrize("overlap", ["", "1", "-1", "604801", "day"])
def test_a_wrong_overlap(
    browser: SignedBrowser, services: Services, account: str, overlap: str
) -> None:
    record, _ = services.keys.create(account, "ci", ["api:v1"])
    page = checked(browser.send(f"{PATH}/{record.id}/rotate", overlap=overlap), 400)
    assert page.root.one("p", class_="wrong").text == "Choose how long the old key stays valid."
    assert services.keys.list(account) == [record]


@pytest.mark.parametrize("end", ["revoke", "rotate"])
def test_anothers_key_is_no_key(
    browser: SignedBrowser, services: Services, user: User, end: str
) -> None:
    (foreign,) = services.keys.list(user.account.id)
    for key_id in (foreign.id, "key_1"):
        assert browser.client.get(f"{PATH}/{key_id}/{end}").status_code == 404
        assert browser.send(f"{PATH}/{key_id}/{end}", overlap="0").status_code == 404
    assert services.keys.list(user.account.id) == [foreign]
    assert foreign.name not in browser.client.get(f"{PATH}?revoked={foreign.id}").text


def test_forms_of_other_sites_and_sessions_are_refused(
    browser: SignedBrowser, services: Services, account: str
) -> None:
    fields = {"name": "x", "scopes": "api:v1", "expiry": "7", "number": "0"}
    without = browser.client.post(PATH, data=fields, headers=OWN)
    csrf = browser.csrf()
    elsewhere = browser.client.post(
        PATH, data={**fields, "csrf": csrf}, headers={"Origin": "https://evil.example"}
    )
    assert [without.status_code, elsewhere.status_code] == [403, 403]
    assert services.keys.list(account) == []


@pytest.mark.parametrize("path", [PATH, f"{PATH}/key_1/revoke", f"{PATH}/key_1/rotate"])
def test_others_sign_in_first(app: Flask, path: str) -> None:
    answer = app.test_client().get(path)
    assert answer.status_code == 303
    assert re.fullmatch(r"/signin\?next=.*keys.*", answer.location)
