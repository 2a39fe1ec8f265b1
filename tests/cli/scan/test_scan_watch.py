"""`codeintel scan --watch`: another scan after each change, and only then."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner
from scan_runs import HARMLESS, RISKY, project, started

from codeintel.cli import main
from codeintel.cli.scan.watching import State, state_of, wait_for_change
from codeintel.client.repository.discovery import Selection, discover, locate


def edit(root: Path) -> None:
    (root / "a.py").write_text(RISKY)


def add(root: Path) -> None:
    (root / "src/new.py").write_text(RISKY)


def delete(root: Path) -> None:
    (root / "src/b.py").unlink()


def configure(root: Path) -> None:
    (root / ".codeintel.toml").write_text('model = "pro"\n')


def replace(root: Path) -> None:
    (root / "other").write_text(HARMLESS)
    status = (root / "a.py").stat()
    os.utime(root / "other", ns=(status.st_atime_ns, status.st_mtime_ns))
    (root / "other").replace(root / "a.py")


@pytest.mark.parametrize("change", [edit, add, delete, configure, replace])
def test_changes_are_noticed(tmp_path: Path, change: Callable[[Path], None]) -> None:
    root = project(tmp_path, a_py=HARMLESS)
    (root / "src").mkdir()
    (root / "src/b.py").write_text(HARMLESS)
    selection = Selection()
    found = discover(selection, locate(selection, root))
    before = state_of(found)
    assert state_of(found) == before
    change(root)
    assert state_of(found) != before


def test_a_scan_waits_for_the_last_change() -> None:
    states: list[State] = [{"a": (number, 0, 0)} for number in (1, 1, 2, 3, 4, 4, 5)]
    slept: list[float] = []
    wait_for_change(states[0], lambda: states.pop(0), slept.append)
    assert states == [{"a": (5, 0, 0)}]
    assert slept == [1.0, 1.0, 0.3, 0.3, 0.3]


@pytest.mark.parametrize("arguments", [["--staged"], ["-"]])
def test_what_cannot_be_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.chdir(project(tmp_path, a_py=HARMLESS))
    seen = CliRunner().invoke(main, ["scan", "--watch", *arguments], input="a.py\n")
    assert seen.exit_code == 2
    assert "--watch works neither" in seen.stderr


def test_each_change_leads_to_a_scan(tmp_path: Path) -> None:
    root = project(tmp_path, a_py=HARMLESS)
    process = started(root, "--watch", "-o", "text", stdin=subprocess.DEVNULL)
    assert process.stdout is not None
    assert process.stderr is not None
    guard = threading.Timer(120, process.kill)
    guard.start()
    with process.stdout as out, process.stderr as err:
        assert err.readline() == b"Watching 1 file. Press Ctrl+C to end.\n"
        (root / ".codeintel.toml").write_text("model = 1\n")
        assert b".codeintel.toml:1" in err.readline()
        assert err.readline().startswith(b"Watching")
        time.sleep(2)  # more than it takes to scan again
        (root / ".codeintel.toml").unlink()
        (root / "a.py").write_text(RISKY)
        assert err.readline().startswith(b"Watching")
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert err.read() == b""
        shown = out.read().decode()
    guard.cancel()
    assert shown.count("files with") + shown.count("file with") == 2
    assert shown.index("Passed:") < shown.index("python-command-injection") < shown.index("Failed:")
