"""Running the ruff binary on code of unknown good will, with bounds on what it may say."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from functools import cache
from typing import IO

import msgspec

MAX_OUTPUT_BYTES = 8 * 1024 * 1024

# `--ignore-noqa`: the code's author does not decide what the caller is told. The target is the
# newest version before annotations became lazy: older code is read as well, and nothing that later
# versions added is called a syntax error.
_ARGUMENTS = (
    "check",
    "--isolated",
    "--no-cache",
    "--ignore-noqa",
    "--exit-zero",
    "--target-version=py313",
    "--output-format=json-lines",
    "--stdin-filename=snippet.py",
)


class Location(msgspec.Struct):
    """Row and column from 1; columns count code points."""

    row: int
    column: int


class RuffEdit(msgspec.Struct):
    """Replace what is between two locations, the end exclusive."""

    content: str
    location: Location
    end_location: Location


class RuffFix(msgspec.Struct):
    """`applicability` is `safe`, `unsafe` or `display`."""

    applicability: str
    edits: list[RuffEdit]
    message: str | None = None


class Diagnostic(msgspec.Struct):
    """One line of ruff's `json-lines` output; a syntax error has the code `invalid-syntax`."""

    code: str | None
    message: str
    location: Location
    end_location: Location
    fix: RuffFix | None = None


class RuffFailed(RuntimeError):  # noqa: N818 - what happened, like `Incomplete`
    """Ruff ended before it had looked at everything."""


@cache
def ruff_binary() -> str:
    """The path of the binary that the `ruff` package brought."""
    from ruff import find_ruff_bin  # type: ignore[import-untyped]

    return str(find_ruff_bin())


class RuffRun:
    """One run over `code`: iterate over its diagnostics, once, in order of place.

    At most `limit` diagnostics and 8 MiB are read; then ruff is killed and `cut_short` is set.
    Raises :class:`RuffFailed` at the end when ruff crashed, as on very deeply nested code.
    """

    def __init__(self, code: str, options: Sequence[str], *, limit: int = 2_000) -> None:
        self._code = code
        self._options = options
        self._limit = limit
        self._decoder = msgspec.json.Decoder(Diagnostic)
        self.cut_short = False

    def __iter__(self) -> Iterator[Diagnostic]:
        # A file as standard input: nobody has to write while ruff's output is read, so the two
        # cannot wait for each other.
        with tempfile.TemporaryFile(dir=".") as stdin:
            stdin.write(self._code.encode())
            stdin.seek(0)
            yield from self._run(stdin)

    def _run(self, stdin: IO[bytes]) -> Iterator[Diagnostic]:
        with subprocess.Popen(  # noqa: S603 - our own arguments; the code is standard input
            [ruff_binary(), *_ARGUMENTS, *self._options, "-"],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            # One file needs one thread, and threads need address space, which is limited.
            env={"RAYON_NUM_THREADS": "1"},
        ) as process:
            try:
                assert process.stdout is not None  # noqa: S101 - for mypy: it is a pipe
                yield from self._read(process.stdout)
            except BaseException:
                process.kill()
                raise
            if self.cut_short:
                process.kill()
        if process.returncode and not self.cut_short:
            raise RuffFailed(f"ruff ended with status {process.returncode}")

    def _read(self, stdout: IO[bytes]) -> Iterator[Diagnostic]:
        size = count = 0
        while line := stdout.readline(MAX_OUTPUT_BYTES + 1):
            size += len(line)
            count += 1
            if size > MAX_OUTPUT_BYTES or count > self._limit:
                self.cut_short = True
                return
            yield self._decoder.decode(line)
