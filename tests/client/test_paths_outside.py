"""Files outside of a repository, to which a work tree, an index or a commit points."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from repositories import discover, git, paths_of, reasons, write

from codeintel.client.repository.discovery import Selection, discover_commit
from codeintel.client.repository.disk import is_plain, kind_of, read_file

INVALID = ("the path is not valid", "name")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    root.mkdir()
    git(root, "init", "-q")
    write(root, a_py="a = 1\n", sub__x_py="x = 1\n")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "First")
    write(tmp_path, outside__x_py="private = 1\n", private_py="private = 1\n")
    return root


def test_a_tracked_file_below_a_link_is_not_read(root: Path) -> None:
    shutil.rmtree(root / "sub")
    (root / "sub").symlink_to("../outside")
    seen = discover(Selection(), root)
    assert paths_of(seen) == ["a.py"]
    assert reasons(seen) == {"sub": ("a symbolic link", None)}


def test_a_folder_that_becomes_a_link_during_the_scan_is_not_followed(root: Path) -> None:
    seen = discover(Selection(), root)
    shutil.rmtree(root / "sub")
    (root / "sub").symlink_to("../outside")
    (root.parent / "outside/x.py").write_text("x = 1\n")  # the same content
    assert seen.text("sub/x.py") is None


@pytest.mark.parametrize("name", [b"../private.py", b".git/hook.py", b"/a/private.py"])
@pytest.mark.parametrize("staged", [False, True])
def test_paths_of_an_index_that_lead_outside_are_told(
    root: Path, name: bytes, staged: bool
) -> None:
    placeholder = b"P" * len(name)
    (root / os.fsdecode(placeholder)).write_text("p = 1\n")
    git(root, "add", os.fsdecode(placeholder))
    index = root / ".git/index"
    changed = index.read_bytes()[:-20].replace(placeholder, name)
    digest = subprocess.run(["sha1sum"], input=changed, capture_output=True, check=True).stdout
    index.write_bytes(changed + bytes.fromhex(digest.split()[0].decode()))
    (root / ".git/hook.py").write_text("hook = 1\n")
    (root / os.fsdecode(placeholder)).unlink()
    seen = discover(Selection(staged=staged), root)
    assert {os.fsdecode(name): INVALID}.items() <= reasons(seen).items()
    assert set(paths_of(seen)) <= {"a.py", "sub/x.py"}


def test_paths_of_a_commit_that_lead_outside_are_told(root: Path) -> None:
    blob = git(root, "hash-object", "-w", "a.py").strip()
    lines = f"100644 blob {blob}\tx.py\n"
    inner = made(root, ["mktree"], lines)
    tree = made(root, ["mktree"], f"040000 tree {inner}\t..\n100644 blob {blob}\ta.py\n")
    commit = git(root, "commit-tree", tree, "-m", "Hostile").strip()
    before = discover_commit(discover(Selection(), root), commit)
    assert paths_of(before) == ["a.py"]
    assert reasons(before) == {"../x.py": INVALID}


def made(root: Path, command: list[str], text: str) -> str:
    ended = subprocess.run(
        ["git", *command], cwd=root, input=text, capture_output=True, text=True, check=True
    )
    return ended.stdout.strip()


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("a/b.py", True),
        ("..a/.b", True),
        ("../b", False),
        ("a/../b", False),
        ("/a", False),
        ("a//b", False),
        ("./a", False),
        ("a/.Git/config", False),
    ],
)
def test_plain_paths(path: str, expected: bool) -> None:
    assert is_plain(path) == expected


def test_no_link_below_the_root_is_followed(tmp_path: Path) -> None:
    write(tmp_path, real__deep__a_py="a = 1\n")
    (tmp_path / "real/link").symlink_to("deep")
    (tmp_path / "root").symlink_to("real")
    assert read_file(tmp_path / "root", "deep/a.py", 9) == b"a = 1\n"
    assert read_file(tmp_path / "root", "link/a.py", 9) is None
    assert kind_of(tmp_path / "root", "link/a.py") is None


def test_an_unreadable_file_of_an_unknown_language_may_have_secrets(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (root / "notes.txt").write_text("nothing")
    opened = os.open

    def failing(path: str | Path, *arguments: int, **named: int) -> int:
        if Path(path).name == "notes.txt":
            raise PermissionError(13, "Permission denied", str(path))
        return opened(path, *arguments, **named)

    monkeypatch.setattr(os, "open", failing)
    assert reasons(discover(Selection(), root)) == {
        "notes.txt": ("it cannot be read", "unreadable")
    }
