"""The server's side of the worker processes: a fair queue, deadlines, and what comes back."""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import gevent
from gevent import socket, subprocess
from gevent.lock import RLock
from gevent.queue import SimpleQueue

from codeintel.contracts import (
    Analyzer,
    AnalyzerOutputFrom,
    AnalyzerReport,
    AnalyzerRequest,
    AnalyzerStatus,
    Note,
    Reported,
)
from codeintel.workers.fair import FairSlots
from codeintel.workers.protocol import (
    MAX_FINDINGS,
    MAX_OUTPUT_BYTES,
    Done,
    Hello,
    Job,
    Kill,
    Message,
    Start,
    decode_message,
    encode,
    receive_frame,
    send_frame,
)

# What the zygote's interpreter needs to find itself and its packages; nothing else gets through.
_ENVIRONMENT = ("PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "LANG", "LC_ALL", "TMPDIR")
START_SECONDS = 30.0
STOP_SECONDS = 3.0

Heard = AnalyzerOutputFrom | AnalyzerReport


class AnalyzerPool:
    """Runs analysers in worker processes, `slots` at a time, in turns between accounts."""

    def __init__(self, slots: int, config: Mapping[str, Any], instance: Path) -> None:
        self._slots = FairSlots(slots)
        self._config = {name: _primitive(value) for name, value in config.items()}
        self._instance = instance
        self._lock = RLock()
        self._control: Any = None
        self._process: Any = None
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._last_job = 0

    def start(self) -> None:
        """Start the zygote unless it runs. Takes the time of importing all analysers."""
        with self._lock:
            if self._process is not None and self._process.poll() is None:
                return
            self.stop()
            self._folder = tempfile.TemporaryDirectory(prefix="codeintel-")
            ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            with theirs:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", "codeintel.workers.zygote", str(theirs.fileno())],
                    pass_fds=[theirs.fileno()],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    env={name: os.environ[name] for name in _ENVIRONMENT if name in os.environ},
                    start_new_session=True,
                )
            self._control = ours
            hello = Hello(str(self._instance), self._folder.name, self._config)
            with gevent.Timeout(START_SECONDS):
                ours.send(encode(hello))
                if ours.recv(64) != b"ready":
                    raise RuntimeError("the analyser process did not start; its errors are above")

    def stop(self) -> None:
        """End the zygote and all its children."""
        if self._control is not None:
            self._control.close()
            self._control = None
        if self._process is not None:
            try:
                self._process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
            self._process = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def run(
        self, account_id: str, analyzers: list[Analyzer], request: AnalyzerRequest
    ) -> Iterator[Heard]:
        """Run the analysers on one piece of code and yield what they say as they say it; the last
        word of each is its report. Closing the iterator kills what still runs."""
        heard: SimpleQueue[Heard] = SimpleQueue()
        tasks = [
            gevent.spawn(self._run_one, account_id, analyzer, request, heard)
            for analyzer in analyzers
        ]
        try:
            missing = len(tasks)
            while missing:
                message = heard.get()
                missing -= isinstance(message, AnalyzerReport)
                yield message
        finally:
            gevent.killall(tasks)

    def _run_one(
        self,
        account_id: str,
        analyzer: Analyzer,
        request: AnalyzerRequest,
        heard: SimpleQueue[Heard],
    ) -> None:
        status, findings, started = AnalyzerStatus.FAILED, 0, time.monotonic()
        truncated = False
        try:
            with self._slots.taken(account_id):
                started = time.monotonic()
                with gevent.Timeout(analyzer.timeout):
                    for message in self._converse(analyzer.name, request):
                        if isinstance(message, Done):
                            status = _status(message, truncated)
                            break
                        if findings >= MAX_FINDINGS:
                            status = AnalyzerStatus.TRUNCATED
                            break
                        findings += isinstance(message, Reported)
                        truncated |= isinstance(message, Note) and message.truncated
                        heard.put(AnalyzerOutputFrom(analyzer.name, message))
        except gevent.Timeout:
            status = AnalyzerStatus.TIMED_OUT
        except (OSError, RuntimeError, ValueError):
            status = AnalyzerStatus.FAILED
        heard.put(
            AnalyzerReport(
                name=analyzer.name,
                version=analyzer.version,
                status=status,
                findings=findings,
                milliseconds=round((time.monotonic() - started) * 1000),
            )
        )

    def _converse(self, analyzer: str, request: AnalyzerRequest) -> Iterator[Message]:
        """Have a child forked, give it the job and yield its messages, the last being `Done`."""
        self.start()
        self._last_job += 1
        job = self._last_job
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                socket.send_fds(self._control, [encode(Start(job))], [theirs.fileno()])
            send_frame(ours, Job(analyzer, request))
            total = 0
            while total <= MAX_OUTPUT_BYTES:
                received = receive_frame(ours, decode_message)
                if received is None:
                    return
                message, size = received
                total += size
                yield message
            yield Done(truncated=True)
        finally:
            ours.close()
            self._kill(job)

    def _kill(self, job: int) -> None:
        # Without a zygote there is no child either.
        with suppress(OSError, AttributeError):
            self._control.send(encode(Kill(job)))


def _status(done: Done, truncated: bool) -> AnalyzerStatus:
    if done.error is not None:
        return AnalyzerStatus.FAILED
    return AnalyzerStatus.TRUNCATED if done.truncated or truncated else AnalyzerStatus.COMPLETED


def _primitive(value: Any) -> Any:
    """A setting's value as something that travels between processes."""
    if isinstance(value, tuple | list):
        return [_primitive(item) for item in value]
    return value if isinstance(value, str | int | float | None) else str(value)
