"""`codeintel scan` on this machine: findings, outputs and exit statuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from scan_runs import HARMLESS, RISKY, project, scan

from codeintel.cli import main


def test_a_finding_fails_the_scan(tmp_path: Path) -> None:
    root = project(tmp_path, a_py=RISKY, b_py=HARMLESS)
    seen = scan(root, "-o", "text")
    assert seen.status == 1
    assert "a.py:4:1" in seen.out
    assert "python-command-injection" in seen.out
    assert "2 files with 6 lines analyzed" in seen.out
    assert seen.out.endswith("Failed: 1 finding of severity high or worse.\n")
    assert seen.err == ""
    again = scan(root, "--fail-on", "none")
    assert again.status == 0
    assert again.document["summary"]["cached"] == 2
    assert ("a.py", "python-command-injection") in again.rules


def test_frames_and_several_outputs(tmp_path: Path) -> None:
    root = project(tmp_path, a_py=RISKY)
    seen = scan(root, "-o", "text", "-o", "json=out.json", "-o", "sarif=out.sarif", "--frames")
    assert seen.status == 1
    assert "> 4 | os.system(request.args['name'])" in seen.out
    assert "Wrote out.json." in seen.err
    assert json.loads((root / "out.json").read_text())["verdict"] == "failed"
    assert json.loads((root / "out.sarif").read_text())["version"] == "2.1.0"


def test_settings_of_the_project(tmp_path: Path) -> None:
    settings = 'exclude = ["old_*"]\n[rules]\npython-command-injection = "off"\n'
    root = project(tmp_path, a_py=RISKY, old_a_py=RISKY)
    (root / ".codeintel.toml").write_text(settings)
    seen = scan(root)
    assert (seen.status, seen.document["summary"]["files"]) == (0, 2)  # the settings are a file
    assert seen.document["hidden"]["rules"] == 1


def test_names_from_standard_input(tmp_path: Path) -> None:
    root = project(tmp_path, a_py=RISKY, b_py=HARMLESS)
    assert scan(root, "-", given=b"b.py\n").status == 0
    missing = scan(root, "-", given=b"b.py\0gone.py\0")
    assert missing.status == 3
    assert missing.document["unchecked"] == [
        {"path": "gone.py", "reason": "it does not exist", "cause": "unreadable"}
    ]
    assert scan(root, "-", given=b"").status == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["missing"], "missing does not exist"),
        (["--changed"], "need a Git repository"),
        (["--changed", "--staged"], "Use either --changed or --staged"),
        (["-", "a.py"], "Use - as the only path"),
        (["-o", "text", "-o", "json"], "Only one --output can go to standard output"),
        (["-o", "xml"], 'Unknown format "xml"'),
        (["-o", "json=missing/out.json"], "the folder missing does not exist"),
        (["--model", "fast"], "'fast' is not one of"),
    ],
)
def test_wrong_usage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(project(tmp_path, a_py=HARMLESS))
    seen = CliRunner().invoke(main, ["scan", *arguments])
    assert seen.exit_code == 2
    assert message in seen.stderr


def test_invalid_settings_name_the_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = project(tmp_path, a_py=HARMLESS)
    (root / ".codeintel.toml").write_text('model = "flash"\nfail-on = "hgih"\n')
    monkeypatch.chdir(root)
    seen = CliRunner().invoke(main, ["scan"])
    assert seen.exit_code == 2
    assert ".codeintel.toml:2" in seen.stderr


def test_code_in_the_scanned_folder_does_not_run(tmp_path: Path) -> None:
    evil = f"open({str(tmp_path / 'ran')!r}, 'w').close()\n"
    names = ("copy", "yaml", "bandit", "msgspec", "sitecustomize", "codeintel_plugins", "zygote")
    root = project(tmp_path, a_py=HARMLESS, **{f"{name}_py": evil for name in names})
    (root / "instance/plugins").mkdir(parents=True)
    (root / "instance/plugins/evil.py").write_text(evil)
    (root / "instance/codeintel.cfg").write_text(evil)
    assert scan(root).status == 0
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize(
    ("words", "proposed"),
    [
        ("codeintel sc", {"scan"}),
        ("codeintel scan --st", {"--staged"}),
        ("codeintel scan --output s", {"sarif", "sarif="}),
        ("codeintel scan --fail-on cr", {"critical"}),
        ("codeintel scan a", {"a"}),  # a file, which the shell completes
    ],
)
def test_shells_complete_the_command(words: str, proposed: set[str]) -> None:
    environment = {
        "_CODEINTEL_COMPLETE": "bash_complete",
        "COMP_WORDS": words,
        "COMP_CWORD": str(len(words.split()) - 1),
    }
    seen = CliRunner().invoke(main, [], prog_name="codeintel", env=environment)
    assert {line.partition(",")[2] for line in seen.stdout.splitlines()} == proposed
