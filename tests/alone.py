"""Tests that bound wall-clock time run while no other process of the same test run does.

With `pytest -n` a neighbor's test may take the processor for seconds, and a bound would measure
that. Every test passes a turnstile and then shares a room; one marked `alone` has both to itself.
"""

from __future__ import annotations

import fcntl
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest


@contextmanager
def _locked(path: Path, how: int) -> Iterator[None]:
    with path.open("a") as file:  # closing it unlocks
        fcntl.flock(file, how)
        yield


class Turnstile:
    """Lets a run's processes in, together or one alone."""

    def __init__(self, folder: Path) -> None:
        self._gate = folder / "gate"
        self._room = folder / "room"

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Run in parallel with others. Waits for a process that is alone, or waits to be."""
        room = self._room.open("a")
        with room:
            with _locked(self._gate, fcntl.LOCK_EX):
                fcntl.flock(room, fcntl.LOCK_SH)
            yield

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Run after all others have left. No process enters meanwhile."""
        with _locked(self._gate, fcntl.LOCK_EX), _locked(self._room, fcntl.LOCK_EX):
            yield


class Room:
    """The plugin of one of the processes."""

    def __init__(self, turnstile: Turnstile) -> None:
        self._turnstile = turnstile
        self._stay = ExitStack()
        self._is_alone = False

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(
        self, item: pytest.Item, nextitem: pytest.Item | None
    ) -> Iterator[object]:
        if not self._is_alone:
            alone = _is_marked(item)
            self._stay.enter_context(self._turnstile.alone() if alone else self._turnstile.shared())
            self._is_alone = alone
        try:
            return (yield)
        finally:
            # One stays for all tests in a row: each would wait for a neighbor's, maybe a long one.
            if not (self._is_alone and _is_marked(nextitem)):
                self._stay.close()
                self._is_alone = False


def _is_marked(item: pytest.Item | None) -> bool:
    return item is not None and item.get_closest_marker("alone") is not None


def room_of(run: str) -> Room:
    """Return the room that all processes of a run share.

    :param run: the run's id.
    """
    folder = Path(tempfile.gettempdir()) / f"codeintel-tests-{run}"
    folder.mkdir(exist_ok=True)
    return Room(Turnstile(folder))
