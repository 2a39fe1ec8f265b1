"""The command palette: a combobox that the keyboard alone can use."""

from __future__ import annotations

from browser_site import ANALYZE, Browse, Person, Site
from page_scenes import open_page
from playwright.sync_api import Page, expect


def opened(page: Page, path: str) -> None:
    """Open a page and its palette."""
    open_page(page, path)
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name="Search everything")).to_be_focused()
    expect(page.get_by_role("option").first).to_be_visible()


def test_arrows_choose_and_enter_opens(browse: Browse, ada: Person) -> None:
    page = browse(ada)
    opened(page, "/runs")
    box = page.get_by_role("combobox", name="Search everything")
    first, second = (page.get_by_role("option").nth(at) for at in (0, 1))
    expect(first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowDown")
    expect(second).to_have_attribute("aria-selected", "true")
    expect(first).to_have_attribute("aria-selected", "false")
    assert box.get_attribute("aria-activedescendant") == second.get_attribute("id")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")  # from the first to the last
    expect(page.get_by_role("option").last).to_have_attribute("aria-selected", "true")
    page.keyboard.type("developer sett")
    expect(first).to_have_text("Developer settingsAccount")
    page.keyboard.press("Enter")
    page.wait_for_url("**/account/keys")


def test_escape_closes_and_the_focus_returns(browse: Browse, ada: Person) -> None:
    page = browse(ada)
    open_page(page, "/runs")
    link = page.get_by_role("link", name="Playground", exact=True)
    link.focus()
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("combobox")).to_be_hidden()
    expect(link).to_be_focused()


def test_runs_are_found_by_file_and_clicked(browse: Browse, site: Site, ada: Person) -> None:
    run_id = site.run(ada, ANALYZE, code="x = 1\n")
    page = browse(ada)
    opened(page, "/account")
    page.keyboard.type(run_id)
    page.get_by_role("option", name="Unnamed code").click()
    page.wait_for_url(f"**/runs/{run_id}")


def test_nothing_found_is_said(browse: Browse, ada: Person) -> None:
    page = browse(ada)
    opened(page, "/account")
    page.route("**/find/results*", lambda route: route.fulfill(json={"groups": []}))
    page.keyboard.type("zzz")
    expect(page.locator("dialog").get_by_role("status")).to_have_text("No results")
    expect(page.get_by_role("combobox")).to_have_attribute("aria-expanded", "false")


def test_visitors_come_to_the_search_field(browse: Browse) -> None:
    page = browse()
    open_page(page, "/docs/rules?language=ruby")
    page.keyboard.press("Control+k")
    field = page.get_by_role("searchbox", name="Search everything")
    expect(field).to_be_focused()
    page.keyboard.type("rules")
    page.keyboard.press("Enter")
    page.wait_for_url("**/find?q=rules")
    expect(page.get_by_role("link", name="Rules").last).to_be_visible()
