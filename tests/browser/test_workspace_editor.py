"""The editor of a workspace: files opened, edited and saved."""

from __future__ import annotations

import re

import pytest
from browser_site import Browse, Person, Site
from editor_pages import (
    SHOP,
    Client,
    editor,
    leave_freely,
    open_file,
    part,
    save,
    show_editor,
    type_at_end,
)
from playwright.sync_api import expect
from report_pages import FILES, pushed

RUN_MS = 20_000
EXACT = {
    "/crlf.txt": "one\r\ntwo\r\n",
    "/cr.txt": "one\rtwo\r",
    "/mixed.txt": "one\r\ntwo\nthree\r\nfour\r",
    "/no-end.txt": "one\ntwo",
    "/mark.txt": "\ufeffone\r\ntwo",
    "/odd.txt": "a\u2028b\u0000c\u202ed\ufeff\n\n",
    "/empty.txt": "",
}


def test_two_files_are_edited_and_saved(browse: Browse, site: Site, ada: Person) -> None:
    client = Client(site, ada, SHOP)
    page = browse(ada)
    show_editor(page, client.page)
    expect(editor(page)).to_contain_text("Sells things.")  # the text of the workspace's file
    type_at_end(page, "And more.")
    tree = page.get_by_role("tree", name="Files")
    tree.get_by_role("treeitem", name="src", exact=True).locator("> .we-row").click()
    tree.get_by_role("treeitem", name="shop", exact=True).locator("> .we-row").click()
    tree.get_by_role("treeitem", name="cart.py").click()
    expect(editor(page)).to_contain_text("def total")
    type_at_end(page, "# done")
    expect(page.get_by_role("tab")).to_have_count(2)
    expect(part(page, "save-count")).to_have_text("2")
    expect(tree.get_by_role("treeitem", name="cart.py changed")).to_be_visible()
    save(page, 2)
    expect(part(page, "save-count")).to_have_text("")
    assert client.read("/README.md").decode() == SHOP["/README.md"] + "And more."
    assert client.read("/src/shop/cart.py").decode() == SHOP["/src/shop/cart.py"] + "# done"
    page.reload()
    expect(editor(page)).to_contain_text("# done")  # the address tells the open file
    page.keyboard.press("ControlOrMeta+s")
    expect(part(page, "said")).to_have_text("No changes to save.")


@pytest.mark.parametrize("path", sorted(EXACT))
def test_an_edit_changes_nothing_else(browse: Browse, site: Site, ada: Person, path: str) -> None:
    client = Client(site, ada, EXACT)
    page = browse(ada)
    show_editor(page, client.page)
    open_file(page, path[1:])
    editor(page).focus()
    page.keyboard.press("ControlOrMeta+End")
    page.keyboard.type("x")
    expect(part(page, "save-count")).to_have_text("1")
    save(page, 2)
    assert client.read(path).decode() == EXACT[path] + "x"
    page.keyboard.press("Backspace")
    save(page, 3)
    assert client.read(path).decode() == EXACT[path]
    for other, text in EXACT.items():
        assert client.read(other).decode() == text


def test_a_new_line_ends_as_the_others(browse: Browse, site: Site, ada: Person) -> None:
    client = Client(site, ada, EXACT)
    page = browse(ada)
    show_editor(page, f"{client.page}?path=/crlf.txt")
    type_at_end(page, "three\nfour")
    save(page, 2)
    assert client.read("/crlf.txt") == b"one\r\ntwo\r\nthree\r\nfour"
    for _ in range(4):
        page.keyboard.press("ControlOrMeta+z")
    expect(part(page, "save-count")).to_have_text("1")


