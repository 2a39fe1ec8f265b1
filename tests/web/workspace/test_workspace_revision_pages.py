"""Pages of a workspace's revisions: an old one, the history, differences, restoring."""

from __future__ import annotations

import pytest
from signed_browser import OWN, SignedBrowser
from signed_pages import checked, page_of
from workspace_page_scenes import FILES, edit, links, push, texts

from codeintel.base.entitlements import Tier
from codeintel.web.workspaces import history as workspace_history
from codeintel.workspaces.records import WorkspaceRecord


def test_an_old_revision(browser: SignedBrowser, shop: WorkspaceRecord) -> None:
    edit(browser, shop, README__md=None, empty__txt="no more\n")
    here = f"/workspace/{shop.id}"
    page = page_of(browser, f"{here}?revision=1&path=/README.md")
    old = links(page.root.one("div", class_="ws-old"))
    assert old == {
        "Go to the newest revision": f"{here}?path=/README.md",
        "Show changes since": f"{here}/diff?from=1",
        "Restore this revision": f"{here}/restore?revision=1",
    }
    files = links(page.root.one("nav", class_="ws-files"))
    assert texts(page_of(browser, files["README.md"])) == FILES["/README.md"].splitlines()
    assert page.root.one("input", name="revision")["value"] == "1"
    assert page_of(browser, f"{here}?revision=2").root.all("div", class_="ws-old") == []
    for number, status in (("3", 404), ("-1", 400), ("x", 400), (str(2**40), 400)):
        assert browser.client.get(f"{here}?revision={number}").status_code == status


