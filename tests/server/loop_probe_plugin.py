"""A drop-in plugin that watches a server's loop and records each time that no other greenlet ran.

A greenlet repeatedly sleeps five milliseconds. If it wakes up late, it adds a line to
`gaps-PID.jsonl` in the instance folder: when, how late in seconds, the CPU time of the loop's
thread, and where a real thread saw it. SIGRTMIN starts it, in a server's worker.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import time
import traceback
from pathlib import Path
from typing import Any

import gevent
from gevent import monkey

from codeintel import hookimpl

STEP_SECONDS = 0.005
NOTED_SECONDS = 0.05
_sleep = monkey.get_original("time", "sleep")
_start_thread = monkey.get_original("_thread", "start_new_thread")
_get_ident = monkey.get_original("_thread", "get_ident")
_state: dict[str, Any] = {"turn": 0.0, "where": ""}


@hookimpl
def register_settings(config: Any) -> None:
    """Listen for the signal in each process that loads plugins."""
    _state["folder"] = str(config.get("CODEINTEL_INSTANCE") or os.environ["CODEINTEL_INSTANCE"])
    signal.signal(signal.SIGRTMIN, _begin)


def _begin(*_: object) -> None:
    _state["turn"] = time.perf_counter()
    _start_thread(_watch, (_get_ident(),))
    gevent.spawn(_turn)


def _turn() -> None:
    path = Path(_state["folder"]) / f"gaps-{os.getpid()}.jsonl"
    with path.open("a") as file:
        file.write("{}\n")
        file.flush()
        while True:
            began, cpu = time.perf_counter(), _computed()
            gevent.sleep(STEP_SECONDS)
            now = time.perf_counter()
            _state["turn"] = now
            if now - began > NOTED_SECONDS:
                gap = {"at": time.time(), "clock": now - began, "cpu": _computed() - cpu}
                file.write(json.dumps({**gap, "where": _state.pop("where", "")}) + "\n")
                file.flush()


def _computed() -> float:
    """Return seconds that this thread has computed. What the system does for it, such as writing
    a database to a busy disk, is not counted."""
    return resource.getrusage(resource.RUSAGE_THREAD).ru_utime


def _watch(thread: int) -> None:
    """Record the loop's current stack, in a real thread."""
    while True:
        _sleep(NOTED_SECONDS / 3)
        if time.perf_counter() - _state["turn"] > NOTED_SECONDS:
            frame = sys._current_frames().get(thread)
            _state["where"] = "".join(traceback.format_stack(frame)[-8:])
