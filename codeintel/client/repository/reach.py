"""Find out if a pattern of `.gitignore` can match a path below a folder that is not listed."""

from __future__ import annotations

import re

_PLAIN = re.compile(r"(?:[^*?\[\\]|\\.)*", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)


def may_match_below(pattern: str, folder: str) -> bool:
    """Return whether a pattern can match a path below a folder, but not the folder itself.

    In doubt, the result is true: only plain names in front of `**` are compared.

    :param pattern: a pattern without an exclamation mark in front.
    :param folder: a path. The root is a slash or an empty text.
    """
    parts = pattern.rstrip(" ").rstrip("/").split("/")
    if len(parts) == 1:
        return True  # such a pattern applies in all folders
    if not parts[0]:
        del parts[0]
    names = [name for name in folder.split("/") if name]
    for part, name in zip(parts, names, strict=False):
        if part == "**":
            return True
        if _PLAIN.fullmatch(part) and _ESCAPED.sub(r"\1", part) != name:
            return False
    return len(parts) > len(names)
