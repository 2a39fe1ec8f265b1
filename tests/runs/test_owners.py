"""Which processes are known to be dead."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from codeintel.platform.db.leases import HOST_CHARACTERS, is_gone, new_owner
from codeintel.platform.db.models import RunRow
from codeintel.platform.jobs.store import JobRow


def test_this_process_is_alive() -> None:
    assert not is_gone(new_owner())
    assert new_owner() != new_owner()


def test_one_that_has_ended_is_gone() -> None:
    host = new_owner().split(":", 1)[0]
    process = subprocess.Popen([sys.executable, "-c", ""])
    assert not is_gone(f"{host}:{process.pid}:12345678")
    process.wait()
    assert is_gone(f"{host}:{process.pid}:12345678")
    assert not is_gone(f"elsewhere:{process.pid}:12345678")
    assert not is_gone(f"{host}:1:12345678")


LONG = "codeintel-production-frankfurt-worker-node-of-the-second-rack-"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a", "b"),
        ("codeintel-production-1", "codeintel-production-2"),
        (f"{LONG}1", f"{LONG}2"),
        (f"{LONG}1", LONG[:HOST_CHARACTERS]),
    ],
)
def test_machines_are_told_apart(monkeypatch: pytest.MonkeyPatch, one: str, other: str) -> None:
    """Check machines whose names have the same beginning, and are too long for the column."""
    monkeypatch.setattr("socket.gethostname", lambda: one)
    assert len(new_owner()) <= min(
        table.c.owner.type.length for table in (RunRow.__table__, JobRow.__table__)
    ) - len("4194304") + len(str(os.getpid()))
    dead = new_owner().split(":")[0] + ":4194305:x"  # above the highest number that Linux gives
    assert is_gone(dead)
    monkeypatch.setattr("socket.gethostname", lambda: other)
    assert not is_gone(dead)


@pytest.mark.parametrize("owner", ["", "here", "a:b", "a:b:c", ":1:"])
def test_names_that_say_nothing(owner: str) -> None:
    assert not is_gone(owner)
