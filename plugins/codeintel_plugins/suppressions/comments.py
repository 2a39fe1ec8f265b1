"""Finding comments in code of any language, in one pass that never goes back.

Strings are passed over, as far as a pass without a grammar can tell them: ordinary ones end with
their line at the latest, so that a quote that is none (an apostrophe in text, a character literal
that looks odd) spoils no more than its line. The forms of strings that go on over lines, here
documents among them, are those of the languages. A here document begins behind the line that
announces it and ends with its tag.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, cached_property
from typing import NamedTuple

_LINE_END = re.compile(r"\r\n|\n|\r")
_FIRST_WORD = re.compile(r"(?<![^\r\n])[ \t]*+(\w++)(?P<rest>[^\r\n]*+)")
_MAY_FOLLOW = re.compile(r"[ \t]*+[;,).\]\[]*+[ \t]*+")


class HereDocuments:
    """Those of some code, met in order. What no line with the tag ends was none: shifts of bits and
    appending look alike."""

    def __init__(self, code: str) -> None:
        self._code = code
        self._announced: list[str] = []
        self._line: tuple[int, int] = (0, 0)
        """The end of the line that announced them: start and end of what ends it."""

    def announce(self, tag: str, at: int) -> None:
        """Note that one with this tag begins behind the line of the offset `at`."""
        if self._end(tag, at) is None:
            return
        line_end = _LINE_END.search(self._code, at)
        if line_end is not None and not self._announced:
            self._line = line_end.span()
        self._announced.append(tag)

    def behind(self, start: int, end: int) -> int | None:
        """The offset behind all that were announced, if their line ends between the offsets."""
        if not self._announced or end < self._line[0]:
            return None
        at = max(start, self._line[1])
        for tag in self._announced:
            at = self._end(tag, at) or at
        self._announced.clear()
        return at

    def _end(self, tag: str, at: int) -> int | None:
        """The end of the first line with the tag that begins at the offset or behind it."""
        lines = self._tagged.get(tag, ())
        number = bisect_left(lines, (at, 0))
        return lines[number][1] if number < len(lines) else None

    @cached_property
    def _tagged(self) -> dict[str, list[tuple[int, int]]]:
        """Where the lines stand that have one word, by that word: start and end."""
        found = defaultdict(list)
        for line in _FIRST_WORD.finditer(self._code):
            if _MAY_FOLLOW.fullmatch(line["rest"]):
                found[line[1]].append(line.span())
        return found


# Each matches whatever begins like it, closed or not, and gives nothing back: so time is linear.
_DOUBLE = r'"(?:[^"\\\r\n]|\\.)*+"?'
_SINGLE = r"'(?:[^'\\\r\n]|\\.)*+'?"
_CHARACTER = r"'(?:\\.[^'\r\n]{0,9}|[^'\\\r\n])'"
_THREE_DOUBLE = r'"""(?:[^"\\]|\\[\s\S]|"(?!""))*+(?:""")?'
_THREE_SINGLE = r"'''(?:[^'\\]|\\[\s\S]|'(?!''))*+(?:''')?"
_TEMPLATE = r"`(?:[^`\\]|\\[\s\S])*+`?"
_RAW = r"`[^`]*+`?"
_VERBATIM = r'@"(?:[^"]|"")*+"?'
_REGEX = r"(?<=[(,=:\[!&|?{;])[ \t]*+/(?![*/])(?:[^/\\\[\r\n]|\\.|\[(?:[^\]\\\r\n]|\\.)*+\]?)*+/?"
# A backslash escapes a quote in some dialects: where the text goes on behind it.
_SQL_TEXT = r"'(?:[^'\\]|''|\\'(?=\w)|\\)*+'?"
_RAW_CPP = (
    r'(?<!\w)(?:u8|[uUL])?R"(?P<raw>[^()\\\s]{0,16})\((?:[^)]|\)(?!(?P=raw)"))*+(?:\)(?P=raw)")?'
)
_RAW_RUST = r'(?<!\w)[bc]?r(?P<raw>\#{0,20})"(?:[^"]|"(?!(?P=raw)))*+(?:"(?P=raw))?'
_BRACKETS = "|".join(
    rf"{o}(?:[^{o}{c}\\]|\\[\s\S]|{o}(?:[^{o}{c}\\]|\\[\s\S])*+{c}?)*+{c}?"
    for o, c in ((r"\(", r"\)"), (r"\[", r"\]"), (r"\{", r"\}"), ("<", ">"))
)
_PERCENT = (
    rf"(?<![\w)\]}}])%[qQwWiIrsx](?:{_BRACKETS}"
    r"|(?P<mark>[^\w\s()\[\]{}<>])(?:(?!(?P=mark))[^\\]|\\[\s\S])*+(?P=mark)?)"
    rf"|(?<=[(,=\[{{])[ \t]*+%(?:{_BRACKETS})"
)
_BEGIN = r"(?<![^\r\n])=begin\b(?:[^\r\n]|[\r\n](?!=end\b))*+(?:[\r\n]=end\b[^\r\n]*+)?"
_END = r"(?<![^\r\n])__END__(?![^\r\n])[\s\S]*+"

_SLASHES = r"//[^\r\n]*+"
_SLASHES_NO_URL = r"(?<!:)//[^\r\n]*+"
_BLOCK = r"/\*(?:[^*]|\*(?!/))*+(?:\*/)?"
_HASH = r"\#[^\r\n]*+"
_HASH_WORD = r"(?<![^\s;|&()])\#[^\r\n]*+"
_HASH_NO_ATTRIBUTE = r"\#(?!\[)[^\r\n]*+"
_DIRECTIVE = r"(?<![^\r\n])[ \t]*+\#[^\r\n]*+"
_ANNOTATION = r"(?<![\w@])@SuppressWarnings[ \t]*+\([^()\r\n]*+\)"  # a request like a comment's
_DASHES = r"--[^\r\n]*+"
_MARKUP = r"<!--(?:[^-]|-(?!->))*+(?:-->)?"


_HERE_SHELL = r"""(?<!<)<<(?!<)-?[ \t]*+(?P<quote>["'\\]?)(?P<tag>[A-Za-z_]\w*+)(?P=quote)?"""
_HERE_RUBY = r"""<<[~-]?(?P<quote>["'`]?)(?P<tag>[A-Za-z_]\w*+)(?P=quote)"""
_HERE_PHP = r"""<<<[ \t]*+(?P<quote>["']?)(?P<tag>[A-Za-z_]\w*+)(?P=quote)"""


class _Syntax(NamedTuple):
    """Patterns; `here` is that of what announces a here document."""

    strings: tuple[str, ...]
    comments: tuple[str, ...]
    here: str = ""


_C = _Syntax((_THREE_DOUBLE, _DOUBLE, _CHARACTER), (_BLOCK, _SLASHES))
_SCRIPT = _Syntax((_DOUBLE, _SINGLE, _TEMPLATE, _REGEX), (_BLOCK, _SLASHES))
_SHELL = _Syntax((_DOUBLE, _SINGLE), (_HASH_WORD,))
_BASH = _Syntax((_DOUBLE, _SINGLE), (_HASH_WORD,), _HERE_SHELL)
_RUBY = _Syntax((_BEGIN, _END, _PERCENT, _DOUBLE, _SINGLE), (_HASH,), _HERE_RUBY)
_SQL = _Syntax((_SQL_TEXT, _DOUBLE), (_BLOCK, _DASHES))
_WEB = _Syntax((), (_MARKUP, _BLOCK, _SLASHES_NO_URL))
_ANY = _Syntax((), (_MARKUP, _BLOCK, _SLASHES_NO_URL, _HASH, _DASHES))

_SYNTAXES: dict[str, _Syntax] = {
    "python": _Syntax((_THREE_DOUBLE, _THREE_SINGLE, _DOUBLE, _SINGLE), (_HASH,)),
    "ruby": _RUBY,
    "bash": _BASH,
    "cpp": _Syntax((_RAW_CPP, *_C.strings), _C.comments),
    "rust": _Syntax((_RAW_RUST, *_C.strings), _C.comments),
    "toml": _Syntax((_THREE_DOUBLE, _THREE_SINGLE, _DOUBLE, _SINGLE), (_HASH,)),
    "csharp": _Syntax((_VERBATIM, *_C.strings), (*_C.comments, _DIRECTIVE)),
    "go": _Syntax((_DOUBLE, _CHARACTER, _RAW), _C.comments),
    "php": _Syntax((_DOUBLE, _SINGLE), (_BLOCK, _SLASHES, _HASH_NO_ATTRIBUTE), _HERE_PHP),
    "css": _Syntax((_DOUBLE, _SINGLE), (_BLOCK,)),
    "terraform": _Syntax((_DOUBLE,), (_BLOCK, _SLASHES, _HASH)),
    **dict.fromkeys(("scss", "less"), _Syntax((_DOUBLE, _SINGLE), (_BLOCK, _SLASHES_NO_URL))),
    **dict.fromkeys(("fish", "yaml", "dockerfile"), _SHELL),
    **dict.fromkeys(("javascript", "typescript", "dart", "groovy"), _SCRIPT),
    **dict.fromkeys(("html", "xml", "vue", "svelte"), _WEB),
    "java": _Syntax(_C.strings, (*_C.comments, _ANNOTATION)),
    **dict.fromkeys(("c", "objc", "kotlin", "scala", "swift", "zig"), _C),
    **dict.fromkeys(("sql", "postgres", "mysql", "sqlite", "tsql", "oracle", "snowflake"), _SQL),
    **dict.fromkeys(("bigquery", "duckdb", "redshift", "sparksql", "trino", "hive"), _SQL),
}


class Comment(NamedTuple):
    """A comment with what opens and closes it. `start` is an offset into the code; `alone` says
    that nothing stands before it on its line."""

    start: int
    text: str
    alone: bool


def comments(code: str, language: str | None) -> Iterator[Comment]:
    """The comments of the code in their order. Of a language that is not known here, all that is a
    comment in some language is taken for one, within strings too."""
    scanner = _scanner(language)
    here = HereDocuments(code)
    at = 0
    while True:
        token = scanner.search(code, at)
        behind = here.behind(at, token.start() if token is not None else len(code))
        if behind is not None:
            at = behind
        elif token is None:
            return
        else:
            at = token.end()
            if token.lastgroup == "comment":
                yield Comment(token.start(), token[0], _is_alone(code, token.start()))
            elif token.lastgroup == "here":
                here.announce(token["tag"], at)


@cache
def _scanner(language: str | None) -> re.Pattern[str]:
    syntax = _SYNTAXES.get(language or "", _ANY)
    here = (f"(?P<here>{syntax.here})",) if syntax.here else ()
    comment = f"(?P<comment>{'|'.join(syntax.comments)})"
    return re.compile("|".join((comment, *here, *syntax.strings)))


def _is_alone(code: str, start: int) -> bool:
    at = start - 1
    while at >= 0 and code[at] in " \t\ufeff":
        at -= 1
    return at < 0 or code[at] in "\r\n"