def test_files_are_made_renamed_deleted_and_reverted(
    browse: Browse, site: Site, ada: Person
) -> None:
    client = Client(site, ada, SHOP)
    page = browse(ada)
    show_editor(page, f"{client.page}?path=/src/shop/cart.py")
    page.get_by_role("button", name="New", exact=True).click()
    dialog = page.get_by_role("dialog", name="New file")
    dialog.get_by_label("Path").fill("/src/shop/cart.py")
    dialog.get_by_role("button", name="Create").click()
    expect(dialog.get_by_role("alert")).to_contain_text("is there already")
    dialog.get_by_label("Path").fill("/src/shop/new.py")
    dialog.get_by_role("button", name="Create").click()
    expect(editor(page)).to_be_focused()
    page.keyboard.type("x = 1")
    page.get_by_role("treeitem", name="cart.py").press("F2")
    dialog = page.get_by_role("dialog", name="Rename cart.py")
    dialog.get_by_label("Path").fill("/src/shop/basket.py")
    dialog.get_by_role("button", name="Rename").click()
    expect(editor(page)).to_contain_text("def total")
    page.get_by_role("treeitem", name="people.py").focus()
    page.keyboard.press("Delete")
    page.get_by_role("treeitem", name="load.py").focus()
    page.keyboard.press("Delete")
    expect(page.get_by_role("treeitem", name="load.py deleted")).to_be_visible()
    page.get_by_role("button", name="Revert").click()
    expect(page.get_by_role("treeitem", name="load.py", exact=True)).to_be_visible()
    save(page, 2)
    assert client.paths() == [
        "/README.md",
        "/src/shop/basket.py",
        "/src/shop/load.py",
        "/src/shop/new.py",
        "/src/web/app.js",
    ]
    assert client.read("/src/shop/new.py") == b"x = 1"
    assert client.read("/src/shop/basket.py").decode() == SHOP["/src/shop/cart.py"]


def test_what_is_not_saved_survives_a_reload(browse: Browse, site: Site, ada: Person) -> None:
    client = Client(site, ada, SHOP)
    page = browse(ada)
    show_editor(page, f"{client.page}?path=/src/shop/cart.py")
    asked = leave_freely(page)
    type_at_end(page, "# kept")
    open_file(page, "app.js")
    client.change(1, {"/README.md": "# Other\n"})
    page.reload()
    assert asked == ["beforeunload"]
    expect(part(page, "said")).to_have_text("Your unsaved changes were restored.")
    expect(page.get_by_role("tab")).to_have_count(2)
    open_file(page, "cart.py")
    expect(editor(page)).to_contain_text("# kept")
    save(page, 3)
    assert client.read("/src/shop/cart.py").decode().endswith("# kept")
    assert client.read("/README.md") == b"# Other\n"
    page.reload()
    expect(part(page, "said")).to_have_text("Revision 3")
    assert asked == ["beforeunload"]


def test_changes_since_the_push_are_shown(browse: Browse, site: Site, ada: Person) -> None:
    client = Client(site, ada, SHOP)
    client.change(1, {"/README.md": "# Shop\n\nBuys things.\n"})
    page = browse(ada)
    show_editor(page, client.page)
    page.get_by_role("button", name="Changes", exact=True).click()
    expect(part(page, "diff").locator(".cm-content")).to_have_count(2)
    expect(part(page, "diff").get_by_label("Code before")).to_contain_text("Sells things.")
    expect(part(page, "diff").get_by_label("Code after")).to_contain_text("Buys things.")
    expect(part(page, "said")).to_have_text("Compared with revision 1, the last push.")
    page.get_by_role("button", name="one column").click()
    expect(part(page, "diff").locator(".cm-content")).to_have_count(1)
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(editor(page)).to_be_visible()


def test_all_files_are_searched_as_they_are_typed(browse: Browse, site: Site, ada: Person) -> None:
    many = {f"/many/{number}.txt": f"line\nNeedle {number} (x)\n" for number in range(30)}
    client = Client(site, ada, SHOP | many)
    page = browse(ada)
    show_editor(page, client.page)
    type_at_end(page, "needle 7 (x)")
    page.keyboard.press("ControlOrMeta+Shift+f")
    page.keyboard.type("needle 7 (x)")
    page.keyboard.press("Enter")
    told = part(page, "find-told")
    expect(told).to_have_text("2 places in 2 files.")
    part(page, "find-case").check()
    page.get_by_role("button", name="Find", exact=True).click()
    expect(told).to_have_text("1 place in 1 file.")
    part(page, "find-case").uncheck()
    part(page, "find-text").fill("needle")
    page.keyboard.press("Enter")
    expect(told).to_have_text("31 places in 31 files.")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(editor(page)).to_be_focused()
    expect(page.get_by_role("tab", selected=True)).to_contain_text(re.compile(r"\d+\.txt"))
    page.keyboard.type("thread")  # the place is selected
    expect(editor(page)).to_contain_text("thread")


