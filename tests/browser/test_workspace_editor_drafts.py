"""The editor of a workspace: what was typed and not saved, when others save and lines break."""

from __future__ import annotations

from browser_site import Browse, Person, Site
from editor_pages import (
    SHOP,
    Client,
    editor,
    leave_freely,
    new_file,
    open_file,
    part,
    save,
    show_editor,
    type_at_end,
)
from playwright.sync_api import Route, expect

CART, LOAD, README = "/src/shop/cart.py", "/src/shop/load.py", "/README.md"
WAIT_MS = 60_000


def gone(route: Route) -> None:
    """Answer that the revision no longer exists."""
    error = {"code": "not_found", "message": "There is no such revision.", "details": {}}
    route.fulfill(status=404, json={"error": error, "meta": {}})


def test_drafts_of_a_revision_that_is_gone_overwrite_nothing(
    browse: Browse, site: Site, ada: Person
) -> None:
    client = Client(site, ada, SHOP)
    page = browse(ada, ("404 GET",))
    show_editor(page, f"{client.page}?path={CART}")
    leave_freely(page)
    type_at_end(page, "# mine")
    open_file(page, "load.py")
    type_at_end(page, "# mine")
    open_file(page, "app.js")
    type_at_end(page, "// mine")
    client.change(1, {CART: "# theirs\n", LOAD: None, README: "# Theirs\n"})
    page.route("**/api/workspace/*?revision=1", gone)
    page.reload()
    expect(part(page, "conflict")).to_be_visible()
    expect(part(page, "conflict-files").get_by_role("button")).to_have_count(1)
    expect(page.get_by_role("textbox", name="Their text")).to_contain_text("# theirs")
    part(page, "mine").click()
    part(page, "conflict-save").click()
    expect(part(page, "said")).to_have_text("Saved as revision 3.")
    assert client.read(CART).decode() == SHOP[CART] + "# mine"
    assert client.read(LOAD).decode() == SHOP[LOAD] + "# mine"
    assert client.read("/src/web/app.js").decode() == SHOP["/src/web/app.js"] + "// mine"
    assert client.read(README) == b"# Theirs\n"


def test_drafts_wait_until_what_they_were_made_of_can_be_read(
    browse: Browse, site: Site, ada: Person
) -> None:
    client = Client(site, ada, SHOP)
    page = browse(ada, ("failed: net::",))
    show_editor(page, f"{client.page}?path={CART}")
    leave_freely(page)
    type_at_end(page, "# mine")
    client.change(1, {CART: "# theirs\n"})
    page.route("**/api/workspace/*?revision=1", lambda route: route.abort())
    page.reload()
    expect(part(page, "trouble")).to_contain_text("is unreachable", timeout=WAIT_MS)
    expect(part(page, "said")).to_contain_text("could not be loaded")
    page.unroute("**/api/workspace/*?revision=1")
    part(page, "trouble").get_by_role("button", name="Try again").click()
    expect(part(page, "conflict")).to_be_visible()
    expect(page.get_by_role("textbox", name="Text to save")).to_contain_text("# mine")


def test_a_file_that_is_made_anew_after_a_lost_answer_stays(
    browse: Browse, site: Site, ada: Person
) -> None:
    client = Client(site, ada, SHOP)
    page = browse(ada, ("409 POST", "failed: net::"))
    show_editor(page, f"{client.page}?path={CART}")
    page.get_by_role("treeitem", name="cart.py").press("Delete")

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route("**/revisions", lose, times=1)
    page.keyboard.press("ControlOrMeta+s")
    expect(part(page, "trouble")).to_contain_text("is unreachable", timeout=WAIT_MS)
    new_file(page, CART)
    page.keyboard.type("# anew")
    save(page, 3)
    expect(editor(page)).to_contain_text("# anew")
    assert client.read(CART) == b"# anew"


def test_typing_goes_on_while_a_save_is_under_way(browse: Browse, site: Site, ada: Person) -> None:
    client = Client(site, ada, SHOP)
    page = browse(ada)
    show_editor(page, f"{client.page}?path={CART}")
    held: list[Route] = []
    page.route("**/revisions", lambda route: held.append(route), times=1)
    type_at_end(page, "# one")
    page.keyboard.press("ControlOrMeta+s")
    expect(part(page, "said")).to_contain_text("Saving 1 file")
    page.keyboard.type(", two")
    new_file(page, "/new.txt")
    page.keyboard.type("new")
    page.keyboard.press("ControlOrMeta+s")
    held[0].continue_()
    expect(part(page, "said")).to_have_text("Saved as revision 3.")
    assert client.read(CART).decode() == SHOP[CART] + "# one, two"
    assert client.read("/new.txt") == b"new"


def test_two_tabs_of_one_session(browse: Browse, site: Site, ada: Person) -> None:
    client = Client(site, ada, SHOP)
    one = browse(ada, ("409 POST",))
    show_editor(one, f"{client.page}?path={CART}")
    two = one.context.new_page()
    show_editor(two, f"{client.page}?path={CART}")
    type_at_end(one, "# one")
    type_at_end(two, "# two")
    save(two, 2)
    two.close()
    one.keyboard.press("ControlOrMeta+s")
    expect(part(one, "conflict")).to_be_visible()
    expect(one.get_by_role("textbox", name="Their text")).to_contain_text("# two")
    expect(one.get_by_role("textbox", name="Text to save")).to_contain_text("# one")
    part(one, "mine").click()
    part(one, "conflict-save").click()
    expect(part(one, "said")).to_have_text("Saved as revision 3.")
    assert client.read(CART).decode() == SHOP[CART] + "# one"


def test_renaming_that_fails_takes_nothing_away(browse: Browse, site: Site, ada: Person) -> None:
    client = Client(site, ada, SHOP)
    page = browse(ada, ("failed: net::",))
    show_editor(page, f"{client.page}?path={CART}")
    page.get_by_role("treeitem", name="load.py").press("Delete")
    new_file(page, "/x.txt")
    page.keyboard.type("typed")
    page.route("**/files/**", lambda route: route.abort())
    page.get_by_role("treeitem", name="x.txt").press("F2")
    page.get_by_label("Path, from").fill(LOAD)
    page.keyboard.press("Enter")
    expect(part(page, "trouble")).to_contain_text("is unreachable", timeout=WAIT_MS)
    expect(page.get_by_role("treeitem", name="x.txt")).to_be_visible()
    expect(editor(page)).to_contain_text("typed")
