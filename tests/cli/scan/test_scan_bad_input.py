"""Scans of what breaks other tools: each says what it left out, or why it did not start."""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from scan_runs import HARMLESS, RISKY, Ended, ended, project, scan, started

NESTED = 10_000
_DROP_CAPABILITY = 24
_READING = (1, 2)
"""The capabilities that let root read files without permission."""


def git(folder: Path, *arguments: str) -> None:
    identity = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=folder, capture_output=True, check=True)


def repository(tmp_path: Path, **files: str) -> Path:
    root = project(tmp_path, **files)
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-qm", "First")
    return root


def unchecked(seen: Ended) -> dict[str, tuple[str, str]]:
    return {each["path"]: (each["reason"], each["cause"]) for each in seen.document["unchecked"]}


def a_shallow_clone(tmp_path: Path) -> tuple[Path, list[str]]:
    root = repository(tmp_path, a_py=HARMLESS)
    git(root, "checkout", "-qb", "topic")
    git(root, "commit", "-q", "--allow-empty", "-m", "Second")
    git(tmp_path, "clone", "-q", "--depth=1", f"file://{root}", "clone")
    return tmp_path / "clone", ["--changed=main"]


def a_bare_repository(tmp_path: Path) -> tuple[Path, list[str]]:
    repository(tmp_path, a_py=HARMLESS)
    git(tmp_path, "clone", "-q", "--bare", "project", "bare.git")
    return tmp_path / "bare.git", []


def an_empty_folder(tmp_path: Path) -> tuple[Path, list[str]]:
    return project(tmp_path), []


def a_project_file_that_is_a_folder(tmp_path: Path) -> tuple[Path, list[str]]:
    root = project(tmp_path, a_py=HARMLESS)
    (root / ".codeintel.toml").mkdir()
    return root, []


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (a_shallow_clone, "The clone is shallow: fetch the commit first"),
        (a_bare_repository, "is a bare repository, which has no files"),
        (an_empty_folder, "There are no files in"),
        (a_project_file_that_is_a_folder, ".codeintel.toml"),
    ],
)
def test_what_cannot_be_scanned(
    tmp_path: Path, make: Callable[[Path], tuple[Path, list[str]]], message: str
) -> None:
    folder, arguments = make(tmp_path)
    seen = scan(folder, *arguments)
    assert (seen.status, seen.out) == (2, "")
    assert message in seen.err
    assert "Traceback" not in seen.err


def test_without_git(tmp_path: Path) -> None:
    root = repository(tmp_path, a_py=RISKY, b_py=HARMLESS, c_py=RISKY)
    (root / ".gitignore").write_text("c.py\n")
    seen = scan(root, environment={"PATH": str(tmp_path)})
    assert seen.status == 1
    assert {path for path, _ in seen.rules} == {"a.py"}


def test_odd_files_are_left_out_and_the_others_scanned(tmp_path: Path) -> None:
    root = project(tmp_path, a_py=RISKY)
    (root / "new\nline.py").write_text(RISKY)
    (root / os.fsdecode(b"bad\xff.py")).write_text(RISKY)
    (root / "binary.py").write_bytes(b"\0" * 1_000)
    (root / "latin.py").write_bytes(b"# \xe9\n" + RISKY.encode())
    (root / "loop").symlink_to(".", target_is_directory=True)
    (root / "self.py").symlink_to("self.py")
    os.mkfifo(root / "pipe.py")
    with (root / "huge.py").open("wb") as stream:
        stream.truncate(1024**3)
    seen = scan(root)
    assert seen.status == 1
    assert {path for path, _ in seen.rules} == {"a.py", "latin.py", "new\nline.py"}
    assert unchecked(seen) == {
        "bad\\xff.py": ("the name is not UTF-8", "name"),
        "binary.py": ("binary", "unreadable"),
        "huge.py": ("larger than 5 MiB", "size"),
    }
    assert {each["path"] for each in seen.document["leftOut"]} == {"loop", "pipe.py", "self.py"}
    text = scan(root, "-o", "text").out
    assert "line.py:4:1" in text
    assert "new\nline" not in text  # escaped, because a line is a finding


