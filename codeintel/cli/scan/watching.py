"""Scan again whenever files change: poll the files, because no library for it is installed."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from codeintel.cli.scan.policy import PROJECT_FILE
from codeintel.client.repository.discovery import Discovery

EVERY_SECONDS = 1.0
"""The time between two checks of the files."""
QUIET_SECONDS = 0.3
"""The time without another change before a scan, because editors write several files."""

State = dict[str, tuple[int, int, int]]
"""The time of the last change, the size and the number of each file and folder."""


def state_of(discovery: Discovery) -> State:
    """Return the state of the scanned files, of their folders and of the project's settings.

    A new or deleted file changes the state of its folder.
    """
    paths = {file.path for file in discovery.files}
    paths.update(each.path for each in discovery.left_out)
    folders = {""}
    for path in paths:
        end = path.rfind("/")
        while end > 0 and path[:end] not in folders:
            folders.add(path[:end])
            end = path.rfind("/", 0, end)
    return dict(_states(discovery.root, (*paths, *folders, PROJECT_FILE)))


def wait_for_change(
    before: State, look: Callable[[], State], sleep: Callable[[float], None] = time.sleep
) -> None:
    """Wait until files have changed, and then stay the same for a moment."""
    while (now := look()) == before:
        sleep(EVERY_SECONDS)
    while True:
        sleep(QUIET_SECONDS)
        later = look()
        if later == now:
            return
        now = later


def _states(root: Path, paths: tuple[str, ...]) -> Iterator[tuple[str, tuple[int, int, int]]]:
    for path in paths:
        try:
            status = os.lstat(root / path)
        except (OSError, ValueError):
            continue
        yield path, (status.st_mtime_ns, status.st_size, status.st_ino)
