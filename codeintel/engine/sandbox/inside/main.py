"""The first thing that runs in the sandbox: reads its job, fences itself in, and does it."""

from __future__ import annotations

import base64
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from . import fence

_RESULT = 200
"""The descriptor for what is said, out of the way of programs that count from 3."""


def main() -> None:
    """Do the job that stands on the standard input; what is found goes out line by line."""
    job = json.loads(sys.stdin.buffer.read())
    os.dup2(1, _RESULT, inheritable=False)
    os.dup2(2, 1)  # what a program writes itself goes where nobody listens
    os.close(0)
    modules = list(sys.path)
    if job["do"] == "probe":
        from .probe import probe as work
    else:
        from .program import run as work
    sys.path[:] = [path for path in modules if path != fence.FOLDER]
    fence.shut(base64.b64decode(job["filter"]), job["limits"])
    work(job, _speaker())
    os._exit(0)  # whatever the program has left to be done at the end


def _speaker() -> Callable[[dict[str, Any]], None]:
    write, dump, descriptor = os.write, json.dumps, _RESULT

    def say(line: dict[str, Any]) -> None:
        data = dump(line, separators=(",", ":")).encode() + b"\n"
        while data:
            data = data[write(descriptor, data) :]

    return say
