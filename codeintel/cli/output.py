"""Write the output of commands: untrusted text, JSON and tables, for terminals and for files."""

from __future__ import annotations

import json
import os
import shutil
import sys
import textwrap
import unicodedata
from collections.abc import Sequence
from typing import IO, Any

import click

from codeintel.base.wording import printable

_MINIMUM_WRAP = 24
GAP = "  "


def write(text: str, *, err: bool = False) -> None:
    """Write text unchanged and flush it. Escape characters that the stream cannot encode."""
    stream = sys.stderr if err else sys.stdout
    encoding = stream.encoding or "utf-8"
    text = text.encode(encoding, "backslashreplace").decode(encoding)
    # Keep the colors: the caller has decided about them, and click would decide again.
    click.echo(text, nl=False, err=err, color=True)


def write_line(text: str, *, err: bool = False) -> None:
    """Write a line with untrusted text. Control characters are escaped."""
    write(printable(text) + "\n", err=err)


def write_json(document: Any) -> None:
    """Write a JSON document in ASCII, which is safe for terminals and for every encoding."""
    write(json_text(document))


def json_text(document: Any) -> str:
    """Return an indented JSON document in ASCII with a final line break."""
    import msgspec  # `serve` does not need it

    # The standard library is much slower if it indents.
    plain = json.dumps(msgspec.to_builtins(document), ensure_ascii=True)
    text = msgspec.json.format(plain, indent=2)
    return text.replace("\x7f", "\\u007f") + "\n"


def wants_colour(stream: IO[str]) -> bool:
    """Return whether to color the stream: it is a terminal, and NO_COLOR is not set
    (https://no-color.org)."""
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def is_live(stream: IO[str]) -> bool:
    """Return whether lines of the stream can be rewritten: it is a terminal with cursor control."""
    return stream.isatty() and os.environ.get("TERM") not in {None, "", "dumb"}


def terminal_width() -> int | None:
    """Return the columns of the terminal, or None if standard output is not a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def table(headers: Sequence[str], rows: Sequence[Sequence[str]], width: int | None = None) -> str:
    """Return the rows in aligned columns under headers in capitals.

    :param width: columns of the terminal. The last cell is wrapped to it.
    """
    cells = [[header.upper() for header in headers]]
    cells += [[printable(cell) for cell in row] for row in rows]
    widths = [max(columns(row[i]) for row in cells) for i in range(len(headers))]
    return "".join(_row(row, widths, width) for row in cells)


def columns(text: str) -> int:
    """Return the number of terminal columns that the text takes."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def _row(row: Sequence[str], widths: Sequence[int], width: int | None) -> str:
    *head, last = row
    start = "".join(
        cell + " " * (size - columns(cell)) + GAP for cell, size in zip(head, widths, strict=False)
    )
    room = (width or 0) - columns(start)
    lines = textwrap.wrap(last, room) if room >= _MINIMUM_WRAP else [last]
    lines = lines or [""]
    indent = " " * columns(start)
    return "".join(
        ((start if i == 0 else indent) + line).rstrip() + "\n" for i, line in enumerate(lines)
    )
