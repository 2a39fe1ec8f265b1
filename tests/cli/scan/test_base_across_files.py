"""A value that crosses files is new if the base commit lacks its path, wherever it ends."""

from __future__ import annotations

import subprocess
from pathlib import Path

from scan_runs import project, scan

SOURCE = "from flask import request\n\n\ndef wanted():\n    return request.args['name']\n"
SINK = "import os\n\n\ndef run(command):\n    os.system('echo ' + command)\n"
BETWEEN = "from sink import run\nfrom source import wanted\n\n\ndef view():\n    run(wanted())\n"


def git(root: Path, *arguments: str) -> None:
    """Run Git."""
    identity = ("-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


def test_a_new_file_can_join_a_source_and_a_sink(tmp_path: Path) -> None:
    root = project(tmp_path, source_py=SOURCE, sink_py=SINK)
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "first")
    (root / "view.py").write_text(BETWEEN)
    seen = scan(root, "--model", "pro", "--base", "HEAD")
    assert seen.status == 1
    new = [each for each in seen.document["findings"] if each["state"] == "new"]
    assert [(each["path"], each["finding"]["cwe"]) for each in new] == [("sink.py", "CWE-78")]
    assert {step.get("path") for step in new[0]["finding"]["flow"]} >= {"source.py", "view.py"}
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "second")
    again = scan(root, "--model", "pro", "--base", "HEAD")
    assert (again.status, again.document["states"]["new"]) == (0, 0)
