"""`codeintel push`: what is sent, remembered and told."""

from __future__ import annotations

import json
import stat
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from pushing import KEY, STATE, SYNC, kept, run
from scripted_workspaces import (
    SESSION,
    Answer,
    ScriptedService,
    as_json,
    entry,
    events,
    refusal,
)

from codeintel.cli.workspaces import folder as workspace_folder
from codeintel.client.workspaces import api as workspace_api

TOKEN = "ghp_" + "kR7vQ2mX9aLd4TzW1bYc" + "8NfHs3Jg6UePoK5i"


def test_what_is_sent_and_remembered(service: ScriptedService, folder: Path) -> None:
    (folder / "l\x1b[2J").symlink_to("a.py")
    bodies = kept(service)
    result = run(service, "push", str(folder))
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith(
        f"Revision 1 of {SESSION}: 1 new or changed, 0 deleted, 0 unchanged.\n"
    )
    assert "\x1b" not in result.output
    assert bodies == [
        {
            "files": {"/a.py": "a\n"},
            "name": "my app",
            "source": "codeintel-cli",
            "localRootName": "my app",
            "branchName": "",
            "remoteUrl": "",
            "baseRevision": None,
            "skipped": [{"path": "/l\x1b[2J", "reason": "symbolic-link"}],
            "trustDependencies": None,
        }
    ]
    (_, _, headers) = service.requests[0]
    assert headers["Authorization"] == f"Bearer {KEY}"
    assert headers["Idempotency-Key"]
    state = (folder / STATE).read_text()
    assert KEY not in state
    assert str(folder) not in state
    (session,) = json.loads(state)["sessions"]
    assert (session["url"], session["sessionId"], session["revision"]) == (service.url, SESSION, 1)
    assert session["files"] == {"/a.py": entry("/a.py", b"a\n")["sha256"]}
    assert json.loads((folder / ".codeintel/local-ide-bridge.json").read_text()) == {
        "sessionId": SESSION
    }
    assert (folder / ".codeintel/.gitignore").read_text() == "*\n"
    assert not (folder / STATE).stat().st_mode & stat.S_IXUSR


def test_a_secret_stays_here_and_the_rest_of_its_file_is_analysed(
    service: ScriptedService, folder: Path
) -> None:
    (folder / "b.py").write_text(f'b = 1\nTOKEN = "{TOKEN}"\n')
    (folder / ".env").write_text("PASSWORD=hunter2\n")
    bodies = kept(service)
    result = run(service, "push", str(folder))
    assert result.exit_code == 0, result.output
    [body] = bodies
    assert list(body["files"]) == ["/a.py"]
    prefix = TOKEN.partition("_")[0]
    dotenv, masked = body["skipped"]
    assert dotenv == {"path": "/.env", "reason": "dotenv"}
    assert (masked["path"], masked["reason"], masked["line"]) == ("/b.py", "github-token", 2)
    assert masked["text"].splitlines()[0] == "b = 1"
    assert len(masked["text"]) == len((folder / "b.py").read_text())
    assert TOKEN.removeprefix(prefix) not in json.dumps(body)
    assert "hunter2" not in json.dumps(body)
    told = run(service, "push", str(folder), "--dry-run", "--json")
    assert [set(each) for each in json.loads(told.stdout)["leftOut"]] == [
        {"path", "reason"},
        {"path", "reason", "line"},
    ]


def test_a_push_without_room_leaves_masked_texts_out(
    service: ScriptedService, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "b.py").write_text(f'TOKEN = "{TOKEN}"\n')
    monkeypatch.setattr(workspace_folder, "MAX_TOTAL_BYTES", 60)
    bodies = kept(service)
    assert run(service, "push", str(folder)).exit_code == 0
    assert bodies[0]["skipped"] == [{"path": "/b.py", "reason": "github-token"}]


def test_the_next_push_names_its_base(service: ScriptedService, folder: Path) -> None:
    bodies = kept(service)
    run(service, "push", str(folder), "--name", "other", "--trust-dependencies")
    moved = folder.rename(folder.with_name("moved"))
    again = run(service, "push", str(moved))
    assert "is still at revision 1." in again.stdout
    assert again.stderr.startswith("Comparing 1 file (")
    service.revision = 2
    run(service, "push", str(moved), "--force", "--source", "mine")
    assert [each["baseRevision"] for each in bodies] == [None, 1, None]
    assert {each["localRootName"] for each in bodies} == {"my app"}, "of the same workspace"
    assert {each["name"] for each in bodies} == {"other"}
    assert [each["trustDependencies"] for each in bodies] == [True, None, None]
    run(service, "push", str(moved), "--name", "third")
    assert (bodies[3]["name"], bodies[3]["baseRevision"]) == ("third", None)


