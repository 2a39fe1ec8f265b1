"""Reading workspaces."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile

import pytest
from flask import Flask
from support import MakeApp
from workspace_pushes import FILES, Pusher

from codeintel.contracts.workspaces.paths import BRIDGE_PATH
from codeintel.workspaces.records import GROUP_BYTES

HOSTILE = {
    "/page.html": "<script>document.title = 'ran'</script>",
    "/image.svg": "<svg xmlns='http://www.w3.org/2000/svg' onload='x()'/>",
    "/run.js": "alert(1)",
}


def test_files_are_bytes_that_no_browser_runs(pusher: Pusher) -> None:
    session = pusher.pushed(HOSTILE)
    for path, text in HOSTILE.items():
        answer = pusher.get(f"/{session}/files{path}")
        assert answer.data == text.encode()
        headers = answer.headers
        assert headers["Content-Type"] == "application/octet-stream"
        assert headers["Content-Disposition"] == "attachment"
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Content-Security-Policy"] == "sandbox"
        assert headers["Cache-Control"] == "private, no-store"


def test_a_file_that_the_client_has(pusher: Pusher) -> None:
    session = pusher.pushed()
    first = pusher.get(f"/{session}/files/main.py")
    etag = first.headers["ETag"]
    assert etag == f'"{hashlib.sha256(FILES["/main.py"].encode()).hexdigest()}"'
    for sent in (etag, f"W/{etag}", f'"x", {etag}'):
        again = pusher.get(f"/{session}/files/main.py", headers={"If-None-Match": sent})
        assert (again.status_code, again.data, again.headers["ETag"]) == (304, b"", etag)
    assert pusher.get(f"/{session}/files/main.py", headers={"If-None-Match": '"x"'}).data


@pytest.mark.parametrize(
    "path",
    ["nothing", "main.py/", "MAIN.py", "a%00b", "%ff", "..%2fmain.py", "%ED%A0%80", "main.py%20"],
)
def test_files_that_are_not_there(pusher: Pusher, path: str) -> None:
    session = pusher.pushed()
    answer = pusher.get(f"/{session}/files/{path}")
    assert (answer.status_code, answer.json["error"]["code"]) == (404, "not_found")


def test_revisions_that_are_not_there(pusher: Pusher) -> None:
    session = pusher.pushed()
    for path in ("", "/files/main.py", f"/files{BRIDGE_PATH}", "/archive.zip"):
        for number in (2, 2**53):
            answer = pusher.get(f"/{session}{path}?revision={number}")
            assert (answer.status_code, answer.json["error"]["code"]) == (404, "not_found"), path
        assert pusher.get(f"/{session}{path}?revision=0").status_code == 400
        assert pusher.get(f"/{session}{path}?revision=x").status_code == 400
    assert pusher.get(f"/{session}/changes?since=1&revision=2").status_code == 404
    assert pusher.get(f"/{session}/changes").status_code == 400


def test_the_bridge_file_is_in_every_revision(pusher: Pusher) -> None:
    session = pusher.pushed()
    pusher.push({"/a": ""})
    for number in (1, 2):
        listed = pusher.get(f"/{session}?revision={number}").json
        data = pusher.get(f"/{session}/files{BRIDGE_PATH}?revision={number}").data
        bridge = json.loads(data)
        assert bridge == listed["bridge"]
        assert (bridge["sessionId"], bridge["revision"]) == (session, number)
        assert bridge["syncedAt"] == listed["revision"]["createdAt"]
        assert bridge["proofLoop"]["status"] in {"queued", "skipped", "running"}
        [entry] = [each for each in listed["files"] if each["path"] == BRIDGE_PATH]
        assert entry == {
            "path": BRIDGE_PATH,
            "sha256": hashlib.sha256(data).hexdigest(),
            "size": len(data),
        }
        archive = zipfile.ZipFile(
            io.BytesIO(pusher.get(f"/{session}/archive.zip?revision={number}").data)
        )
        assert archive.read(BRIDGE_PATH[1:]) == data


def test_an_archive_is_the_same_each_time(pusher: Pusher) -> None:
    files = {f"/{number}/x.txt": f"{number}" * (GROUP_BYTES // 9) for number in range(10)}
    session = pusher.pushed({**files, "/ä/\u4e2d.txt": "ü"})
    first, second = (pusher.get(f"/{session}/archive.zip") for _ in range(2))
    assert first.data == second.data
    assert first.headers["Content-Type"] == "application/zip"
    assert first.headers["Content-Disposition"].startswith("attachment; filename=")
    assert first.headers["Cache-Control"] == "no-store"
    archive = zipfile.ZipFile(io.BytesIO(first.data))
    assert archive.testzip() is None
    names = archive.namelist()
    assert names == [BRIDGE_PATH[1:], *sorted(f"{n}/x.txt" for n in range(10)), "ä/\u4e2d.txt"]
    assert not any(info.is_dir() or info.external_attr >> 16 & 0o111 for info in archive.infolist())


def test_changes_in_both_directions(pusher: Pusher) -> None:
    session = pusher.pushed()
    pusher.edit(session, 1, {"/main.py": "2", "/new.py": "", "/docs/read me.md": None})
    pusher.edit(session, 2, {"/main.py": FILES["/main.py"]})

    def paths(since: int, revision: int) -> tuple[list[str], list[str]]:
        query = {"since": since, "revision": revision}
        found = pusher.get(f"/{session}/changes", query_string=query).json
        assert (found["since"], found["revision"]) == (since, revision)
        return [each["path"] for each in found["changed"]], found["deleted"]

    assert paths(1, 2) == (["/main.py", "/new.py"], ["/docs/read me.md"])
    assert paths(2, 1) == (["/docs/read me.md", "/main.py"], ["/new.py"])
    assert paths(1, 3) == (["/new.py"], ["/docs/read me.md"])
    assert paths(3, 3) == ([], [])
    newest = pusher.get(f"/{session}/changes?since=2").json
    assert newest["revision"] == 3
    [entry] = newest["changed"]
    assert entry["sha256"] == hashlib.sha256(FILES["/main.py"].encode()).hexdigest()


def test_the_list_has_the_one_synced_last_first(pusher: Pusher) -> None:
    first = pusher.pushed(name="first")
    second = pusher.pushed(name="second")
    assert [each["sessionId"] for each in pusher.get("").json["sessions"]] == [second, first]
    pusher.pushed(name="first")
    listed = pusher.get("").json
    assert [each["name"] for each in listed["sessions"]] == ["first", "second"]
    assert listed["storedBytes"] == sum(len(text.encode()) for text in FILES.values())
    assert listed["limitBytes"] == 200 * 1024**2


def test_addresses_are_those_of_the_public_origin(make_app: MakeApp) -> None:
    app: Flask = make_app({"CODEINTEL_PUBLIC_URL": "https://code.example.org"})
    pusher = Pusher(app)
    answer = pusher.push()
    session = answer.json["sessionId"]
    assert answer.json["environmentUrl"] == f"https://code.example.org/workspace/{session}"
    assert answer.json["bridge"]["apiUrl"] == f"https://code.example.org/api/workspace/{session}"
