"""What the detector looks at: a bounded part of the code, and that part without what people wrote
into comments and strings. All in linear time."""

from __future__ import annotations

import re
from collections import Counter
from typing import NamedTuple

HEAD = 6_000
MIDDLE = 2_000
PARSED = 3_000
"""Characters from the start, from the middle of what is longer, and for one grammar."""
_LINE = 300

_LONG_LINE = re.compile(rf"[^\n]{{{_LINE}}}(?!\n)")
_DIRECTIVE = (
    r"(?:include|import|define|undef|if|ifdef|ifndef|elif|else|endif|pragma|error|warning|line"
    r"|region|endregion|nullable|available|selector|using)\b"
)
# Where a comment or a string begins; what ends with its line is matched whole.
_BEGINNING = re.compile(
    r"(?P<doc>\"\"\"|''')"
    r"|(?P<block>/\*|<!--|--\[\[|^=begin\b|\(\*(?=[ *\n])|\{-(?=[ #\n]))"
    r"|(?P<slashes>^[ \t]*//[^\n]*)"
    r"|(?P<star>^[ \t]*\*(?:/|(?=[ \t])[^\n{]*$|$))"
    rf"|(?P<hash>^[ \t]*\#(?![!\[{{]|[ \t]*{_DIRECTIVE}|[^\n]*[{{,]$)[^\n]*)"
    r"|(?P<dashes>^[ \t]*--(?=[ \t\-\n])[^\n]*)"
    r"|(?P<rest>(?<![:\"'\w/])//[^\n]*|(?<=[ \t;])\#(?=[ \t])[^\n]*|(?<=[ \t;,)])--(?=[ \t])[^\n]*)"
    r"|(?P<double>\"(?:[^\"\\\n]|\\.)*+\")"
    r"|(?P<single>'(?:[^'\\\n]|\\.)*+')"
    r"|(?P<tick>`[^`\n]*+`)",
    re.MULTILINE,
)
_ENDS = {
    **{'"""': '"""', "'''": "'''", "/*": "*/", "<!--": "-->"},
    **{"--[[": "]]", "=begin": "=end", "(*": "*)", "{-": "-}"},
}
_FILLER = {"double": '""', "single": "''", "tick": "``", "doc": '""""""'}


class Sample(NamedTuple):
    """`text` in lines of bounded length that end with LF; `bare` is that without the words in
    comments and strings; `parsed` is for grammars. `comments` counts lines by what begins them."""

    text: str
    bare: str
    parsed: str
    comments: Counter[str]


def take_sample(code: str) -> Sample:
    """A sample of little more than `HEAD + MIDDLE` characters, cut at the ends of lines."""
    code = code.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    text = head = _cut(code, 0, HEAD)
    if len(code) > HEAD + 2 * MIDDLE:
        middle = len(code) // 2
        start = code.find("\n", middle, middle + MIDDLE) + 1 or middle
        text = f"{head}\n{_cut(code, start, MIDDLE)}"
    text = _LONG_LINE.sub(lambda piece: f"{piece[0]}\n", text)
    bare, comments = _without_words(text)
    return Sample(text, bare, _cut(head, 0, PARSED), comments)


def _cut(code: str, start: int, size: int) -> str:
    """A part of the code; it ends with a line if its lines are not too long for that."""
    part = code[start : start + size]
    end = part.rfind("\n") + 1
    return part if start + size >= len(code) or end < size // 2 else part[:end]


def _without_words(text: str) -> tuple[str, Counter[str]]:
    pieces, comments, unclosed = [], Counter[str](), set[str]()
    done = position = 0
    while (found := _BEGINNING.search(text, position)) is not None:
        kind, end = found.lastgroup or "", found.end()
        if kind in {"doc", "block"}:
            closing = _ENDS[found[0]]
            end = -1 if closing in unclosed else text.find(closing, found.end())
            if end < 0:
                unclosed.add(closing)  # not looked for again
                position = found.end()
                continue
            end += len(closing)
        comments[found[0].strip() if kind == "block" else kind] += 1
        pieces += text[done : found.start()], _FILLER.get(kind, "")
        done = position = max(end, found.start() + 1)
    pieces.append(text[done:])
    return "".join(pieces), comments
