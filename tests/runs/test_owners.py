"""Which processes are known to be dead."""

from __future__ import annotations

import subprocess
import sys

import pytest

from codeintel.runs.owners import is_gone, new_owner


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


@pytest.mark.parametrize("owner", ["", "here", "a:b", "a:b:c", ":1:"])
def test_names_that_say_nothing(owner: str) -> None:
    assert not is_gone(owner)