def test_the_history(
    browser: SignedBrowser, shop: WorkspaceRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    edit(browser, shop, new__py="new = 1\n")
    workspaces = browser.services.workspaces
    workspaces.restore(browser.account_id, Tier.FREE, shop.id, 1, 2, "browser")
    here = f"/workspace/{shop.id}"
    page = page_of(browser, f"{here}/history")
    rows = page.root.one("tbody").all("tr")
    told = [row.all("td")[0].text for row in rows]
    assert [each.removeprefix("Origin") for each in told] == [
        "Restored from revision 1 by browser",
        "Edited by browser",
        "Pushed by vscode",
    ]
    assert [list(links(row).values()) for row in rows] == [
        [f"{here}?revision=3", f"{here}/diff?from=2&to=3"],
        [f"{here}?revision=2", f"{here}/diff?from=1&to=2", f"{here}/restore?revision=2"],
        [f"{here}?revision=1", f"{here}/restore?revision=1"],
    ]
    for path in {path for row in rows for path in links(row).values()}:
        page_of(browser, path)
    monkeypatch.setattr(workspace_history, "PAGE_REVISIONS", 2)
    page = page_of(browser, f"{here}/history")
    older = links(page.root.one("nav", class_="ws-pager"))["Older revisions"]
    assert older == f"{here}/history?before=2"
    assert len(page_of(browser, older).root.one("tbody").all("tr")) == 1
    assert "There are no older revisions" in page_of(browser, f"{here}/history?before=1").text


def test_changes_since_the_last_push(browser: SignedBrowser, shop: WorkspaceRecord) -> None:
    here = f"/workspace/{shop.id}"
    page = page_of(browser, f"{here}/diff")
    assert page.root.one("h2").text == "Changes"
    assert "There is only one revision" in page.text
    edit(browser, shop, README__md="# Shop\n\nIt sells <b>.\n", empty__txt=None)
    edit(browser, shop, new__py="new = 1\n")
    page = page_of(browser, f"{here}/diff")
    assert page.root.one("h2").text == "Changes since the last push"
    rows = [[each.text for each in row.all("td")] for row in page.root.one("tbody").all("tr")]
    counts = [[kind, told.replace("\N{MINUS SIGN}", "-")] for kind, told in rows]
    assert counts == [["changed", "+1 -1"], ["deleted", "+0 -0"], ["added", "+1 -0"]]
    readme, new = page.root.all("pre", class_="ws-diff")
    assert [each.text.rstrip("\n") for each in readme.all("span")] == [
        "@@ -1,3 +1,3 @@",
        "# Shop",
        "",
        "-It sells things.",
        "+It sells <b>.",
    ]
    assert [each["data-lines"] for each in readme.all("span")[1:]] == [
        "    1     1",
        "    2     2",
        "    3      ",
        "          3",
    ]
    assert new.text == "+new = 1"
    section = page.root.all("section", class_="ws-change")[0]
    assert [each["href"] for each in section.all("a")] == [
        f"{here}?revision=1&path=/README.md",
        f"{here}?revision=3&path=/README.md",
    ]
    chosen = [each["value"] for each in page.root.all("option") if "selected" in each.attributes]
    assert chosen == ["1", "3"]
    alone = page_of(browser, f"{here}/diff?from=3&to=1&path=/empty.txt")
    assert alone.root.one("h2").text == "Changes from revision 3 to 1"
    assert [each.text for each in alone.root.all("h3")] == ["/empty.txt"]
    assert "The revisions are identical." in page_of(browser, f"{here}/diff?from=2&to=2").text
    assert browser.client.get(f"{here}/diff?from=9").status_code == 404


def test_a_new_push_is_compared_with_the_revision_before_it(
    browser: SignedBrowser, shop: WorkspaceRecord
) -> None:
    files = {"/README.md": "# Other shop\n"}
    labels = {"branch_name": "main", "remote_url": "https://git.example/shop.git"}
    assert push(browser, files, **labels).id == shop.id
    page = page_of(browser, f"/workspace/{shop.id}/diff")
    assert page.root.one("h2").text == "Changes from revision 1 to 2"
    chosen = [each["value"] for each in page.root.all("option") if "selected" in each.attributes]
    assert chosen == ["1", "2"]


def test_a_revision_is_restored(browser: SignedBrowser, shop: WorkspaceRecord) -> None:
    here = f"/workspace/{shop.id}"
    edit(browser, shop, README__md="other\n", empty__txt=None, new__py="new = 1\n")
    page = page_of(browser, f"{here}/restore?revision=1")
    told = {each.text: each for each in page.root.all("h3")}
    assert list(told) == [
        "Will be reverted: 1 file",
        "Will be restored: 1 file",
        "Will be deleted: 1 file",
    ]
    paths = [each.text for each in page.root.all("ul", class_="ws-paths")]
    assert paths == ["/README.md", "/empty.txt", "/new.py"]
    fields = {
        each["name"]: each["value"] for each in page.root.one("main").one("form").all("input")
    }
    answer = browser.client.post(f"{here}/restore", data=fields, headers=OWN)
    assert (answer.status_code, answer.headers["Location"]) == (
        303,
        f"{here}?notice=workspace-restored",
    )
    assert "The revision is restored" in page_of(browser, answer.headers["Location"]).text
    workspaces = browser.services.workspaces
    now = workspaces.find(browser.account_id, shop.id)
    assert now.revision == 3
    assert workspaces.read(now, 3, "/README.md").decode() == FILES["/README.md"]
    assert "There is nothing to restore" in page_of(browser, f"{here}/restore?revision=3").text


def test_a_newer_revision_is_not_lost_by_restoring(
    browser: SignedBrowser, shop: WorkspaceRecord
) -> None:
    here = f"/workspace/{shop.id}"
    edit(browser, shop, new__py="new = 1\n")
    edit(browser, shop, newer__py="newer = 1\n")
    answer = browser.send(f"{here}/restore", revision="1", baseRevision="2")
    page = checked(answer, 409)
    late = page.root.one("div", class_="ws-late")
    assert "Revision 3 is newer" in late.text
    assert late.one("ul").text == "/newer.py"
    assert page.root.one("input", name="baseRevision")["value"] == "3"
    assert browser.services.workspaces.find(browser.account_id, shop.id).revision == 3
    for wrong in ({}, {"revision": "1"}, {"revision": "x", "baseRevision": "3"}):
        assert browser.send(f"{here}/restore", **wrong).status_code == 400
    assert browser.send(f"{here}/restore", revision="8", baseRevision="3").status_code == 404
