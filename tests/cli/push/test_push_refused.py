"""`codeintel push` where nothing may be sent, the service refuses, or its answer makes no sense."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pushing import STATE, SYNC, run
from scripted_workspaces import (
    SESSION,
    ScriptedService,
    as_json,
    refusal,
)

from codeintel.client.workspaces import walk as workspace_pack


def test_a_conflict_names_the_files(service: ScriptedService, folder: Path) -> None:
    run(service, "push", str(folder))
    service.on[SYNC] = lambda _: as_json(
        refusal("revision_conflict", revision=2, paths=["/a\x1b.py"]), 409
    )
    service.revision, service.files = 2, {"/a.py": b"changed there"}
    result = run(service, "push", str(folder))
    assert result.exit_code == 2
    assert "  /a\\x1b.py\n" in result.stderr
    assert "run `codeintel pull`" in result.stderr
    service.on[f"GET /api/workspace/{SESSION}"] = lambda _: as_json(refusal("not_found"), 404)
    assert "--force` to create a new workspace" in run(service, "push", str(folder)).stderr


def test_a_conflict_with_the_very_same_files_is_none(
    service: ScriptedService, folder: Path
) -> None:
    run(service, "push", str(folder))
    (folder / "a.py").write_text("b\n")
    service.on[SYNC] = lambda _: as_json(refusal("revision_conflict", revision=2, paths=[]), 409)
    service.revision, service.files = 2, {"/a.py": b"b\n"}
    result = run(service, "push", str(folder))
    assert result.exit_code == 0, result.output
    assert json.loads((folder / STATE).read_text())["sessions"][0]["revision"] == 2


def test_refused_files_are_named(service: ScriptedService, folder: Path) -> None:
    files = [{"path": "/a.py", "reason": "odd"}, 3]
    service.on[SYNC] = lambda _: as_json(refusal("invalid_request", files=files), 400)
    result = run(service, "push", str(folder))
    assert result.exit_code == 2
    assert "  /a.py  odd\n" in result.stderr
    assert not (folder / STATE).exists()


def test_too_much(service: ScriptedService, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workspace_pack, "MAX_FILES", 3)
    (folder / "made").mkdir()
    for number in range(5):
        (folder / "made" / str(number)).write_text("x")
    result = run(service, "push", str(folder))
    assert result.exit_code == 2
    assert "/made/" in result.stderr
    assert "has 6 files" in result.stderr
    assert ".codeintelignore" in result.stderr
    assert service.requests == []
    (folder / ".codeintelignore").write_text("/made/\n")
    assert run(service, "push", str(folder)).exit_code == 0


def test_a_body_that_grows_beyond_the_limit_is_not_sent(
    service: ScriptedService, folder: Path
) -> None:
    for number in range(11):  # a control character takes six bytes in JSON
        (folder / f"{number}.txt").write_text("\x01" * 1_000_000)
    result = run(service, "push", str(folder))
    assert result.exit_code == 2
    assert "Nothing was sent" in result.stderr
    assert service.requests == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("push", "nowhere"), "Cannot open nowhere: No such file"),
        (("push", "--url", "ftp://x"), "--url"),
        (("push", "empty"), "has no files to push"),
        (("status", "empty"), "has not been pushed"),
        (("pull", "empty"), "has not been pushed"),
    ],
)
def test_wrong_usage(
    service: ScriptedService, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    (tmp_path / "empty").mkdir()
    result = run(service, *arguments)
    assert result.exit_code == 2
    assert words in result.stderr
    assert service.requests == []


def test_a_folder_of_secrets_alone(service: ScriptedService, tmp_path: Path) -> None:
    secrets = tmp_path / "secrets"
    secrets.mkdir()
    token = "ghp_" + "kR7vQ2mX9aLd4TzW1bYc" + "8NfHs3Jg6UePoK5i"
    (secrets / "a.py").write_text(f'TOKEN = "{token}"\n')
    result = run(service, "push", str(secrets))
    assert result.exit_code == 3
    assert "  /a.py  The file contains a secret: github-token." in result.stderr
    assert "were left out" in result.stderr
    assert "codeintel analyze FILE" in result.stderr
    assert token not in result.output
    assert service.requests == []


def test_without_a_key(service: ScriptedService, folder: Path) -> None:
    result = run(service, "push", str(folder), key=None)
    assert result.exit_code == 2
    assert "the scope workspace:write" in result.stderr
    assert service.requests == []


@pytest.mark.parametrize(
    "answer", [{}, {"sessionId": "../x"}, {"revision": 0}, {"files": 3}, {"bridge": "x"}]
)
def test_answers_that_make_no_sense(
    service: ScriptedService, folder: Path, answer: dict[str, Any]
) -> None:
    document = {**service.pushed(), **answer} if answer else {}
    service.on[SYNC] = lambda _: as_json(document, 201)
    result = run(service, "push", str(folder))
    assert result.exit_code == 2
    assert "did not answer like codeintel" in result.stderr
    assert not (folder / STATE).exists()
