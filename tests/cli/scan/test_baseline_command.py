"""`codeintel baseline`, and scans with its file."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from scan_runs import HARMLESS, RISKY, project, scan

from codeintel.cli import main

FILE = ".codeintel-baseline.jsonl"
MORE = "\neval(request.args['more'])\n"


def baseline(root: Path, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> Any:
    """Run the command in this process."""
    monkeypatch.chdir(root)
    monkeypatch.setenv("XDG_CACHE_HOME", str(root.parent / "cache"))
    return CliRunner().invoke(main, ["baseline", *arguments])


def test_a_baseline_accepts_old_findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project(tmp_path, a_py=RISKY, b_py=HARMLESS)
    stale = baseline(root, monkeypatch, "--check")
    assert (stale.exit_code, (root / FILE).exists()) == (1, False)
    made = baseline(root, monkeypatch, "--reason", "Old code.", "--owner", "team")
    assert made.exit_code == 0, made.output
    entries = [json.loads(line) for line in (root / FILE).read_text().splitlines()]
    assert made.output == (
        f"{FILE} lists {len(entries)} findings: {len(entries)} added, 0 kept, 0 removed.\n"
    )
    kept = {(each["path"], each["reason"], each["owner"]) for each in entries}
    assert kept == {("a.py", "Old code.", "team")}
    assert baseline(root, monkeypatch, "--check").exit_code == 0
    known = scan(root)
    assert (known.status, known.document["comparedWith"]) == (0, FILE)
    (root / "a.py").rename(root / "renamed.py")
    (root / "renamed.py").write_text(f"# moved\n{RISKY}{MORE}")
    seen = scan(root)
    assert seen.status == 1
    lines: dict[str, set[int]] = {"known": set(), "new": set()}
    for each in seen.document["findings"]:
        lines[each["state"]].add(each["finding"]["range"]["startLine"])
    assert lines == {"known": {5}, "new": {7}}
    assert scan(root, "--baseline", "none").document["states"]["known"] == 0


def test_days_are_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project(tmp_path, a_py=HARMLESS)
    wrong = baseline(root, monkeypatch, "--until", "soon")
    assert wrong.exit_code == 2
    assert '"soon" is no day such as 2027-01-31.' in wrong.output


def test_a_missing_baseline_is_an_error(tmp_path: Path) -> None:
    root = project(tmp_path, a_py=HARMLESS)
    seen = scan(root, "--baseline", "gone.jsonl")
    assert seen.status == 2
    assert "Write it with `codeintel baseline`." in seen.err


def test_links_out_of_the_repository_are_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project(tmp_path, a_py=HARMLESS)
    outside = tmp_path / "outside"
    outside.write_text("")
    (root / FILE).symlink_to(outside)
    refused = baseline(root, monkeypatch)
    assert refused.exit_code == 2
    assert "is a link out of the repository" in refused.output
    assert outside.read_text() == ""


def test_the_whole_repository_is_scanned_from_a_folder_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project(tmp_path, a_py=RISKY)
    subprocess.run(["git", "init", "-q"], cwd=root, check=True)
    (root / "src").mkdir()
    (root / "src/b.py").write_text(RISKY)
    assert baseline(root / "src", monkeypatch).exit_code == 0
    entries = [json.loads(line) for line in (root / FILE).read_text().splitlines()]
    assert {each["path"] for each in entries} == {"a.py", "src/b.py"}


def test_a_scan_of_a_part_knows_that_other_files_exist(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = project(tmp_path, a_py=RISKY)
    assert baseline(root, monkeypatch).exit_code == 0
    (root / "copy.py").write_text(RISKY)
    whole, part = scan(root), scan(root, "copy.py")
    assert whole.status == part.status == 1
    assert part.document["fixed"] == 0
    assert {each["state"] for each in part.document["findings"]} == {"new"}
