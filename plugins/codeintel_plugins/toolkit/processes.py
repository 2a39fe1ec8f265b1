"""Running a tool's binary on code of unknown good will, with bounds on what it may say."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO

MAX_OUTPUT_BYTES = 8 * 1024 * 1024
_CHUNK_BYTES = 65_536


class ToolFailed(RuntimeError):  # noqa: N818 - what happened, like `Incomplete`
    """A tool ended before it had checked everything."""


class ToolTookTooLong(ToolFailed):
    """A tool was killed at the end of its time."""


class ToolRun:
    """Run a tool. Iterate over the lines of its output, once.

    Reads at most `max_bytes` and `max_lines`. Then the tool is killed and `cut_short` is set.

    :param stdin: text for the standard input; empty by default.
    :param environment: the complete environment of the tool.
    :param seconds: wall time after which the tool is killed; unlimited if None.
    :param good: the exit statuses of a run that has checked everything.
    :raises ToolFailed: at the end of the iteration, for any other exit status.
    :raises ToolTookTooLong: from the iteration, when the time has run out.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        stdin: str = "",
        environment: Mapping[str, str] | None = None,
        max_bytes: int = MAX_OUTPUT_BYTES,
        max_lines: int | None = None,
        seconds: float | None = None,
        good: frozenset[int] = frozenset({0}),
    ) -> None:
        self._command = list(command)
        self._stdin = stdin
        self._environment = dict(environment or {})
        self._max_bytes = max_bytes
        self._max_lines = max_lines
        self._seconds = seconds
        self._good = good
        self.cut_short = False

    def __iter__(self) -> Iterator[bytes]:
        # A file as standard input needs no writer while the output is read, so reader and writer
        # cannot wait for each other.
        with tempfile.TemporaryFile(dir=".") as stdin:
            stdin.write(self._stdin.encode())
            stdin.seek(0)
            yield from self._run(stdin)

    def read(self) -> bytes:
        """Return the whole output."""
        return b"".join(self)

    def _run(self, stdin: IO[bytes]) -> Iterator[bytes]:
        # The tool's own messages may quote the code, so standard error is not read.
        with subprocess.Popen(  # noqa: S603 - our own arguments; the code is never among them
            self._command,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=self._environment,
        ) as process:
            try:
                assert process.stdout is not None  # noqa: S101 - for mypy: it is a pipe
                yield from self._lines(process.stdout.fileno())
            except BaseException:
                process.kill()
                raise
            if self.cut_short:
                process.kill()
        if process.returncode not in self._good and not self.cut_short:
            raise ToolFailed(f"{self._name} ended with status {process.returncode}")

    def _lines(self, stdout: int) -> Iterator[bytes]:
        count = 0
        rest: list[bytes] = []
        for chunk in self._chunks(stdout):
            *whole, last = chunk.split(b"\n")
            for line in whole:
                count += 1
                if self._max_lines is not None and count > self._max_lines:
                    self.cut_short = True
                    return
                yield b"".join([*rest, line, b"\n"])
                rest.clear()
            rest.append(last)
        if any(rest) and not self.cut_short:
            yield b"".join(rest)

    def _chunks(self, stdout: int) -> Iterator[bytes]:
        left_bytes = self._max_bytes
        end = None if self._seconds is None else time.monotonic() + self._seconds
        while True:
            left = None if end is None else max(0.0, end - time.monotonic())
            if not select.select([stdout], [], [], left)[0]:
                raise ToolTookTooLong(f"{self._name} took more than {self._seconds} s")
            chunk = os.read(stdout, _CHUNK_BYTES)
            if not chunk:
                return
            yield chunk[:left_bytes]
            left_bytes -= len(chunk)
            if left_bytes < 0:
                self.cut_short = True
                return

    @property
    def _name(self) -> str:
        return Path(self._command[0]).name


@cache
def installed_binary(name: str) -> str:
    """Return the path of a binary that a package installed into this Python's environment.

    :raises FileNotFoundError: if the binary is missing.
    """
    folders = [
        sysconfig.get_path("scripts"),
        sysconfig.get_path("scripts", f"{os.name}_user"),
        str(Path(sys.executable).parent),
    ]
    for folder in folders:
        binary = Path(folder) / name
        if binary.is_file():
            return str(binary)
    raise FileNotFoundError(f"the binary of {name} is not installed")
