"""Read files that a repository chose: no pipe or device makes the command wait."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from codeintel.cli.scan.policy.settings import ProjectError


def read_regular(path: Path, limit: int) -> bytes:
    """Return the bytes of a file.

    :raises OSError: if it cannot be read.
    :raises ProjectError: if it is no regular file, or has more bytes than the limit.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise ProjectError(f"{path.name} is no regular file.")
    with os.fdopen(descriptor, "rb") as stream:
        data = stream.read(limit + 1)
    if len(data) > limit:
        raise ProjectError(f"{path.name} is larger than {limit:,} bytes.")
    return data
