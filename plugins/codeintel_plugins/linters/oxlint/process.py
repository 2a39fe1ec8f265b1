"""The processes of oxlint: a run over one file, and a short talk with its language server."""

from __future__ import annotations

import json
import os
import select
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from codeintel_plugins.toolkit.processes import (
    MAX_OUTPUT_BYTES,
    ToolFailed,
    ToolRun,
    ToolTookTooLong,
    installed_binary,
)

CONFIGURATION = "oxlint.json"
# One file needs one thread, and a large stack lets that thread go as deep as real code is nested.
ENVIRONMENT = {"RAYON_NUM_THREADS": "1", "RUST_MIN_STACK": str(256 * 1024 * 1024)}
_ARGUMENTS = (
    f"--config={CONFIGURATION}",
    "--format=json",
    "--threads=1",
    "--no-ignore",
    "--disable-nested-config",
)
_HEAD = b'{ "diagnostics": ['
_DIAGNOSTIC = b'{"message"'
_TAIL = b'"number_of_files": %d,'


class Span(msgspec.Struct):
    """Bytes of the file: how many before it, how many in it."""

    offset: int
    length: int


class Label(msgspec.Struct):
    """A position, with an optional message."""

    span: Span
    label: str | None = None


class Diagnostic(msgspec.Struct):
    """A message of oxlint about one position. `code` is like `eslint(no-eval)`, or None for a
    syntax error. `help` says what to do.
    """

    message: str
    labels: list[Label]
    code: str | None = None
    help: str | None = None


def oxlint_binary() -> str:
    """Return the path of the binary that the `oxlint` package installed."""
    return installed_binary("oxlint")


def write_configuration(configuration: Any) -> None:
    """Write it into the working folder, for runs to find."""
    Path(CONFIGURATION).write_text(json.dumps(configuration), "utf-8")


class OxlintRun:
    """Run oxlint over a file in the working folder. Iterate over its diagnostics, once.

    Reads at most `limit` diagnostics and 8 MiB. Then oxlint is killed and `cut_short` is set.
    Raises :class:`ToolFailed` at the end if oxlint crashed or has not checked the file.
    """

    def __init__(self, file: str, *, limit: int) -> None:
        self._file = file
        self._limit = limit
        self._decoder = msgspec.json.Decoder(Diagnostic)
        self.cut_short = False

    def __iter__(self) -> Iterator[Diagnostic]:
        # Status 1 is what a file with errors gives.
        run = ToolRun(
            [oxlint_binary(), *_ARGUMENTS, self._file],
            environment=ENVIRONMENT,
            max_lines=self._limit,
            good=frozenset({0, 1}),
        )
        complete = False
        for line in run:
            if (entry := _entry(line)) is not None:
                yield self._decoder.decode(entry)
            complete = complete or line.strip() == _TAIL % 1
        self.cut_short = run.cut_short
        if not complete and not self.cut_short:
            raise ToolFailed("oxlint has not checked the file")


def _entry(line: bytes) -> bytes | None:
    """Return the diagnostic in a line of the output, or None."""
    entry = line.removeprefix(_HEAD).strip()
    # A comma behind each but the last, behind which the list ends.
    return entry.rstrip(b",").removesuffix(b"]") if entry.startswith(_DIAGNOSTIC) else None


class _FileDiagnostic(Diagnostic, kw_only=True):
    filename: str


def diagnostics_of_many(files: Sequence[str]) -> dict[str, list[Diagnostic]]:
    """Return the diagnostics of several files, from one run of oxlint.

    :raises ToolFailed: if oxlint crashed, or has not checked all files and reported everything.
    """
    run = ToolRun(
        [oxlint_binary(), *_ARGUMENTS, *files], environment=ENVIRONMENT, good=frozenset({0, 1})
    )
    decoder = msgspec.json.Decoder(_FileDiagnostic)
    found: dict[str, list[Diagnostic]] = {file: [] for file in files}
    complete = False
    for line in run:
        if (entry := _entry(line)) is not None:
            diagnostic = decoder.decode(entry)
            found[diagnostic.filename].append(diagnostic)
        complete = complete or line.strip() == _TAIL % len(files)
    if not complete or run.cut_short:
        raise ToolFailed("oxlint has not checked all files")
    return found


_CHUNK_BYTES = 65_536
_MAX_HEADER_BYTES = 1_000
_HEADER_END = b"\r\n\r\n"


class LanguageServer:
    """A server that runs within a `with` block and is killed at its end.

    :param seconds: wall time for the whole talk.
    """

    def __init__(
        self, command: Sequence[str], *, environment: Mapping[str, str], seconds: float
    ) -> None:
        self._end = time.monotonic() + seconds
        self._left_bytes = MAX_OUTPUT_BYTES
        self._unread = bytearray()
        self._last_id = 0
        self._process = subprocess.Popen(  # noqa: S603 - our own arguments
            list(command),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=dict(environment),
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def request(self, method: str, parameters: Any) -> Any:
        """Send a request and return the result. Other messages of the server are dropped.

        :raises ToolFailed: if the server ends, refuses or sends too much.
        :raises ToolTookTooLong: on timeout.
        """
        self._last_id += 1
        self._send(method, parameters, id=self._last_id)
        while True:
            message = self._receive()
            if message.get("id") == self._last_id and "method" not in message:
                if "result" not in message:
                    raise ToolFailed(f"the language server rejected {method}")
                return message["result"]

    def notify(self, method: str, parameters: Any) -> None:
        """Tell something that has no answer."""
        self._send(method, parameters)

    def wait_for(self, method: str) -> Any:
        """Return the parameters of the next notification of this kind. Raises as
        :meth:`request`."""
        while True:
            message = self._receive()
            if message.get("method") == method:
                return message.get("params")

    def _send(self, method: str, parameters: Any, **others: int) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": parameters, **others}
        payload = json.dumps(message).encode()
        assert self._process.stdin is not None  # noqa: S101 - for mypy: it is a pipe
        try:
            self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(payload), payload))
            self._process.stdin.flush()
        except BrokenPipeError:
            raise ToolFailed("the language server has ended") from None

    def _receive(self) -> dict[str, Any]:
        while (end := self._unread.find(_HEADER_END)) < 0:
            if len(self._unread) > _MAX_HEADER_BYTES:
                raise ToolFailed("the language server does not follow the protocol")
            self._read_more()
        size = _length(bytes(self._unread[:end]))
        del self._unread[: end + len(_HEADER_END)]
        while len(self._unread) < size:
            self._read_more()
        message = json.loads(self._unread[:size])
        del self._unread[:size]
        if not isinstance(message, dict):
            raise ToolFailed("the language server does not follow the protocol")
        return message

    def _read_more(self) -> None:
        assert self._process.stdout is not None  # noqa: S101 - for mypy: it is a pipe
        stdout = self._process.stdout.fileno()
        left = max(0.0, self._end - time.monotonic())
        if not select.select([stdout], [], [], left)[0]:
            raise ToolTookTooLong("the language server took too long")
        chunk = os.read(stdout, _CHUNK_BYTES)
        self._left_bytes -= len(chunk)
        if not chunk or self._left_bytes < 0:
            raise ToolFailed("the language server has ended or sent too much")
        self._unread += chunk


def _length(header: bytes) -> int:
    for line in header.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length" and value.strip().isdigit():
            return int(value)
    raise ToolFailed("the language server does not follow the protocol")
