"""`codeintel rules`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from codeintel.cli import main

PLUGIN = """
from codeintel import hookimpl
from codeintel.contracts import *

class Deep(Analyzer):
    name, languages = "deep", frozenset({"python", "sql"})
    def analyze(self, request):
        return iter(())
    def rules(self):
        shared = dict(severity=Severity.HIGH, confidence=Confidence.LOW, category=Category.SECURITY)
        yield RuleInfo(id="D1", summary="Queries\\x1b[2J that join text", cwe="CWE-89", **shared)
        yield RuleInfo(id="D2", summary="Other things", cwe=None, languages=("sql",), **shared,
                       title="Path traversal", formerly=("old-d2",))

@hookimpl
def register_analyzers(register):
    register(Deep())
"""


@pytest.fixture(autouse=True)
def instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Use a separate instance folder, with one plugin and none of the shipped ones."""
    folder = tmp_path / "instance"
    (folder / "plugins").mkdir(parents=True)
    (folder / "plugins" / "deep.py").write_text(PLUGIN)
    monkeypatch.setenv("CODEINTEL_INSTANCE", str(folder))
    monkeypatch.setattr("codeintel.platform.plugins.discovery.shipped", tuple)
    return folder


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["rules", *arguments])


def test_all_of_them() -> None:
    result = run()
    assert result.exit_code == 0
    assert result.stdout == (
        "ANALYZER  RULE  SEVERITY  CONFIDENCE  CWE     TITLE\n"
        "deep      D1    high      low         CWE-89  Queries\\x1b[2J that join text\n"
        "deep      D2    high      low         -       Path traversal\n"
    )


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        (["--language", "py"], ["D1"]),
        (["--language", "sql", "--analyzer", "deep"], ["D1", "D2"]),
        (["--cwe", "cwe-89"], ["D1"]),
        (["--cwe", "89"], ["D1"]),
        (["--cwe", "CWE-79"], []),
        (["--search", "D1"], ["D1"]),
        (["--search", "sql text"], ["D1"]),
        (["--search", "SQL Injection"], ["D1"]),
        (["--search", "injection", "--cwe", "79"], []),
        (["--search", "old-d2"], ["D2"]),
        (["--search", "path traversal sql"], ["D2"]),
        (["--search", "path traversal python"], []),
        (["--search", "nothing like it"], []),
    ],
)
def test_some_of_them(options: list[str], ids: list[str]) -> None:
    listed = json.loads(run(*options, "--json").stdout)["rules"]
    assert [rule["id"] for rule in listed] == ids


def test_the_fields_of_a_rule() -> None:
    assert json.loads(run("--json", "--cwe", "89").stdout)["rules"] == [
        {
            "analyzer": "deep",
            "id": "D1",
            "summary": "Queries\x1b[2J that join text",
            "cwe": "CWE-89",
            "severity": "high",
            "confidence": "low",
            "category": "security",
            "languages": None,
        }
    ]


def test_none() -> None:
    assert run("--cwe", "1").stdout == "No rules match.\n"


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--language", "pyhton"], 'Unknown language "pyhton". Did you mean "python"?'),
        (["--analyzer", "depp"], 'Unknown analyzer "depp". Did you mean "deep"?'),
        (["--analyzer", "nobody"], "Run `codeintel rules` to list all analyzers with rules."),
        (["--cwe", "sql"], "'sql' is not a weakness class such as CWE-89."),
    ],
)
def test_wrong_use(options: list[str], text: str) -> None:
    result = run(*options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert text in result.stderr


def test_an_instance_is_missed_only_where_it_may_matter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEINTEL_INSTANCE", str(tmp_path / "none"))
    assert run().stderr == ""
    assert f"{tmp_path / 'none'} does not exist" in run("--analyzer", "deep").stderr
    assert not (tmp_path / "none").exists()


def test_the_help_says_what_is_read() -> None:
    assert "reads the local installation" in " ".join(run("--help").stdout.split())


def test_a_terminal_gets_the_number_of_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codeintel.cli.analyze.terminal_width", lambda: 100)
    assert run().stdout.endswith("\n2 rules.\n")
    assert run("--search", "nothing like it").stdout == "No rules match.\n"
    assert "rules." not in run("--json").stdout
