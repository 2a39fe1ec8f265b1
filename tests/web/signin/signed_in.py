"""Signing in, and who that is then."""

from __future__ import annotations

from flask.testing import FlaskClient
from web_pages import Page

from codeintel.app import Services

OWN = {"Sec-Fetch-Site": "same-origin"}
COOKIE = "codeintel_session"


def sign_in(client: FlaskClient, services: Services, account_id: str) -> str:
    """Sign in by a link, and return the session's token."""
    answer = client.post(f"/signin/{services.links.make(account_id)}", headers=OWN)
    assert answer.status_code == 303
    cookie = client.get_cookie(COOKIE)
    assert cookie is not None
    return cookie.value


def who(client: FlaskClient) -> str:
    """Return the user name in the page's menu; empty for anonymous visitors."""
    menus = Page(client.get("/docs").text).root.all("details", class_="menu")
    return menus[0].one("summary").text if menus else ""


def csrf(client: FlaskClient) -> str:
    page = Page(client.get("/docs").text)
    return page.root.one("form", action="/signout").one("input", name="csrf")["value"]
