"""Read the branch and the remote of a folder with Git, without running code of the repository."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

from codeintel.contracts.workspaces.paths import label
from codeintel.contracts.workspaces.remotes import without_credentials

SECONDS = 5.0
_SAFE = ("--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
_QUIET = {"GIT_TERMINAL_PROMPT": "0", "GIT_OPTIONAL_LOCKS": "0", "LC_ALL": "C"}
# Git hooks set these variables, which name another repository.
_ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_NAMESPACE")


class GitInfo(NamedTuple):
    """The branch and the remote's URL without credentials, or empty texts."""

    branch: str = ""
    remote: str = ""


def git_info(root: Path) -> GitInfo:
    """Return the branch and remote of a folder. Empty without Git and outside of repositories."""
    git = shutil.which("git")
    if git is None:
        return GitInfo()
    branch = _asked(git, root, "symbolic-ref", "--quiet", "--short", "HEAD")
    named = _asked(git, root, "config", "--get", f"branch.{branch}.remote") if branch else ""
    remotes = _asked(git, root, "remote").splitlines()
    for name in (named, "origin", *remotes[:1]):
        if name in remotes:
            url = _asked(git, root, "config", "--get", f"remote.{name}.url")
            return GitInfo(label(branch), without_credentials(url))
    return GitInfo(label(branch))


def _asked(git: str, root: Path, *arguments: str) -> str:
    """Return the output of a command that only reads, or an empty text if it fails."""
    environment = {name: each for name, each in os.environ.items() if name not in _ELSEWHERE}
    try:
        ended = subprocess.run(  # noqa: S603 - no shell, and nothing of the repository's in front
            [git, *_SAFE, *arguments],
            cwd=root,
            env={**environment, **_QUIET},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    if ended.returncode != 0:
        return ""
    return ended.stdout.decode("utf-8", "replace").strip()
