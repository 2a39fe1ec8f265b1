"""Text for terminals, in columns."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence

from codeintel.base.wording import printable

_MINIMUM_WRAP = 24
GAP = "  "


def table(headers: Sequence[str], rows: Sequence[Sequence[str]], width: int | None = None) -> str:
    """Aligned columns, two spaces apart, under headers in capitals; each row on its line.

    :param width: columns of the terminal: a last cell too long for it goes on in the next line.
    """
    cells = [[header.upper() for header in headers]]
    cells += [[printable(cell) for cell in row] for row in rows]
    widths = [max(columns(row[i]) for row in cells) for i in range(len(headers))]
    return "".join(_row(row, widths, width) for row in cells)


def columns(text: str) -> int:
    """How many columns of a terminal the text takes."""
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
