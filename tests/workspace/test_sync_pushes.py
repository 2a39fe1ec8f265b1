"""Pushes: stored by content, in revisions, whole or not at all."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import pytest
from werkzeug.test import TestResponse
from workspace_pushes import FILES, Pusher, count, everything, rows

from codeintel.platform.workers.text_pool import TextPool
from codeintel.workspaces.checks import scan

OWN = ("workspace_sessions", "workspace_files", "workspace_contents")
TOKEN = "ghp_" + "16C7e42F292c6912E7710c838347Ae178B4a"  # in two, for those who scan this file


def code_of(answer: TestResponse) -> tuple[int, str]:
    return answer.status_code, answer.json["error"]["code"]


def counts(answer: TestResponse) -> tuple[int, int, int, int]:
    """Return status, revision, stored and unchanged files."""
    files = answer.json["files"]
    return answer.status_code, answer.json["revision"], files["stored"], files["unchanged"]


def test_the_first_push(pusher: Pusher) -> None:
    answer = pusher.push(localRootName="sample", branchName="main", source="vscode")
    assert counts(answer) == (201, 1, 3, 0)
    session = answer.json["sessionId"]
    assert answer.json["environmentUrl"] == f"http://localhost/workspace/{session}"
    assert answer.json["editorUri"] == answer.json["environmentUrl"]
    assert answer.json["reportsUrl"] == f"http://localhost/workspace/{session}/reports"
    assert answer.json["proofLoop"]["status"] == "queued"
    bridge = answer.json["bridge"]
    assert (bridge["sessionId"], bridge["revision"]) == (session, 1)
    assert bridge["apiVersion"] == answer.headers["X-API-Version"]
    assert bridge["proofLoop"] == answer.json["proofLoop"]
    assert pusher.files(session) == FILES
    [listed] = pusher.get("").json["sessions"]
    assert listed["sessionId"] == session
    assert (listed["branchName"], listed["source"]) == ("main", "vscode")


def test_an_identical_push_makes_no_revision(pusher: Pusher) -> None:
    first = pusher.push()
    before = {table: count(pusher.app, table, pusher.account_id) for table in OWN}
    again = pusher.push(dict(reversed(FILES.items())))
    assert counts(again) == (200, 1, 0, 3)
    assert again.json["sessionId"] == first.json["sessionId"]
    assert {table: count(pusher.app, table, pusher.account_id) for table in OWN} == before


def test_a_changed_push_is_the_next_revision(pusher: Pusher) -> None:
    session = pusher.pushed()
    changed = {**FILES, "/main.py": "print('bye')\n", "/new.py": ""}
    del changed["/docs/read me.md"]
    answer = pusher.push(changed, source="cli")
    assert counts(answer) == (201, 2, 2, 1)
    assert answer.json["sessionId"] == session
    assert pusher.files(session) == changed
    assert pusher.files(session, 1) == FILES
    newest, oldest = (
        each["revision"] for each in pusher.get(f"/{session}/revisions").json["revisions"]
    )
    assert (newest["number"], newest["changed"], newest["files"], newest["source"]) == (
        *(2, 3, 3),
        "cli",
    )
    assert (oldest["number"], oldest["changed"], oldest["origin"]) == (1, 3, "push")
    # Only changed files are written.
    assert len(rows(pusher.app, "workspace_files", pusher.account_id)) == 5


def test_what_makes_another_workspace(pusher: Pusher) -> None:
    sessions = {
        pusher.pushed(),
        pusher.pushed(name="other"),
        pusher.pushed(branchName="main"),
        pusher.pushed(localRootName="folder"),
        pusher.pushed(remoteUrl="https://example.org/a.git"),
    }
    assert len(sessions) == 5
    # Who pushes, and with what, does not.
    again = pusher.pushed(remoteUrl="https://user:secret@example.org/a.git", source="jetbrains")
    assert again in sessions


def test_two_accounts_push_the_same_and_neither_can_tell(pusher: Pusher, other: Pusher) -> None:
    answers = [each.push({**FILES, "/own.py": "the same\n"}) for each in (pusher, other, other)]
    assert [counts(each) for each in answers] == [(201, 1, 4, 0), (201, 1, 4, 0), (200, 1, 0, 4)]
    assert answers[0].json["sessionId"] != answers[1].json["sessionId"]
    assert {*answers[0].json} == {*answers[1].json}
    stored = [each.get("").json["storedBytes"] for each in (pusher, other)]
    assert stored[0] == stored[1]
    digest = hashlib.sha256(b"the same\n").hexdigest()
    assert pusher.services.workspaces.contents(other.account_id, [digest])
    third = Pusher(pusher.app)
    assert third.services.workspaces.contents(third.account_id, [digest]) == {}


def test_a_stale_base_is_a_conflict(pusher: Pusher) -> None:
    session = pusher.pushed()
    newer = {**FILES, "/main.py": "newer\n", "/more.py": ""}
    assert pusher.push(newer, baseRevision=1).status_code == 201
    answer = pusher.push({**FILES, "/main.py": "mine\n"}, baseRevision=1)
    assert code_of(answer) == (409, "revision_conflict")
    assert answer.json["error"]["details"] == {
        "revision": 2,
        "paths": ["/main.py", "/more.py"],
        "total": 2,
    }
    assert pusher.files(session) == newer
    # What the newest revision says already is no conflict: the answer to it may have been lost.
    assert counts(pusher.push(newer, baseRevision=1)) == (200, 2, 0, 4)
    for base in (3, 2**53):
        answer = pusher.push(FILES, baseRevision=base)
        assert code_of(answer) == (409, "revision_conflict")
    answer = pusher.push(FILES, name="never pushed", baseRevision=1)
    assert code_of(answer) == (409, "revision_conflict")
    assert answer.json["error"]["details"]["revision"] == 0
    assert len(pusher.get("").json["sessions"]) == 1


def test_secrets_are_left_out_and_named(pusher: Pusher) -> None:
    files = {
        **FILES,
        "/.env": "PASSWORD=hunter2-hunter2\n",
        "/.env.example": "PASSWORD=\n",
        "/deploy.py": f"token = '{TOKEN}'\n",
    }
    told = [{"path": "/big.bin", "reason": "binary"}]
    answer = pusher.push(files, skipped=told)
    assert counts(answer) == (201, 1, 4, 0)
    skipped = {each["path"]: each["reason"] for each in answer.json["files"]["skipped"]}
    assert skipped.keys() == {"/.env", "/deploy.py", "/big.bin"}
    assert (skipped["/.env"], skipped["/big.bin"]) == ("dotenv", "binary")
    assert pusher.files(answer.json["sessionId"]).keys() == {*FILES, "/.env.example"}
    revision = pusher.get(f"/{answer.json['sessionId']}").json["revision"]
    assert revision["skipped"] == answer.json["files"]["skipped"]
    digests = {row["sha256"] for row in rows(pusher.app, "workspace_contents", pusher.account_id)}
    assert hashlib.sha256(files["/deploy.py"].encode()).hexdigest() not in digests
    for secret in ("hunter2", TOKEN):
        assert secret not in answer.text
        assert secret not in repr(everything(pusher.app))


@pytest.mark.parametrize(
    "bad",
    [
        {"main.py": ""},
        {"/a/../b": ""},
        {"/.git/config": ""},
        {"/.codeintel/x": ""},
        {"/a\0b": ""},
        {"/A": "", "/a": ""},
        {"/a": "", "/a/b": ""},
    ],
)
def test_bad_paths_are_named_and_nothing_is_stored(pusher: Pusher, bad: dict[str, str]) -> None:
    answer = pusher.push({**FILES, **bad})
    assert code_of(answer) == (400, "invalid_request")
    details = answer.json["error"]["details"]
    assert {each["path"] for each in details["files"]} == bad.keys()
    assert details["total"] == len(bad)
    assert all(each["reason"] for each in details["files"])
    assert [count(pusher.app, table, pusher.account_id) for table in OWN] == [0, 0, 0]


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"localRootName": "../up"}, "localRootName"),
        ({"localRootName": ".."}, "localRootName"),
        ({"localRootName": "C:"}, "localRootName"),
        ({"localRootName": "a\\b"}, "localRootName"),
        ({"name": "a\0b"}, "name"),
        ({"branchName": "a\nb"}, "branchName"),
        ({"remoteUrl": "https://example.org/\0"}, "remoteUrl"),
        ({"source": "a\tb"}, "source"),
        ({"source": "s" * 65}, "source"),
        ({"baseRevision": 0}, "baseRevision"),
        ({"files": {}}, "files"),
        ({"files": ["/a"]}, "files"),
    ],
)
def test_bad_fields_are_named_and_nothing_is_stored(
    pusher: Pusher, fields: dict[str, Any], path: str
) -> None:
    answer = pusher.push(**{"files": FILES, **fields})
    assert code_of(answer) == (400, "invalid_request"), answer.text
    assert answer.json["error"]["details"]["path"] == path
    assert [count(pusher.app, table, pusher.account_id) for table in OWN] == [0, 0, 0]


def test_unknown_fields_are_named_and_paths_are_none(pusher: Pusher) -> None:
    answer = pusher.push(speed="fast")
    assert answer.status_code == 201
    assert answer.json["ignoredFields"] == ["speed"]


LOCAL = [
    "/home/somebody7/work/thing",
    "file:///home/somebody7/work/thing",
    "C:\\Users\\somebody7\\thing",
    "c:/Users/somebody7/thing",
    "\\\\server\\somebody7\\thing",
    "~/somebody7/thing",
    "/Users/somebody7/thing",
]


@pytest.mark.parametrize("local", LOCAL)
def test_no_path_of_the_clients_disk_is_kept_or_shown(pusher: Pusher, local: str) -> None:
    session = pusher.pushed(
        name=local,
        source=local,
        branchName=local,
        remoteUrl=local,
        skipped=[
            {"path": local, "reason": "binary"},
            {"path": "/a.bin", "reason": f"cannot read {local}"},
        ],
    )
    refused = pusher.push(localRootName=local)
    assert code_of(refused) == (400, "invalid_request")
    assert pusher.edit(session, 1, {"/b": ""}, source=local).status_code == 201
    answers = [
        pusher.push(name=local, remoteUrl=local, source=local),
        refused,
        *(
            pusher.get(f"{path}")
            for path in (
                "",
                f"/{session}",
                f"/{session}?revision=1",
                f"/{session}/revisions",
                f"/{session}/files/.codeintel/local-ide-bridge.json",
            )
        ),
    ]
    assert "somebody7" not in " ".join(answer.text for answer in answers)
    assert "somebody7" not in repr(everything(pusher.app))


def test_credentials_of_a_remote_are_kept_nowhere(pusher: Pusher) -> None:
    remote = "https://user7:hunter2@example.org/a/b.git?token=hunter2#hunter2"
    answer = pusher.push(remoteUrl=remote, source="vscode")
    assert answer.status_code == 201
    listed = pusher.get("")
    assert listed.json["sessions"][0]["remoteUrl"] == "https://example.org/a/b.git"
    assert answer.json["editorUri"].startswith("vscode://vscode.git/clone?url=https")
    for secret in ("hunter2", "user7"):
        assert secret not in answer.text + listed.text
        assert secret not in repr(everything(pusher.app))


@pytest.mark.parametrize("remote", ["ext::sh -c touch", "-oProxyCommand=x", "ssh://-oX=y/a"])
def test_links_never_run_anything(pusher: Pusher, remote: str) -> None:
    answer = pusher.push(remoteUrl=remote, source="vscode")
    assert answer.json["editorUri"] == answer.json["environmentUrl"]


def test_a_stale_push_is_refused_before_it_is_searched_for_secrets(
    pusher: Pusher, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Check the exception: excluding files with secrets could make it the newest revision again."""
    for text in ("a = 1\n", "a = 2\n"):
        pusher.pushed({"/a.py": text})
    searched: list[str] = []

    def search(texts: TextPool, account_id: str, files: Mapping[str, str]) -> Mapping[str, str]:
        searched.extend(files)
        return scan(texts, account_id, files)

    monkeypatch.setattr("codeintel.workspaces.service.scan", search)
    for files in ({"/a.py": "a = 3\n", "/b.py": "b"}, {"/b.py": "b"}):
        answer = pusher.push(files, baseRevision=1)
        assert answer.status_code == 409 and answer.json["error"]["details"]["revision"] == 2
        assert not searched
    assert pusher.push({"/a.py": "a = 2\n", "/b.py": "b"}, baseRevision=1).status_code == 409
    assert searched == ["/b.py"]
