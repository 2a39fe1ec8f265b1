"""Repositories and a program `codeintel` for the tests of CI templates."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[3]
SECONDS = 240
OLD = "from flask import request\n\n\ndef old():\n    return eval(request.args['old'])\n"
NEW = "\n\ndef new():\n    return exec(request.args['new'])\n"
_GIT = {
    "GIT_AUTHOR_NAME": "A",
    "GIT_AUTHOR_EMAIL": "a@example.org",
    "GIT_COMMITTER_NAME": "A",
    "GIT_COMMITTER_EMAIL": "a@example.org",
    "GIT_CONFIG_GLOBAL": os.devnull,
}


class Ended(NamedTuple):
    """How a command ended. `told` is all of its output."""

    status: int
    told: str


class Workplace:
    """A folder with a program `codeintel` in the search path, which runs this tree.

    :param folder: an empty folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        programs = folder / "bin"
        programs.mkdir()
        program = programs / "codeintel"
        program.write_text(
            f'#!/bin/sh\nexec "{sys.executable}" -c "from codeintel.cli import run; run()" "$@"\n'
        )
        program.chmod(0o755)
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("CODEINTEL_", "GIT_", "GITHUB_", "CI_"))
        }
        self._environment = {
            **kept,
            **_GIT,
            "PATH": f"{programs}:{Path(sys.executable).parent}:{os.environ['PATH']}",
            "HOME": str(folder),
            "XDG_CACHE_HOME": str(folder / "cache"),
            "PRE_COMMIT_HOME": str(folder / "pre-commit"),
        }

    def run(self, cwd: Path, *command: str, **environment: str) -> Ended:
        """Run a command."""
        done = subprocess.run(
            command,
            cwd=cwd,
            env={**self._environment, **environment},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=SECONDS,
            check=False,
        )
        return Ended(done.returncode, done.stdout)

    def git(self, cwd: Path, *arguments: str) -> str:
        """Return the output of a Git command that succeeds."""
        ended = self.run(cwd, "git", *arguments)
        assert ended.status == 0, ended.told
        return ended.told.strip()

    def repository(self, name: str, **files: str) -> Path:
        """Return a new repository with a commit of some files of Python."""
        root = self.folder / name
        root.mkdir()
        self.git(root, "init", "-q", "-b", "main")
        for file, text in files.items():
            (root / f"{file}.py").write_text(text)
        self.commit(root, "first")
        return root

    def commit(self, root: Path, subject: str) -> None:
        """Commit all files."""
        self.git(root, "add", "-A")
        self.git(root, "commit", "-q", "--allow-empty", "-m", subject)
