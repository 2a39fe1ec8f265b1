"""Comments of Python: which of the original are not in the result."""

from __future__ import annotations

import codecs
import io
import re
import tokenize
from collections import Counter
from collections.abc import Collection

from codeintel.engine.equivalence.comparison import Comparison

_SILENCING = re.compile(r"noqa\b", re.IGNORECASE)
_UNUSED_SILENCING = "RUF100"
_CODING = re.compile(r"[ \t\f]*.*?coding[:=]")
_DECLARED = re.compile(r"[ \t\f]*#.*?coding[:=][ \t]*([-\w.]+)")
_UTF_8 = "utf-8"
_NEEDLESS_CODING = "UP009"
_SHEBANG = "EXE"
_LAST_LINE_OF_CODING = 2


class UnreadableCommentsError(Exception):
    """The code cannot be taken apart into tokens."""


def missing(comparison: Comparison) -> str:
    """What to say of comments that are gone, or of a new one that gives the file another encoding;
    empty if neither is so.

    They may be moved, put in one line, or given other space. Of those that are for tools, a rule
    that removes just these may leave some out: what silences nothing, and the encoding that every
    file has.
    """
    if has_other_encoding(comparison):
        return "The result declares another encoding of the file."
    if "#" not in comparison.before or comparison.before == comparison.after:
        return ""
    try:
        before, after = _comments(comparison.before), _comments(comparison.after)
    except UnreadableCommentsError:
        return "The comments cannot be compared: the code cannot be taken apart into tokens."
    rules = {change.rule for change in comparison.changes}
    left = Counter(part for _, parts in after for part in parts)
    gone: list[int] = []
    for line, parts in before:
        lost = [part for part in parts if not _taken(part, left)]
        if any(not _may_go(part, line, rules) for part in lost):
            gone.append(line)
    if not gone:
        return ""
    count = "1 comment is" if len(gone) == 1 else f"{len(gone)} comments are"
    first = "" if len(gone) == 1 else "the first "
    return f"{count} gone, {first}on line {gone[0]}."


def has_other_encoding(comparison: Comparison) -> bool:
    """Whether a comment of the result has Python read the file in another encoding."""
    before = _encoding(comparison.before) if comparison.language == "python" else _UTF_8
    return _encoding(comparison.after) not in (_UTF_8, before)


def _encoding(code: str) -> str:
    """The encoding that a comment in the first two lines declares."""
    lines = code.removeprefix("\ufeff").splitlines()[:_LAST_LINE_OF_CODING]
    for line in lines:
        declared = _DECLARED.match(line)
        if declared:
            try:
                return codecs.lookup(declared[1]).name
            except LookupError:
                return declared[1]
        if line.partition("#")[0].strip():
            break
    return _UTF_8


def _taken(part: str, left: Counter[str]) -> bool:
    """Take one of what there is."""
    if not left[part]:
        return False
    left[part] -= 1
    return True


def _may_go(part: str, line: int, rules: Collection[str]) -> bool:
    if _SILENCING.match(part):
        return _UNUSED_SILENCING in rules
    if line <= _LAST_LINE_OF_CODING and _CODING.match(part):
        return _NEEDLESS_CODING in rules
    return line == 1 and part.startswith("!") and any(rule.startswith(_SHEBANG) for rule in rules)


def _comments(code: str) -> list[tuple[int, list[str]]]:
    """The line and the parts of each comment: what stands behind each `#`, without outer space.

    :raises UnreadableCommentsError: for what has no tokens.
    """
    read = io.StringIO(code.removeprefix("\ufeff"), newline=None).readline
    try:
        return [
            (token.start[0], [part for each in token.string.split("#") if (part := each.strip())])
            for token in tokenize.generate_tokens(read)
            if token.type == tokenize.COMMENT
        ]
    except (tokenize.TokenError, SyntaxError, ValueError, RecursionError):
        raise UnreadableCommentsError from None
