"""Start Node.js within limits. It replaces this process and reads the same standard input.

Unlike Python, Node.js cannot limit itself, and it reserves more address space than it uses. So the
limit counts the memory that it may write to.
"""

from __future__ import annotations

import json
import os
import resource
import sys

_LIMITS = {
    "data": resource.RLIMIT_DATA,
    "cpu": resource.RLIMIT_CPU,
    "file": resource.RLIMIT_FSIZE,
    "descriptors": resource.RLIMIT_NOFILE,
    "core": resource.RLIMIT_CORE,
    "queues": resource.RLIMIT_MSGQUEUE,
    "locked": resource.RLIMIT_MEMLOCK,
}


def main() -> None:
    """Set the limits in the first argument and run the command in the others."""
    limits, *command = sys.argv[1:]
    for name, value in json.loads(limits).items():
        resource.setrlimit(_LIMITS[name], (value, value))
    os.execve(command[0], command, {"TZ": os.environ.get("TZ", "UTC"), "LANG": "C.UTF-8"})  # noqa: S606
