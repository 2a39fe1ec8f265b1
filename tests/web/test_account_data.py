"""`/account/data`: one's own data, and the end of the account."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from flask import Flask
from identity_clock import Clock
from signed_browser import OWN, SignedBrowser
from signed_pages import checked, page_of
from sqlalchemy import update
from stored_samples import fill
from support import User

from codeintel.app import Services
from codeintel.base.errors import ServiceError
from codeintel.identity.tables import SessionRow

PATH = "/account/data"
EMAIL = "user@example.org"


@pytest.fixture
def user(services: Services) -> User:
    return fill(services)


@pytest.fixture
def browser(app: Flask, services: Services, user: User) -> SignedBrowser:
    return SignedBrowser(app, services, user.account.id)


def test_the_page_says_what_is_lost(browser: SignedBrowser) -> None:
    page = page_of(browser, PATH)
    text = page.root.one("section", id="delete").text
    assert "1 workspace and all results" in text
    assert "You lose 98 credits" in text
    current = page.root.one("nav", class_="tabs").one("a", **{"aria-current": "page"})
    assert current.text == "Your data"


def test_everything_can_be_downloaded(browser: SignedBrowser, services: Services) -> None:
    answer = browser.send(f"{PATH}/download")
    assert answer.status_code == 200
    assert answer.mimetype == "application/zip"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="codeintel-data.zip"'
    assert "no-store" in answer.headers["Cache-Control"]
    with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
        assert archive.testzip() is None
        assert json.loads(archive.read("account.json"))["email"] == EMAIL
        assert len(archive.read("runs.jsonl").splitlines()) == 2
    told = services.audit.events(browser.account_id)[0]
    assert (told.kind, told.actor) == ("account.exported", f"session:{browser.session_id}")


@pytest.mark.parametrize("typed", ["", "yes", "other@example.org"])
def test_the_address_must_be_typed(browser: SignedBrowser, typed: str) -> None:
    page = checked(browser.send(f"{PATH}/delete", confirmation=typed), 400)
    assert page.root.one("div", role="alert").one("a")["href"] == "#confirmation"
    assert browser.is_signed_in


def test_the_account_is_gone(app: Flask, browser: SignedBrowser, services: Services) -> None:
    other = SignedBrowser(app, services, browser.account_id)
    answer = browser.send(f"{PATH}/delete", confirmation=f" {EMAIL.upper()} ")
    assert (answer.status_code, answer.location) == (303, "/?notice=account-deleted")
    assert answer.headers["Clear-Site-Data"] == '"storage"'
    assert not browser.is_signed_in
    assert not other.is_signed_in
    assert "The account and its data are deleted" in browser.client.get(answer.location).text
    with pytest.raises(ServiceError, match="No account exists"):
        services.accounts.find(EMAIL)


@pytest.mark.parametrize("action", ["download", "delete"])
def test_other_pages_cannot(browser: SignedBrowser, action: str) -> None:
    fields = {"confirmation": EMAIL}
    for headers, data in (
        ({"Sec-Fetch-Site": "cross-site"}, {**fields, "csrf": browser.csrf()}),
        (OWN, fields),
        (OWN, {**fields, "csrf": "0" * 64}),
    ):
        answer = browser.client.post(f"{PATH}/{action}", data=data, headers=headers)
        assert answer.status_code == 403
    assert browser.is_signed_in


def test_an_old_session_does_not_delete(browser: SignedBrowser, services: Services) -> None:
    old = Clock().now - 3_601_000
    statement = update(SessionRow).values(created_ms=old)
    services.ledger._writer.run(lambda connection: connection.execute(statement))
    page = page_of(browser, PATH)
    section = page.root.one("section", id="delete")
    assert section.all("form") == []
    assert "sign in again" in section.text
    assert browser.send(f"{PATH}/delete", confirmation=EMAIL).status_code == 400
    assert browser.is_signed_in
