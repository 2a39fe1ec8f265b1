"""The editor of a workspace by keyboard, on small pages, in both themes, full of hostile text."""

from __future__ import annotations

import time

import pytest
from browser_site import Browse, Person, Site
from editor_pages import (
    BAD_PYTHON,
    SHOP,
    Client,
    editor,
    new_file,
    open_file,
    part,
    save,
    show_editor,
)
from page_checks import moving, too_wide, violations
from playwright.sync_api import Page, expect

SCRIPT = "<script>document.title='run'</script><img src=x onerror=\"document.title='run'\">"
HOSTILE = {
    "/<img src=x onerror=document.title='run'>.html": f"<!doctype html>{SCRIPT}",
    "/\"'><svg onload=document.title='run'>.svg": f"<svg xmlns='http://www.w3.org/2000/svg'>{SCRIPT}</svg>",
    "/\u05d0\u05d1<b>\u05d2.txt": f"{SCRIPT}\n\u202edesrever\u202c \u2066x\u2069\n",
    "/{{ 7 * 7 }} ${7*7} %s.md": f"# {SCRIPT}\n\n[x](javascript:document.title='run')\n",
    "/javascript&colon;alert(1)": "'); document.title='run'; ('",
}
DRAW_SECONDS = 8


def test_hostile_names_and_texts_are_shown(browse: Browse, site: Site, ada: Person) -> None:
    client = Client(site, ada, HOSTILE)
    page = browse(ada)
    show_editor(page, client.page)
    for path, text in HOSTILE.items():
        open_file(page, path[1:])
        expect(editor(page)).to_contain_text(text[:20].split("\u202e")[0].strip())
        if "\u202e" in text:
            expect(editor(page).locator(".cm-specialChar")).to_have_count(4)
        page.get_by_role("button", name="one column").click()
        expect(part(page, "diff").locator(".cm-content")).to_be_visible()
    expect(page.get_by_role("treeitem")).to_have_count(len(HOSTILE))
    page.keyboard.press("ControlOrMeta+Shift+f")
    page.keyboard.type("document.title")
    page.keyboard.press("Enter")
    expect(part(page, "find-told")).to_contain_text("in 5 files")
    assert page.locator("[data-find-hits] img, [data-tree] img, [data-tree] svg").count() == 0
    assert "run" not in page.title()


def test_all_of_it_by_keyboard(browse: Browse, site: Site, ada: Person) -> None:
    client = Client(site, ada, SHOP)
    page = browse(ada)
    show_editor(page, client.page)
    keys = page.keyboard
    part(page, "save").focus()
    keys.press("F6")
    expect(page.get_by_role("treeitem", name="README.md")).to_be_focused()
    keys.press("Home")
    keys.press("ArrowRight")
    keys.press("ArrowRight")
    expect(page.get_by_role("treeitem", name="shop")).to_be_focused()
    keys.press("ArrowRight")
    keys.type("pe")
    expect(page.get_by_role("treeitem", name="people.py")).to_be_focused()
    keys.press("ArrowLeft")
    expect(page.get_by_role("treeitem", name="shop")).to_be_focused()
    keys.type("c")
    keys.press("Enter")
    expect(editor(page)).to_be_focused()
    keys.press("ControlOrMeta+End")
    keys.type("# by keyboard")
    save(page, 2)
    keys.press("Alt+PageUp")
    expect(page.get_by_role("tab", selected=True)).to_contain_text("README.md")
    keys.press("Shift+F6")
    expect(page.get_by_role("tab", selected=True)).to_be_focused()
    keys.press("ArrowRight")
    expect(page.get_by_role("tab", name="cart.py")).to_be_focused()
    keys.press("Delete")
    expect(page.get_by_role("tab")).to_have_count(1)
    expect(page.get_by_role("tab", name="README.md")).to_be_focused()
    keys.press("F1")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    keys.press("Escape")
    keys.press("Alt+a")
    expect(page.get_by_label("Task")).to_be_focused()
    keys.press("Tab")
    keys.press("Shift+F6")
    expect(editor(page)).to_be_focused()
    keys.press("Tab")
    expect(editor(page)).not_to_be_focused()
    keys.press("Shift+Tab")
    keys.press("Alt+w")
    expect(page.get_by_role("tab")).to_have_count(0)
    assert client.read("/src/shop/cart.py").decode().endswith("# by keyboard")


def busy(page: Page, client: Client) -> None:
    """Show an unsaved file, one with findings, and all parts open."""
    show_editor(page, f"{client.page}?path=/README.md")
    new_file(page, "/src/new.py")
    page.keyboard.insert_text(BAD_PYTHON)
    page.keyboard.press("Alt+a")
    part(page, "run").click()
    expect(part(page, "status")).to_contain_text("Done.")
    if part(page, "side").is_hidden():
        part(page, "side-toggle").click()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [1400, 360])
def test_it_is_accessible(browse: Browse, site: Site, ada: Person, theme: str, width: int) -> None:
    client = Client(site, ada, SHOP)
    size = {"width": width, "height": 800}
    page = browse(ada, ("409 POST",), color_scheme=theme, reduced_motion="reduce", viewport=size)
    busy(page, client)
    found = {"editor": violations(page), "moving": moving(page)}
    page.keyboard.press("ControlOrMeta+Shift+f")
    page.keyboard.type("def")
    page.keyboard.press("Enter")
    expect(part(page, "find-told")).to_contain_text("places")
    found["search"] = violations(page)
    page.keyboard.press("ControlOrMeta+p")
    found["palette"] = violations(page)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Changes", exact=True).click()
    expect(part(page, "diff").locator(".cm-content").first).to_be_visible()
    found["diff"] = violations(page)
    client.change(1, {"/src/new.py": "x = 1\n"})
    page.keyboard.press("ControlOrMeta+s")
    expect(part(page, "conflict")).to_be_visible()
    expect(page.get_by_role("textbox", name="Their text")).to_be_visible()
    found["conflict"] = violations(page)
    page.keyboard.press("Escape")
    page.keyboard.press("F1")
    found["keys"] = violations(page)
    page.keyboard.press("Escape")
    found |= {f"too wide at {each}": too_wide(page, each) for each in (360, 320)}
    assert {name: problems for name, problems in found.items() if problems} == {}


def test_two_thousand_files(browse: Browse, site: Site, ada: Person) -> None:
    files = {f"/flat/file{number}.txt": f"{number}\n" for number in range(1_000)}
    files |= {f"/deep/{number % 50}/f{number}.py": "x = 1\n" for number in range(999)}
    client = Client(site, ada, files)
    page = browse(ada)
    show_editor(page, client.page)
    assert page.get_by_role("treeitem").count() < 100  # what is in folders is made when they open
    started = time.monotonic()
    page.get_by_role("treeitem", name="flat").locator("> .we-row").click()
    expect(page.get_by_role("treeitem")).to_have_count(1_002)
    open_file(page, "file777.txt")
    expect(page.get_by_role("treeitem", name="file777.txt")).to_be_visible()
    assert time.monotonic() - started < DRAW_SECONDS
