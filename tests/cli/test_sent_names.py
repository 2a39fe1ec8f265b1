"""The name of a file that the CLI sends along with its code."""

from __future__ import annotations

from pathlib import Path

import pytest

from codeintel.cli.source import STDIN, sent_name


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ("shop.py", "shop.py"),
        ("src/shop.py", "src/shop.py"),
        ("./src/../src/shop.py", "src/shop.py"),
        ("{here}/src/shop.py", "src/shop.py"),
        ("{above}/home/ada/secret/shop.py", "shop.py"),
        ("../other/shop.py", "shop.py"),
        (STDIN, None),
    ],
)
def test_only_paths_below_the_folder_are_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, given: str, sent: str | None
) -> None:
    here = tmp_path / "project"
    here.mkdir()
    monkeypatch.chdir(here)
    assert sent_name(given.format(here=here, above=tmp_path)) == sent
