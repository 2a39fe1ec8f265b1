"""The project's own repository: pushed by the command, edited in a browser, pulled back.
`git diff` shows only the edit."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

from browser_site import Browse, Person, Site
from editor_pages import editor, open_file, save, show_editor

from codeintel.testing.server import COMMAND

ROOT = Path(__file__).parents[2]
PARTS = ("codeintel", "docs", "frontend", "plugins/codeintel_plugins/trust", "README.md", ".ci")
MADE = shutil.ignore_patterns("__pycache__", "dist", "node_modules", "*.egg-info")


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "core.autocrlf=false")
    ended = subprocess.run(["git", *who, *arguments], cwd=folder, capture_output=True, check=True)
    return ended.stdout.decode()


def a_repository(folder: Path) -> Path:
    """Create a repository with files of this project."""
    for part in PARTS:
        source, target = ROOT / part, folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=MADE)
        else:
            shutil.copy2(source, target)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "x")
    return folder


def test_what_is_pulled_is_what_was_typed(
    browse: Browse, site: Site, ada: Person, tmp_path: Path
) -> None:
    folder = a_repository(tmp_path / "project")
    key = site.key(ada, "cli", "workspace:write")

    def run(*arguments: str) -> str:
        ended = subprocess.run(
            [*COMMAND, *arguments, str(folder)],
            env={**os.environ, "CODEINTEL_API_KEY": key, "CODEINTEL_URL": site.url},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended.stdout

    pushed = json.loads(run("push", "--json"))
    assert (pushed["revision"], pushed["files"]["skipped"]) == (1, [])
    assert pushed["files"]["stored"] == len(git(folder, "ls-files").splitlines()) > 500

    page = browse(ada)
    show_editor(page, f"/workspace/{pushed['sessionId']}")
    open_file(page, "workspaces/paths.py")
    editor(page).focus()
    page.keyboard.press("ControlOrMeta+Home")
    page.keyboard.press("End")
    page.keyboard.type(" Typed in a browser.")
    save(page, 2)

    run("pull")
    assert git(folder, "status", "--porcelain") == " M codeintel/contracts/workspaces/paths.py\n"
    changes = git(folder, "diff", "-U0").splitlines()[4:]
    first = (ROOT / "codeintel/contracts/workspaces/paths.py").read_text().splitlines()[0]
    assert changes == ["@@ -1 +1 @@", f"-{first}", f"+{first} Typed in a browser."]
    assert "no changes" in run("status")
