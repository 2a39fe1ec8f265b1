"""The code in `docs/write-a-registry.md` works unchanged."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import responses
from support import MakeApp

TEXT = (Path(__file__).parents[2] / "docs" / "write-a-registry.md").read_text()
SECONDS = 60


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)


FILES = {block.partition("\n")[0].removeprefix("# "): block for block in blocks("python")}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with the files as a reader would save them."""
    for name, code in FILES.items():
        file = tmp_path / name.removeprefix("instance/")
        file.parent.mkdir(exist_ok=True)
        file.write_text(code)
    return tmp_path


def test_the_drop_in_finds_what_the_answer_has(make_app: MakeApp, folder: Path) -> None:  # noqa: ARG001
    api = make_app().test_client()
    (answer,) = blocks("json")
    with responses.RequestsMock() as registry:
        registry.get("https://packagist.org/search.json", json=json.loads(answer))
        found = api.get("/api/v1/search?q=monolog&sources=packagist&limit=2").json["data"]
        (call,) = registry.calls
    assert call.request.url == "https://packagist.org/search.json?q=monolog&per_page=2"
    assert call.request.url in TEXT
    (hit,) = found["results"]["packagist"]
    assert (hit["name"], hit["stars"], hit["downloads"]) == ("monolog/monolog", 21345, 1010101010)
    assert found["unavailable"] == []


def test_its_tests_pass(folder: Path) -> None:
    paths = [str(folder / "plugins"), *filter(None, sys.path)]
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_packagist.py"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        check=False,
        timeout=SECONDS,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "passed" in ended.stdout


def test_every_command_is_one_that_there_is() -> None:
    commands = [line for block in blocks("sh") for line in block.splitlines()]
    assert {line.split()[0] for line in commands} == {
        "curl",
        "codeintel",
        "pip",
        "PYTHONPATH=instance/plugins",
    }
    assert "codeintel sources" in commands
