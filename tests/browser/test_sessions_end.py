"""Signing out, here and everywhere."""

from __future__ import annotations

import re

from browser_site import Browse, Person, Site
from page_scenes import open_page
from playwright.sync_api import Locator, Page, expect

SIGN_IN = re.compile(r"/signin\?next=")


def browsers(page: Page) -> Locator:
    """Return the rows of signed-in browsers."""
    return page.get_by_role("table", name="Browsers that are signed in").locator("tbody tr")


def test_signing_out_everywhere_signs_out_the_other_browser(browse: Browse, ada: Person) -> None:
    here, there = browse(ada), browse(ada)
    open_page(there, "/account/keys")
    open_page(here, "/account/activity")
    expect(browsers(here)).to_have_count(2)
    here.get_by_role("button", name="Sign out everywhere").click()
    expect(here.get_by_text("You are signed out in all browsers.")).to_be_visible()
    there.reload()
    expect(there).to_have_url(SIGN_IN)
    here.goto("/account")
    expect(here).to_have_url(SIGN_IN)


def test_one_other_session_is_ended(browse: Browse, ada: Person) -> None:
    here, there = browse(ada), browse(ada)
    open_page(there, "/account")
    open_page(here, "/account/activity")
    other = browsers(here).filter(has_not_text="this browser")
    other.get_by_role("button", name="Sign out").click()
    expect(browsers(here)).to_have_count(1)
    there.reload()
    expect(there).to_have_url(SIGN_IN)
    here.reload()
    expect(here.get_by_role("heading", level=1)).to_have_text("Activity")


def test_signing_in_leads_to_the_page_that_was_asked_for(
    browse: Browse, site: Site, ada: Person
) -> None:
    page = browse()
    page.goto("/account/activity")
    expect(page).to_have_url(SIGN_IN)
    following = page.url.partition("?")[2]
    page.goto(f"{site.link(ada)}?{following}")
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    expect(page).to_have_url(re.compile("/account/activity$"))
