"""The name of the function that a piece of code calls, in any language with round brackets."""

from __future__ import annotations

import re

_MAX_SCANNED = 4_000
_NAME_REVERSED = re.compile(r"[?!]{0,2}[\w$@]+(?:(?:\.|>-|::)[?!]{0,2}[\w$@]+)*")
"""A name such as `cart?.items`, read backwards: a search for what ends the text is quadratic."""
_QUOTES = "\"'`"


def called_name(code: str) -> str | None:
    """Return the dotted name before the last argument list that is in no other brackets.

    For `connect("a").execute(query)`, this is `execute`. Return an empty text if the function has
    no name, and None if the code has no argument list.
    """
    opening = _last_arguments(code)
    if opening is None:
        return None
    name = _NAME_REVERSED.match(code[:opening].rstrip()[::-1])
    return name[0][::-1] if name is not None else ""


def _last_arguments(code: str) -> int | None:
    """Return where the last argument list begins that is in no other brackets."""
    depth, quote, found = 0, "", None
    for at, character in enumerate(code[:_MAX_SCANNED]):
        if quote:
            if character == quote and code[at - 1] != "\\":
                quote = ""
        elif character in _QUOTES:
            quote = character
        elif character in "([{":
            if character == "(" and depth == 0:
                found = at
            depth += 1
        elif character in ")]}":
            depth -= 1
    return found
