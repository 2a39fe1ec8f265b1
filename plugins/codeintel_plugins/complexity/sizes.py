"""Lines by kind, for code in any language, whether or not it parses."""

from __future__ import annotations

import re
from typing import NamedTuple

from codeintel_plugins.common.positions import Source
from codeintel_plugins.complexity.lexis import Lexis, lexis_of, token_pattern

_NAME_FOLLOWS = re.compile(r"\s+[^\W\d]")


class Size(NamedTuple):
    """Lines by kind, which add up to `lines`, and classes; None for what the language does not let
    be known. A line with code and a comment is a code line; all lines of a string are code lines,
    empty ones apart."""

    lines: int
    blank_lines: int
    code_lines: int | None = None
    comment_lines: int | None = None
    classes: int | None = None


def measure_size(source: Source, language: str | None) -> Size:
    """Count. Without a known language only lines and blank lines are known."""
    # The empty last line after a final line end is a position, not a line that somebody wrote.
    lines = len(source) - (not source.line(len(source)))
    blank = sum(not source.line(number).strip() for number in range(1, lines + 1))
    lexis = lexis_of(language)
    if lexis is None:
        return Size(lines, blank)
    code, classes = _code_lines(source, lexis)
    comments = lines - blank - len(code)
    counted = classes if lexis.classes else None
    return Size(lines, blank, len(code), comments, counted)


def _code_lines(source: Source, lexis: Lexis) -> tuple[set[int], int]:
    """Numbers of the lines with code, and how many classes there are."""
    text = source.text
    code: set[int] = set()
    classes = 0
    for token in token_pattern(lexis).finditer(text):
        if token["comment"] is not None:
            continue
        first = source.span(token.start(), token.start()).start_line
        code.add(first)
        if token["string"] is not None:
            last = source.span(token.end(), token.end()).start_line
            code.update(line for line in range(first, last + 1) if source.line(line).strip())
        elif token["word"] in lexis.classes and _begins_a_class(text, token):
            classes += 1
    return code, classes


def _begins_a_class(text: str, word: re.Match[str]) -> bool:
    """Whether a name follows, and the word is no member: `Thing.class` is none."""
    return text[word.start() - 1 : word.start()] not in {".", "@", ":"} and bool(
        _NAME_FOLLOWS.match(text, word.end())
    )
