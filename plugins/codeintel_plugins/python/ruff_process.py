"""Running the ruff binary on code of unknown good will, with bounds on what it may say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

import msgspec

from codeintel_plugins.common.processes import MAX_OUTPUT_BYTES, ToolRun

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


@cache
def ruff_binary() -> str:
    """The path of the binary that the `ruff` package brought."""
    from ruff import find_ruff_bin  # type: ignore[import-untyped]

    return str(find_ruff_bin())


class RuffRun:
    """One run over `code`: iterate over its diagnostics, once, in order of place.

    At most `limit` diagnostics and 8 MiB are read; then ruff is killed and `cut_short` is set.
    Raises :class:`ToolFailed` at the end when ruff crashed, as on very deeply nested code.
    """

    def __init__(self, code: str, options: Sequence[str], *, limit: int = 2_000) -> None:
        self._code = code
        self._options = options
        self._limit = limit
        self._decoder = msgspec.json.Decoder(Diagnostic)
        self.cut_short = False

    def __iter__(self) -> Iterator[Diagnostic]:
        run = ToolRun(
            [ruff_binary(), *_ARGUMENTS, *self._options, "-"],
            stdin=self._code,
            # One file needs one thread, and threads need address space, which is limited.
            environment={"RAYON_NUM_THREADS": "1"},
            max_bytes=MAX_OUTPUT_BYTES,
            max_lines=self._limit,
        )
        for line in run:
            yield self._decoder.decode(line)
        self.cut_short = run.cut_short
