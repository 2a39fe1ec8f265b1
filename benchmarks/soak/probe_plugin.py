"""A plugin for the soak test: on SIGRTMIN, a process of the service reports what it holds.

It writes `probe-PID.json` into the instance folder: greenlets by function, objects by type if the
garbage collector tracks them, and threads. With SOAK_TRACEMALLOC=1, it also writes where memory was
allocated since the first signal.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import threading
import tracemalloc
from collections import Counter
from pathlib import Path
from typing import Any

from greenlet import greenlet

from codeintel import hookimpl

IS_TRACING = os.environ.get("SOAK_TRACEMALLOC") == "1"
MOST = 40
_before: list[tracemalloc.Snapshot] = []
_folder: list[str] = []


@hookimpl
def register_settings(config: Any) -> None:
    """Called in each process that loads plugins: listen there."""
    _folder[:] = [str(config.get("CODEINTEL_INSTANCE") or os.environ["CODEINTEL_INSTANCE"])]
    signal.signal(signal.SIGRTMIN, _tell)
    if IS_TRACING and not tracemalloc.is_tracing():
        tracemalloc.start(12)


def _tell(*_: object) -> None:
    gc.collect()
    objects = gc.get_objects()
    found = {
        "greenlets": Counter(_name(each) for each in objects if isinstance(each, greenlet)),
        "objects": dict(Counter(type(each).__qualname__ for each in objects).most_common(MOST)),
        "threads": threading.active_count(),
        "allocated": _allocated() if IS_TRACING else [],
    }
    del objects
    path = Path(_folder[0]) / f"probe-{os.getpid()}.json"
    path.with_suffix(".part").write_text(json.dumps(found))
    path.with_suffix(".part").rename(path)


def _name(each: Any) -> str:
    run = getattr(each, "_run", None)
    return str(getattr(run, "__qualname__", None) or type(each).__qualname__)


def _allocated() -> list[str]:
    snapshot = tracemalloc.take_snapshot().filter_traces(
        [tracemalloc.Filter(False, tracemalloc.__file__), tracemalloc.Filter(False, __file__)]
    )
    if not _before:
        _before.append(snapshot)
        return []
    grown = snapshot.compare_to(_before[0], "traceback")[:MOST]
    return [
        f"{each.size_diff / 1024:+.0f} KiB in {each.count_diff:+d}\n"
        + "\n".join(each.traceback.format())
        for each in grown
    ]
