"""`codeintel status`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from scripted_workspaces import SESSION, ScriptedService, as_json, entry, scripted_service

from codeintel.cli import main


@pytest.fixture
def service() -> Iterator[ScriptedService]:
    with scripted_service() as made:
        yield made


@pytest.fixture
def folder(service: ScriptedService, tmp_path: Path) -> Path:
    made = tmp_path / "folder"
    made.mkdir()
    for name in ("a.py", "b.py", "c.py"):
        (made / name).write_text("0")
    (made / ".gitignore").write_text("*.log\n")
    assert run(service, "push", str(made)).exit_code == 0
    (made / "a.py").write_text("1")
    (made / "b.py").unlink()
    (made / "d\x1b.txt").symlink_to("a.py")
    (made / "e.py").write_text("1")
    (made / "x.log").write_text("1")
    return made


def run(service: ScriptedService, *arguments: str, key: str | None = "ci_live_x") -> Result:
    environment = {"CODEINTEL_API_KEY": key, "CODEINTEL_URL": service.url}
    return CliRunner(env=environment).invoke(main, list(arguments))


HERE = (
    f"folder: workspace {SESSION}, revision 1.\n"
    "  /e.py  added\n"
    "  /a.py  changed\n"
    "  /b.py  deleted\n"
    "Local: 1 added, 1 changed, 1 deleted, 1 excluded, 1 ignored.\n"
)


def test_both_sides(service: ScriptedService, folder: Path) -> None:
    result = run(service, "status", str(folder))
    assert result.exit_code == 0
    assert result.stdout == HERE + (
        "Online: no changes.\n"
        "Report: passed (revision 1).\n"
        f"Edit:    {service.url}/workspace/{SESSION}\n"
        f"Reports: {service.url}/workspace/{SESSION}/reports\n"
    )
    service.revision = 4
    assert "Online: revision 4 is newer" in run(service, "status", str(folder)).stdout


def test_without_a_service(service: ScriptedService, folder: Path) -> None:
    service.requests.clear()
    result = run(service, "status", str(folder), "--local", key=None)
    assert (result.exit_code, result.stdout) == (0, HERE)
    assert service.requests == []


def test_json(service: ScriptedService, folder: Path) -> None:
    local = json.loads(run(service, "status", str(folder), "--local", "--json").stdout)
    assert local == {
        "sessionId": SESSION,
        "url": service.url,
        "revision": 1,
        "local": {
            "added": ["/e.py"],
            "changed": ["/a.py"],
            "deleted": ["/b.py"],
            "blocked": [],
            "leftOut": 1,
            "ignored": 1,
        },
        "conflicts": {},
    }
    both = json.loads(run(service, "status", str(folder), "--json").stdout)
    assert (both["newestRevision"], both["proofLoop"]["status"]) == (1, "passed")
    assert both["changes"] == {"changed": [], "deleted": []}


def test_what_was_changed_there(service: ScriptedService, folder: Path) -> None:
    changed = [entry(f"/{number:02}.py", b"x") for number in range(30)]
    bridge = entry("/.codeintel/local-ide-bridge.json", b"{}")
    answer = {"since": 1, "revision": 4, "changed": [bridge, *changed], "deleted": ["/0.py"]}
    service.on[f"GET /api/workspace/{SESSION}/changes"] = lambda _: as_json(answer)
    service.revision = 4
    lines = run(service, "status", str(folder)).stdout.splitlines()
    assert service.requests[-1][1].endswith("?since=1&revision=4")
    assert lines.count("  /0.py  deleted online") == 1
    assert sum(line.endswith("  changed online") for line in lines) == 19
    assert "  11 more" in lines
    document = json.loads(run(service, "status", str(folder), "--json").stdout)
    assert document["changes"] == {"changed": changed, "deleted": ["/0.py"]}


def test_below_a_folder_that_was_pushed(
    service: ScriptedService, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "sub/deep").mkdir(parents=True)
    (folder / "sub/deep/x.py").write_text("x")
    monkeypatch.chdir(folder / "sub/deep")
    for command in ("status", "pull"):
        result = run(service, command)
        assert result.exit_code == 2
        assert f"`codeintel {command} ../..`" in result.stderr
    service.requests.clear()
    result = run(service, "push")
    assert result.exit_code == 2
    assert "run `codeintel push ../..`. To make this folder a separate workspace" in result.stderr
    assert service.requests == []
    assert run(service, "push", ".").exit_code == 0
    assert run(service, "push").exit_code == 0, "it is one of its own now"


def test_another_service_knows_nothing_of_it(service: ScriptedService, folder: Path) -> None:
    result = run(service, "status", str(folder), "--url", "http://127.0.0.1:1")
    assert result.exit_code == 2
    assert "has not been pushed to http://127.0.0.1:1" in result.stderr
