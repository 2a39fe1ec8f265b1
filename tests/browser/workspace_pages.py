"""Workspaces for display, pushed and edited without a client."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from browser_site import Person, Site
from playwright.sync_api import Page, expect

from codeintel.base.entitlements import Tier
from codeintel.workspaces.records import WorkspaceRecord
from codeintel.workspaces.requests import SyncBody

RAN = "document.documentElement.dataset.ran = 'yes'"
LONG = "".join(f"line {number}\n" for number in range(1, 6_001))
SHOP = {
    "/README.md": "# Shop\n\nIt sells things.\n",
    "/shop/app.py": "def total(items):\n    return sum(items)\n",
    "/shop/cart/items.py": "ITEMS = []\n",
    "/shop/long.txt": LONG,
    "/setup.cfg": "[metadata]\nname = shop\n",
}
HOSTILE = {
    f"/<img src=x onerror={RAN!r}>.html": f"<script>{RAN}</script>\n",
    "/a'b\"c&d.svg": f'<svg xmlns="http://www.w3.org/2000/svg" onload="{RAN}"></svg>\n',
    "/x\u200by.py": "level = 'user\u202e \u2066// admin\u2069 \u2066'\n\x1b[31m\x00"
    "\t\u05d0\u05d1 (a)\r\n",
    "/" + "l" * 240 + ".py": "x = '" + "y" * 9_000 + "'\n",
    "/" + "/".join(f"d{number}" for number in range(150)) + "/deep.txt": "deep\n",
}
NAME = f"<img src=x onerror={RAN!r}> \u202e " + "w" * 120


Make = Callable[[Site, Person], WorkspaceRecord]


def push(
    site: Site, person: Person, files: Mapping[str, str], name: str = "shop"
) -> WorkspaceRecord:
    """Push a workspace."""
    body = SyncBody(
        files=dict(files),
        name=name,
        source="vscode",
        branch_name="main",
        remote_url="https://git.example/team/shop.git",
    )
    return site.services.workspaces.sync(person.account_id, Tier.PRO, body).session


def edit(site: Site, session: WorkspaceRecord, changes: Mapping[str, str | None]) -> None:
    """Change files of the newest revision."""
    workspaces = site.services.workspaces
    base = workspaces.find(session.account_id, session.id).revision
    workspaces.edit(session.account_id, Tier.PRO, session.id, base, changes, "browser")


def edited_shop(site: Site, person: Person) -> WorkspaceRecord:
    """Return a workspace with three revisions."""
    session = push(site, person, SHOP)
    edit(site, session, {"/README.md": SHOP["/README.md"].replace("things", "all")})
    edit(site, session, {"/setup.cfg": None, "/new.py": "new = 1\n", "/shop/long.txt": LONG[:900]})
    return session


def hostile(site: Site, person: Person) -> WorkspaceRecord:
    """Push a workspace of a malicious user, with two revisions."""
    session = push(site, person, HOSTILE, NAME)
    edit(site, session, {path: text.replace("a", "b") for path, text in HOSTILE.items()})
    return session


def see(end: str, make: Make = edited_shop) -> Callable[[Page, Site, Person], None]:
    """Open a page of a workspace."""

    def act(page: Page, site: Site, person: Person) -> None:
        page.goto(f"/workspace/{make(site, person).id}{end}")
        expect(page.locator("h1")).to_be_visible()

    return act


def see_list(page: Page, site: Site, person: Person) -> None:
    """Open the list of some workspaces."""
    for make in (edited_shop, hostile):
        make(site, person)
    push(site, person, {"/main.go": "package main\n"}, "tool")
    page.goto("/workspace")
    expect(page.get_by_role("row")).to_have_count(4)
