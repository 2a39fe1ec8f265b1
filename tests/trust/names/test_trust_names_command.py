"""`codeintel trust names`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from codeintel.cli.trust.names import names


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
    assert "Checked 2 names. Possible imitations: 1." in result.stderr


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
    assert "line 2 is not UTF-8" in result.stderr


def protecting(folder: Path, data: bytes, text: str, *options: str) -> Result:
    """Return the result of the command with a file of protected names."""
    file = folder / "ours.txt"
    file.write_bytes(data)
    return run(text, "--protect", str(file), *options)


def test_names_of_a_file_are_protected(tmp_path: Path) -> None:
    ours = b"\xef\xbb\xbf# ours\r\n\r\nsimplemde\r\n@acme/design\r\n"
    given = "asimplemde\nsimplemde\nacme-design\nloadsh\n"
    result = protecting(tmp_path, ours, given, "--ecosystem", "npm", "--json")
    assert result.exit_code == 0
    assert not result.stderr
    found = [
        (each["name"], each["suspicious"], each["target"], each["protected"])
        for each in json.loads(result.stdout)["names"]
    ]
    assert found == [
        ("asimplemde", True, "simplemde", True),
        ("simplemde", False, None, False),
        ("acme-design", True, "@acme/design", True),
        ("loadsh", True, "lodash", False),
    ]
    shown = protecting(tmp_path, ours, given, "--ecosystem", "npm")
    assert "simplemde" in shown.stdout
    assert "Checked 4 names. Possible imitations: 3." in shown.stderr


def test_several_files_are_protected_together(tmp_path: Path) -> None:
    (tmp_path / "more.txt").write_text("@acme/design\n")
    options = ("--ecosystem", "npm", "--protect", str(tmp_path / "more.txt"))
    shown = protecting(tmp_path, b"simplemde\n", "asimplemde\nacme-design\n", *options)
    assert "Checked 2 names. Possible imitations: 2." in shown.stderr


@pytest.mark.parametrize(
    ("ecosystem", "data", "said"),
    [
        ("pypi", b"flask\nmylib==1.0\n", "line 2: 'mylib==1.0' is not a package name"),
        ("pypi", b"lib[extra]\n", "line 1: 'lib[extra]' is not a package name"),
        ("npm", b"mylibrary@1.2.3\n", "line 1: 'mylibrary@1.2.3' is not a package name"),
        ("npm", "simplemde\n".encode("utf-16"), "is not UTF-8"),
    ],
)
def test_a_line_that_would_protect_nothing_is_wrong_usage(
    tmp_path: Path, ecosystem: str, data: bytes, said: str
) -> None:
    result = protecting(tmp_path, data, "x\n", "--ecosystem", ecosystem)
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())
    assert not result.stdout


@pytest.mark.parametrize("file", ["none.txt", "-", "."])
def test_what_is_no_file_cannot_be_protected(file: str) -> None:
    result = run("x\n", "--ecosystem", "npm", "--protect", file)
    assert result.exit_code == 2
    assert "--protect" in result.stderr
    assert not result.stdout


def test_a_line_that_is_no_name_is_told() -> None:
    given = "# new\nloadsh@4.17.21\nloadsh\n--save-dev\n"
    result = run(given, "--ecosystem", "npm", "--json")
    assert result.exit_code == 0
    given_back = [each["name"] for each in json.loads(result.stdout)["names"]]
    assert given_back == ["loadsh@4.17.21", "loadsh", "--save-dev"]
    told = "codeintel: line 2: 'loadsh@4.17.21' is not a package name of npm"
    assert result.stderr.splitlines() == [told]


def test_an_action_and_an_image_may_have_a_version(tmp_path: Path) -> None:
    actions = protecting(
        tmp_path, b"acme/qledgr@8f4b7f84\n", "acne/qledgr@v1\n", "--ecosystem", "actions"
    )
    assert "Checked 1 name. Possible imitations: 1." in actions.stderr
    images = protecting(tmp_path, b"qledgr:2\n", "qledgrr:2\nqledgr\n", "--ecosystem", "docker")
    assert "Possible imitations: 1." in images.stderr


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"# nothing yet\n", "files of --protect contain no names"),
        (b"reqeusts\n", "you protect `reqeusts`, which looks like `requests`"),
    ],
)
def test_doubts_about_protected_names_are_told(tmp_path: Path, data: bytes, said: str) -> None:
    result = protecting(tmp_path, data, "reqeusts\n", "--ecosystem", "pypi", "--json")
    assert result.exit_code == 0
    assert said in result.stderr
    assert json.loads(result.stdout)["names"][0]["name"] == "reqeusts"


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
