"""The child process that works out ranks, as its parent sees it."""

from __future__ import annotations

import os
import sys
from tempfile import TemporaryFile
from typing import IO, Any

import gevent
import msgspec
from gevent import subprocess

from codeintel.base.extras import RANKS

_ENVIRONMENT = ("PATH", "PYTHONPATH", "LD_LIBRARY_PATH", "LANG", "TMPDIR")
"""What the child needs of the parent's: no credentials."""
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")
_COMPLAINT_BYTES = 500
_QUIET: Any = False
"""Has a time-out of gevent's end its block without an exception."""


class RankingError(Exception):
    """Ranks could not be worked out; the message says why."""


class Outcome(msgspec.Struct, rename="camel"):
    """What the child says besides the ranks: how the iteration went, how many edges and scores it
    used, and the most memory that it had."""

    damping: float
    rounds: int
    residual: float
    edges: int
    scored: int
    peak_bytes: int


def work_out(
    given: IO[bytes], told: IO[bytes], numbers: tuple[int, int, int], seconds: float
) -> Outcome:
    """Have the child read one file and write the other, at whose end it is then. Other greenlets
    run meanwhile; whatever happens, no process is left.

    :param numbers: of nodes, edges and scores.
    :raises RankingError: if it takes longer than `seconds`, fails, or lacks packages.
    """
    if RANKS.is_missing:
        raise RankingError(RANKS.refusal)
    given.seek(0)
    with TemporaryFile() as complaints:
        process = subprocess.Popen(
            [sys.executable, "-m", "codeintel.trust.network.child", *map(str, numbers)],
            stdin=given,
            stdout=told,
            stderr=complaints,
            env={
                **{name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
                **_ONE_THREAD,
            },
            start_new_session=True,
        )
        status: int | None = None
        try:
            with gevent.Timeout(max(seconds, 0), _QUIET):
                status = process.wait()
        finally:
            if process.poll() is None:
                process.kill()
                process.wait()
        if status is None:
            raise RankingError(f"ranking {numbers[0]:,} packages takes too long: give it more time")
        if status:
            size = complaints.seek(0, os.SEEK_END)
            complaints.seek(max(size - _COMPLAINT_BYTES, 0))
            words = complaints.read().decode(errors="replace").strip().rpartition("\n")[2]
            raise RankingError(
                f"the process that ranks packages ended with {status}: {words or 'no message'}"
            )
    told.seek(16 * numbers[0])
    return msgspec.json.decode(told.read(), type=Outcome)
