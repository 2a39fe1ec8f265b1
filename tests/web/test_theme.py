"""Light, dark, or what the device says."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient
from support import MakeApp
from web_pages import Page

OWN = {"Sec-Fetch-Site": "same-origin"}


def shown(client: FlaskClient) -> tuple[str, str, list[str]]:
    """Return the theme of a page, the color scheme for the browser, and the pressed button."""
    page = Page(client.get("/search").text)
    buttons = page.root.one("form", class_="theme").all("button", **{"aria-pressed": "true"})
    told = page.root.one("meta", name="color-scheme")["content"]
    return page.root.one("html")["data-theme"], told, [each.text for each in buttons]


def test_a_choice_is_kept_and_can_be_taken_back(client: FlaskClient) -> None:
    assert shown(client) == ("system", "light dark", ["System"])
    answer = client.post("/theme", data={"theme": "dark", "next": "/search?q=a%26b"}, headers=OWN)
    assert (answer.status_code, answer.location) == (303, "/search?q=a%26b")
    assert shown(client) == ("dark", "dark", ["Dark"])
    client.post("/theme", data={"theme": "light"}, headers=OWN)
    assert shown(client) == ("light", "light", ["Light"])
    client.post("/theme", data={"theme": "system"}, headers=OWN)
    assert shown(client) == ("system", "light dark", ["System"])


@pytest.mark.parametrize("value", ["", "blue", 'dark"><script>', "DARK"])
def test_what_is_no_theme_is_that_of_the_device(client: FlaskClient, value: str) -> None:
    client.set_cookie("codeintel_theme", value)
    assert shown(client)[0] == "system"
    client.post("/theme", data={"theme": value}, headers=OWN)
    assert shown(client)[0] == "system"


def test_other_sites_choose_nothing(client: FlaskClient) -> None:
    for headers in ({"Sec-Fetch-Site": "cross-site"}, {"Origin": "http://other.example"}, {}):
        answer = client.post("/theme", data={"theme": "dark"}, headers=headers)
        assert answer.status_code == 403
        assert "Set-Cookie" not in answer.headers


def test_the_form_leads_back_to_its_page(client: FlaskClient) -> None:
    page = Page(client.get("/docs/rules?language=go").text)
    form = page.root.one("form", class_="theme")
    assert form.one("input", name="next")["value"] == "/docs/rules?language=go"


@pytest.mark.parametrize(("public_url", "is_secure"), [("https://code.example", True), ("", False)])
def test_the_cookie(make_app: MakeApp, public_url: str, is_secure: bool) -> None:
    client = make_app({"CODEINTEL_PUBLIC_URL": public_url}).test_client()
    headers = {"Origin": public_url or "http://localhost", **OWN}
    answer = client.post(
        "/theme",
        data={"theme": "dark"},
        headers=headers,
        base_url=public_url or "http://localhost",
    )
    cookie = answer.headers["Set-Cookie"]
    assert ("Secure" in cookie) is is_secure
    assert {"HttpOnly", "SameSite=Lax", "Path=/"} <= {each.strip() for each in cookie.split(";")}
