"""Text that a terminal does not act upon."""

from __future__ import annotations

import re
import unicodedata

# What can move a cursor, change a title, or make a line read other than it is: control characters,
# invisible and direction-changing ones, line separators, halves of surrogate pairs.
_HARMFUL = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
_JOINERS = frozenset("\u200c\u200d")  # words in Persian and many emoji need them


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