def test_a_lost_answer_is_asked_for_with_the_same_key(
    service: ScriptedService, folder: Path
) -> None:
    tries = []

    def flaky(_: Mapping[str, Any]) -> Answer | None:
        tries.append(1)
        if len(tries) == 1:
            raise ConnectionAbortedError
        return as_json(refusal("database_unavailable"), 503) if len(tries) == 2 else None

    service.on[SYNC] = flaky
    assert run(service, "push", str(folder)).exit_code == 0
    keys = [headers["Idempotency-Key"] for _, _, headers in service.requests]
    assert len(keys) == 3
    assert len(set(keys)) == 1


def test_a_first_push_tells_that_it_is_not_the_first(
    service: ScriptedService, tmp_path: Path
) -> None:
    folder = tmp_path / ("x" * 250)
    folder.mkdir()
    (folder / "a.py").write_text("a\n")
    bodies = kept(service)
    service.revision = 7
    assert "was pushed from another folder before" in run(service, "push", str(folder)).stderr
    assert "elsewhere" not in run(service, "push", str(folder)).stderr
    assert bodies[0]["localRootName"] == "x" * 200


def test_a_dry_run_needs_no_service(service: ScriptedService, folder: Path) -> None:
    run(service, "push", str(folder))
    service.requests.clear()
    (folder / "a.py").write_text("b\n")
    (folder / "b\x1b.py").write_text("b\n")
    (folder / "c.py").write_text("c\n")
    (folder / ".env").write_text("A=1\n")
    result = run(service, "push", str(folder), "--dry-run", key=None)
    assert result.exit_code == 0
    assert result.stdout == "  /a.py  changed\n  /c.py  new\n"
    assert "  /.env  The file can contain secrets, because it is a dotenv file.\n" in result.stderr
    assert "  /b\\x1b.py  The path contains a control character.\n" in result.stderr
    document = json.loads(run(service, "push", str(folder), "--dry-run", "--json").stdout)
    assert [(each["path"], each["change"]) for each in document["files"]] == [
        ("/a.py", "changed"),
        ("/c.py", "new"),
    ]
    assert len(document["leftOut"]) == 2
    assert service.requests == []


def test_json(service: ScriptedService, folder: Path) -> None:
    (folder / ".env").write_text("A=1\n")
    result = run(service, "push", str(folder), "--json")
    document = json.loads(result.stdout)
    assert (document["sessionId"], document["ignored"]) == (SESSION, 0)
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("lines", "status", "words"),
    [
        ([{"status": "passed", "revision": 1}], 0, "passed (revision 1)."),
        (
            [
                {"status": "running", "revision": 1, "done": 1, "total": 2},
                {"status": "failed", "revision": 1, "reason": "1 finding is high."},
            ],
            1,
            "failed (revision 1): 1 finding is high.",
        ),
        ([{"status": "skipped", "revision": 1, "reason": "No credits."}], 3, "No credits."),
        (
            [{"status": "incomplete", "revision": 1, "reason": "Not everything was checked."}],
            3,
            "incomplete (revision 1): Not everything was checked.",
        ),
    ],
)
def test_waiting(
    service: ScriptedService, folder: Path, lines: list[dict[str, Any]], status: int, words: str
) -> None:
    proof = f"/api/workspace/{SESSION}/proof"
    queued = {"status": "queued", "revision": 1}
    service.on[f"POST {proof}"] = lambda _: as_json(queued, 202)
    service.on[f"GET {proof}"] = lambda _: as_json(queued)
    service.on[f"GET {proof}/events"] = lambda _: events(*lines)
    result = run(service, "push", str(folder), "--wait")
    assert (result.exit_code, words in result.stdout) == (status, True), result.output
    bridge = json.loads((folder / ".codeintel/local-ide-bridge.json").read_text())
    assert bridge == {"sessionId": SESSION, "proofLoop": lines[-1]}
    document = json.loads(run(service, "push", str(folder), "--wait", "--json").stdout)
    assert document["proofLoop"]["status"] == lines[-1]["status"]


def test_a_broken_stream_is_taken_up_again(
    service: ScriptedService, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workspace_api.time, "sleep", lambda _: None)
    proof = f"/api/workspace/{SESSION}/proof"
    states = iter(["queued", "running", "running", "passed"])
    for method in ("GET", "POST"):
        service.on[f"{method} {proof}"] = lambda _: as_json({"status": next(states), "revision": 1})
    service.on[f"GET {proof}/events"] = lambda _: events()
    assert run(service, "push", str(folder), "--wait").exit_code == 0
    service.on[f"GET {proof}"] = lambda _: as_json({"status": "running", "revision": 1})
    service.on[f"POST {proof}"] = lambda _: as_json({"status": "running", "revision": 1})
    result = run(service, "push", str(folder), "--wait")
    assert result.exit_code == 3
    assert "goes on without it" in result.stderr
