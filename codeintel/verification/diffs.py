"""What differs, for people and for `patch`."""

from __future__ import annotations

import difflib
from collections.abc import Iterator

from codeintel.verification.comparison import Comparison

MAX_CHARACTERS = 400_000
NO_NEWLINE = "\\ No newline at end of file\n"


def unified(comparison: Comparison) -> str:
    """The unified diff of the code, without names of files that mean anything; empty where nothing
    differs, and where it would be over 400,000 characters."""
    if comparison.before == comparison.after:
        return ""
    before = comparison.before.splitlines(keepends=True)
    after = comparison.after.splitlines(keepends=True)
    lines = difflib.unified_diff(before, after, "a/code", "b/code")
    text = "".join(_ended(lines))
    return text if len(text) <= MAX_CHARACTERS else ""


def _ended(lines: Iterator[str]) -> Iterator[str]:
    """As `diff` writes it: a last line without an end is told."""
    for line in lines:
        yield line if line.endswith("\n") else f"{line}\n{NO_NEWLINE}"
