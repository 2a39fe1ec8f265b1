"""Comments in code of any language, found in a single pass without backtracking, and the directives
in them: which tool they address, their extent, and the rules.

Strings are skipped as well as a pass without a grammar can detect them. Ordinary strings end with
their line at the latest. So a quote that does not open a string (an apostrophe in text, an odd
character literal) spoils no more than its line. The forms of multi-line strings, including here
documents, are those of the languages. A here document begins after the line that announces it and
ends with its tag.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, cached_property
from typing import NamedTuple

from codeintel_plugins.suppressions.keywords import Ids, Keyword, Scope, any_keyword, keywords

_LINE_END = re.compile(r"\r\n|\n|\r")
_FIRST_WORD = re.compile(r"(?<![^\r\n])[ \t]*+(\w++)(?P<rest>[^\r\n]*+)")
_MAY_FOLLOW = re.compile(r"[ \t]*+[;,).\]\[]*+[ \t]*+")


class HereDocuments:
    """The here documents of some code, found in order. Without a line that has the tag, the text
    was not a here document: bit shifts and appending look alike."""

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
        """Return the offset after all announced documents, if their line ends between the
        offsets."""
        if not self._announced or end < self._line[0]:
            return None
        at = max(start, self._line[1])
        for tag in self._announced:
            at = self._end(tag, at) or at
        self._announced.clear()
        return at

    def _end(self, tag: str, at: int) -> int | None:
        """Return the end of the first line with the tag that begins at the offset or behind it."""
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


# Each matches everything that begins like it, closed or not, without backtracking, so the time is
# linear.
_DOUBLE = r'"(?:[^"\\\r\n]|\\.)*+"?'
_SINGLE = r"'(?:[^'\\\r\n]|\\.)*+'?"
_CHARACTER = r"'(?:\\.[^'\r\n]{0,9}|[^'\\\r\n])'"
_THREE_DOUBLE = r'"""(?:[^"\\]|\\[\s\S]|"(?!""))*+(?:""")?'
_THREE_SINGLE = r"'''(?:[^'\\]|\\[\s\S]|'(?!''))*+(?:''')?"
_TEMPLATE = r"`(?:[^`\\]|\\[\s\S])*+`?"
_RAW = r"`[^`]*+`?"
_VERBATIM = r'@"(?:[^"]|"")*+"?'
_REGEX = r"(?<=[(,=:\[!&|?{;])[ \t]*+/(?![*/])(?:[^/\\\[\r\n]|\\.|\[(?:[^\]\\\r\n]|\\.)*+\]?)*+/?"
# A backslash escapes a quote in some dialects, if the text continues after the quote.
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
_END_MARK = r"(?<![^\r\n])__END__(?![^\r\n])[\s\S]*+"

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
_RUBY = _Syntax((_BEGIN, _END_MARK, _PERCENT, _DOUBLE, _SINGLE), (_HASH,), _HERE_RUBY)
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
    """A comment with its delimiters. `start` is an offset into the code. `alone` says that the
    comment is the first text on its line."""

    start: int
    text: str
    alone: bool


def comments(code: str, language: str | None) -> Iterator[Comment]:
    """Yield the comments of the code in order.

    For an unknown language, everything that is a comment in some language counts as one, within
    strings, too.
    """
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


_MAX_LIST = 1_000  # characters after a keyword that are checked
_END = re.compile(r"[\r\n]|\*/|--|#|//")
_OPENERS = {Ids.EQUALS: "=", Ids.PARENTHESES: "(", Ids.BRACKETS: "["}
_CLOSERS = {Ids.PARENTHESES: ")", Ids.BRACKETS: "]"}
_CODE = {
    Ids.CODES: re.compile(r"[A-Za-z]{1,8}[0-9]{1,6}|\w{1,40}\.\w{1,40}"),
    Ids.BARE_CODES: re.compile(r"[A-Za-z][0-9]{3}|[a-z0-9]{1,20}(?:_[a-z0-9]{1,20}){1,8}"),
}
_SIGNS = frozenset("#/*!-@;\r\n")
_EVERYTHING = frozenset({"all", "*"})
_ALL_OF_SHELLCHECK = "sc*"


class Directive(NamedTuple):
    """A suppression. `offset` is the keyword's position in the code, `start` and `end` are those
    of its comment. `ids` are in lower case. An id that ends with `*` covers all ids with that
    prefix. None covers all rules."""

    tool: str
    keyword: str
    start: int
    offset: int
    end: int
    scope: Scope
    ids: frozenset[str] | None


def directives(comment: Comment, language: str | None) -> Iterator[Directive]:
    """Yield the directives in a comment, those of one tool in their order."""
    text = comment.text
    if any_keyword(language).search(text) is None:
        return
    end = comment.start + len(text)
    for row, pattern in keywords(language):
        for match in pattern.finditer(text):
            if not (row.anywhere or _begins(text, match.start())):
                continue
            act = match.groupdict().get("act") or ""
            ids = _ids(row, text[match.end() : match.end() + _MAX_LIST])
            scopes = row.scopes.get(act) or row.scopes.get(act.lower())
            if scopes is not None and ids != frozenset():
                keyword = match[0] if act else row.keyword
                at = comment.start + match.start()
                scope = scopes[comment.alone]
                yield Directive(row.tool, keyword, comment.start, at, end, scope, ids)


def _begins(text: str, at: int) -> bool:
    """Return whether the offset follows only the opening of a comment, or another opening."""
    at -= 1
    while at >= 0 and text[at] in " \t":
        at -= 1
    return at < 0 or text[at] in _SIGNS


def _ids(row: Keyword, rest: str) -> frozenset[str] | None:
    """Return the rule ids behind a keyword; None for all rules, empty where it is about none."""
    listed = _list(row.ids, rest)
    if listed is None:
        return frozenset() if row.ids is Ids.EQUALS else None
    words = [word.lower() for word in _words(row.ids, listed)]
    if not _EVERYTHING.isdisjoint(words):
        return None
    found = frozenset(_normalised(row.tool, word) for word in words)
    needs_some = row.ids in _CLOSERS or row.ids is Ids.EQUALS
    return found or (frozenset() if needs_some else None)


def _list(kind: Ids, rest: str) -> str | None:
    """Return the text that may have ids, or None if no list begins."""
    rest = rest.lstrip(" \t")
    if kind is Ids.NONE:
        return None
    if kind in (Ids.SPACE, Ids.BARE_CODES):
        return _END.split(rest.removeprefix(":"), maxsplit=1)[0]
    opener = _OPENERS.get(kind, ":")
    if not rest.startswith(opener):
        return None
    if kind in _CLOSERS:
        return rest[1:].partition(_CLOSERS[kind])[0]
    return _END.split(rest[1:], maxsplit=1)[0]


def _words(kind: Ids, text: str) -> Iterator[str]:
    """Yield the ids in a list, up to where it turns into prose."""
    if kind in _CODE:
        for word in text.replace(",", " ").split():
            if _CODE[kind].fullmatch(word) is None:
                return
            yield word
    elif kind in (Ids.SPACE, Ids.PARENTHESES):
        yield from text.replace(",", " ").split()
    else:
        for item in text.split(","):
            words = item.split()
            yield from words[:1]
            if len(words) > 1:
                return


def _normalised(tool: str, id_: str) -> str:
    """Return an id as findings have it. Tools treat parts of their ids as prefixes."""
    if tool == "noqa":
        return f"{id_}*"
    if tool == "shellcheck":
        if "-" in id_:  # a range; in practice such ranges cover nearly all rules
            return _ALL_OF_SHELLCHECK
        return f"sc{id_}" if id_.isdigit() else id_
    if tool == "pragma":
        return f"cs{id_:>04}" if id_.isdigit() else id_
    if tool == "rubocop" and "/" not in id_:
        return f"{id_}/*"
    if tool == "phpcs":
        return f"{id_}*"
    return id_