def test_a_finding_is_in_the_gutter(browse: Browse, site: Site, ada: Person) -> None:
    client = Client(site, ada, SHOP)
    page = browse(ada)
    show_editor(page, f"{client.page}?path=/src/shop/load.py")
    page.get_by_role("button", name="Analyze and change").click()
    expect(part(page, "price")).to_contain_text("credit")
    page.get_by_role("button", name="Analyze this file").click()
    expect(part(page, "status")).to_contain_text("Done.", timeout=RUN_MS)
    expect(part(page, "pane").locator(".cm-gutter-lint .cm-lint-marker").first).to_be_visible()
    finding = part(page, "finding-list").locator(".finding").filter(has_text="pickle").last
    finding.locator("details").evaluate("each => each.open = true")
    finding.get_by_role("button", name=re.compile("^Line")).last.click()
    expect(editor(page)).to_be_focused()
    expect(part(page, "pane").locator(".cm-activeLine")).to_contain_text("pickle")


def test_a_verified_change_is_accepted_and_taken_back(
    browse: Browse, site: Site, ada: Person
) -> None:
    client = Client(
        site, ada, SHOP | {"/crlf.py": SHOP["/src/shop/people.py"].replace("\n", "\r\n")}
    )
    page = browse(ada)
    show_editor(page, f"{client.page}?path=/crlf.py")
    page.keyboard.press("Alt+a")
    page.get_by_label("Task").select_option(label="Refactor")
    page.get_by_role("button", name="Refactor this file").click()
    expect(part(page, "status")).to_contain_text("Proven: the new code behaves", timeout=RUN_MS)
    expect(part(page, "proposal-told")).to_contain_text(
        "Proven: the new code behaves like the original."
    )
    expect(part(page, "check-list").locator("> li").first).to_be_visible()
    expect(part(page, "diff")).to_contain_text("return [")
    page.get_by_role("button", name="Accept").click()
    expect(editor(page)).to_contain_text("return [")
    expect(editor(page)).to_be_focused()
    save(page, 2)
    changed = client.read("/crlf.py").decode()
    assert "return [" in changed
    assert changed.count("\r\n") == changed.count("\n")
    page.keyboard.press("ControlOrMeta+z")
    save(page, 3)
    assert client.read("/crlf.py").decode() == SHOP["/src/shop/people.py"].replace("\n", "\r\n")


def test_a_change_that_came_too_late_is_not_accepted(
    browse: Browse, site: Site, ada: Person
) -> None:
    client = Client(site, ada, SHOP)
    page = browse(ada)
    show_editor(page, f"{client.page}?path=/src/shop/people.py")
    page.keyboard.press("Alt+a")
    page.get_by_label("Task").select_option(label="Refactor")
    page.get_by_role("button", name="Refactor this file").click()
    expect(part(page, "proposal")).to_be_visible(timeout=RUN_MS)
    page.get_by_role("button", name="Edit", exact=True).click()
    type_at_end(page, "# more")
    page.get_by_role("button", name="Accept").click()
    expect(part(page, "said")).to_contain_text("The file has changed.")
    page.get_by_role("button", name="Discard").click()
    expect(part(page, "proposal")).to_be_hidden()
    expect(editor(page)).to_contain_text("# more")


