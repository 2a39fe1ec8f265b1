"""Secrets that are created once: complete, private, the same for every process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from codeintel.identity.secrets import load_or_make

RACERS = 8
RACE = """
import sys
from pathlib import Path
from codeintel.identity.secrets import load_or_make
print("ready", flush=True)
sys.stdin.readline()
print(load_or_make(Path(sys.argv[1])))
"""


def test_it_is_made_once_and_private(tmp_path: Path) -> None:
    path = tmp_path / "new" / "folder" / "secret"
    before = os.umask(0)
    try:
        made = load_or_make(path)
    finally:
        os.umask(before)
    assert len(made) >= 43, "256 bits"
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.stat().st_nlink == 1
    assert load_or_make(path) == made
    assert list(path.parent.iterdir()) == [path], "no draft is left"
    assert load_or_make(tmp_path / "other") != made


def test_what_is_there_is_taken_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    path.write_text(" the operator's own\n")
    assert load_or_make(path) == "the operator's own"
    assert path.read_text() == " the operator's own\n"


def test_processes_that_start_together_agree(tmp_path: Path) -> None:
    path = tmp_path / "secret"
    command = [sys.executable, "-c", RACE, str(path)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    racers = [subprocess.Popen(command, **pipes) for _ in range(RACERS)]
    for racer in racers:
        assert racer.stdout.readline() == "ready\n"
    for racer in racers:
        racer.stdin.write("go\n")
        racer.stdin.flush()
    answers = {racer.communicate(timeout=120)[0].strip() for racer in racers}
    assert answers == {path.read_text()}
    assert list(tmp_path.iterdir()) == [path]


def test_losing_the_race_takes_the_winner_s(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "secret"
    link = os.link

    def late(draft: Path, target: Path) -> None:
        target.write_text("the winner's")
        link(draft, target)

    monkeypatch.setattr(os, "link", late)
    assert load_or_make(path) == "the winner's"
    assert list(tmp_path.iterdir()) == [path]


def test_a_full_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(OSError, match="No space left"):
            load_or_make(tmp_path / "secret")
    assert list(tmp_path.iterdir()) == []
    assert load_or_make(tmp_path / "secret")