@pytest.mark.parametrize(
    ("has_git", "arguments"),
    [(False, ()), (True, ()), (True, ("--changed", "--base=HEAD"))],
)
def test_what_cannot_be_read_makes_a_scan_incomplete(
    tmp_path: Path, has_git: bool, arguments: tuple[str, ...]
) -> None:
    root = project(tmp_path, a_py=HARMLESS, closed_py=RISKY)
    (root / "folder").mkdir()
    (root / "folder/b.py").write_text(RISKY)
    (root / "folder/deep").mkdir()
    (root / "folder/deep/c.py").write_text(RISKY)
    if has_git:
        git(root, "init", "-q", "-b", "main")
        git(root, "add", "folder")
        git(root, "commit", "-qm", "First")
    (root / "untracked").mkdir()
    (root / "untracked").chmod(0)
    (root / "closed.py").chmod(0)
    (root / "folder").chmod(0)

    def drop() -> None:
        libc = ctypes.CDLL(None)
        for each in _READING:
            libc.prctl(_DROP_CAPABILITY, each, 0, 0, 0)

    try:
        command = ("-o", "json", *arguments)
        seen = ended(started(root, *command, stdin=subprocess.DEVNULL, preexec_fn=drop))
    finally:
        (root / "folder").chmod(0o700)
        (root / "untracked").chmod(0o700)
    assert seen.status == 3, seen.err
    about = ("the folder cannot be read", "unreadable")
    wanted = {"folder/": about, "untracked/": about}
    assert unchecked(seen) == {"closed.py": ("it cannot be read", "unreadable"), **wanted}


@pytest.fixture
def nested(tmp_path: Path) -> Iterator[Path]:
    """Return a project with many nested folders. pytest could not delete them."""
    root = project(tmp_path, a_py=HARMLESS)
    here = os.open(root, os.O_RDONLY)
    for _ in range(NESTED):
        os.mkdir("d", dir_fd=here)
        inner = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = inner
    os.close(os.open("deep.py", os.O_WRONLY | os.O_CREAT, dir_fd=here))
    os.close(here)
    yield root
    subprocess.run(["rm", "-rf", str(root / "d")], check=True)


@pytest.mark.parametrize("has_git", [True, False])
def test_many_nested_folders(nested: Path, has_git: bool) -> None:
    if has_git:
        git(nested, "init", "-q")
    seen = scan(nested)
    assert seen.document["summary"]["analyzed"] == 1
    assert "Traceback" not in seen.err
    if not has_git:
        ((path, reason),) = unchecked(seen).items()
        assert path.startswith("d/d/d/")
        assert reason == ("the path is too long", "name")
        assert seen.status == 3


def children(pid: int) -> list[int]:
    """Return the processes that a process has started."""
    try:
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def working(process: subprocess.Popen[bytes]) -> None:
    """Wait until a scan has its worker processes."""
    deadline = time.monotonic() + 60
    while not any(children(each) for each in children(process.pid)):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)


def many(tmp_path: Path, count: int = 40) -> Path:
    texts = {f"m{number:03}_py": f"{HARMLESS}x = {number}\n" for number in range(count)}
    return project(tmp_path, **texts)


def test_a_file_that_changes_during_the_scan(tmp_path: Path) -> None:
    root = many(tmp_path, 300)  # more than are read together
    process = started(root, "-o", "json", "--processes=1", stdin=subprocess.DEVNULL)
    working(process)
    (root / "m298.py").write_text(RISKY)
    (root / "m299.py").unlink()
    seen = ended(process)
    assert seen.status == 3
    about = ("it changed during the scan", "unreadable")
    assert unchecked(seen) == {"m298.py": about, "m299.py": about}


def test_interrupted(tmp_path: Path) -> None:
    root = many(tmp_path, 400)
    process = started(root, "--processes=1", stdin=subprocess.DEVNULL)
    working(process)
    workers = children(process.pid)
    process.send_signal(signal.SIGINT)
    seen = ended(process)
    assert (seen.status, seen.out) == (130, "")
    assert seen.err.startswith("Interrupted after ")
    assert " of 400 files." in seen.err
    assert not any(Path(f"/proc/{pid}").exists() for pid in workers)


def test_the_reader_leaves(tmp_path: Path) -> None:
    root = project(tmp_path, a_py=RISKY)
    process = started(root, "-o", "json", stdin=subprocess.DEVNULL)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    with process.stderr:
        assert process.wait(120) == 141
