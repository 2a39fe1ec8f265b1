"""Run JavaScript in sandboxes, and prove these tight before their first use.

The sandbox is that of Python, with two differences. Node.js needs threads, so the filter of system
calls allows threads, but no processes. It reserves more address space than it uses, so the limit
counts the memory that it can write to.
"""

from __future__ import annotations

import platform
import sys
import time
from typing import Any

import msgspec

from codeintel.base.confinement import filters
from codeintel.engine.sandbox import bubblewrap
from codeintel.engine.sandbox.records import (
    Ended,
    InterferenceError,
    Line,
    SandboxUnavailableError,
    said,
)
from codeintel.platform import sandbox
from codeintel.platform.sandbox import MEGABYTE, Sandbox

MIN_NODE = 20
"""The oldest supported major version of Node.js. Older ones lack methods that rewrites use."""
_LIMITS = {
    "data": 640 * MEGABYTE,
    "cpu": 8,
    "file": MEGABYTE,
    "descriptors": 256,
    "core": 0,
    "queues": 0,
    "locked": 0,
}
_DRIVER, _PROBE = "driver.js", "probe.js"
_SECONDS = 10.0
_SPIN_SECONDS = 1.0
_ATTEMPTS = 14


class NodeSandbox(Sandbox):
    """Runs jobs of Python and of Node.js, a limited number at a time in total."""

    def __init__(self, slots: int) -> None:
        super().__init__(slots)
        self._node_reason: str | None = None
        self._is_node_proved = False

    @property
    def has_node(self) -> bool:
        """Return whether Node.js is installed."""
        return bubblewrap.found_node() is not None

    def run_node(self, account_id: str, job: dict[str, Any], seconds: float) -> Ended:
        """Compare two programs in a separate sandbox, when it is the account's turn.

        :param seconds: time after which the job is killed.
        :raises SandboxUnavailableError: if the sandbox does not hold, or Node.js is missing.
        """
        self.prove()
        with self._lock:
            if not self._is_node_proved:
                self._node_reason = weakness()
                self._is_node_proved = True
        if self._node_reason is not None:
            raise SandboxUnavailableError(self._node_reason)
        with self._slots.taken(account_id):
            return start(job, seconds)


def weakness() -> str | None:
    """Return why JavaScript cannot be run, or None if no probe escaped."""
    try:
        return _escape() or _endless()
    except SandboxUnavailableError as error:
        return str(error)
    except (InterferenceError, OSError):
        return "the probes of Node.js could not run"


def _escape() -> str | None:
    """Return the first escape that succeeds, or None. Each has a target outside to succeed with."""
    with sandbox.canary() as (targets, folder, door):
        ended = start({"attempt": "escape", **targets}, _SECONDS, _PROBE)
        reason = _reason(said(ended), ended)
        if reason is None and sandbox.was_written(folder):
            reason = "JavaScript in it can write files outside"
        if sandbox.was_reached(door):
            reason = "JavaScript in it can connect to the loopback address"
    return reason


def _reason(lines: list[Line], ended: Ended) -> str | None:
    for line in lines:
        if line.what == "version" and int(line.name[1:] or 0) < MIN_NODE:
            return f"Node.js {MIN_NODE} or later is needed"
        if line.what == "attempt" and line.succeeded:
            return f"JavaScript in it can {line.name}"
    if not lines:
        first = (ended.complaint.strip().splitlines() or ["it ended"])[0]
        text = "".join(each if each.isprintable() else " " for each in first)
        return f"Node.js did not start: {' '.join(text.split())}"
    if sum(line.what == "attempt" for line in lines) != _ATTEMPTS:
        return "the probes of Node.js are incomplete"
    return None


def _endless() -> str | None:
    """Return why an endless job does not end, or None if it is ended in time."""
    begun = time.monotonic()
    ended = start({"attempt": "spin"}, _SPIN_SECONDS, _PROBE)
    if ended.status is not None or time.monotonic() - begun > 5 * _SPIN_SECONDS:
        return "JavaScript in it can run forever"
    if [line.what for line in said(ended)] != ["spinning"]:
        return "Node.js is slow to start"
    return None


def start(job: dict[str, Any], seconds: float, script: str = _DRIVER) -> Ended:
    """Run a script in a sandbox that has not been checked, for the probes.

    :raises SandboxUnavailableError: if no sandbox or no Node.js exists.
    """
    program = bubblewrap.found() if sys.platform == "linux" else None
    node = bubblewrap.found_node()
    if program is None or node is None:
        missing = "bubblewrap" if program is None else "Node.js"
        raise SandboxUnavailableError(f"{missing} is not installed")
    try:
        allowed = filters.with_threads(platform.machine())
        limits = msgspec.json.encode(_LIMITS).decode()
        with sandbox.sealed(allowed) as descriptor:
            command = bubblewrap.node_command(program, descriptor, node, limits, script)
            return sandbox.run(command, descriptor, msgspec.json.encode(job), seconds)
    except filters.UnknownMachineError as error:
        raise SandboxUnavailableError(str(error)) from None
    except OSError as error:
        raise SandboxUnavailableError(f"it cannot be started: {error.strerror}") from None
