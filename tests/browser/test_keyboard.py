"""The site without a mouse."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from browser_site import Browse, Person
from page_scenes import open_page
from playwright.sync_api import Page, TimeoutError as Timeout, expect

MOST_STOPS, MOMENT_MS = 150, 1_000
_STOP = """() => {
  const at = document.activeElement;
  if (!at || at === document.body || at === document.documentElement) return null;
  const outlined = (each) => {
    const style = getComputedStyle(each);
    return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
  };
  const box = at.getBoundingClientRect();
  return {
    what: at.outerHTML.slice(0, 150),
    shown: [at, at.closest("label, .cm-editor")].some((each) => each && outlined(each)),
    inside: box.width > 0 && box.bottom > 0 && box.top < innerHeight && box.right > 0
      && box.left < innerWidth,
    number: [...document.querySelectorAll("*")].indexOf(at),
  };
}"""
_IS_SEEN = f"() => {{ const at = ({_STOP})(); return at && at.shown && at.inside; }}"


def is_seen(stop: dict[str, Any]) -> bool:
    return stop["shown"] and stop["inside"]


def stops(page: Page) -> list[dict[str, Any]]:
    """Return all stops of the Tab key, in order, until it leaves the page."""
    found: list[dict[str, Any]] = []
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        stop = page.evaluate(_STOP)
        if stop is None or (found and stop["number"] == found[0]["number"]):
            return found
        if not is_seen(stop):  # an editor marks itself a moment later
            with suppress(Timeout):
                page.wait_for_function(_IS_SEEN, timeout=MOMENT_MS)
            stop = page.evaluate(_STOP)
        found.append(stop)
    raise AssertionError(f"still within the page after {MOST_STOPS} stops: {found[-1]['what']}")


@pytest.mark.parametrize(
    ("path", "signed_in", "width"),
    [
        ("/", False, 1400),
        ("/search?q=stargazer", False, 360),
        ("/trust", False, 1400),
        ("/docs/api/health", False, 1400),
        ("/docs/api/analyze", True, 360),
        ("/signin", False, 360),
        ("/workspace", True, 360),
        ("/playground", True, 1400),
        ("/playground", True, 360),
        ("/account", True, 1400),
        ("/account/keys", True, 1400),
        ("/account/keys", True, 360),
        ("/account/activity", True, 360),
    ],
)
def test_every_stop_is_seen(
    browse: Browse, ada: Person, path: str, signed_in: bool, width: int
) -> None:
    page = browse(
        ada if signed_in else None,
        viewport={"width": width, "height": 780},
        reduced_motion="reduce",
    )
    open_page(page, path)
    page.get_by_role("link", name="Skip to main content").focus()
    page.keyboard.press("Shift+Tab")  # out of the page, regardless of the initial focus
    found = stops(page)
    assert [stop["what"] for stop in found if not is_seen(stop)] == []
    assert "Skip to main content" in found[0]["what"]
    assert 'value="system"' in found[-1]["what"], "the footer's last button"


def test_the_skip_link_leads_past_the_header(browse: Browse) -> None:
    page = browse()
    open_page(page, "/docs/rules?language=ruby")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to main content")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("document.querySelector('main').contains(document.activeElement)")


def tab_to(page: Page, name: str) -> None:
    """Press Tab until something with this text or label has the focus."""
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        at = page.locator("*:focus")
        if at.count() and name in (at.first.evaluate("e => (e.labels?.[0] ?? e).textContent")):
            return
    raise AssertionError(f"Tab does not come to {name}")


def test_a_key_is_made_and_revoked(browse: Browse, ada: Person) -> None:
    page = browse(ada)
    open_page(page, "/")
    tab_to(page, ada.email)
    page.keyboard.press("Enter")
    tab_to(page, "Developer settings")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Create a key")).to_be_visible()
    tab_to(page, "Name")
    page.keyboard.type("by hand")
    tab_to(page, "1 year")  # of radio buttons the Tab key comes to the chosen one
    page.keyboard.press("ArrowUp")
    tab_to(page, "search:read")
    page.keyboard.press("Space")
    tab_to(page, "Create key")
    page.keyboard.press("Enter")
    token = page.get_by_label("Copy the key now")
    expect(token).to_be_focused()
    assert token.input_value().startswith("ci_live_")
    expect(page.get_by_role("main")).to_contain_text("search:read")
    tab_to(page, "I copied the token")
    page.keyboard.press("Enter")
    expect(page.get_by_role("row", name="by hand")).to_be_visible()
    tab_to(page, "Revoke by hand")
    page.keyboard.press("Enter")
    tab_to(page, "Revoke key")
    page.keyboard.press("Enter")
    expect(page.get_by_text("The key “by hand” is revoked.")).to_be_visible()


def test_the_menu_closes_with_escape(browse: Browse, ada: Person) -> None:
    page = browse(ada)
    open_page(page, "/search")
    menu = page.locator("summary", has_text=ada.email)
    menu.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Activity")).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(page.get_by_role("link", name="Activity")).to_be_hidden()
    expect(menu).to_be_focused()


def test_tab_leaves_the_editor(browse: Browse, ada: Person) -> None:
    page = browse(ada)
    open_page(page, "/playground")
    page.locator(".cm-content").focus()
    page.keyboard.type("if x:")
    page.keyboard.press("Tab")
    expect(page.locator(".cm-content")).not_to_be_focused()
