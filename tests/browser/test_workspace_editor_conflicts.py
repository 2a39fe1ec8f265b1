"""The editor of a workspace that others save, too; lines that break, and sessions that end."""

from __future__ import annotations

import pytest
from browser_site import Browse, Person, Site
from cut_line import cut_line
from editor_pages import (
    SHOP,
    Client,
    editor,
    new_file,
    open_file,
    part,
    save,
    show_editor,
    type_at_end,
)
from playwright.sync_api import Page, Route, expect

WAIT_MS = 60_000
CLASH = ("409 POST",)
CART, LOAD, README = "/src/shop/cart.py", "/src/shop/load.py", "/README.md"


def clash(page: Page, client: Client) -> None:
    """Edit three files that another client changes. It deletes one of them."""
    show_editor(page, f"{client.page}?path={CART}")
    type_at_end(page, "# mine")
    open_file(page, "load.py")
    type_at_end(page, "# mine")
    open_file(page, "README.md")
    type_at_end(page, "Mine.")
    open_file(page, "app.js")  # not edited: it follows
    client.change(
        1,
        {
            CART: "# theirs\n" + SHOP[CART],
            LOAD: None,
            README: "# Their shop\n",
            "/src/web/app.js": "// theirs\n",
        },
    )
    page.keyboard.press("ControlOrMeta+s")
    expect(part(page, "conflict")).to_be_visible()


def test_each_file_of_a_conflict_is_decided(browse: Browse, site: Site, ada: Person) -> None:
    client = Client(site, ada, SHOP)
    page = browse(ada, CLASH)
    clash(page, client)
    dialog = page.get_by_role("dialog", name="These files were also changed elsewhere")
    dialog.get_by_role("button", name=README).click()
    expect(dialog.get_by_role("textbox", name="Their text")).to_contain_text("Their shop")
    expect(dialog.get_by_role("textbox", name="Text to save")).to_contain_text("Mine.")
    dialog.get_by_role("button", name="Take theirs").click()
    expect(dialog.get_by_role("textbox", name="Text to save")).not_to_contain_text("Mine.")
    dialog.get_by_role("button", name=LOAD).click()
    expect(part(page, "conflict-told")).to_have_text("This file was deleted in the newer revision.")
    dialog.get_by_role("button", name="Keep mine").click()
    part(page, "conflict-save").click(force=True)  # one is not decided: it is shown
    expect(part(page, "conflict-left")).to_contain_text("1 of 3 not decided")
    dialog.get_by_role("button", name="Apply this change").first.click()
    expect(dialog.get_by_role("textbox", name="Text to save")).to_contain_text("# theirs")
    dialog.get_by_role("textbox", name="Text to save").press("ControlOrMeta+End")
    page.keyboard.type("!")
    expect(dialog.get_by_role("button", name=CART)).to_contain_text("as edited")
    part(page, "conflict-save").click()
    expect(dialog).to_be_hidden()
    expect(part(page, "said")).to_have_text("Saved as revision 3.")
    assert client.read(README) == b"# Their shop\n"
    assert client.read(LOAD).decode() == SHOP[LOAD] + "# mine"
    assert client.read(CART).decode() == f"# theirs\n{SHOP[CART]}# mine!"
    assert client.read("/src/web/app.js") == b"// theirs\n"
    open_file(page, "app.js")
    expect(editor(page)).to_contain_text("// theirs")
    expect(part(page, "save-count")).to_have_text("")
    type_at_end(page, "// mine")
    save(page, 4)
    assert client.read("/src/web/app.js") == b"// theirs\n// mine"


def test_a_conflict_that_is_put_off_loses_nothing(browse: Browse, site: Site, ada: Person) -> None:
    client = Client(site, ada, SHOP)
    page = browse(ada, CLASH)
    clash(page, client)
    part(page, "conflict-files").get_by_role("button", name=README).click()
    text = page.get_by_role("textbox", name="Text to save")
    expect(text).to_contain_text("Mine.")
    text.press("ControlOrMeta+End")
    page.keyboard.type("Merged.")
    page.keyboard.press("Escape")
    expect(part(page, "conflict")).to_be_hidden()
    expect(part(page, "save-count")).to_have_text("3")
    open_file(page, "README.md")
    expect(editor(page)).to_contain_text("Mine.")
    page.keyboard.press("ControlOrMeta+s")
    expect(part(page, "conflict")).to_be_visible()
    part(page, "conflict-files").get_by_role("button", name=README).click()
    expect(text).to_contain_text("Merged.")


