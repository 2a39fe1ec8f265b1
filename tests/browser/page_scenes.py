"""Every page of the site, in the states that it has."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from browser_site import ANALYZE, TRANSFORM, Person, Site
from editor_pages import see_editor
from playwright.sync_api import Page, expect
from report_pages import see_analysis, see_report, see_reports
from workspace_pages import hostile, see, see_list

BAD_CODE = (
    "import pickle\nimport sqlite3\n\n\ndef load(data, name):\n"
    "    db = sqlite3.connect('x.db')\n"
    "    db.execute(f\"SELECT * FROM users WHERE name = '{name}'\")\n"
    "    return pickle.loads(data)\n"
)
LOOP = (
    "def adults(people):\n    names = []\n    for person in people:\n"
    '        if person["age"] >= 18:\n            names.append(person["name"])\n    return names\n'
)
Act = Callable[[Page, Site, Person], None]


class Scene(NamedTuple):
    """How to come to see something. Errors that belong to it are named, as :class:`Watch` does.

    What is large is checked at one width a theme, and only its upper end is kept as a picture.
    """

    name: str
    act: Act
    signed_in: bool = False
    expected: tuple[str, ...] = ()
    is_large: bool = False


def open_page(page: Page, path: str) -> None:
    """Open a page, and wait until it is there."""
    page.goto(path)
    expect(page.locator("h1")).to_be_visible()


def at(path: str) -> Act:
    """Open a page."""
    return lambda page, _site, _person: open_page(page, path)


def link_to_confirm(page: Page, site: Site, person: Person) -> None:
    """Open a sign-in link."""
    open_page(page, site.link(person))


def fill_key(page: Page, name: str = "CI of the shop") -> None:
    """Fill the form of a new key."""
    open_page(page, "/account/keys")
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_label("analysis:write").check()


def make_key(page: Page, _site: Site, _person: Person) -> None:
    """Create a key: its token is shown."""
    fill_key(page)
    page.get_by_role("button", name="Create key").click()
    expect(page.get_by_role("heading", name="Your key")).to_be_visible()


def key_without_scopes(page: Page, _site: Site, _person: Person) -> None:
    """Send the form of a new key with mistakes in it."""
    open_page(page, "/account/keys")
    page.get_by_label("Name", exact=True).fill("CI")
    page.get_by_role("button", name="Create key").click()
    expect(page.get_by_role("alert")).to_be_visible()


def keys_of_all_kinds(page: Page, site: Site, person: Person) -> None:
    """Show keys that are new, used, revoked, rotated and about to expire."""
    site.keys_of_all_kinds(person)
    open_page(page, "/account/keys")


def key_to(action: str) -> Act:
    """Show the confirmation before a key is revoked or rotated."""

    def act(page: Page, site: Site, person: Person) -> None:
        site.key(person, "laptop", "analysis:write", "account:read")
        open_page(page, "/account/keys")
        page.get_by_role("link", name=f"{action} laptop").click()
        expect(page.get_by_role("heading", name=action)).to_be_visible()

    return act


def after_runs(path: str) -> Act:
    """Open a page of an account with a history."""

    def act(page: Page, site: Site, person: Person) -> None:
        site.keys_of_all_kinds(person)
        key = site.key(person, "runs")
        for code in (BAD_CODE, "x = 1\n"):
            site.stream(key, ANALYZE, code=code).raise_for_status()
        open_page(page, path)

    return act


def run_page(transformation: str = "") -> Act:
    """Show a completed run."""

    def act(page: Page, site: Site, person: Person) -> None:
        if transformation:
            run_id = site.run(person, TRANSFORM, code=LOOP, transformation=transformation)
        else:
            run_id = site.run(person, ANALYZE, code=BAD_CODE)
        open_page(page, f"/runs/{run_id}")

    return act


def compare(page: Page, site: Site, person: Person) -> None:
    """Compare two analyses from the list of runs."""
    for code in ("x = 1\n", BAD_CODE):
        site.run(person, ANALYZE, code=code)
    open_page(page, "/runs")
    for box in page.get_by_role("checkbox").all():
        box.check()
    page.get_by_role("button", name="Compare selected").click()
    expect(page.get_by_role("heading", name="Compare runs")).to_be_visible()


def palette(page: Page, site: Site, person: Person) -> None:
    """Search in the command palette."""
    site.run(person, ANALYZE, code=BAD_CODE)
    open_page(page, "/account")
    page.keyboard.press("Control+k")
    page.get_by_role("combobox", name="Search everything").fill("rule")
    expect(page.get_by_role("option").first).to_be_visible()


def site_menu(page: Page, _site: Site, _person: Person) -> None:
    """Open the menu of a narrow window."""
    page.set_viewport_size({"width": 360, "height": 780})
    open_page(page, "/runs")
    page.get_by_role("button", name="Menu").click()
    expect(page.get_by_role("link", name="Playground", exact=True)).to_be_visible()


def menu_open(page: Page, _site: Site, person: Person) -> None:
    """Show the account's menu."""
    open_page(page, "/search")
    page.locator("summary", has_text=person.email).click()
    expect(page.get_by_role("button", name="Sign out")).to_be_visible()


def play(page: Page, task: str, code: str) -> None:
    """Run something in the playground, to its end."""
    open_page(page, "/playground")
    page.get_by_label("Task").select_option(label=task)
    paste(page, code)
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.locator("[data-status]")).to_contain_text("Done.")


def play_nothing(page: Page, _site: Site, _person: Person) -> None:
    """Run the empty editor."""
    open_page(page, "/playground")
    page.get_by_role("button", name="Run", exact=True).click()
    expect(page.get_by_role("alert")).to_be_visible()


def played(task: str, code: str) -> Act:
    """Show the playground's output of a completed task."""
    return lambda page, _site, _person: play(page, task, code)


