"""`codeintel pull`: three versions, and nothing lost."""

from __future__ import annotations

import hashlib
import json
import stat
from pathlib import Path

import pytest
from pull_steps import in_step, on_disk, revision, run
from scripted_workspaces import SESSION, ScriptedService, as_json, refusal


def test_each_side_keeps_what_it_changed(service: ScriptedService, folder: Path) -> None:
    same = {"/same": b"0", "/ours": b"0", "/theirs": b"0", "/gone/x": b"0", "/both": b"0"}
    in_step(service, folder, same)
    (folder / "theirs").chmod(0o755)
    (folder / "ours").write_bytes(b"1")
    (folder / "new").write_bytes(b"1")
    (folder / "both").write_bytes(b"2")
    service.files |= {"/theirs": b"2\r\n", "/both": b"2", "/deep/er/ü b": b"\xef\xbb\xbf3"}
    del service.files["/gone/x"]
    result = run(service, "pull", str(folder))
    assert result.exit_code == 0, result.output
    assert on_disk(folder) == {
        "/same": b"0",
        "/ours": b"1",
        "/new": b"1",
        "/theirs": b"2\r\n",
        "/both": b"2",
        "/deep/er/ü b": b"\xef\xbb\xbf3",
    }
    assert not (folder / "gone").exists(), "an empty folder"
    assert stat.S_IMODE((folder / "theirs").stat().st_mode) == 0o755
    assert not (folder / "deep/er/ü b").stat().st_mode & 0o111
    assert revision(folder) == 2
    assert "2 written, 1 deleted, 1 kept, 0 conflicts" in result.stdout
    assert "0 written, 0 deleted, 1 kept" in run(service, "pull", str(folder)).stdout


CONFLICTS = {"/edited": b"0", "/deleted here": b"0", "/deleted there": b"0", "/free": b"0"}


@pytest.fixture
def at_odds(service: ScriptedService, folder: Path) -> Path:
    """Create four conflicts, and a file that only the service has changed."""
    in_step(service, folder, CONFLICTS)
    (folder / "edited").write_bytes(b"mine")
    (folder / "deleted here").unlink()
    (folder / "deleted there").write_bytes(b"mine")
    (folder / "added").write_bytes(b"mine")
    service.files = {
        "/edited": b"theirs",
        "/deleted here": b"theirs",
        "/added": b"theirs",
        "/free": b"theirs",
    }
    return folder


MINE = {"/edited": b"mine", "/deleted there": b"mine", "/added": b"mine"}


def test_conflicts_are_left_alone(service: ScriptedService, at_odds: Path) -> None:
    for _ in range(2):
        result = run(service, "pull", str(at_odds))
        assert result.exit_code == 1
        assert on_disk(at_odds) == {**MINE, "/free": b"theirs"}
        assert [line.split("  ")[1:] for line in result.stderr.splitlines()[:4]] == [
            ["/added", "added on both sides, with different texts"],
            ["/deleted here", "deleted locally, changed on the service"],
            ["/deleted there", "changed locally, deleted on the service"],
            ["/edited", "changed on both sides"],
        ]
        assert revision(at_odds) == 1, "a push would be refused"


def test_theirs_keeps_mine_aside(service: ScriptedService, at_odds: Path) -> None:
    result = run(service, "pull", str(at_odds), "--theirs")
    assert result.exit_code == 0, result.output
    assert on_disk(at_odds) == service.files
    assert revision(at_odds) == 2
    (aside,) = (at_odds / ".codeintel/replaced").iterdir()
    assert on_disk(aside) == MINE


def test_versions_side_by_side(service: ScriptedService, at_odds: Path) -> None:
    result = run(service, "pull", str(at_odds), "--write-conflicts")
    assert result.exit_code == 1, result.output
    assert "3 conflicts." in result.stdout
    beside = {f"{path}.remote": b"theirs" for path in ("/edited", "/deleted here", "/added")}
    assert on_disk(at_odds) == {**MINE, **beside, "/free": b"theirs"}
    assert revision(at_odds) == 2
    assert run(service, "push", str(at_odds)).exit_code == 2
    result = run(service, "pull", str(at_odds))
    assert result.exit_code == 1, "they are not solved yet"
    assert "3 server versions next to your files" in result.stderr
    status = json.loads(run(service, "status", str(at_odds), "--json").stdout)
    assert set(status["conflicts"]) == {"/edited", "/deleted here", "/added"}
    for path in beside:
        (at_odds / path.removeprefix("/")).unlink()
    (at_odds / "deleted here").write_bytes(b"solved")
    assert run(service, "pull", str(at_odds)).exit_code == 0
    assert run(service, "push", str(at_odds)).exit_code == 0


