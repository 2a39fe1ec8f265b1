"""The page `/account/keys`, its form filled in, for tests to import."""

from __future__ import annotations

from typing import Any

from signed_browser import OWN, SignedBrowser
from signed_pages import checked, page_of
from web_pages import Page

PATH = "/account/keys"
HOSTILE = "<script>alert(1)</script>\"'><b>&amp;{{ 7 * 7 }}"


def make(browser: SignedBrowser, **changed: Any) -> Page:
    """Fill in the form of the page, and send it."""
    page = page_of(browser, PATH)
    hidden = {each["name"]: each["value"] for each in page.root.all("input", type="hidden")}
    fields = {**hidden, "name": "laptop", "scopes": ["analysis:write"], "expiry": "90", **changed}
    answer = browser.client.post(PATH, data=fields, headers=OWN)
    return checked(answer, 201)


def token_of(page: Page) -> str:
    return page.root.one("textarea", id="token").text
