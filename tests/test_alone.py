"""Tests that run in parallel, and those that run alone."""

from __future__ import annotations

import threading
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from alone import Room, Turnstile

SOON = 0.1
Way = Callable[[], AbstractContextManager[None]]


class Visitor:
    """A thread that enters and stays until it is released."""

    def __init__(self, enter: Way) -> None:
        self.inside = threading.Event()
        self._leave = threading.Event()
        self._thread = threading.Thread(target=self._visit, args=(enter,))
        self._thread.start()

    def _visit(self, enter: Way) -> None:
        with enter():
            self.inside.set()
            self._leave.wait(30)

    def leave(self) -> None:
        self._leave.set()
        self._thread.join(30)


@pytest.fixture
def turnstile(tmp_path: Path) -> Turnstile:
    return Turnstile(tmp_path)


def test_several_share(turnstile: Turnstile) -> None:
    visitors = [Visitor(turnstile.shared) for _ in range(3)]
    assert all(visitor.inside.wait(10) for visitor in visitors)
    for visitor in visitors:
        visitor.leave()


@pytest.mark.parametrize("first", ["shared", "alone"])
def test_one_is_alone(turnstile: Turnstile, first: str) -> None:
    inside = Visitor(getattr(turnstile, first))
    assert inside.inside.wait(10)
    outside = Visitor(turnstile.alone)
    assert not outside.inside.wait(SOON)
    later = Visitor(turnstile.shared)
    assert not later.inside.wait(SOON), "it did not queue behind the one that waits to be alone"
    inside.leave()
    assert outside.inside.wait(10)
    assert not later.inside.wait(SOON)
    outside.leave()
    assert later.inside.wait(10)
    later.leave()


class Item:
    """The part of a test that the plugin uses."""

    def __init__(self, marked: bool) -> None:
        self._marked = marked

    def get_closest_marker(self, name: str) -> object | None:
        return name if self._marked else None


def test_one_stays_alone_for_tests_in_a_row(turnstile: Turnstile) -> None:
    room, alone, other = Room(turnstile), Item(True), Item(False)
    waiting: Visitor | None = None
    for item, following in ((alone, alone), (alone, other)):
        protocol: Any = room.pytest_runtest_protocol(item, following)  # type: ignore[arg-type]
        next(protocol)
        if waiting is None:
            waiting = Visitor(turnstile.shared)
        assert not waiting.inside.wait(SOON)
        with pytest.raises(StopIteration):
            protocol.send(None)
    assert waiting is not None
    assert waiting.inside.wait(10)
    waiting.leave()