def test_what_stands_beside_is_not_overwritten(service: ScriptedService, at_odds: Path) -> None:
    (at_odds / "edited.remote").write_bytes(b"mine too")
    result = run(service, "pull", str(at_odds), "--write-conflicts")
    assert result.exit_code == 1
    assert "/edited.remote is in the way" in result.stderr
    assert (at_odds / "edited.remote").read_bytes() == b"mine too"
    assert revision(at_odds) == 1


def test_a_dry_run_changes_nothing(service: ScriptedService, at_odds: Path) -> None:
    before = on_disk(at_odds)
    for more in ([], ["--theirs"]):
        result = run(service, "pull", str(at_odds), "--dry-run", "--json", *more)
        assert result.exit_code == 1
        document = json.loads(result.stdout)
        assert (document["written"], len(document["conflicts"])) == (["/free"], 4)
    assert (on_disk(at_odds), revision(at_odds)) == (before, 1)


def test_an_older_revision(service: ScriptedService, folder: Path) -> None:
    in_step(service, folder, {"/a": b"0"})
    service.files, service.revision = {"/a": b"old"}, 1
    assert run(service, "pull", str(folder), "--revision", "1").exit_code == 0
    assert (folder / "a").read_bytes() == b"old"
    assert service.requests[-2][1].endswith("?revision=1")


@pytest.mark.parametrize("count", [3, 40])
def test_into_an_empty_folder(service: ScriptedService, folder: Path, count: int) -> None:
    service.files = {f"/src/{number}": f"{number}\n".encode() for number in range(count)}
    service.files["/empty"] = b""
    new = folder / "new"
    result = run(service, "pull", "--session", SESSION, "--into", str(new))
    assert result.exit_code == 0, result.output
    assert on_disk(new) == service.files
    assert "Local: 0 added, 0 changed, 0 deleted" in run(service, "status", str(new)).stdout
    assert run(service, "pull", "--session", SESSION, "--into", str(new)).exit_code == 2
    fetched = [path for _, path, _ in service.requests if "archive" in path or "/files/" in path]
    assert len(fetched) == (3 if count == 3 else 1), "many come in one archive"


@pytest.mark.parametrize(
    "arguments",
    [
        ("--theirs", "--write-conflicts"),
        ("--session", "x"),
        ("--into", "x"),
        (".", "--session", "x", "--into", "y"),
        ("--revision", "0"),
        ("--session", "x", "--into", "y", "--dry-run"),
        ("--session", SESSION, "--into", "no/such/folder"),
    ],
)
def test_wrong_usage(service: ScriptedService, arguments: tuple[str, ...]) -> None:
    assert run(service, "pull", *arguments).exit_code == 2
    assert service.requests == []


def test_large_files_pass(service: ScriptedService, folder: Path) -> None:
    text = b"x" * 1024 * 1024
    service.files = {f"/{number}": text for number in range(20)}
    new = folder / "new"
    assert run(service, "pull", "--session", SESSION, "--into", str(new)).exit_code == 0
    assert {hashlib.sha256(data).digest() for data in on_disk(new).values()} == {
        hashlib.sha256(text).digest()
    }


def test_a_session_that_is_gone(service: ScriptedService, folder: Path) -> None:
    in_step(service, folder, {"/a": b"0"})
    at = f"GET /api/workspace/{SESSION}"
    service.on[at] = lambda _: as_json(refusal("not_found"), 404)
    for command in (["pull"], ["pull", "--revision", "1"], ["status"]):
        result = run(service, *command, str(folder))
        assert result.exit_code == 2
        assert "no longer exists" in result.stderr
        assert "`codeintel push --force` to create a new" in result.stderr
    answers = iter([as_json(refusal("not_found"), 404), None])
    service.on[at] = lambda _: next(answers)
    result = run(service, "pull", "--revision", "9", str(folder))
    assert result.exit_code == 2
    assert "any more" not in result.stderr, "only the revision is not there"


def test_a_folder_that_was_there_stays(service: ScriptedService, folder: Path) -> None:
    service.on[f"GET /api/workspace/{SESSION}"] = lambda _: as_json(refusal("not_found"), 404)
    for into, stays in ((folder, True), (folder / "new", False)):
        assert run(service, "pull", "--session", SESSION, "--into", str(into)).exit_code == 2
        assert into.exists() is stays
