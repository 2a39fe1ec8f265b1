"""A repository is pushed to a real service, edited there, and pulled back. `git diff` shows only
the edit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests

from codeintel.testing.server import COMMAND, LiveServer

FILES = {
    "main.py": b"import os\n\nprint(os.name)\n",
    "src/with space/\xc3\xbcml\xc3\xa4ut \xe2\x9c\x93.py".encode("latin1").decode(): b"x = 1\n",
    "\u05d0\u05d1.txt": b"\xd7\x90\n",
    "crlf.bat": b"echo 1\r\necho 2\r\nmixed\n\r",
    "no newline": b"the end",
    "bom.cs": b"\xef\xbb\xbfclass A {}\r\n",
    "-dash": b"--\n",
    "quote'\"$(x)`y`.sh": b"#!/bin/sh\n",
    "run.sh": b"#!/bin/sh\necho 1\n",
    "empty": b"",
    "%2e%2e%2fpercent #?&.txt": b"percent\n",
    "deep/" * 20 + "file": b"deep\n",
    "controls.txt": b"\x01\x1b[31m\x7f\t\xe2\x80\xa8\n",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with LiveServer(tmp_path_factory.mktemp("instance")) as running:
        yield running


@pytest.fixture(scope="module")
def key(server: LiveServer) -> str:
    server.run("accounts", "create", "user@example.org")
    made = server.run(
        "keys", "create", "user@example.org", "--name", "k", "--scope", "workspace:write"
    )
    return made.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository"
    for path, data in FILES.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
    (folder / "run.sh").chmod(0o755)
    git(folder, "init", "-q", "-b", "main")
    git(folder, "config", "core.autocrlf", "false")
    git(folder, "add", "-A")
    git(folder, "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-q", "-m", "x")
    return folder


def git(folder: Path, *arguments: str) -> str:
    ended = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, check=True)
    return ended.stdout.decode()


class Editor:
    """The commands in a folder, and the API in between."""

    def __init__(self, server: LiveServer, key: str, folder: Path) -> None:
        self._url = server.url
        self._key = key
        self.folder = folder

    def run(self, *arguments: str, status: int = 0) -> str:
        ended = subprocess.run(
            [COMMAND[0], "-P", *COMMAND[1:], *arguments],
            cwd=self.folder,
            env={**os.environ, "CODEINTEL_API_KEY": self._key, "CODEINTEL_URL": self._url},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert ended.returncode == status, ended.stdout + ended.stderr
        return ended.stdout

    def edit(self, base: int, changes: dict[str, str | None]) -> dict[str, Any]:
        state = json.loads((self.folder / ".codeintel/workspace.json").read_text())
        session = state["sessions"][0]["sessionId"]
        answer = requests.post(
            f"{self._url}/api/workspace/{session}/revisions",
            json={"baseRevision": base, "changes": changes},
            headers={"Authorization": f"Bearer {self._key}"},
            timeout=120,
        )
        assert answer.status_code == 201, answer.text
        made: dict[str, Any] = answer.json()
        return made


def test_what_comes_back_is_the_edit(server: LiveServer, key: str, repository: Path) -> None:
    editor = Editor(server, key, repository)
    pushed = json.loads(editor.run("push", "--json"))
    assert (pushed["files"]["stored"], pushed["files"]["skipped"]) == (len(FILES), [])
    assert git(repository, "status", "--porcelain") == "", "Git knows nothing of it"
    editor.edit(
        1,
        {
            "/run.sh": "#!/bin/sh\necho 2\n",
            "/crlf.bat": "echo 1\r\necho 3\r\nmixed\n\r",
            "/no newline": None,
            "/neu.txt": "neu\n",
        },
    )
    editor.run("pull")
    assert git(repository, "status", "--porcelain").splitlines() == [
        " M crlf.bat",
        ' D "no newline"',
        " M run.sh",
        "?? neu.txt",
    ]
    changed = git(repository, "diff", "-U0", "run.sh", "crlf.bat")
    assert [line for line in changed.splitlines() if line[:1] in "+-" and line[:3] not in "+++---"]
    assert "mode" not in changed, "an executable stays one"
    assert [line for line in changed.split("\n") if line.startswith(("-echo", "+echo"))] == [
        "-echo 2\r",
        "+echo 3\r",
        "-echo 1",
        "+echo 2",
    ]
    assert "Online: no changes" in editor.run("status")
    assert "is still at revision 2." in editor.run("push")


def test_a_clone_is_the_same_byte_for_byte(
    server: LiveServer, key: str, repository: Path, tmp_path: Path
) -> None:
    editor = Editor(server, key, repository)
    session = json.loads(editor.run("push", "--json", "--name", "clone"))["sessionId"]
    editor.run("pull", "--session", session, "--into", str(tmp_path / "clone"))
    for path, data in FILES.items():
        assert (tmp_path / "clone" / path).read_bytes() == data
    clone = Editor(server, key, tmp_path / "clone")
    (tmp_path / "clone/main.py").write_text("import sys\n")
    assert json.loads(clone.run("push", "--json"))["revision"] == 2, "of the same session"
    (repository / "main.py").write_text("import re\n")
    editor.run("push", status=2)
    editor.run("pull", status=1)
    assert (repository / "main.py").read_text() == "import re\n"
    editor.run("push", "--force", "--name", "clone")
    clone.run("pull")
    assert (tmp_path / "clone/main.py").read_text() == "import re\n"


def test_each_branch_is_a_session(server: LiveServer, key: str, repository: Path) -> None:
    editor = Editor(server, key, repository)
    first = json.loads(editor.run("push", "--json", "--name", "branches"))
    git(repository, "checkout", "-q", "-b", "other")
    editor.run("status", status=2)
    second = json.loads(editor.run("push", "--json", "--name", "branches"))
    assert (second["revision"], second["sessionId"] != first["sessionId"]) == (1, True)
    git(repository, "checkout", "-q", "main")
    assert first["sessionId"] in editor.run("status")


def test_the_verdict(server: LiveServer, key: str, tmp_path: Path) -> None:
    folder = tmp_path / "bad"
    folder.mkdir()
    (folder / "a.py").write_text(
        "import pickle\n\ndef load(data):\n    return pickle.loads(data)\n"
    )
    editor = Editor(server, key, folder)
    proof = json.loads(editor.run("push", "--wait", "--json", status=1))["proofLoop"]
    assert proof["status"] == "failed"
    (folder / "a.py").write_text("x = 1\n")
    assert "passed (revision 2)" in editor.run("push", "--wait")


def test_the_commands_need_no_web_framework() -> None:
    """Nor what makes the service; they start in a moment."""
    code = (
        "import sys\n"
        "from codeintel.cli.workspaces import pull, push, status\n"
        "print({'flask', 'sqlalchemy', 'gevent'} & set(sys.modules))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == "set()\n"
