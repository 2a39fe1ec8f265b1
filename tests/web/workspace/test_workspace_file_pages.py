"""Pages of a workspace's files, and the files themselves."""

from __future__ import annotations

import io
import json
import zipfile

from signed_browser import SignedBrowser
from signed_pages import page_of
from workspace_page_scenes import FILES, HOSTILE, links, push, texts

from codeintel.workspaces.records import WorkspaceRecord


def test_the_environment_begins_with_what_the_workspace_says_of_itself(
    browser: SignedBrowser, shop: WorkspaceRecord
) -> None:
    page = page_of(browser, f"/workspace/{shop.id}")
    assert texts(page) == ["# Shop", "", "It sells things."]
    assert page.root.one("head").one("title").text == "/README.md · shop · codeintel"
    facts = page.root.one("dl", class_="ws-facts").text
    for told in ("main", "https://git.example/shop.git", "Files4"):
        assert told in facts
    skipped = page.root.one("details", class_="ws-skipped")
    assert "1 file is not stored" in skipped.text
    assert "/.env: dotenv" in skipped.text
    assert (
        "vscode://vscode.git/clone?url=https"
        in page.root.one("p", class_="ws-ways").all("a")[2]["href"]
    )


def test_files_are_a_tree(browser: SignedBrowser, shop: WorkspaceRecord) -> None:
    page = page_of(browser, f"/workspace/{shop.id}?path=/shop/cart/items.py")
    files = page.root.one("nav", class_="ws-files")
    assert [each.text for each in files.all("summary")] == ["shop 2 files", "cart 1 files"]
    assert list(links(files)) == ["items.py", "app.py", "empty.txt", "README.md"]
    assert [each.text for each in files.all("a", **{"aria-current": "true"})] == ["items.py"]
    assert texts(page) == ["ITEMS = []"]
    for path in links(files).values():
        page_of(browser, path)
    assert "The file is empty." in page_of(browser, links(files)["empty.txt"]).text


def test_a_file_that_is_not_there(browser: SignedBrowser, shop: WorkspaceRecord) -> None:
    page = page_of(browser, f"/workspace/{shop.id}?path=/no/such<b>", 404)
    (told,) = page.root.all("div", class_="notice")
    assert told.text.startswith("File not found Revision 1 has no /no/such<b>.")
    assert "Choose a file" in page.root.one("div", class_="ws-main").text


def test_a_long_file_is_shown_in_parts(browser: SignedBrowser) -> None:
    lines = "".join(f"line {number}\n" for number in range(1, 7_001))
    session = push(browser, {"/long.txt": lines})
    here = f"/workspace/{session.id}?path=/long.txt"
    page = page_of(browser, here)
    assert len(texts(page)) == 5_000
    first, again = page.root.all("nav", class_="ws-parts")
    assert "Lines 1 to 5,000 of 7,000" in first.text
    following = links(again)["Lines after"]
    assert following == f"{here}&line=5001#L5001"
    page = page_of(browser, following)
    assert texts(page)[0] == "line 5001"
    assert page.root.one("span", class_="ws-line-chosen")["id"] == "L5001"


def test_literal_search(browser: SignedBrowser, shop: WorkspaceRecord) -> None:
    here = f"/workspace/{shop.id}"
    page = page_of(browser, f"{here}?q=ITEMS")
    hits = [each.text for each in page.root.all("li") if each.all("mark")]
    assert hits == ["Line 1 def total(items):", "Line 2 return sum(items)", "Line 1 ITEMS = []"]
    assert page.root.one("input", id="ws-q")["value"] == "ITEMS"
    page = page_of(browser, f"{here}?q=ITEMS&case=true")
    (hit,) = [each for each in page.root.all("li") if each.all("mark")]
    assert hit.one("a")["href"] == f"{here}?path=/shop/cart/items.py&line=1#L1"
    assert "checked" in page.root.one("input", name="case").attributes
    assert "No file of this revision contains this text" in page_of(browser, f"{here}?q=.*").text
    assert browser.client.get(f"{here}?q={'x' * 201}").status_code == 400


def test_hostile_names_and_contents_are_only_shown(browser: SignedBrowser) -> None:
    session = push(
        browser,
        HOSTILE,
        name="<script>alert(1)</script>\u202e",
        source="<i>",
        branch_name="a\u202eb",
    )
    here = f"/workspace/{session.id}"
    pages = [page_of(browser, path) for path in ("/workspace", here, f"{here}/history")]
    pages += [page_of(browser, f"{here}/{end}") for end in ("diff", "delete", "diff?from=1&to=1")]
    files = links(pages[1].root.one("nav", class_="ws-files"))
    assert len(files) == len(HOSTILE)
    pages += [page_of(browser, path) for path in files.values()]
    pages.append(page_of(browser, f"{here}?q=<script>"))
    for page in pages:
        assert not page.root.one("main").all("script")
        assert not page.root.all("svg", onload="alert(1)")
        assert not {"\u202e", "\u2066", "\u200b", "\x1b"} & set(page.text)
        assert "[U+202E]" in page.text
    assert "x[U+200B]y.txt" in files
    code = page_of(browser, files["x[U+200B]y.txt"])
    assert texts(code)[0] == "level = 'user[U+202E] [U+2066]// admin[U+2069] [U+2066]'"
    assert texts(code)[1] == "[U+001B][31m[U+0000]"
    long = page_of(browser, files["l" * 200 + ".py"])
    assert "7,006 more characters" in long.text
    settings = json.loads(pages[1].root.all("div", class_="we")[0]["data-editor"])
    assert settings["api"] == f"/api/workspace/{session.id}"


def test_many_files(browser: SignedBrowser) -> None:
    files = {f"/p{number % 40:02}/f{number}.py": f"x = {number}\n" for number in range(2_000)}
    session = push(browser, files)
    page = page_of(browser, f"/workspace/{session.id}")
    tree = page.root.one("nav", class_="ws-files")
    assert len(tree.all("a")) == 2_000
    assert not [each for each in tree.all("details") if "open" in each.attributes]
    assert "500 first lines" in page_of(browser, f"/workspace/{session.id}?q=x").text


def test_files_are_downloaded_and_never_shown(browser: SignedBrowser) -> None:
    session = push(browser, {**HOSTILE, **FILES})
    here = f"/workspace/{session.id}"
    for path, text in HOSTILE.items():
        answer = browser.client.get(f"{here}/raw", query_string={"path": path})
        assert answer.data == text.encode()
        assert answer.mimetype == "application/octet-stream"
        assert answer.headers["Content-Disposition"].startswith("attachment; filename")
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Content-Security-Policy"].startswith("sandbox")
        assert "no-store" in answer.headers["Cache-Control"]
    page = page_of(browser, f"{here}?path=/shop/app.py")
    facts = page.root.one("p", class_="ws-file-facts")
    answer = browser.client.get(links(facts)["Download"])
    assert answer.text == FILES["/shop/app.py"]
    for path, status in (("", 400), ("?path=/no", 404), ("?path=/README.md&revision=9", 404)):
        assert browser.client.get(f"{here}/raw{path}").status_code == status
    ways = links(page.root.one("p", class_="ws-ways"))
    bridge = browser.client.get(ways["Bridge file for editors"])
    assert json.loads(bridge.data)["sessionId"] == session.id
    answer = browser.client.get(ways["All files as a ZIP"])
    assert answer.mimetype == "application/zip"
    with zipfile.ZipFile(io.BytesIO(answer.data)) as archive:
        found = {f"/{name}": archive.read(name).decode() for name in archive.namelist()}
    assert {**HOSTILE, **FILES}.items() <= found.items()
