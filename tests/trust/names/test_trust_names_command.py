"""`codeintel trust names`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from codeintel.cli.trust_names import names


def run(text: str | bytes, *options: str) -> Result:
    return CliRunner().invoke(names, list(options), input=text)


def test_every_name_is_in_the_document_in_the_order_of_the_input() -> None:
    result = run(
        "reqeusts\n\n  requests \nzzyzx-unlike\nreqeusts\n", "--ecosystem", "pypi", "--json"
    )
    document = json.loads(result.stdout)
    assert result.exit_code == 0
    assert document["ecosystem"] == "pypi"
    assert [each["name"] for each in document["names"]] == [
        "reqeusts",
        "requests",
        "zzyzx-unlike",
        "reqeusts",
    ]
    first, second, *_ = document["names"]
    assert first["suspicious"] is True
    assert first["target"] == "requests"
    assert first["edit"] == {
        "kind": "transposition",
        "detail": "the letters `ue` are swapped",
    }
    assert 0.5 <= first["probability"] <= 1
    assert second == {
        "name": "requests",
        "suspicious": False,
        "probability": 0.0,
        "target": None,
        "protected": False,
        "edit": None,
    }


def test_people_see_the_suspicious_ones() -> None:
    result = run("loadsh\nreact\n", "--ecosystem", "npm")
    assert result.exit_code == 0
    assert "loadsh" in result.stdout
    assert "lodash" in result.stdout
    assert "react" not in result.stdout
    assert "1 of 2 names look like imitations." in result.stderr


def test_nothing_on_standard_input_is_no_error() -> None:
    assert json.loads(run("", "--ecosystem", "go", "--json").stdout) == {
        "ecosystem": "go",
        "names": [],
    }
    assert run("", "--ecosystem", "go").exit_code == 0


def test_what_is_not_utf_8_costs_no_other_name() -> None:
    result = run(b"\xef\xbb\xbfnunpy\r\n\xff\xfe\nnumpy\n", "--ecosystem", "PyPI", "--json")
    assert result.exit_code == 0
    seen = [(each["name"], each["suspicious"]) for each in json.loads(result.stdout)["names"]]
    assert seen == [("nunpy", True), ("\ufffd\ufffd", False), ("numpy", False)]
    assert "standard input: line 2 is not UTF-8" in result.stderr


def test_names_of_a_file_are_protected(tmp_path: Path) -> None:
    file = tmp_path / "ours.txt"
    file.write_bytes(b"\xef\xbb\xbfsimplemde\r\n\n\xff\n")
    given = "asimplemde\nsimplemde\nloadsh\n"
    result = run(given, "--ecosystem", "npm", "--protect", str(file), "--json")
    assert result.exit_code == 0
    found = [
        (each["name"], each["suspicious"], each["target"], each["protected"])
        for each in json.loads(result.stdout)["names"]
    ]
    assert found == [
        ("asimplemde", True, "simplemde", True),
        ("simplemde", False, None, False),
        ("loadsh", True, "lodash", False),
    ]
    assert f"{file}: line 3 is not UTF-8" in result.stderr
    shown = run(given, "--ecosystem", "npm", "--protect", str(file))
    assert "simplemde" in shown.stdout
    assert "2 of 3 names look like imitations." in shown.stderr


def test_a_file_to_protect_that_is_missing_is_wrong_usage(tmp_path: Path) -> None:
    result = run("x\n", "--ecosystem", "npm", "--protect", str(tmp_path / "none.txt"))
    assert result.exit_code == 2
    assert "none.txt" in result.stderr
    assert not result.stdout


def test_a_terminal_is_not_acted_upon() -> None:
    assert "\x1b" not in run("\x1breqeusts\n", "--ecosystem", "pypi").stdout


@pytest.mark.parametrize("options", [[], ["--ecosystem", "hex"], ["--ecosystem", ""]])
def test_an_ecosystem_that_is_not_known_is_wrong_usage(options: list[str]) -> None:
    result = run("x\n", *options)
    assert result.exit_code == 2
    assert not result.stdout
    if options:
        assert "pypi" in result.stderr
        assert "github_actions" in result.stderr
