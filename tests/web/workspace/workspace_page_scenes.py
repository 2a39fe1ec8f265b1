"""Workspaces that pages show, and the texts on the pages, for tests to import."""

from __future__ import annotations

from signed_browser import SignedBrowser
from web_pages import Element, Page

from codeintel.base.entitlements import Tier
from codeintel.workspaces.records import WorkspaceRecord
from codeintel.workspaces.requests import SyncBody

FILES = {
    "/README.md": "# Shop\n\nIt sells things.\n",
    "/shop/app.py": "def total(items):\n    return sum(items)\n",
    "/shop/cart/items.py": "ITEMS = []\n",
    "/empty.txt": "",
}
HOSTILE = {
    "/<img src=x onerror=alert(1)>.html": "<script>document.title = 'ran'</script>\n",
    "/a'b\"c&d.svg": '<svg onload="alert(1)">\n',
    "/x\u200by.txt": "level = 'user\u202e \u2066// admin\u2069 \u2066'\n\x1b[31m\x00",
    "/" + "l" * 200 + ".py": "x = '" + "y" * 9_000 + "'\n",
}


def push(browser: SignedBrowser, files: dict[str, str], **told: object) -> WorkspaceRecord:
    body = SyncBody(files=files, **{"name": "shop", "source": "vscode", **told})  # type: ignore[arg-type]
    return browser.services.workspaces.sync(browser.account_id, Tier.FREE, body).session


def edit(
    browser: SignedBrowser, session: WorkspaceRecord, **changes: str | None
) -> WorkspaceRecord:
    """Change files of the newest revision; names are theirs with `_` for `/`, or `.`."""
    workspaces = browser.services.workspaces
    base = workspaces.find(browser.account_id, session.id).revision
    named = {"/" + name.replace("__", "."): text for name, text in changes.items()}
    return workspaces.edit(
        browser.account_id, Tier.FREE, session.id, base, named, "browser"
    ).session


def links(element: Element) -> dict[str, str]:
    """Return addresses by text."""
    return {each.text: each["href"] for each in element.all("a")}


def texts(page: Page) -> list[str]:
    """Return the lines of the displayed file."""
    spans = page.root.one("pre", class_="ws-text").all("span")
    return [each.text.rstrip("\n") for each in spans if "data-line" in each.attributes]
