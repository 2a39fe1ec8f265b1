"""Folders that cannot be read: they count for each file that they may contain."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest
from repositories import discover, git, paths_of, reasons, write

from codeintel.cli.scan.policy.settings import LanguageSettings, ProjectConfig, ProjectFile
from codeintel.client.repository.discovery import (
    Discovery,
    DiscoveryError,
    Selection,
    discover as discover_located,
    locate,
)
from codeintel.client.repository.reach import may_match_below

CLOSED = ("the folder cannot be read", "unreadable")
DENIED = "warning: could not open directory 'src/x/': Permission denied"


def says(monkeypatch: pytest.MonkeyPatch, folder: Path, text: str) -> None:
    """Let Git add a text to the errors when it lists untracked files."""
    program = folder / "git-that-warns"
    (folder / "warning").write_text(f"{text}\n")
    program.write_text(
        f'#!/bin/sh\ncase "$*" in *--others*) cat "{folder}/warning" >&2 ;; esac\n'
        f'exec "{shutil.which("git")}" "$@"\n'
    )
    program.chmod(0o755)
    which = shutil.which
    monkeypatch.setattr(
        shutil, "which", lambda name: str(program) if name == "git" else which(name)
    )


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "repository"
    root.mkdir()
    git(root, "init", "-q")
    write(root, a_py="a = 1\n", src__b_py="b = 1\n")
    (root / "src/x").mkdir()
    return root


def by_settings(root: Path, settings: ProjectFile, *names: str) -> Discovery:
    selection = Selection(names)
    return discover_located(selection, locate(selection, root), ProjectConfig(settings))


@pytest.mark.parametrize(
    ("names", "is_told"),
    [
        ((), True),
        (("src/**",), True),
        (("src/**/*.py",), True),
        (("**/*.py",), True),
        (("src/*/c.py", "src/b.py"), True),
        (("src/x/*.py",), True),
        (("s[r]c/x/c.py", "a.py"), True),
        (("*.py",), False),
        (("src/*.py",), False),
        (("src/b.py",), False),
    ],
)
def test_a_pattern_that_can_match_in_a_closed_folder_tells_it(
    root: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...], is_told: bool
) -> None:
    says(monkeypatch, root.parent, DENIED)
    assert reasons(discover(Selection(names), root)) == ({"src/x/": CLOSED} if is_told else {})


@pytest.mark.parametrize(
    ("settings", "is_told"),
    [
        (ProjectFile(include=("**/*.py",)), True),
        (ProjectFile(include=("*.py",)), True),
        (ProjectFile(include=("src/", "a.py")), True),
        (ProjectFile(include=("src/x/c.py", "a.py")), True),
        (ProjectFile(include=("/a.py", "src/*.py")), False),
        (ProjectFile(exclude=("src/x/",)), False),
        (ProjectFile(exclude=("x",)), False),
        (ProjectFile(exclude=("*.py", "!a.py")), True),
        (ProjectFile(exclude=("src/*", "!src/x/c.py")), True),
        (ProjectFile(languages={"javascript": LanguageSettings(enabled=False)}), True),
    ],
)
def test_settings_that_select_files_in_a_closed_folder_tell_it(
    root: Path, monkeypatch: pytest.MonkeyPatch, settings: ProjectFile, is_told: bool
) -> None:
    says(monkeypatch, root.parent, DENIED)
    seen = by_settings(root, settings)
    assert "a.py" in paths_of(seen)
    assert reasons(seen) == ({"src/x/": CLOSED} if is_told else {})


def test_a_closed_folder_named_like_a_file_of_a_disabled_language_is_told(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    says(monkeypatch, root.parent, DENIED.replace("src/x", "src/x.js"))
    off = ProjectFile(languages={"javascript": LanguageSettings(enabled=False)})
    assert reasons(by_settings(root, off)) == {"src/x.js/": CLOSED}


def test_own_ignore_files_leave_out_closed_folders(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    says(monkeypatch, root.parent, DENIED)
    (root / ".codeintelignore").write_text("x/\n")
    seen = discover(Selection(("src/**/*.py",)), root)
    assert (reasons(seen), seen.ignored) == ({}, 1)


def test_a_pattern_may_match_in_a_closed_folder_alone(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    says(monkeypatch, root.parent, DENIED)
    seen = discover(Selection(("src/**/*.js",)), root)
    assert (paths_of(seen), reasons(seen)) == ([], {"src/x/": CLOSED})
    with pytest.raises(DiscoveryError, match="matches"):
        discover(Selection(("*.js",)), root)


def test_a_closed_root_is_told_for_each_name(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    says(monkeypatch, root.parent, "warning: could not open directory '.': Permission denied")
    for names in ((), ("src",), ("*.py",)):
        assert reasons(discover(Selection(names), root)) == {"/": CLOSED}


def test_a_path_that_is_too_long_is_told_for_a_pattern(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    write(tmp_path, a_py="a = 1\n", **{"/".join(["d" * 100] * 12) + "__deep_py": "x = 1\n"})
    for pattern in ("**/*.py", "d*/**"):
        seen = discover(Selection((pattern, "a.py")), tmp_path)
        assert list(reasons(seen).values()) == [("the path is too long", "name")]
    assert reasons(discover(Selection(("*.py",)), tmp_path)) == {}


def test_every_reason_against_a_folder_is_told(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = "warning: could not open directory '.x/': Input/output error"
    says(monkeypatch, root.parent, f"{DENIED}\n{broken}")
    seen = discover(Selection(), root)
    assert reasons(seen) == {".x/": CLOSED, "src/x/": CLOSED}
    assert seen.notes == ()


def test_other_warnings_of_git_are_notes(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    other = "warning: unable to access '.gitignore': Input/output error"
    says(monkeypatch, root.parent, f"{DENIED}\n{other}\nhint: nothing")
    seen = discover(Selection(), root)
    assert reasons(seen) == {"src/x/": CLOSED}
    assert seen.notes == ("Git warns: unable to access '.gitignore': Input/output error.",)


@pytest.mark.parametrize("has_git", [True, False])
@pytest.mark.parametrize("number", [errno.EIO, errno.ESTALE, errno.ELOOP])
def test_files_that_the_disk_does_not_give_are_told(
    root: Path, monkeypatch: pytest.MonkeyPatch, number: int, has_git: bool
) -> None:
    git(root, "add", "-A")
    stat, opened = os.stat, os.open

    def failing(path: str | Path | int, **named: int) -> os.stat_result:
        if not isinstance(path, int) and Path(path).name == "b.py" and named.get("dir_fd"):
            raise OSError(number, os.strerror(number), str(path))
        return stat(path, **named)

    def failing_open(path: str | Path, *arguments: int, **named: int) -> int:
        if Path(path).name == "b.py":
            raise OSError(number, os.strerror(number), str(path))
        return opened(path, *arguments, **named)

    monkeypatch.setattr(os, "stat", failing)
    monkeypatch.setattr(os, "open", failing_open)
    if not has_git:
        which = shutil.which
        monkeypatch.setattr(shutil, "which", lambda name: None if name == "git" else which(name))
    for selection in (Selection(), Selection(("src/*.py",))):
        told = reasons(discover(selection, root))
        assert told == {"src/b.py": ("it cannot be read", "unreadable")}


@pytest.mark.parametrize(
    ("pattern", "folder", "may_match"),
    [
        ("*.py", "a/b/", True),
        ("a/", "b/", True),
        ("/*.py", "a/", False),
        ("/*.py", "/", True),
        ("/a/b", "a/", True),
        ("a/b/", "a/", True),
        ("a/b", "c/", False),
        ("a/b", "a/c/", False),
        (r"/a \[1\]/*.py", "a [1]/", True),
        (r"/a \[1\]/*.py", "a 1/", False),
        ("/?/b/*", "a/b/", True),
        ("/?/b/*", "a/c/", False),
        ("a/**/b/c.py", "a/x/y/", True),
        ("**/c.py", "a/", True),
    ],
)
def test_reach_of_patterns(pattern: str, folder: str, may_match: bool) -> None:
    assert may_match_below(pattern, folder) == may_match
