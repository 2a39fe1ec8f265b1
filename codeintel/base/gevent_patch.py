"""Patching the standard library for gevent, which must come before anything else is imported."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from typing import Any

from gevent import monkey


def patch_all() -> None:
    """gevent's own, in a third of the time."""
    with entry_points_read_once():
        monkey.patch_all()


@contextmanager
def entry_points_read_once() -> Iterator[None]:
    """gevent looks for plugins 25 times while it patches, and each time `importlib.metadata` reads
    the files of all packages that are installed."""
    module: Any = metadata
    read, found = module.entry_points, module.entry_points()
    module.entry_points = found.select
    try:
        yield
    finally:
        module.entry_points = read
