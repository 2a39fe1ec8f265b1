"""Folders with the metrics of several processes: fresh, private, and removed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from codeintel.platform.metrics import exposition

HOLD = (
    "import sys; from pathlib import Path; "
    "from codeintel.platform.metrics.exposition import share; "
    "print(share(Path(sys.argv[1])), flush=True); sys.stdin.read()"
)
WORK = """
import os, sys
from pathlib import Path
from codeintel.platform.metrics.exposition import bury, exposition, share, stop_sharing
share(Path(sys.argv[1]))
from codeintel.platform.metrics import table
table.WRITER_RETRIES.add(amount=2)
children = []
for _ in range(3):
    pid = os.fork()
    if pid == 0:
        table.WRITER_RETRIES.add(amount=5)
        table.STREAMS_OPEN.up()
        table.WRITER_SECONDS.observe(0.3)
        os._exit(0)
    children.append(pid)
for pid in children:
    os.waitpid(pid, 0)
for pid in children[:2]:
    bury(pid)
print(b"".join(exposition()({"PATH_INFO": "/metrics", "REQUEST_METHOD": "GET"}, print)).decode())
stop_sharing()
"""


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(exposition.VARIABLE, "")


def test_a_folder_is_kept_while_somebody_lives_and_removed_after(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as other:
        assert other.stdout is not None
        held = Path(other.stdout.readline().strip())
        first = exposition.share(tmp_path)
        assert os.environ[exposition.VARIABLE] == str(first)
        assert held.exists()
        assert first != held
        other.kill()
    second = exposition.share(tmp_path)
    assert not held.exists()
    assert {first, second} == set((tmp_path / "metrics").iterdir())
    exposition.stop_sharing()
    assert not second.exists()


def test_burying_needs_no_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(exposition.VARIABLE)
    exposition.bury(1)


def test_figures_of_processes_add_up_and_the_dead_have_no_levels(tmp_path: Path) -> None:
    found = subprocess.run(
        [sys.executable, "-c", WORK, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    ).stdout.splitlines()
    assert "codeintel_writer_retries_total 17.0" in found
    assert "codeintel_streams_open 1.0" in found
    assert "codeintel_writer_transaction_duration_seconds_count 3.0" in found
    assert not list((tmp_path / "metrics").iterdir())