def test_what_others_save_elsewhere_is_taken_in(browse: Browse, site: Site, ada: Person) -> None:
    client = Client(site, ada, SHOP)
    page = browse(ada)
    show_editor(page, f"{client.page}?path={README}")
    open_file(page, "cart.py")
    type_at_end(page, "# mine")
    client.change(1, {README: "# Their shop\n", "/more.txt": "more\n"})
    save(page, 3)
    open_file(page, "README.md")
    expect(editor(page)).to_contain_text("Their shop")
    open_file(page, "more.txt")
    expect(editor(page)).to_contain_text("more")
    expect(part(page, "save-count")).to_have_text("")
    assert client.read(CART).decode() == SHOP[CART] + "# mine"


def test_a_line_that_breaks_loses_nothing(browse: Browse, site: Site, ada: Person) -> None:
    client = Client(site, ada, SHOP)
    with cut_line(site.url) as line:
        page = browse(ada, ("failed: net::",), base_url=line.url)
        show_editor(page, f"{client.page}?path={CART}")
        type_at_end(page, "# mine")
        line.cut()
        page.keyboard.press("ControlOrMeta+s")
        expect(part(page, "trouble")).to_contain_text("is unreachable", timeout=WAIT_MS)
        expect(part(page, "save-count")).to_have_text("1")
        line.mend()
        part(page, "trouble").get_by_role("button", name="Try again").click()
        expect(part(page, "said")).to_have_text("Saved as revision 2.")
        expect(part(page, "trouble")).to_be_hidden()
    assert client.read(CART).decode() == SHOP[CART] + "# mine"


def test_a_save_whose_answer_was_lost_is_no_conflict(
    browse: Browse, site: Site, ada: Person
) -> None:
    client = Client(site, ada, SHOP)
    page = browse(ada, ("409 POST", "failed: net::"))
    show_editor(page, f"{client.page}?path={CART}")
    type_at_end(page, "# mine")

    heard: list[Route] = []

    def lose(route: Route) -> None:
        if not heard:
            route.fetch()
        heard.append(route)
        route.abort()

    page.route("**/revisions", lose)  # repeated requests of a browser fail, too
    page.keyboard.press("ControlOrMeta+s")
    expect(part(page, "trouble")).to_contain_text("is unreachable", timeout=WAIT_MS)
    page.unroute("**/revisions", lose)
    type_at_end(page, ", and more")
    save(page, 3)
    assert client.read(CART).decode() == SHOP[CART] + "# mine, and more"


def test_after_the_session_has_ended_somebody_signs_in_and_goes_on(
    browse: Browse, site: Site, ada: Person
) -> None:
    client = Client(site, ada, SHOP)
    page, other = browse(ada, ("response: 401", "response: 403")), browse(ada)
    show_editor(page, f"{client.page}?path={CART}")
    type_at_end(page, "# mine")
    other.goto("/account/activity")
    other.get_by_role("button", name="Sign out everywhere").click()
    expect(other.get_by_text("You are signed out in all browsers.")).to_be_visible()
    page.keyboard.press("ControlOrMeta+s")
    link = page.get_by_role("link", name="Sign in again in a new tab")
    expect(link).to_be_visible()
    with page.context.expect_page() as opened:
        link.click()
    opened.value.wait_for_load_state()
    opened.value.close()
    expect(part(page, "save-count")).to_have_text("1")
    site.sign_in(page.context, ada)
    save(page, 2)
    assert client.read(CART).decode() == SHOP[CART] + "# mine"


@pytest.mark.parametrize("path", ["/a/../b.txt", "/.git/config"])
def test_a_path_that_is_refused_is_named(
    browse: Browse, site: Site, ada: Person, path: str
) -> None:
    client = Client(site, ada, SHOP)
    page = browse(ada, ("400 POST",))
    show_editor(page, client.page)
    if ".." in path:
        page.keyboard.press("Alt+n")
        page.get_by_label("Path, from").fill(path)
        page.keyboard.press("Enter")
        expect(part(page, "ask-wrong")).to_contain_text("needs a name")
        return
    new_file(page, path)
    page.keyboard.type("x")
    page.keyboard.press("ControlOrMeta+s")
    expect(part(page, "trouble")).to_contain_text(path)
    expect(part(page, "save-count")).to_have_text("1")


def test_a_secret_is_not_stored_and_stays_in_the_editor(
    browse: Browse, site: Site, ada: Person
) -> None:
    client = Client(site, ada, SHOP)
    page = browse(ada)
    show_editor(page, f"{client.page}?path={CART}")
    type_at_end(page, "# mine")
    new_file(page, "/.env")
    page.keyboard.type("PASSWORD=hunter2")
    page.keyboard.press("ControlOrMeta+s")
    expect(part(page, "trouble")).to_contain_text("/.env")
    expect(part(page, "save-count")).to_have_text("1")
    assert "/.env" not in client.paths()
