"""Running the ruff binary on code of unknown good will, with bounds on what it may say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

import msgspec

from codeintel_plugins.toolkit.processes import MAX_OUTPUT_BYTES, ToolFailed, ToolRun

# `--ignore-noqa`: the code's author does not decide what the caller sees. The target is the newest
# version before annotations became lazy. Older code is read as well, and syntax that later versions
# added is not reported as an error.
_ARGUMENTS = (
    "check",
    "--isolated",
    "--no-cache",
    "--ignore-noqa",
    "--exit-zero",
    "--target-version=py313",
    "--output-format=json-lines",
)
_NAME = "snippet.py"
# One file needs one thread, and threads need address space, which is limited.
_ENVIRONMENT = {"RAYON_NUM_THREADS": "1"}


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
    """One line of ruff's `json-lines` output. A syntax error has the code `invalid-syntax`."""

    code: str | None
    message: str
    location: Location
    end_location: Location
    fix: RuffFix | None = None


class _FileDiagnostic(Diagnostic, kw_only=True):
    filename: str


@cache
def ruff_binary() -> str:
    """Return the path of the binary that the `ruff` package installed."""
    from ruff import find_ruff_bin  # type: ignore[import-untyped]

    return str(find_ruff_bin())


class RuffRun:
    """Run ruff over `code`. Iterate over its diagnostics, once, in order of position.

    Reads at most `limit` diagnostics and 8 MiB. Then ruff is killed and `cut_short` is set. Raises
    :class:`ToolFailed` at the end if ruff crashed, for example on deeply nested code.
    """

    def __init__(self, code: str, options: Sequence[str], *, limit: int = 2_000) -> None:
        self._code = code
        self._options = options
        self._limit = limit
        self._decoder = msgspec.json.Decoder(Diagnostic)
        self.cut_short = False

    def __iter__(self) -> Iterator[Diagnostic]:
        run = ToolRun(
            [ruff_binary(), *_ARGUMENTS, *self._options, f"--stdin-filename={_NAME}", "-"],
            stdin=self._code,
            environment=_ENVIRONMENT,
            max_bytes=MAX_OUTPUT_BYTES,
            max_lines=self._limit,
        )
        for line in run:
            yield self._decoder.decode(line)
        self.cut_short = run.cut_short


def diagnostics_of_many(
    codes: Sequence[str], options: Sequence[str], *, limit: int = 2_000
) -> list[list[Diagnostic]]:
    """Return the diagnostics of each code in order of position, from one run of ruff.

    The working folder must be empty. Each code gets a folder, so that its file has the same name as
    in :class:`RuffRun`.

    :raises ToolFailed: if ruff crashed, or if a code has more than `limit` diagnostics.
    """
    if not codes:  # ruff would check the working folder
        return []
    places = {}
    for number, code in enumerate(codes):
        path = Path(str(number), _NAME)
        path.parent.mkdir()
        path.write_bytes(code.encode())
        places[str(path.absolute())] = number
    run = ToolRun([ruff_binary(), *_ARGUMENTS, *options, *places], environment=_ENVIRONMENT)
    decoder = msgspec.json.Decoder(_FileDiagnostic)
    found: list[list[Diagnostic]] = [[] for _ in codes]
    for line in run:
        diagnostic = decoder.decode(line)
        found[places[diagnostic.filename]].append(diagnostic)
    if run.cut_short or any(len(each) > limit for each in found):
        raise ToolFailed("ruff has more to report than a single run returns")
    return found
