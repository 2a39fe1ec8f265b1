"""Workspaces that are pushed, and their editor in a browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import requests
from browser_site import SECONDS, Person, Site
from playwright.sync_api import Locator, Page, expect

BAD_PYTHON = "import pickle\n\n\ndef load(data):\n    return pickle.loads(data)\n"
LOOP = (
    "def adults(people):\n    names = []\n    for person in people:\n"
    '        if person["age"] >= 18:\n            names.append(person["name"])\n    return names\n'
)
SHOP = {
    "/README.md": "# Shop\n\nSells things.\n",
    "/src/shop/cart.py": "def total(items):\n    return sum(items)\n",
    "/src/shop/load.py": BAD_PYTHON,
    "/src/shop/people.py": LOOP,
    "/src/web/app.js": "export const name = 'shop';\n",
}


class Client:
    """An editor on the user's computer, as the API sees it."""

    def __init__(self, site: Site, person: Person, files: Mapping[str, str]) -> None:
        self._url = f"{site.url}/api/workspace"
        self._headers = {"Authorization": f"Bearer {site.key(person, 'ide', 'workspace:write')}"}
        self.id = self.push(files)["sessionId"]
        self.page = f"/workspace/{self.id}"

    def push(self, files: Mapping[str, str]) -> dict[str, Any]:
        """Push the whole workspace."""
        body = {"name": "shop", "source": "vscode", "localRootName": "shop", "files": files}
        return self._json("POST", "/sync", json=body)

    def edit(self, base: int, **changes: str | None) -> dict[str, Any]:
        """Change files, named as keywords without what is not allowed there."""
        return self.change(base, {f"/{name}": text for name, text in changes.items()})

    def change(self, base: int, changes: Mapping[str, str | None]) -> dict[str, Any]:
        """Change files over a revision."""
        body = {"baseRevision": base, "changes": changes}
        return self._json("POST", f"/{self.id}/revisions", json=body)

    def read(self, path: str) -> bytes:
        """Return the bytes of a file of the newest revision."""
        return self._asked("GET", f"/{self.id}/files/{path.lstrip('/')}").content

    def paths(self) -> list[str]:
        """Return all paths except that of the bridge file."""
        files = self._json("GET", f"/{self.id}")["files"]
        return [each["path"] for each in files if not each["path"].startswith("/.codeintel/")]

    def _json(self, method: str, path: str, **options: Any) -> dict[str, Any]:
        found: dict[str, Any] = self._asked(method, path, **options).json()
        return found

    def _asked(self, method: str, path: str, **options: Any) -> requests.Response:
        answer = requests.request(
            method, self._url + path, headers=self._headers, timeout=SECONDS, **options
        )
        assert answer.ok, answer.text[:500]
        return answer


def part(page: Page, name: str) -> Locator:
    """Return a part of the editor, as its scripts call it."""
    return page.locator(f"[data-{name}]")


def show_editor(page: Page, path: str) -> None:
    """Open the page, until the editor is there."""
    page.goto(path)
    expect(part(page, "said")).not_to_have_text("Loading…")
    expect(part(page, "reading")).to_be_hidden()


def open_file(page: Page, letters: str) -> None:
    """Open a file by a part of its name."""
    page.keyboard.press("ControlOrMeta+p")
    page.get_by_role("combobox", name="Name of a file").fill(letters)
    page.keyboard.press("Enter")
    expect(part(page, "palette")).to_be_hidden()
    expect(page.get_by_role("tab", selected=True)).to_contain_text(letters.rsplit("/", 1)[-1])


def new_file(page: Page, path: str) -> None:
    """Make a file, and come to its editor."""
    page.keyboard.press("Alt+n")
    page.get_by_label("Path, from").fill(path)
    page.keyboard.press("Enter")
    expect(editor(page)).to_have_attribute("aria-label", f"Text of {path}")
    expect(editor(page)).to_be_focused()


def editor(page: Page) -> Locator:
    """Return the editable element."""
    return part(page, "pane").locator(".cm-content")


def type_at_end(page: Page, text: str) -> None:
    """Type behind the last character of the open file."""
    editor(page).focus()
    page.keyboard.press("ControlOrMeta+End")
    page.keyboard.type(text)


def save(page: Page, revision: int) -> None:
    """Save by the key, and see that it is that revision."""
    page.keyboard.press("ControlOrMeta+s")
    expect(part(page, "said")).to_have_text(f"Saved as revision {revision}.")


def see_editor(page: Page, site: Site, person: Person) -> None:
    """Show an open file with unsaved changes, among others."""
    show_editor(page, Client(site, person, SHOP).page)
    open_file(page, "cart.py")
    type_at_end(page, "# more")
    if part(page, "runs").is_hidden():
        page.keyboard.press("Alt+a")


def leave_freely(page: Page) -> list[str]:
    """Let the page be left with unsaved text; returns the kinds of questions that it asked."""
    asked: list[str] = []

    def answer(dialog: Any) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", answer)
    return asked
