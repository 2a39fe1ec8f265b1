"""`codeintel doctor` as people run it."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from doctor_scenes import Scene
from doctor_upstreams import serving

from codeintel.cli import main
from codeintel.operations.doctor.results import Status
from codeintel.testing.server import COMMAND, LiveServer

_GROUPS = (
    "settings|files|database|migrations|redis|plugins|upstreams|disk|system|server|jobs|leases"
    "|ledger"
)
DOCS = Path(__file__).parents[2] / "docs" / "doctor.md"
PACKAGE = Path(__file__).parents[2] / "codeintel/operations/doctor"


@pytest.fixture(autouse=True)
def instance(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("CODEINTEL_INSTANCE", str(scene.folder))
    monkeypatch.setattr("resource.getrlimit", lambda _: (65_536, 65_536))
    return scene.folder


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["doctor", "--offline", *arguments])


def test_exit_statuses(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    scene.filled()
    good = run("--strict")
    assert good.exit_code == 0, good.output
    assert good.stdout.splitlines()[-1].startswith("No problems found (0 errors, 0 warnings, ")
    monkeypatch.setenv("CODEINTEL_RUN_TIMEUOT", "4")
    assert run().exit_code == 0
    assert run("--strict").exit_code == 1
    monkeypatch.setenv("CODEINTEL_RUN_TIMEOUT", "soon")
    bad = run()
    assert bad.exit_code == 1
    assert bad.stdout.splitlines()[-1].startswith("1 error, 1 warning, ")
    assert "\nerror " in bad.stdout
    assert "-> Did you mean CODEINTEL_RUN_TIMEOUT?" in bad.stdout


def test_for_programs(scene: Scene) -> None:
    scene.filled()
    document = json.loads(run("--json").stdout)
    assert set(document["counts"]) == {*Status}
    assert sum(document["counts"].values()) == len(document["findings"])
    for each in document["findings"]:
        assert set(each) == {"check", "status", "found", "fix"}
        assert (each["fix"] is not None) or each["status"] in {"ok", "skipped"}


def test_no_secret_is_shown(instance: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    canary = "canary-b7f3"
    for name, value in {
        "DATABASE_URL": f"postgresql://u:{canary}@s/{canary}@127.0.0.1:1/db?password={canary}",
        "REDIS_URL": f"redis://u:{canary}@127.0.0.1:1/0",
        "CODEINTEL_KEY_PEPPER": canary,
        "CODEINTEL_SESSION_KEY": canary,
        "CODEINTEL_ISSUER_KEY": canary,
        "CODEINTEL_API_KEY": canary,
        "CODEINTEL_GITHUB_TOKEN": canary,
        "CODEINTEL_GITHUB_TOKN": canary,
        "CODEINTEL_AI_API_KEY": f"{canary}\n",
        "CODEINTEL_AI_BASE_URL": f"http://u:{canary}@h/v1",
        "CODEINTEL_PUBLIC_URL": f"https://u:{canary}@h",
        "CODEINTEL_SOURCE_INSTANCES": json.dumps([{"name": "x", "token": canary}]),
        "CODEINTEL_OIDC_ISSUERS": json.dumps([{"client_secret": canary}]),
        "CODEINTEL_URL": f"http://u:{canary}@127.0.0.1:1",
    }.items():
        monkeypatch.setenv(name, value)
    (instance / "key_pepper").write_text(canary)
    for options in ((), ("--json",)):
        result = run(*options)
        assert result.exit_code == 1
        assert "canary" not in result.output


def test_every_check_is_described() -> None:
    names = {
        name
        for path in PACKAGE.rglob("*.py")
        for name in re.findall(rf'"((?:{_GROUPS})\.[a-z_]+)"', path.read_text())
    }
    rows = set(re.findall(r"^\| `([a-z_]+\.[a-z_]+)` \|", DOCS.read_text(), re.MULTILINE))
    assert names == rows


def test_a_running_server_and_upstreams_that_hang(scene: Scene) -> None:
    """Run the command as a separate process, against a real server."""
    with serving() as upstreams, LiveServer(scene.folder) as server:
        upstreams.answers = {"/": (200, None)}
        hanging = ("GITHUB", "DOCKER", "DEPSDEV", "ECOSYSTEMS", "OSV", "SCORECARD")
        environ = {
            **os.environ,
            "CODEINTEL_INSTANCE": str(scene.folder),
            "CODEINTEL_NPM_REGISTRY": upstreams.url,
            **{f"CODEINTEL_{name}_URL": upstreams.url for name in hanging},
        }
        ended = subprocess.run(
            [*COMMAND, "doctor", "--json"],
            env=environ,
            capture_output=True,
            text=True,
            timeout=60,  # about six seconds on a machine that has nothing else to do
            check=False,
        )
        findings = json.loads(ended.stdout)["findings"]
        assert server.url in next(
            each["found"] for each in findings if each["check"] == "server.health"
        )
    by_check = {each["check"]: each["status"] for each in findings}
    assert by_check["server.health"] == by_check["server.version"] == "ok"
    assert by_check["upstreams.search"] == by_check["upstreams.trust"] == "warning"
    assert ended.returncode == 0, ended.stdout + ended.stderr
