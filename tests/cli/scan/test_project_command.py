"""`codeintel config --project`."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result

from codeintel.cli import main

SCHEMA = Path(__file__).parents[3] / "docs/codeintel-toml.schema.json"
SETTINGS = """
fail-on = "critical"
exclude = ["old/"]
[rules]
"python-*" = "off"
[languages.python]
severity = "low"
[[override]]
paths = ["tests/"]
fail-on = "none"
[[suppress]]
rule = "x"
reason = "y"
"""


@pytest.fixture(autouse=True)
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder with settings, which is the current one."""
    (tmp_path / ".codeintel.toml").write_text(SETTINGS)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def config(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["config", "--project", *arguments])


def shown() -> dict[str, Any]:
    settings = json.loads(config("--json").stdout)["settings"]
    return {each["name"]: (each["value"], each["origin"]) for each in settings}


def test_each_value_has_its_origin(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODEINTEL_SCAN_SEVERITY", "low")
    found = shown()
    assert found["fail-on"] == ("critical", ".codeintel.toml:2")
    assert found["severity"] == ("low", "CODEINTEL_SCAN_SEVERITY")
    assert found["model"] == ("flash", "default")
    assert found["override"] == ("(paths=tests/, fail-on=none)", ".codeintel.toml:8")
    assert found["languages"] == ("python=(enabled=true, severity=low)", ".codeintel.toml:6")
    table = config().stdout
    assert "Least severity that makes the scan fail, or none." in table


def test_errors_name_the_line(root: Path) -> None:
    (root / ".codeintel.toml").write_text('\nfail-on = "often"\n')
    ended = config()
    assert ended.exit_code == 2
    assert '.codeintel.toml:2: fail-on: "often" is not one of' in ended.output


def test_the_published_schema_is_current() -> None:
    assert config("--schema").stdout == SCHEMA.read_text()
    assert CliRunner().invoke(main, ["config", "--schema"]).exit_code == 2


def test_the_schema_describes_the_file() -> None:
    schema = json.loads(SCHEMA.read_text())
    validator = jsonschema.Draft202012Validator(schema)
    validator.check_schema(schema)
    assert not list(validator.iter_errors(tomllib.loads(SETTINGS)))
    wrong = ['fail-on = "often"', "fial-on = 'low'", "[[suppress]]\nrule = 'x'"]
    for text in wrong:
        assert list(validator.iter_errors(tomllib.loads(text))), text
