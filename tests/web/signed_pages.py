"""Pages of a signed-in user."""

from __future__ import annotations

from signed_browser import SignedBrowser
from web_pages import Page, assert_sound
from werkzeug.test import TestResponse


def page_of(browser: SignedBrowser, path: str, status: int = 200) -> Page:
    """Return the page at an address."""
    return checked(browser.client.get(path), status)


def checked(answer: TestResponse, status: int = 200) -> Page:
    """Return the page of an answer, and check that it is valid and not cached."""
    assert answer.status_code == status, answer.text
    assert "no-store" in answer.headers["Cache-Control"]
    page = Page(answer.text)
    assert_sound(page)
    return page
