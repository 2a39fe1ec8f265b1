"""The features that work in a browser that runs or loads no scripts."""

from __future__ import annotations

import re

from browser_site import ANALYZE, Browse, Person, Site
from page_scenes import BAD_CODE, LOOP, fill_key, open_page
from playwright.sync_api import Page, expect

NO_BUNDLES = ("/static/web/dist/",)
"""The messages of :class:`Watch` about files that :func:`without_bundles` blocks."""


def test_a_key_is_made_rotated_and_revoked(browse: Browse, site: Site) -> None:
    page = browse(java_script_enabled=False)
    page.goto(site.link(site.person("joan")))
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    fill_key(page)
    page.get_by_role("button", name="Create key").click()
    token = page.get_by_label("Copy the key now").input_value()
    assert site.stream(token, ANALYZE, code=BAD_CODE).status_code == 200
    expect(page.get_by_role("button", name="Copy")).to_have_count(0)  # nothing that does nothing
    page.get_by_role("link", name="I copied the token").click()
    page.get_by_role("link", name="Rotate CI of the shop").click()
    page.get_by_label("Now", exact=True).check()
    page.get_by_role("button", name="Rotate key").click()
    following = page.get_by_label("Copy the key now").input_value()
    assert site.stream(token, ANALYZE, code=BAD_CODE).status_code == 401
    assert site.stream(following, ANALYZE, code=BAD_CODE).status_code == 200
    open_page(page, "/account/keys")
    page.get_by_role("link", name="Revoke CI of the shop").click()
    page.get_by_role("button", name="Revoke key").click()
    expect(page.get_by_text("is revoked.")).to_be_visible()
    assert site.stream(following, ANALYZE, code=BAD_CODE).status_code == 401


def test_a_form_that_is_sent_twice_makes_one_key(browse: Browse, ada: Person) -> None:
    page = browse(ada, ("response: 409 POST",), java_script_enabled=False)
    fill_key(page)
    page.get_by_role("button", name="Create key").click()
    expect(page.get_by_label("Copy the key now")).to_be_visible()
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("No second key created")
    expect(page.get_by_role("row")).to_have_count(2)  # the headings, and one key


def test_the_menu_opens_and_signs_out(browse: Browse, ada: Person) -> None:
    page = browse(ada, java_script_enabled=False)
    open_page(page, "/search")
    page.locator("summary", has_text=ada.email).click()
    page.get_by_role("button", name="Sign out").click()
    expect(page.get_by_text("You are signed out.")).to_be_visible()
    page.goto("/account/keys")
    expect(page).to_have_url(re.compile(r"/signin\?next="))


def test_a_chosen_theme_stays(browse: Browse) -> None:
    page = browse(color_scheme="light", java_script_enabled=False)
    open_page(page, "/search?q=stargazer")
    ground = background(page)
    page.get_by_role("button", name="Dark").click()
    expect(page.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
    assert page.url.endswith("/search?q=stargazer")
    assert background(page) != ground
    open_page(page, "/docs/rules?language=ruby")
    assert background(page) != ground


def background(page: Page) -> str:
    found: str = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return found


def test_the_playground_is_a_form_without_its_bundle(browse: Browse, ada: Person) -> None:
    page = browse(ada, NO_BUNDLES)
    without_bundles(page)
    send(page, "Analyze", BAD_CODE)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Completed")
    expect(page.locator(".finding").get_by_text("CWE-89", exact=True).first).to_be_visible()
    page.get_by_role("link", name=re.compile("^Critical|^High")).first.click()
    expect(page.locator(".finding")).to_have_count(1)
    page.get_by_role("link", name="Clear filters").click()
    page.get_by_label("Severity", exact=True).select_option("low")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(".counters [aria-current]")).to_contain_text("Low")
    send(page, "Refactor", LOOP)
    expect(page.get_by_role("region", name="Changes as a diff")).to_contain_text("+    return [")


def test_the_form_says_what_is_wrong_without_its_bundle(browse: Browse, ada: Person) -> None:
    page = browse(ada, (*NO_BUNDLES, "response: 400 POST"))
    without_bundles(page)
    send(page, "Analyze", " \n ")
    expect(page.get_by_role("textbox", name="Code", exact=True)).to_have_attribute(
        "aria-invalid", "true"
    )


def without_bundles(page: Page) -> None:
    """Let no script through."""
    page.route("**/static/web/dist/**", lambda route: route.abort())


def send(page: Page, task: str, code: str) -> None:
    """Fill and send the plain form."""
    open_page(page, "/playground")
    page.get_by_role("textbox", name="Code", exact=True).fill(code)
    page.get_by_label("Task").select_option(label=task)
    page.get_by_role("button", name="Run", exact=True).click()