def tried(page: Page, _site: Site, _person: Person) -> None:
    """Send a request from the API reference, and show the data of an event."""
    open_page(page, "/docs/api/analyze")
    page.get_by_role("button", name="Send request").click()
    expect(page.locator("[data-status]")).to_contain_text("The stream has ended.")
    page.locator("[data-events] summary").first.click()


def paste(page: Page, code: str) -> None:
    """Put code into the editor."""
    page.locator("[data-source] .cm-content").fill(code)


SCENES = (
    Scene("home", at("/")),
    Scene("search", at("/search")),
    Scene("search-found", at("/search?q=stargazer")),
    Scene("search-nothing", at("/search?q=nothing")),
    Scene("search-refused", at(f"/search?q={'x' * 300}"), expected=("response: 400 GET",)),
    Scene("trust", at("/trust")),
    Scene("trust-refused", at("/trust?target=cobol:kit"), expected=("response: 400 GET",)),
    Scene("trust-package", at("/trust?packages=npm:kit")),
    Scene("trust-comparison", at("/trust?packages=npm:kit,npm:left")),
    Scene("docs", at("/docs")),
    Scene("docs-operation", at("/docs/api/workspace-sync")),
    Scene("docs-tried", tried, signed_in=True),
    Scene("docs-errors", at("/docs/errors")),
    Scene("docs-events", at("/docs/events"), is_large=True),
    Scene("docs-objects", at("/docs/objects"), is_large=True),
    Scene("docs-object", at("/docs/objects/Finding")),
    Scene("docs-search", at("/docs/search?q=severity")),
    Scene("guides", at("/docs/guides")),
    Scene("guide", at("/docs/guides/api-guide"), is_large=True),
    Scene("guide-short", at("/docs/guides/quick-start")),
    Scene("guide-listed-code", at("/docs/guides/tour"), is_large=True),
    Scene("rules", at("/docs/rules?language=ruby")),
    Scene("rule", at("/docs/rules/patterns/python-ssrf")),
    Scene("not-found", at("/no/such/page"), expected=("response: 404 GET",)),
    Scene("signin", at("/signin")),
    Scene("signin-link", link_to_confirm),
    Scene("signin-spent", at("/signin/" + "x" * 43), expected=("response: 410 GET",)),
    Scene("playground-visitor", at("/playground")),
    Scene("dashboard-empty", at("/"), signed_in=True),
    Scene("dashboard", after_runs("/"), signed_in=True),
    Scene("find", at("/find?q=rule")),
    Scene("find-signed-in", after_runs("/find?q=a"), signed_in=True),
    Scene("palette", palette, signed_in=True),
    Scene("site-menu", site_menu, signed_in=True),
    Scene("menu", menu_open, signed_in=True),
    Scene("keys-none", at("/account/keys"), signed_in=True),
    Scene("keys", keys_of_all_kinds, signed_in=True),
    Scene("keys-refused", key_without_scopes, True, ("response: 400 POST",)),
    Scene("key-made", make_key, signed_in=True),
    Scene("key-revoke", key_to("Revoke"), signed_in=True),
    Scene("key-rotate", key_to("Rotate"), signed_in=True),
    Scene("account-new", at("/account"), signed_in=True),
    Scene("account", after_runs("/account"), signed_in=True),
    Scene("activity", after_runs("/account/activity"), signed_in=True),
    Scene("your-data", at("/account/data"), signed_in=True),
    Scene("runs-none", at("/runs"), signed_in=True),
    Scene("runs", after_runs("/runs"), signed_in=True),
    Scene("runs-filtered", after_runs("/runs?severity=high&since=day"), signed_in=True),
    Scene("runs-none-found", after_runs("/runs?q=nowhere"), signed_in=True),
    Scene("runs-compared", compare, signed_in=True),
    Scene("run-analysis", run_page(), signed_in=True),
    Scene("run-transform", run_page("refactor"), signed_in=True),
    Scene("run-missing", at("/runs/run_none"), True, ("response: 404 GET",)),
    Scene("playground", at("/playground"), signed_in=True),
    Scene("playground-refused", play_nothing, signed_in=True),
    Scene("playground-analysed", played("Analyze", BAD_CODE), signed_in=True),
    Scene("playground-changed", played("Refactor", LOOP), signed_in=True),
    Scene("workspaces-none", at("/workspace"), signed_in=True),
    Scene("workspaces", see_list, signed_in=True),
    Scene("workspace-editor", see_editor, signed_in=True),
    Scene("workspace-old", see("?revision=1"), signed_in=True),
    Scene("workspace-long", see("?revision=1&path=/shop/long.txt&line=5100"), True, is_large=True),
    Scene("workspace-search", see("?revision=1&q=items"), signed_in=True),
    Scene("workspace-missing", see("?revision=1&path=/no"), True, ("response: 404 GET",)),
    Scene("workspace-hostile", see("?revision=1", hostile), signed_in=True),
    Scene("workspace-history", see("/history"), signed_in=True),
    Scene("workspace-changes", see("/diff?from=1&to=2"), signed_in=True),
    Scene("workspace-hostile-changes", see("/diff", hostile), signed_in=True),
    Scene("workspace-restore", see("/restore?revision=1"), signed_in=True),
    Scene("workspace-delete", see("/delete", hostile), signed_in=True),
    Scene("workspace-reports", see_reports, signed_in=True),
    Scene("workspace-analysing", see_analysis, signed_in=True),
    Scene("workspace-report", see_report(), signed_in=True),
    Scene("workspace-report-fixed", see_report("?comparison=fixed&path=/src/"), signed_in=True),
    Scene("workspace-report-nothing", see_report("?path=/nowhere"), signed_in=True),
)
