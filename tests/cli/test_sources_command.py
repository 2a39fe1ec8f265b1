"""`codeintel sources`."""

from __future__ import annotations

import json
from pathlib import Path

import gevent
import pytest
from click.testing import CliRunner, Result

from codeintel import create_app
from codeintel.cli import main
from codeintel.contracts import SourceProblem
from codeintel.platform.db import db
from codeintel.platform.db.migrate import ensure_schema
from codeintel.platform.db.models import now_ms
from codeintel.search.reports import SourceReport

WORK = {"name": "work", "kind": "gitlab", "base_url": "https://git.test/", "token": "hidden-token"}
PLUGIN = """
from codeintel import hookimpl
from codeintel.contracts import SearchSource

class Gems(SearchSource):
    kind = "gems"
    def request(self, query, limit):
        raise NotImplementedError
    def hits(self, answer):
        return []

@hookimpl
def register_search_sources(register, config):
    register(Gems("gems", "https://gems.test"))
"""


@pytest.fixture(autouse=True)
def instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an instance folder with a plugin, and settings for registries."""
    folder = tmp_path / "instance"
    (folder / "plugins").mkdir(parents=True)
    (folder / "plugins" / "gems.py").write_text(PLUGIN)
    monkeypatch.setenv("CODEINTEL_INSTANCE", str(folder))
    monkeypatch.setenv("CODEINTEL_SOURCES", "crates")
    monkeypatch.setenv("CODEINTEL_SOURCE_INSTANCES", json.dumps([WORK]))
    return folder


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["sources", *arguments])


def test_all_of_them() -> None:
    result = run("--json")
    assert result.exit_code == 0
    found = {each["name"]: each for each in json.loads(result.stdout)["sources"]}
    assert {name for name, each in found.items() if each["isOn"]} == {
        *("github", "npm", "docker", "crates", "work", "gems")
    }
    assert {name for name, each in found.items() if not each["isOn"]} == {
        *("gitlab", "codeberg", "huggingface")
    }
    assert found["work"] == {
        "name": "work",
        "kind": "gitlab",
        "isOn": True,
        "breaker": "closed",
        "visibility": "accounts",
        "hasToken": True,
        "baseUrl": "https://git.test",
        "lastError": None,
    }
    assert "hidden" not in result.output


def test_the_table() -> None:
    result = run()
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert lines[0] == ["NAME", "KIND", "STATUS", "BREAKER", "SEEN", "BY", "TOKEN", "URL"]
    assert ["gems", "gems", "on", "closed", "public", "-", "https://gems.test"] in lines
    assert "hidden" not in result.output


def write_down(*found: SourceReport) -> None:
    """Save the reports, as a process of the service does."""
    app = create_app()
    with app.app_context():
        ensure_schema(app)
        for report in found:
            app.extensions["codeintel"].source_reports.add(report)
        gevent.sleep(0.05)
        db.engine.dispose()


def test_what_the_service_has_noticed() -> None:
    at, later = now_ms(), now_ms() + 60_000
    write_down(
        SourceReport("npm", SourceProblem.TIMEOUT, "npm did not answer.", 3, at, later),
        SourceReport("github", SourceProblem.RATE_LIMITED, "Enough.", 0, at, later),
        SourceReport("docker", SourceProblem.UNREACHABLE, "No way.", 4, at - 9_000, at - 4_000),
        SourceReport("gems", SourceProblem.BROKEN, "\x1b[2J", 0, 1_700_000_000_999, None, at),
    )
    result = run()
    lines = [line.split() for line in result.stdout.splitlines()]
    breakers = {line[0]: line[3] for line in lines if line and "on" in line}
    assert {name: breakers[name] for name in ("npm", "github", "docker", "gems", "work")} == {
        "npm": "open",
        "github": "limited",
        "docker": "half-open",
        "gems": "closed",
        "work": "closed",
    }
    assert ": npm did not answer.\n" in result.stdout
    (gems,) = (line for line in result.stdout.splitlines() if line.startswith("gems: "))
    assert gems.startswith(
        "gems: broken at 2023-11-14 22:13:20 UTC: \\x1b[2J It responded again at "
    )
    found = {each["name"]: each for each in json.loads(run("--json").stdout)["sources"]}
    assert found["npm"]["breaker"] == "open"
    error = found["npm"]["lastError"]
    assert (error["code"], error["message"], error["failures"]) == (
        "timeout",
        "npm did not answer.",
        3,
    )
    assert error["pausedUntil"] > error["at"]
    assert error["answeredAt"] is None


def test_a_database_that_does_not_tell(instance: Path) -> None:
    assert not (instance / "codeintel.db").exists()
    assert run().exit_code == 0
    assert not (instance / "codeintel.db").exists()  # looking makes none
    (instance / "codeintel.db").write_bytes(b"no database" * 1_000)
    result = run("--json")
    assert result.exit_code == 0
    assert "cannot read from the database which sources failed" in result.stderr
    assert {each["breaker"] for each in json.loads(result.stdout)["sources"]} == {None}
    assert "?" in run().stdout


def test_a_kind_that_nobody_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEINTEL_SOURCES", "cobol")
    result = run()
    assert result.exit_code == 2
    assert "CODEINTEL_SOURCES names the unknown source 'cobol'" in result.stderr
