"""The names of processes in the rows of their runs: for people, unique, and enough to tell on the
same machine whether a process is dead."""

from __future__ import annotations

import os
import socket

from codeintel.db.models import new_id


def new_owner() -> str:
    """A name for this process: `host:pid:random`."""
    return f"{_host()}:{os.getpid()}:{new_id('p')[-8:]}"


def is_gone(owner: str) -> bool:
    """Whether the process was one of this machine and is dead. Another that has its number by now
    counts as alive: then the lease decides."""
    host, _, rest = owner.rpartition(":")[0].rpartition(":")
    if host != _host() or not rest.isdigit():
        return False
    try:
        os.kill(int(rest), 0)
    except ProcessLookupError:
        return True
    except OSError:
        pass
    return False


def _host() -> str:
    return socket.gethostname()[:20]