def test_a_file_in_another_language_becomes_a_new_one(
    browse: Browse, site: Site, ada: Person
) -> None:
    client = Client(site, ada, SHOP | {"/data.json": '{"a": [1, 2]}\n'})
    page = browse(ada)
    show_editor(page, f"{client.page}?path=/data.json")
    page.keyboard.press("Alt+a")
    page.get_by_label("Task").select_option(label="Convert")
    page.get_by_label("Convert to").select_option(value="yaml")
    page.get_by_role("button", name="Convert this file").click()
    expect(part(page, "proposal-told")).to_contain_text("creates /data.y", timeout=RUN_MS)
    page.get_by_role("button", name="Accept").click()
    expect(page.get_by_role("tab", selected=True)).to_contain_text(re.compile(r"data\.ya?ml"))
    save(page, 2)
    (made,) = [path for path in client.paths() if path.startswith("/data.y")]
    assert b"a:" in client.read(made)
    assert client.read("/data.json") == b'{"a": [1, 2]}\n'


def test_tabs_are_closed_by_mouse(browse: Browse, site: Site, ada: Person) -> None:
    client = Client(site, ada, SHOP)
    page = browse(ada)
    show_editor(page, client.page)
    for name in ("cart.py", "load.py", "people.py"):
        open_file(page, name)
    type_at_end(page, "# more")
    page.get_by_role("tab", name="people.py").click(button="middle")
    expect(page.get_by_role("tab")).to_have_count(3)
    expect(page.get_by_role("tab", selected=True)).to_contain_text("load.py")
    page.locator("[data-tab$='cart.py'] .we-tab-close").click()
    expect(page.get_by_role("tab")).to_have_count(2)
    page.get_by_role("button", name="Close the file").click()
    expect(page.get_by_role("tab", selected=True)).to_contain_text("README.md")
    expect(part(page, "save-count")).to_have_text("1")  # what is closed is not lost
    open_file(page, "people.py")
    expect(editor(page)).to_contain_text("# more")


def test_the_report_is_in_the_editor_at_the_worst_file(
    browse: Browse, site: Site, ada: Person
) -> None:
    session = pushed(site, ada, FILES | {"/src/more.py": "import os\nos.system(input())\n"})
    page = browse(ada, viewport={"width": 1440, "height": 900})
    show_editor(page, f"/workspace/{session.id}")
    expect(page.get_by_role("tab", selected=True)).to_have_attribute("title", re.compile("^/src/"))
    problems = page.get_by_role("region", name="Problems")
    expect(problems).to_be_visible()
    expect(part(page, "pane").locator(".cm-gutter-lint .cm-lint-marker").first).to_be_visible()
    row = problems.locator(".finding").filter(has_text="/src/cart.py").first
    row.locator("summary").click()
    expect(page.get_by_role("tab", selected=True)).to_have_attribute("title", "/src/cart.py")
    expect(part(page, "pane").locator(".cm-activeLine")).to_contain_text("pickle.loads")
    expect(row.locator(".frame-marked")).to_contain_text("pickle.loads")
    bottom = part(page, "body").evaluate("each => each.getBoundingClientRect().bottom")
    assert 880 <= bottom <= 900, "the editor ends where the window does"
    page.keyboard.press("Alt+m")
    expect(problems).to_be_hidden()


@pytest.mark.parametrize("lines", [5, 3_000])
def test_a_line_is_shown_without_moving_the_page(
    browse: Browse, site: Site, ada: Person, lines: int
) -> None:
    code = "".join(f"number_{each} = {each}\n" for each in range(lines))
    session = pushed(site, ada, {"/long.py": f"import os\n{code}os.system(input())\n{code}"})
    page = browse(ada, viewport={"width": 1440, "height": 900}, reduced_motion="reduce")
    show_editor(page, f"/workspace/{session.id}")
    line = part(page, "pane").locator(".cm-activeLine")
    row = page.get_by_role("region", name="Problems").locator(".finding").first
    row.locator("summary").click()
    row.locator(".finding-go").first.click()
    expect(line).to_have_text("os.system(input())")
    expect(line).to_be_in_viewport()
    assert page.evaluate("scrollY") == 0
    place, pane = line.bounding_box(), part(page, "pane").bounding_box()
    assert place is not None and pane is not None
    assert 0.25 < (place["y"] - pane["y"]) / pane["height"] < 0.9
