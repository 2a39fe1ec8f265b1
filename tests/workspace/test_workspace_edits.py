"""Edits and restored revisions."""

from __future__ import annotations

import pytest
from werkzeug.test import TestResponse
from workspace_pushes import FILES, Pusher

NEW = "print('new')\n"


def conflict(answer: TestResponse) -> dict[str, object]:
    assert (answer.status_code, answer.json["error"]["code"]) == (409, "revision_conflict")
    found: dict[str, object] = answer.json["error"]["details"]
    return found


def test_an_edit_is_a_revision(pusher: Pusher) -> None:
    session = pusher.pushed(source="vscode")
    answer = pusher.edit(
        session, 1, {"/main.py": NEW, "/docs/read me.md": None, "/more.py": ""}, source="web"
    )
    assert (answer.status_code, answer.json["revision"]) == (201, 2)
    assert answer.json["files"] == {"stored": 2, "unchanged": 1, "skipped": []}
    assert pusher.files(session) == {
        "/main.py": NEW,
        "/more.py": "",
        "/ä/ö.txt": FILES["/ä/ö.txt"],
    }
    assert pusher.files(session, 1) == FILES
    found = pusher.get(f"/{session}").json
    assert (found["revision"]["origin"], found["revision"]["source"]) == ("edit", "web")
    assert found["revision"]["changed"] == 3
    assert found["session"]["source"] == "vscode"  # which its links are for
    same = pusher.edit(session, 2, {"/main.py": NEW, "/not/there": None})
    assert (same.status_code, same.json["revision"]) == (200, 2)


def test_edits_of_different_files_both_stay(pusher: Pusher) -> None:
    session = pusher.pushed()
    assert pusher.edit(session, 1, {"/main.py": NEW}).status_code == 201
    answer = pusher.edit(session, 1, {"/docs/read me.md": "mine"})
    assert answer.json["revision"] == 3
    assert pusher.files(session) == {**FILES, "/main.py": NEW, "/docs/read me.md": "mine"}


def test_edits_of_one_file_are_a_conflict(pusher: Pusher) -> None:
    session = pusher.pushed()
    pusher.edit(session, 1, {"/main.py": NEW, "/more.py": "", "/docs/read me.md": None})
    for changes, paths in (
        ({"/main.py": "mine"}, ["/main.py"]),
        ({"/main.py": None, "/ä/ö.txt": "mine"}, ["/main.py"]),
        ({"/more.py": "mine"}, ["/more.py"]),
        ({"/docs/read me.md": "mine"}, ["/docs/read me.md"]),
    ):
        details = conflict(pusher.edit(session, 1, changes))
        assert details == {"revision": 2, "paths": paths, "total": 1}
    # Both have done the same.
    answer = pusher.edit(session, 1, {"/main.py": NEW, "/docs/read me.md": None, "/x": "y"})
    assert answer.status_code == 201
    conflict(pusher.edit(session, 9, {"/x": "z"}))


@pytest.mark.parametrize(
    "changes",
    [
        {"/../x": ""},
        {"/.codeintel/local-ide-bridge.json": "{}"},
        {"/MAIN.py": ""},
        {"/main.py/x": ""},
        {"/docs": ""},
    ],
)
def test_an_edit_cannot_bring_what_a_push_cannot(pusher: Pusher, changes: dict[str, str]) -> None:
    session = pusher.pushed()
    answer = pusher.edit(session, 1, {**changes, "/ok": ""})
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "invalid_request")
    assert changes.keys() <= {each["path"] for each in answer.json["error"]["details"]["files"]}
    assert pusher.files(session) == FILES


def test_a_file_can_change_its_case(pusher: Pusher) -> None:
    session = pusher.pushed()
    changes = {"/main.py": None, "/Main.py": FILES["/main.py"]}
    assert pusher.edit(session, 1, changes).status_code == 201
    assert "/Main.py" in pusher.files(session)


def test_an_edit_stores_no_secrets(pusher: Pusher) -> None:
    session = pusher.pushed(skipped=[{"path": "/big.bin", "reason": "binary"}])
    answer = pusher.edit(session, 1, {"/.env": "A=1", "/x": ""})
    assert answer.status_code == 201
    assert answer.json["files"]["skipped"] == [{"path": "/.env", "reason": "dotenv"}]
    assert "/.env" not in pusher.files(session)
    kept = pusher.get(f"/{session}").json["revision"]["skipped"]
    assert [each["path"] for each in kept] == ["/.env", "/big.bin"]
    assert pusher.edit(session, 2, {"/.env": "A=2"}).status_code == 200
    assert pusher.edit(session, 2, {"/big.bin": "text now"}).status_code == 201
    kept = pusher.get(f"/{session}").json["revision"]["skipped"]
    assert [each["path"] for each in kept] == ["/.env"]


def test_restoring(pusher: Pusher) -> None:
    session = pusher.pushed(skipped=[{"path": "/big.bin", "reason": "binary"}])
    pusher.push({"/other.py": "2"})
    answer = pusher.restore(session, 1, baseRevision=2)
    assert (answer.status_code, answer.json["revision"]) == (201, 3)
    assert answer.json["files"] == {"stored": 3, "unchanged": 0, "skipped": []}
    assert pusher.files(session) == FILES
    assert pusher.files(session, 2) == {"/other.py": "2"}
    revision = pusher.get(f"/{session}").json["revision"]
    assert (revision["origin"], revision["restoredFrom"]) == ("restore", 1)
    assert revision["skipped"] == [{"path": "/big.bin", "reason": "binary"}]
    assert pusher.restore(session, 1).status_code == 200  # it is the newest state already
    details = conflict(pusher.restore(session, 2, baseRevision=2))
    assert details == {"revision": 3, "paths": sorted([*FILES, "/other.py"]), "total": 4}
    answer = pusher.restore(session, 9)
    assert (answer.status_code, answer.json["error"]["code"]) == (404, "not_found")
    # A push after that is compared with what was restored.
    assert pusher.push(baseRevision=3).status_code == 200
