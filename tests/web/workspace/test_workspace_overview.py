"""The list of workspaces, and who may see and change them."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask
from signed_browser import OWN, SignedBrowser
from signed_pages import page_of
from web_pages import Page
from workspace_page_scenes import edit, links, push

from codeintel.base.entitlements import Tier
from codeintel.web.workspaces import sessions as workspace_list
from codeintel.workspaces.records import WorkspaceRecord


def test_nothing_was_pushed_yet(browser: SignedBrowser) -> None:
    page = page_of(browser, "/workspace")
    empty = page.root.one("div", class_="empty")
    assert "codeintel push" in empty.text
    assert "/account/keys" in links(empty).values()
    assert "/api/workspace/sync" in page.root.one("code", id="push-curl").text
    assert "0 bytes of 200 MiB used" in page.text
    assert not page.root.all("table")


def test_the_list_of_workspaces(
    app: Flask, browser: SignedBrowser, shop: WorkspaceRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = browser.services.accounts.create("bob@example.org", Tier.FREE, 9, False)
    push(SignedBrowser(app, browser.services, other.id), {"/a": "of bob"}, name="bobs")
    push(browser, {"/x.py": "x\n"}, name="tool")
    edit(browser, shop, new__py="new = 1\n")
    page = page_of(browser, "/workspace")
    rows = page.root.one("table", class_="ws-list").one("tbody").all("tr")
    assert [row.one("th").text for row in rows] == ["shop", "tool"]
    for told in ("https://git.example/shop.git", "main", "5", "2", "just now"):
        assert told in rows[0].text
    assert links(rows[0])["shop"] == f"/workspace/{shop.id}"
    assert "No remote" in rows[1].text
    assert "bobs" not in page.text
    monkeypatch.setattr(workspace_list, "PAGE_SESSIONS", 1)
    page = page_of(browser, "/workspace")
    following = links(page.root.one("nav", class_="ws-pager"))["Synced earlier"]
    page = page_of(browser, following)
    assert [row.one("th").text for row in page.root.one("tbody").all("tr")] == ["tool"]
    assert links(page.root.one("nav", class_="ws-pager")) == {"Last synced": "/workspace"}
    gone = page_of(browser, f"/workspace?before=1.{shop.id}")
    assert "This page is empty" in gone.text
    assert browser.client.get("/workspace?before=0").status_code == 400


def test_a_workspace_is_deleted(browser: SignedBrowser, shop: WorkspaceRecord) -> None:
    here = f"/workspace/{shop.id}"
    edit(browser, shop, new__py="new = 1\n")
    page = page_of(browser, f"{here}/delete")
    assert "“shop” has 2 revisions" in page.text
    assert "You cannot undo this." in page.text
    assert browser.client.post(f"{here}/delete", headers=OWN).status_code == 403
    answer = browser.send(f"{here}/delete")
    assert (answer.status_code, answer.headers["Location"]) == (
        303,
        "/workspace?notice=workspace-deleted",
    )
    page = page_of(browser, answer.headers["Location"])
    assert "The workspace is deleted." in page.text
    assert "Push your first workspace" in page.text
    assert browser.client.get(here).status_code == 404


ENDS = (
    "",
    "/history",
    "/diff",
    "/restore?revision=1",
    "/delete",
    "/archive.zip",
    "/raw?path=/README.md",
)


@pytest.mark.parametrize("end", ENDS)
def test_others_workspaces_are_not_there(
    app: Flask, browser: SignedBrowser, shop: WorkspaceRecord, end: str
) -> None:
    other = browser.services.accounts.create("bob@example.org", Tier.FREE, 9, False)
    bob = SignedBrowser(app, browser.services, other.id)
    pages = [bob.client.get(f"/workspace/{id_}{end}") for id_ in (shop.id, "wsp_nobodys")]
    assert [(each.status_code, each.mimetype) for each in pages] == [(404, "text/html")] * 2
    bodies = {Page(each.text).root.one("main").text for each in pages}
    assert len(bodies) == 1
    assert browser.client.get(f"/workspace/{shop.id}{end}").status_code == 200
    answer = app.test_client().get(f"/workspace/{shop.id}{end}")
    following = parse_qs(urlsplit(answer.headers["Location"]).query)["next"]
    assert (answer.status_code, following) == (303, [f"/workspace/{shop.id}{end}"])


def test_nobody_changes_others_workspaces(
    app: Flask, browser: SignedBrowser, shop: WorkspaceRecord
) -> None:
    edit(browser, shop, new__py="new = 1\n")
    other = browser.services.accounts.create("bob@example.org", Tier.FREE, 9, False)
    bob = SignedBrowser(app, browser.services, other.id)
    here = f"/workspace/{shop.id}"
    assert bob.send(f"{here}/delete").status_code == 404
    assert bob.send(f"{here}/restore", revision="1", baseRevision="2").status_code == 404
    assert browser.services.workspaces.find(browser.account_id, shop.id).revision == 2
