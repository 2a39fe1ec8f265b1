"""Text for terminals: harmless, and in columns."""

from __future__ import annotations

import re
import textwrap
import unicodedata
from collections.abc import Sequence

# What can move a cursor, change a title, or make a line read other than it is: control characters,
# invisible and direction-changing ones, line separators, halves of surrogate pairs.
_HARMFUL = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINERS = frozenset("\u200c\u200d")  # words in Persian and many emoji need them
_MINIMUM_WRAP = 24
GAP = "  "


def printable(text: str, *, multiline: bool = False) -> str:
    """The text with everything that a terminal would act on made visible, like `\\x1b`.

    :param multiline: keep line feeds and tabs; otherwise each run of line breaks becomes a space.
    """
    text = re.sub(r"\r\n?", "\n", text)
    if not multiline:
        text = re.sub(r"\n+", " ", text)
    kept = "\n\t" if multiline else ""
    return "".join(c if c in kept or not _is_harmful(c) else _escaped(c) for c in text)


def _is_harmful(character: str) -> bool:
    return unicodedata.category(character) in _HARMFUL and character not in _JOINERS


def _escaped(character: str) -> str:
    number = ord(character)
    if number < 0x100:
        return f"\\x{number:02x}"
    return f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


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
