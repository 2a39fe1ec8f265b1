"""Files of a workspace are not deleted there only because they can no longer be pushed."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from scripted_workspaces import SESSION, ScriptedService, as_json, scripted_service

from codeintel.cli import main
from codeintel.cli.workspaces.reasons import in_words
from codeintel.client.workspaces.walk import Left
from codeintel.contracts.workspaces.paths import REASONS
from codeintel.contracts.workspaces.selection import RULES

SYNC = "POST /api/workspace/sync"
BODY = "".join(f"{hashlib.sha256(bytes([n])).hexdigest()}\n" for n in range(12))
PRIVATE_KEY = f"-----BEGIN RSA {'PRIVATE'} KEY-----\n{BODY}-----END RSA {'PRIVATE'} KEY-----\n"


@pytest.fixture
def service() -> Iterator[ScriptedService]:
    with scripted_service() as made:
        yield made


@pytest.fixture
def bodies(service: ScriptedService) -> list[dict[str, Any]]:
    """Return the bodies of pushes."""
    made: list[dict[str, Any]] = []

    def keep(body: Mapping[str, Any]) -> None:
        made.append(dict(body))

    service.on[SYNC] = keep
    return made


@pytest.fixture
def folder(service: ScriptedService, tmp_path: Path) -> Path:
    """Return a pushed folder. Rules would exclude two of its files."""
    made = tmp_path / "folder"
    made.mkdir()
    (made / ".gitignore").write_text("*.log\n/made/\n")
    (made / "a.py").write_text("a")
    assert run(service, "push", str(made)).exit_code == 0
    service.files = {
        "/.gitignore": (made / ".gitignore").read_bytes(),
        "/a.py": b"a",
        "/notes.log": b"n",
        "/made/in/x.py": b"x",
    }
    service.revision = 2
    assert run(service, "pull", str(made)).exit_code == 0
    (made / "made/other.py").write_text("o")
    (made / "own.log").write_text("o")
    return made


def run(service: ScriptedService, *arguments: str) -> Result:
    environment = {"CODEINTEL_API_KEY": "ci_live_x", "CODEINTEL_URL": service.url}
    return CliRunner(env=environment).invoke(main, list(arguments))


def test_what_rules_name_goes_on_being_pushed(
    service: ScriptedService, folder: Path, bodies: list[dict[str, Any]]
) -> None:
    status = run(service, "status", str(folder)).stdout
    assert "Local: 0 added, 0 changed, 0 deleted, 0 excluded, 2 ignored." in status
    (folder / "notes.log").write_text("changed")
    assert "  /notes.log  changed\n" in run(service, "status", str(folder)).stdout
    service.revision = 3
    result = run(service, "push", str(folder))
    assert result.exit_code == 0, result.output
    assert set(bodies[0]["files"]) == set(service.files)
    (folder / "notes.log").unlink()
    result = run(service, "push", str(folder), "--json")
    assert json.loads(result.stdout)["deleted"] == ["/notes.log"], "it was deleted here"
    assert set(bodies[1]["files"]) == set(service.files) - {"/notes.log"}


def test_deleted_files_are_counted(service: ScriptedService, folder: Path) -> None:
    (folder / "a.py").unlink()
    service.revision = 3
    assert " 1 new or changed, 1 deleted, 0 unchanged." in run(service, "push", str(folder)).stdout


def test_what_a_forced_push_deletes_is_asked_for(service: ScriptedService, folder: Path) -> None:
    service.revision = 5
    answer = {"since": 4, "revision": 5, "changed": [], "deleted": ["/made there"]}
    service.on[f"GET /api/workspace/{SESSION}/changes"] = lambda _: as_json(answer)
    result = run(service, "push", str(folder), "--force", "--json")
    assert json.loads(result.stdout)["deleted"] == ["/made there"]
    assert service.requests[-1][1].endswith("?since=4&revision=5")


def as_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("nowhere")


def as_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def as_folder_link(path: Path) -> None:
    path.parent.rename(path.parent.with_name("moved"))
    path.parent.symlink_to("moved")


@pytest.mark.parametrize(
    ("path", "change", "reason"),
    [
        ("a.py", lambda path: path.write_bytes(b"\0"), "binary"),
        ("a.py", lambda path: path.write_bytes(b"\xff"), "not-utf-8"),
        ("a.py", lambda path: path.write_bytes(b"x" * 1_100_000), "too-large"),
        ("a.py", as_link, "symbolic-link"),
        ("notes.log", as_link, "symbolic-link"),
        ("made/in/x.py", as_folder_link, "symbolic-link"),
        ("a.py", as_pipe, "not-regular"),
        (
            "notes.log",
            lambda path: path.write_text(PRIVATE_KEY),
            "private-key",
        ),
    ],
)
def test_what_cannot_be_pushed_any_more_is_not_deleted(
    service: ScriptedService,
    folder: Path,
    bodies: list[dict[str, Any]],
    path: str,
    change: Callable[[Path], object],
    reason: str,
) -> None:
    change(folder / path)
    status = run(service, "status", str(folder)).stdout
    assert f"  /{path}  can no longer be pushed. {in_words(reason)}\n" in status
    assert ", 0 deleted, " in status
    dry = json.loads(run(service, "push", str(folder), "--dry-run", "--json").stdout)
    assert (dry["blocked"], dry["deleted"]) == ([{"path": f"/{path}", "reason": reason}], [])
    (folder / "more.txt").write_text("changed, too\n")
    for more, is_alone in (([], False), (["--force"], False), ([], True), (["--force"], True)):
        if is_alone:
            (folder / "more.txt").unlink(missing_ok=True)
        result = run(service, "push", str(folder), *more)
        left_out_alone = is_alone and not more
        assert result.exit_code == (3 if left_out_alone else 2)
        assert ("no other file has changed" in result.stderr) is left_out_alone
        assert f"  /{path}  {in_words(reason)}\n" in result.stderr
        assert "--untrack" in result.stderr
    assert bodies == []
    service.revision = 3
    result = run(service, "push", str(folder), "--untrack", "--json")
    assert result.exit_code == 0, result.output
    assert f"/{path}" in json.loads(result.stdout)["deleted"]
    assert run(service, "push", str(folder)).exit_code == 0, "the workspace has it no more"


def test_a_folder_in_place_of_a_file_is_a_deletion(
    service: ScriptedService, folder: Path, bodies: list[dict[str, Any]]
) -> None:
    (folder / "a.py").unlink()
    (folder / "a.py").mkdir()
    (folder / "a.py/b.py").write_text("b")
    (folder / "notes.log").unlink()
    (folder / "notes.log").mkdir()
    (folder / "notes.log/b.py").write_text("b")
    assert run(service, "push", str(folder)).exit_code == 0
    assert set(bodies[0]["files"]) == {"/.gitignore", "/a.py/b.py", "/made/in/x.py"}


def test_each_reason_has_a_sentence() -> None:
    for reason in {*Left, *REASONS, *RULES}:
        assert in_words(reason).startswith("The ") or in_words(reason).startswith("A "), reason
        assert in_words(reason).endswith(".")
    assert in_words("not-utf-8") == "The text is not in UTF-8."
    assert in_words("github-token") == "The file contains a secret: github-token."
    assert in_words("of-tomorrow") == "of-tomorrow"
