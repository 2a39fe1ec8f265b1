"""The child: a confined process that does one job and ends."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import socket
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from codeintel.base.confinement.jobs import Confinement
from codeintel.contracts import Analyzer, LanguageDetector, Transformation, Unsupported
from codeintel.engine.equivalence.comparison import Comparison
from codeintel.engine.equivalence.diffs import unified
from codeintel.engine.equivalence.levels import compare
from codeintel.platform.workers.batch_child import describe_place, run_batch
from codeintel.platform.workers.protocol import (
    MAX_ANSWERS,
    MEMORY_BYTES,
    AnalysisJob,
    Answer,
    BatchJob,
    Budget,
    Checked,
    Detected,
    DetectionJob,
    Differs,
    Done,
    Job,
    Message,
    Refused,
    RewriteJob,
    TextJob,
    decode_job,
    receive_bytes,
    receive_frame,
    send_frame,
)
from codeintel.platform.workers.text_functions import TextFunction

PR_SET_PDEATHSIG = 1
NICENESS = 10
_LIMITS = {
    resource.RLIMIT_AS: MEMORY_BYTES,
    resource.RLIMIT_CORE: 0,
    resource.RLIMIT_FSIZE: 64 * 1024 * 1024,
    resource.RLIMIT_NOFILE: 256,
}


@dataclass(frozen=True)
class Tools:
    """Objects that can do jobs, by name."""

    analyzers: Mapping[str, Analyzer]
    detectors: Mapping[str, LanguageDetector]
    transformations: Mapping[str, Transformation]
    functions: Mapping[str, TextFunction[Any, Any]]

    def programs(self) -> set[str]:
        """Return the programs that any of them starts."""
        of_analyzers = (each.programs() for each in self.analyzers.values())
        of_transformations = (each.programs() for each in self.transformations.values())
        return set(chain(*of_analyzers, *of_transformations))


def fence(folder: Path, confinement: Confinement) -> None:
    """Confine this process.

    It limits memory and files, and gives the process an empty folder and environment and no
    terminal. The process dies together with the zygote, and the kernel limits what it can reach.

    :raises OSError: if it cannot be confined. The process must end then.
    """
    os.setpgid(0, 0)
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.nice(NICENESS)  # the server's own loop has priority
    for limit, value in _LIMITS.items():
        resource.setrlimit(limit, (value, value))
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(HOME=str(folder), TMPDIR=str(folder), LANG="C.UTF-8", PATH="/usr/bin:/bin")
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    os.close(null)
    sys.dont_write_bytecode = True  # the process cannot write bytecode and need not try
    confinement.enter(folder)


def serve(connection: socket.socket, tools: Tools, confinement: Confinement) -> None:
    """Do the job that arrives over `connection` and send the results."""
    received = receive_frame(connection, decode_job)
    if received is None:
        return
    job, _ = received
    if not _programs(job, tools):
        confinement.start_no_programs(may_fork=isinstance(job, Comparison))
    try:
        if isinstance(job, BatchJob):
            run_batch(connection, job, tools.analyzers)
            return
        if isinstance(job, TextJob):
            done = _answer(connection, tools.functions[job.function])
        else:
            done = _send(connection, _work(job, tools), Budget())
    except (BrokenPipeError, ConnectionResetError):
        return
    except BaseException as error:  # noqa: BLE001 - a child reports whatever ended its job
        done = Done(error=describe_place(error))
    send_frame(connection, done)


def _answer(connection: socket.socket, function: TextFunction[Any, Any]) -> Done:
    """Answer the parts as they arrive, until an empty frame.

    :raises BrokenPipeError: if the stream ends before that, because no client waits for the
        answers.
    """

    def parts() -> Iterator[bytes]:
        while part := receive_bytes(connection):
            yield part
        if part is None:
            raise BrokenPipeError

    answers = map(Answer, function.answers(parts()))
    return _send(connection, answers, Budget(MAX_ANSWERS, function.most_bytes))


def _programs(job: Job, tools: Tools) -> Sequence[str]:
    """Return the programs that a job starts."""
    if isinstance(job, AnalysisJob):
        return tools.analyzers[job.analyzer].programs()
    if isinstance(job, BatchJob):
        return [each for part in job.parts for each in tools.analyzers[part.analyzer].programs()]
    if isinstance(job, RewriteJob):
        return tools.transformations[job.transformation].programs()
    return ()


def _work(job: Job, tools: Tools) -> Iterable[Message]:
    if isinstance(job, AnalysisJob):
        return tools.analyzers[job.analyzer].analyze(job.request)
    if isinstance(job, DetectionJob):
        return (Detected(tools.detectors[job.detector].detect(job.code)),)
    if isinstance(job, Comparison):
        return _compared(job)
    if isinstance(job, RewriteJob):
        return (_rewritten(job, tools.transformations[job.transformation]),)
    raise TypeError("no such job")


def _compared(comparison: Comparison) -> Iterator[Message]:
    yield from map(Checked, compare(comparison))
    yield Differs(unified(comparison))


def _rewritten(job: RewriteJob, transformation: Transformation) -> Message:
    try:
        return transformation.rewrite(job.request)
    except Unsupported as refusal:
        return Refused(str(refusal))


def _send(connection: socket.socket, outputs: Iterable[Message], budget: Budget) -> Done:
    for output in outputs:
        if not budget.admits(output):
            return Done(truncated=True)
        budget.spend(send_frame(connection, output))
    return Done()
