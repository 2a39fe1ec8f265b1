"""From comments to directives: which tool is asked to be silent, where, and about which rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from codeintel_plugins.suppressions.comments import Comment
from codeintel_plugins.suppressions.keywords import Ids, Keyword, Scope, any_keyword, keywords

_MAX_LIST = 1_000  # characters behind a keyword that are looked at
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
    """A request for silence. `offset` is into the code, where the keyword stands, `start` and `end`
    are those of its comment. `ids` are in lower case, one that ends with `*` stands for all that
    begin so; None is about all rules."""

    tool: str
    keyword: str
    start: int
    offset: int
    end: int
    scope: Scope
    ids: frozenset[str] | None


def directives(comment: Comment, language: str | None) -> Iterator[Directive]:
    """The directives in a comment, those of one tool in their order."""
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
    """Whether only what opens a comment stands before the offset, or opens one anew."""
    at -= 1
    while at >= 0 and text[at] in " \t":
        at -= 1
    return at < 0 or text[at] in _SIGNS


def _ids(row: Keyword, rest: str) -> frozenset[str] | None:
    """The rule ids behind a keyword; None for all rules, empty where it is about none."""
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
    """What may hold ids, None where no list begins."""
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
    """The ids in a list, up to where it turns into prose."""
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
    """An id as findings have it; tools take parts of theirs for all rules that begin so."""
    if tool == "noqa":
        return f"{id_}*"
    if tool == "shellcheck":
        if "-" in id_:  # a range; nobody writes one that is not about nearly all
            return _ALL_OF_SHELLCHECK
        return f"sc{id_}" if id_.isdigit() else id_
    if tool == "pragma":
        return f"cs{id_:>04}" if id_.isdigit() else id_
    if tool == "rubocop" and "/" not in id_:
        return f"{id_}/*"
    if tool == "phpcs":
        return f"{id_}*"
    return id_
