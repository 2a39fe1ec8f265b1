"""Repositories for the tests of what a scan reads."""

from __future__ import annotations

import subprocess
from pathlib import Path

from codeintel.client.repository.discovery import (
    Discovery,
    Selection,
    discover as discover_located,
    locate,
)

IDENTITY = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")
FILES = (
    *("-c", "protocol.file.allow=always"),
    *("-c", "init.defaultBranch=main"),
    *("-c", "advice.addEmbeddedRepo=false"),
)


def git(folder: Path, *arguments: str) -> str:
    """Run Git and return its output."""
    ended = subprocess.run(
        ["git", *IDENTITY, *FILES, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
    )
    return ended.stdout


def write(root: Path, **files: str) -> None:
    """Write files. In their names, `__` stands for `/` and a final `_py` for `.py`."""
    for name, text in files.items():
        path = root / name.replace("__", "/").replace("_py", ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def discover(selection: Selection, cwd: Path) -> Discovery:
    """Find the files of a selection."""
    return discover_located(selection, locate(selection, cwd))


def texts(discovery: Discovery) -> dict[str, str]:
    """Return the texts of all files by path."""
    with discovery.opened() as read:
        return {each.path: read(each) for each in discovery.files}


def found(root: Path, *paths: str, cwd: Path | None = None) -> list[str]:
    """Return the paths of the files that a scan of the named paths has."""
    return paths_of(discover(Selection(paths), cwd or root))


def paths_of(discovery: Discovery) -> list[str]:
    """Return the paths of the files of a discovery."""
    return [each.path for each in discovery.files]


def reasons(discovery: Discovery) -> dict[str, tuple[str, str | None]]:
    """Return the reason and the cause of each file that is left out."""
    return {
        each.path: (each.reason, each.cause.value if each.cause else None)
        for each in discovery.left_out
    }
