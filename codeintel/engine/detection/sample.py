"""Take a limited sample of the code, with and without the words in comments and strings, in
linear time."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

import msgspec

HEAD = 6_000
MIDDLE = 2_000
"""The number of characters from the start, and from the middle of longer code."""
_LINE = 300
_LEAST_BARE = 1_000
_BLANK_LINES = re.compile(r"\n[ \t\n]*\n")

_LONG_LINE = re.compile(rf"[^\n]{{{_LINE}}}(?!\n)")
_DIRECTIVE = (
    r"(?:include|import|define|undef|if|ifdef|ifndef|elif|else|endif|pragma|error|warning|line"
    r"|region|endregion|nullable|available|selector|using)\b"
)
# Where a comment or string begins. A match covers the whole of those that end with the line.
_BEGINNING = re.compile(
    r"(?P<doc>\"\"\"|''')"
    r"|(?P<block>/\*|<!--|--\[\[|^=begin\b|^```|\(\*(?=[ *\n])|\{-(?=[ #\n]))"
    r"|(?P<slashes>^[ \t]*//[^\n]*)"
    r"|(?P<star>^[ \t]*\*(?:/|(?=[ \t])[^\n{]*$|$))"
    rf"|(?P<hash>^[ \t]*\#(?![!\[{{]|[ \t]*{_DIRECTIVE}|[\w-][^\n]*[{{}},]$)[^\n]*)"
    r"|(?P<dashes>^[ \t]*--(?=[ \t\-\n])[^\n]*)"
    r"|(?P<rest>(?<![:\"'\w/])//[^\n]*|(?<=[ \t;])\#(?=[ \t])[^\n]*|(?<=[ \t;,)])--(?=[ \t])[^\n]*)"
    r"|(?P<double>\"(?:[^\"\\\n]|\\.)*+\")"
    r"|(?P<single>'(?:[^'\\\n]|\\.)*+')"
    r"|(?P<tick>`[^`\n]*+`)",
    re.MULTILINE,
)
_ENDS = {
    '"""': '"""',
    "'''": "'''",
    "/*": "*/",
    "<!--": "-->",
    "--[[": "]]",
    "=begin": "=end",
    "```": "\n```",
    "(*": "*)",
    "{-": "-}",
}
_FILLER = {"double": '""', "single": "''", "tick": "``", "doc": '""""""'}


class Sample(NamedTuple):
    """A sample of the code.

    `text` has lines of limited length that end with LF. `bare` is the text without the words in
    comments and strings. `comments` counts these by kind. `is_json` says whether all of the code,
    beyond the sample, is a JSON object or array.
    """

    text: str
    bare: str
    comments: Counter[str]
    is_json: bool


def take_sample(code: str) -> Sample:
    """Take a sample of slightly more than `HEAD + MIDDLE` characters, cut at line ends.

    Code that starts with long comments yields a longer sample, because the sample must contain some
    code.
    """
    code = code.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    for head in (HEAD, 2 * HEAD, 4 * HEAD):
        text = _BLANK_LINES.sub("\n\n", _part(code, head))
        text = _LONG_LINE.sub(lambda piece: f"{piece[0]}\n", text)
        bare, comments = _without_words(text)
        if len(bare) > _LEAST_BARE or head >= len(code):
            break
    return Sample(text, bare, comments, _is_json(code))


def _part(code: str, head: int) -> str:
    part = _cut(code, 0, head)
    middle = len(code) // 2
    if middle < head / 2 + MIDDLE:
        return part
    start = code.find("\n", middle, middle + MIDDLE) + 1 or middle
    return f"{part}\n{_cut(code, start, MIDDLE)}"


def _is_json(code: str) -> bool:
    """Return whether all of the code is a JSON object or array that is not empty."""
    code = code.strip()
    if code[:1] + code[-1:] not in {"{}", "[]"}:
        return False
    try:
        return bool(msgspec.json.decode(code))
    except (ValueError, RecursionError):
        return False


def _cut(code: str, start: int, size: int) -> str:
    """Return a part of the code that ends at a line end, unless its lines are too long."""
    part = code[start : start + size]
    end = part.rfind("\n") + 1
    return part if start + size >= len(code) or end < size // 2 else part[:end]


def _without_words(text: str) -> tuple[str, Counter[str]]:
    pieces: list[str] = []
    comments, unclosed = Counter[str](), set[str]()
    done = position = 0
    while (found := _BEGINNING.search(text, position)) is not None:
        kind, end = found.lastgroup or "", found.end()
        if kind in {"doc", "block"}:
            closing = _ENDS[found[0]]
            end = -1 if closing in unclosed else text.find(closing, found.end())
            if end < 0:
                unclosed.add(closing)  # do not search for it again
                position = found.end()
                continue
            end += len(closing)
        comments[found[0].strip() if kind == "block" else kind] += 1
        pieces += text[done : found.start()], _FILLER.get(kind, "")
        done = position = max(end, found.start() + 1)
    pieces.append(text[done:])
    bare = "".join(pieces)
    return "\n".join(line.rstrip() for line in bare.split("\n")), comments
