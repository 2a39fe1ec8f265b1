"""Jobs in a sandbox, whether or not anybody has looked at how shut it is."""

from __future__ import annotations

import base64
import platform
import sys
from typing import Any

import msgspec

from codeintel.base.confinement import filters
from codeintel.engine.sandbox import bubblewrap
from codeintel.engine.sandbox.host import Ended, SandboxUnavailableError
from codeintel.platform.sandbox import process

MEGABYTE = 1024 * 1024
MEMORY_BYTES = 512 * MEGABYTE
_LIMITS = {
    "memory": MEMORY_BYTES,
    "cpu": 5,
    "file": MEGABYTE,
    "descriptors": 256,
    "processes": 1,
    "core": 0,
    "queues": 0,
    "locked": 0,
}


def start(job: dict[str, Any], seconds: float, hash_seed: int = 0) -> Ended:
    """Do a job in a sandbox that nobody has looked at: for the probes.

    :raises SandboxUnavailableError: if there is none.
    """
    program = bubblewrap.found() if sys.platform == "linux" else None
    if program is None:
        raise SandboxUnavailableError("bubblewrap is not installed")
    machine = platform.machine()
    try:
        first = filters.compiled(machine, at_the_start=True)
        second = base64.b64encode(filters.compiled(machine)).decode()
        given = msgspec.json.encode({**job, "filter": second, "limits": _LIMITS})
        with process.sealed(first) as descriptor:
            command = bubblewrap.command(program, descriptor, hash_seed)
            return process.run(command, descriptor, given, seconds)
    except filters.UnknownMachineError as error:
        raise SandboxUnavailableError(str(error)) from None
    except OSError as error:
        raise SandboxUnavailableError(f"it cannot be started: {error.strerror}") from None
