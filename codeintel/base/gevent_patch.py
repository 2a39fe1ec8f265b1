"""Patch the standard library for gevent. Import this module before anything else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata
from typing import Any

from gevent import monkey


def patch_all() -> None:
    """Patch everything like gevent's function does, in a third of the time."""
    with entry_points_read_once():
        monkey.patch_all()


@contextmanager
def entry_points_read_once() -> Iterator[None]:
    """Read the entry points of installed packages once. gevent looks for plugins 25 times while it
    patches, and `importlib.metadata` reads all packages each time.
    """
    module: Any = metadata
    read, found = module.entry_points, module.entry_points()
    module.entry_points = found.select
    try:
        yield
    finally:
        module.entry_points = read
