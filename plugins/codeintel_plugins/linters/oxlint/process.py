"""Running the oxlint binary over one file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from codeintel_plugins.common.processes import ToolFailed, ToolRun, installed_binary

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
_TAIL = b'"number_of_files": 1,'


class Span(msgspec.Struct):
    """Bytes of the file: how many before it, how many in it."""

    offset: int
    length: int


class Label(msgspec.Struct):
    """A place, with words of its own about it or none."""

    span: Span
    label: str | None = None


class Diagnostic(msgspec.Struct):
    """What oxlint says about one place; `code` is like `eslint(no-eval)`, None for a syntax error.
    `help` says what to do."""

    message: str
    labels: list[Label]
    code: str | None = None
    help: str | None = None


def oxlint_binary() -> str:
    """The path of the binary that the `oxlint` package brought."""
    return installed_binary("oxlint")


def write_configuration(configuration: Any) -> None:
    """Write it into the working folder, for runs to find."""
    Path(CONFIGURATION).write_text(json.dumps(configuration), "utf-8")


class OxlintRun:
    """One run over a file in the working folder: iterate over its diagnostics, once.

    At most `limit` diagnostics and 8 MiB are read; then oxlint is killed and `cut_short` is set.
    Raises :class:`ToolFailed` at the end when oxlint crashed or has not looked at the file.
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
            entry = line.removeprefix(_HEAD).strip()
            if entry.startswith(_DIAGNOSTIC):
                # A comma behind each but the last, behind which the list ends.
                yield self._decoder.decode(entry.rstrip(b",").removesuffix(b"]"))
            complete = complete or entry == _TAIL
        self.cut_short = run.cut_short
        if not complete and not self.cut_short:
            raise ToolFailed("oxlint has not looked at the file")
