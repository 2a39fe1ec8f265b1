"""`codeintel sources`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from codeintel.cli import main

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
    """An instance folder with a plugin, and settings for registries."""
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
        "visibility": "accounts",
        "hasToken": True,
        "baseUrl": "https://git.test",
    }
    assert "hidden" not in result.output


def test_the_table() -> None:
    result = run()
    assert result.exit_code == 0
    lines = [line.split() for line in result.stdout.splitlines()]
    assert lines[0] == ["NAME", "KIND", "STATUS", "SEEN", "BY", "TOKEN", "URL"]
    assert ["gems", "gems", "on", "public", "-", "https://gems.test"] in lines
    assert "hidden" not in result.output


def test_a_kind_that_nobody_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEINTEL_SOURCES", "cobol")
    result = run()
    assert result.exit_code == 2
    assert "CODEINTEL_SOURCES names 'cobol'" in result.stderr
