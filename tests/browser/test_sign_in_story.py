"""From an invitation to a key, to findings, and to the end of the key, as a user would do it."""

from __future__ import annotations

import re

from browser_site import ANALYZE, Browse, Site
from page_scenes import BAD_CODE, fill_key, open_page, play
from playwright.sync_api import Locator, Page, expect

EMAIL = "grace@example.org"
NAME = "CI of the shop"


def test_from_the_invitation_to_a_key_that_is_refused(browse: Browse, site: Site) -> None:
    link = invite(site)
    page = browse(permissions=["clipboard-write"])
    sign_in(page, link)
    token = make_a_key(page)
    answer = site.stream(token, ANALYZE, code=BAD_CODE)
    assert answer.status_code == 200
    assert "event: finding" in answer.text
    assert "event: run.completed" in answer.text
    play(page, "Analyze", BAD_CODE)
    expect(page.locator("[data-status]")).to_contain_text("findings")
    revoke(page)
    refused = site.stream(token, ANALYZE, code=BAD_CODE)
    assert (refused.status_code, refused.json()["error"]["code"]) == (401, "unauthorized")
    somebody = browse(expected=("response: 410 GET",))
    open_page(somebody, link)
    expect(somebody.get_by_role("heading", level=1)).to_contain_text("no longer works")


def invite(site: Site) -> str:
    """Return a link, as the command makes it."""
    return site.server.run("accounts", "invite", EMAIL, "--url", site.url).stdout.strip()


def sign_in(page: Page, link: str) -> None:
    """Open the link, which uses nothing up, and confirm."""
    for _ in range(3):
        open_page(page, link)
        expect(page.get_by_role("heading", level=1)).to_contain_text(EMAIL)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page.get_by_text("You are signed in.")).to_be_visible()


def make_a_key(page: Page) -> str:
    """Create a key in the page, which shows and copies its token once."""
    fill_key(page, NAME)
    page.get_by_role("button", name="Create key").click()
    box = page.get_by_label("Copy the key now")
    token = box.input_value()
    assert re.fullmatch(r"ci_live_[0-9A-Za-z]{36}", token)
    assert f"CODEINTEL_API_KEY={token}" in page.get_by_role("main").inner_text()
    page.get_by_role("button", name="Copy the key").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    open_page(page, "/account/keys")
    assert token not in page.content()
    name = page.get_by_label("Name", exact=True)
    name.press("ControlOrMeta+v")
    expect(name).to_have_value(token)
    expect(row_of_key(page)).to_contain_text("never")
    return token


def revoke(page: Page) -> None:
    """Revoke the key, which its page names with its last use."""
    open_page(page, "/account/keys")
    expect(row_of_key(page)).not_to_contain_text("never")
    page.get_by_role("link", name=f"Revoke {NAME}").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(NAME)
    expect(page.get_by_role("main")).to_contain_text("The key was last used")
    page.get_by_role("button", name="Revoke key").click()
    expect(page.get_by_text(f"The key “{NAME}” is revoked.")).to_be_visible()
    expect(row_of_key(page)).to_contain_text("Revoked")
    expect(row_of_key(page).get_by_role("link")).to_have_count(0)


def row_of_key(page: Page) -> Locator:
    return page.get_by_role("row", name=NAME)
