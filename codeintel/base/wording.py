"""Readable text: counts, sizes and times in words, without terminal control characters."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime
from math import ceil

_SIZES = ("bytes", "KiB", "MiB", "GiB", "TiB")
_STEP = 1024
_PAST = (("day", 86_400), ("hour", 3_600), ("minute", 60))
_WAITS = (("hour", 3_600), ("minute", 60))
_STEPS = ((60, "second"), (60, "minute"), (24, "hour"), (30, "day"), (12, "month"))
_NOW_SECONDS = 10


def counted(number: int, noun: str) -> str:
    """Return a count with its noun, such as `1 result` or `2,000 results`."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def size(count: int) -> str:
    """Return a number of bytes as `1 byte`, `12.5 KiB` or `3 GiB`."""
    if count < _STEP:
        return counted(count, "byte")
    value, unit = count / _STEP, 1
    # a value that rounds to 1,024 belongs to the next unit
    while round(value, 1) >= _STEP and unit < len(_SIZES) - 1:
        value, unit = value / _STEP, unit + 1
    return f"{f'{value:,.1f}'.removesuffix('.0')} {_SIZES[unit]}"


def duration(seconds: float) -> str:
    """Return a duration such as `90 seconds` or `2 minutes`, rounded up so that waiting for it is
    enough.
    """
    for unit, length in _WAITS:
        if seconds >= 2 * length:
            return counted(ceil(seconds / length), unit)
    return counted(ceil(seconds), "second")


def lasting(seconds: float) -> str:
    """Return a running duration such as `3 days` or `5 hours`, rounded down."""
    for unit, length in _PAST:
        if seconds >= length:
            return counted(int(seconds // length), unit)
    return "less than a minute"


def age(seconds: float) -> str:
    """Return an age such as `3 hours ago`, rounded down."""
    return f"{lasting(seconds)} ago"


def relative(moment: datetime, now: datetime | None = None) -> str:
    """Return `3 hours ago` or `in 2 days`, rounded down."""
    seconds = int(((now or datetime.now(UTC)) - moment).total_seconds())
    if abs(seconds) < _NOW_SECONDS:
        return "just now"
    number, unit = abs(seconds), "year"
    for size, name in _STEPS:
        if number < size:
            unit = name
            break
        number //= size
    told = counted(number, unit)
    return f"{told} ago" if seconds > 0 else f"in {told}"


# Characters that can move the cursor, change a title or hide text: control characters, invisible
# and direction-changing ones, line separators and surrogates.
_HARMFUL = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINERS = frozenset("\u200c\u200d")  # words in Persian and many emoji need them


def printable(text: str, *, multiline: bool = False) -> str:
    """Escape everything that a terminal would act on, like `\\x1b`.

    :param multiline: keep line feeds and tabs; otherwise each run of line breaks becomes a space.
    """
    if text.isprintable():
        return text
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


NOT_BLANK = r"[^\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]"
"""A character that Python does not treat as white space. `\\s` differs between dialects of regular
expressions, and programs in any language read the API's document.
"""


def pypi_name(name: str) -> str:
    """Return the normalized name
    (https://packaging.python.org/en/latest/specifications/name-normalization/). The library
    `packaging` does the same, but takes long to import.
    """
    return re.sub(r"[-_.]+", "-", name).lower()
