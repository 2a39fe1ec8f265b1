"""The names of processes in the rows of their runs: for people, unique, and enough to tell on the
same machine whether a process is dead."""

from __future__ import annotations

import hashlib
import os
import socket

from codeintel.platform.db.models import new_id

HOST_CHARACTERS = 40
"""Of a host's name in that of a process: with the rest it fits the columns' 64."""
_DIGEST_CHARACTERS = 8


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
    """The host's name. What is left of a long one would be the same for nodes of one kind, such as
    `codeintel-production-frankfurt-worker-node-1` and `-2`: a hash of the whole name ends it."""
    name = socket.gethostname()
    if len(name) <= HOST_CHARACTERS:
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[:_DIGEST_CHARACTERS]
    return f"{name[: HOST_CHARACTERS - len(digest) - 1]}-{digest}"
