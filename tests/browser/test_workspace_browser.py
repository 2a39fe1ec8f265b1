"""The pages of workspaces in a browser without scripts; and that nothing in one ever runs."""

from __future__ import annotations

from pathlib import Path

from browser_site import Browse, Person, Site
from playwright.sync_api import Page, expect
from workspace_pages import HOSTILE, RAN, SHOP, edit, edited_shop, hostile, push


def test_a_workspace_is_read_compared_restored_and_deleted_without_scripts(
    browse: Browse, site: Site, ada: Person
) -> None:
    session = edited_shop(site, ada)
    page = browse(ada, ("response: 409 POST",), java_script_enabled=False)
    page.goto("/workspace")
    page.get_by_role("link", name="shop", exact=True).click()
    shown = page.get_by_role("region", name="Text of the file")
    expect(shown).to_contain_text("It sells all.")
    search(page, "NEW =")
    page.get_by_role("link", name="Line 1", exact=True).click()
    expect(page.locator(".ws-line-chosen")).to_have_text("new = 1\n")
    page.get_by_role("link", name="Changes", exact=True).click()
    expect(page.get_by_role("heading", name="Changes since the last push")).to_be_visible()
    changed = page.get_by_role("region", name="Changes of /README.md")
    expect(changed).to_contain_text("-It sells things.\n+It sells all.")
    page.get_by_label("To revision").select_option("2")
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_role("heading", name="from revision 1 to 2")).to_be_visible()
    page.get_by_role("link", name="History", exact=True).click()
    page.get_by_role("link", name="Restore revision 1").click()
    expect(page.get_by_role("heading", name="Will be deleted: 1 file")).to_be_visible()
    edit(site, session, {"/late.py": "late = 1\n"})
    page.get_by_role("button", name="Restore revision 1").click()
    expect(page.get_by_role("alert")).to_contain_text("Revision 4 is newer")
    expect(page.get_by_role("alert")).to_contain_text("/late.py")
    page.get_by_role("button", name="Restore revision 1").click()
    expect(page.get_by_role("status")).to_contain_text("The revision is restored")
    expect(shown).to_contain_text("It sells things.")
    assert site.services.workspaces.find(ada.account_id, session.id).revision == 5
    page.get_by_role("link", name="Delete this workspace").click()
    page.get_by_role("button", name="Delete permanently").click()
    expect(page.get_by_role("status")).to_contain_text("The workspace is deleted.")
    assert site.services.workspaces.sessions(ada.account_id).sessions == []


def search(page: Page, text: str) -> None:
    """Search all files."""
    page.get_by_role("searchbox", name="Search all files").fill(text)
    page.get_by_role("button", name="Search", exact=True).click()


def test_files_are_reached_by_keyboard(browse: Browse, site: Site, ada: Person) -> None:
    session = push(site, ada, SHOP | {f"/many/{number}.txt": "x\n" for number in range(50)})
    page = browse(ada, java_script_enabled=False)
    page.goto(f"/workspace/{session.id}")
    page.get_by_role("checkbox", name="Match case").focus()
    tree = page.get_by_role("navigation", name="Files")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    expect(tree.locator("summary", has_text="shop")).to_be_focused()
    expect(tree.get_by_role("link", name="app.py")).to_be_hidden()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(tree.locator("summary", has_text="cart")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=2)).to_have_text("/shop/app.py")
    expect(tree.get_by_role("link", name="app.py")).to_have_attribute("aria-current", "true")


def test_nothing_in_a_workspace_runs(browse: Browse, site: Site, ada: Person) -> None:
    session = hostile(site, ada)
    page = browse(ada)
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    here = f"/workspace/{session.id}"
    ways = ["/workspace", f"{here}/history", f"{here}/diff", f"{here}/delete"]
    ways += [f"{here}/restore?revision=1", f"{here}?revision=1&q=document", here]
    for way in ways:
        page.goto(way)
        expect(page.locator("h1")).to_be_visible()
        assert nothing_ran(page), way
    for number in range(len(HOSTILE)):
        page.goto(f"{here}?revision=1")
        page.locator(".ws-tree a").nth(number).click()
        expect(page.get_by_role("region", name="Text of the file")).to_be_visible()
        assert nothing_ran(page), number
    assert dialogs == []


def nothing_ran(page: Page) -> bool:
    """Return whether no script of the workspace has run, and none of its texts has become an
    element."""
    assert RAN.startswith("document.documentElement.dataset.ran")
    return page.evaluate(
        "() => !document.documentElement.dataset.ran && !document.querySelector('main img')"
        " && !/[\\u202a-\\u202e\\u2066-\\u2069]/.test(document.body.innerText)"
    )


def test_a_file_that_a_browser_would_run_is_saved(
    browse: Browse, site: Site, ada: Person, tmp_path: Path
) -> None:
    session = hostile(site, ada)
    page = browse(ada)
    for path in [*HOSTILE][:2]:
        page.goto(f"/workspace/{session.id}?revision=1")
        page.locator(f".ws-tree a[title^={path[:8]!r}]").click()
        with page.expect_download() as waited:
            page.get_by_role("link", name="Download").click()
        waited.value.save_as(tmp_path / "file")
        assert (tmp_path / "file").read_text() == HOSTILE[path]
