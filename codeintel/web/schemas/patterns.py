"""Describe regular expressions of the API in words."""

from __future__ import annotations

import re

from codeintel.base.wording import NOT_BLANK
from codeintel.contracts.languages import NAME_PATTERN
from codeintel.trust.targets import TARGET_PATTERN
from codeintel.workspaces.requests import FOLDER_PATTERN, LABEL_PATTERN, PATTERN as PATH_PATTERN
from codeintel.workspaces.revisions import CURSOR

_KNOWN = {
    NAME_PATTERN: "at least one letter or digit",
    NOT_BLANK: "not blank",
    PATH_PATTERN: (
        "a path that starts with `/`, with names of 1 to 255 characters; not `.`, `..`, `.git` or "
        "`.codeintel`, and without `\\`, `:`, control characters and line breaks"
    ),
    FOLDER_PATTERN: "the name of a folder, not a path, a drive, `.` or `..`",
    LABEL_PATTERN: "no control characters or line breaks",
    TARGET_PATTERN: (
        "a package as `name`, `ecosystem:name` or package URL, or 2 to 10 packages as "
        "`package:NAME..vs..package:NAME`"
    ),
    CURSOR: "the value of `older` of the previous page, or empty",
    "^[!-~](?:[ -~]*[!-~])?$": "printable ASCII, without spaces at either end",
    "^CWE-[0-9]{1,9}$": "`CWE-` and 1 to 9 digits",
    "^CWE-[0-9]+$": "`CWE-` and digits",
    "^https?://": "starts with `http://` or `https://`",
    r"^3\.(?:[89]|1[0-4])$": "`3.8` to `3.14`",
    r"\x00": "the character U+0000",
}
_CLASS = re.compile(r"\^\[((?:[A-Za-z0-9]-[A-Za-z0-9]|[\w.~-])+)\](\+|\*|\{\d+(?:,\d+)?\})\$")
_RANGES = {
    "A-Z": "uppercase letters",
    "a-z": "lowercase letters",
    "0-9": "digits",
    "a-f": "the letters `a` to `f`",
    "A-F": "the letters `A` to `F`",
}
_SIGNS = {"-": "hyphens", "_": "underscores", ".": "dots", "~": "tildes"}
_PIECE = re.compile(r"[A-Za-z0-9]-[A-Za-z0-9]|.")


def pattern_words(pattern: str) -> str:
    """Return what a pattern accepts, in words. Empty if there are no words for the pattern."""
    return _KNOWN.get(pattern) or _words_of_class(pattern)


def _words_of_class(pattern: str) -> str:
    """Return the words for one character class with its number, such as `^[a-z0-9-]{1,64}$`."""
    match = _CLASS.fullmatch(pattern)
    if match is None:
        return ""
    pieces = [_RANGES.get(each) or _SIGNS.get(each, "") for each in _PIECE.findall(match[1])]
    if not all(pieces):
        return ""
    if "uppercase letters" in pieces and "lowercase letters" in pieces:
        both = [each for each in pieces if not each.endswith("case letters")]
        pieces = ["letters", *both]
    listed = " and ".join(filter(None, (", ".join(pieces[:-1]), pieces[-1])))
    return listed + _number(match[2])


def _number(quantifier: str) -> str:
    if quantifier == "*":
        return ""
    if quantifier == "+":
        return ", at least 1 character"
    low, _, high = quantifier.strip("{}").partition(",")
    if high:
        return f", {low} to {high} characters"
    return f", {low} character" if low == "1" else f", {low} characters"
