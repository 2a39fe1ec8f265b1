"""Syntax trees by ast-grep: parsing, PHP pages, and the places of nodes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from ast_grep_py import SgNode


LONG_LINE = 5_000
"""Line length in characters from which looking up each node's place is slow."""

_places: dict[SgNode, tuple[int, int]] = {}
"""The places of nodes in the tree that was inspected last.

A key keeps its tree alive, so that no node of another tree is mistaken for it.
"""


def look_at(root: SgNode, text: str) -> None:
    """Find the places of all nodes of a tree if its text has long lines. Forget other trees."""
    _places.clear()
    if max(map(len, text.split("\n"))) > LONG_LINE:
        _places.update(_found(root))


def known_place(node: SgNode) -> tuple[int, int] | None:
    """Return the offsets of a node in code points, the end exclusive, or None if they are
    unknown.
    """
    return _places.get(node) if _places else None


def _found(root: SgNode) -> dict[SgNode, tuple[int, int]]:
    whole = root.range()
    found = {root: (whole.start.index, whole.end.index)}
    left = [(root, root.text(), whole.start.index)]
    while left:
        node, text, start = left.pop()
        behind = 0
        for child in node.children():
            part = child.text()
            place = text.find(part, behind) if part else -1
            if place < 0 or part[0].isspace() or text[behind:place].strip():
                asked = child.range()
                place = asked.start.index - start
                end = asked.end.index - start
            else:
                end = place + len(part)
            found[child] = start + place, start + end
            behind = end
            left.append((child, part, start + place))
    return found


ECHO = "¤¤"

_NOT_BLANK = re.compile(r"[^\r\n]")
_OPEN = re.compile(r"<\?(?!xml\b)(?:php\b|=)?|\{!!", re.IGNORECASE)
# Text that may contain the closing tag without ending PHP, the closing tag, and comments that the
# tag ends.
_PART = re.compile(
    r"""
    (?P<comment>(?://|\#(?!\[))[^\r\n]*?(?=\?>|[\r\n]|\Z))
    | /\*.*?(?:\*/|\Z)
    | '(?:[^'\\]|\\.)*(?:'|\Z)
    | "(?:[^"\\]|\\.)*(?:"|\Z)
    | <<<[ \t]*["']?(?P<label>[A-Za-z_]\w*)["']?[\r\n].*?[\r\n][ \t]*(?P=label)\b
    | (?P<close>\?>)
    """,
    re.DOTALL | re.VERBOSE,
)


def is_page(text: str) -> bool:
    """Return whether a text mixes PHP with other content, instead of one opening tag and only
    PHP.
    """
    if "<?" not in text:
        return "{!!" in text
    return "?>" in text or "<?=" in text or not text.lstrip("\ufeff \t\r\n").startswith("<?")


def program_of(text: str) -> str:
    """Return the PHP code of a page, padded to the length of the page."""
    return "".join(_pieces(text))


def _pieces(text: str) -> Iterator[str]:
    place = 0
    while (opening := _OPEN.search(text, place)) is not None:
        yield _blank(text[place : opening.start()])
        tag = opening[0].lower()
        if tag in ("<?=", "{!!"):
            end, after = _end_of_echo(text, opening.end(), tag)
            inner = text[opening.end() : end]
            code = inner.rstrip().removesuffix(";")
            close = ");"[: after - end].ljust(after - end)  # nothing if the text ends first
            yield f"{ECHO}({code}{_blank(inner[len(code) :])}{close}"
            place = after
        else:
            yield " " * len(tag)
            yield from (made := _php(text, opening.end()))[0]
            place = made[1]
    yield _blank(text[place:])


def _end_of_echo(text: str, start: int, tag: str) -> tuple[int, int]:
    if tag == "{!!":
        end = text.find("!!}", start)
        return (end, end + 3) if end >= 0 else (len(text), len(text))
    for part in _PART.finditer(text, start):
        if part["close"]:
            return part.start(), part.end()
    return len(text), len(text)


def _php(text: str, start: int) -> tuple[list[str], int]:
    """Return the code up to the closing tag, which ends a statement, and where the page
    continues.
    """
    made: list[str] = []
    place = start
    for part in _PART.finditer(text, start):
        if part["comment"] is not None and text.startswith("?>", part.end()):
            made += [text[place : part.start()], _blank(part[0])]
            place = part.end()
        elif part["close"]:
            made.append(text[place : part.start()])
            before = "".join(made).rstrip()
            made.append("  " if not before or before[-1] in "{}:;" else "; ")
            return made, part.end()
    return [*made, text[place:]], len(text)


def _blank(text: str) -> str:
    return _NOT_BLANK.sub(" ", text)


# The names of languages, and the names of ast-grep's grammars.
GRAMMARS = {
    "python": "python",
    "javascript": "javascript",
    "typescript": "typescript",
    "java": "java",
    "go": "go",
    "php": "php",
    "ruby": "ruby",
    "c": "c",
    "cpp": "cpp",
    "csharp": "csharp",
    "rust": "rust",
    "bash": "bash",
}
READ_AS_TYPESCRIPT = "The code is not valid JavaScript, so it was checked as TypeScript."
"""The analyzers' note about it."""
_JSX = re.compile(r"(?:return|=>|[(=?:&|])\s{0,40}<[A-Za-z>]|/>|</[A-Za-z]")
_PHP_TAG = "<?php"
_TAG_LINE = f"{_PHP_TAG}\n"


class Span(NamedTuple):
    """The place of a node: offsets into the text in code points, the end exclusive."""

    start: int
    end: int


class Tree(NamedTuple):
    """A parsed text.

    `offset` is the number of characters put before it to make it parse. `language` is the language
    it was read as.
    """

    root: SgNode
    offset: int
    language: str


def parse(text: str, language: str) -> Tree:
    """Parse a text in one of the languages of :data:`GRAMMARS`. Broken code gives a tree, too.

    TypeScript with JSX has a separate grammar. Code that has errors as JavaScript and none as
    TypeScript is read as TypeScript, because many people mix up the two. The PHP grammar knows no
    pages, only PHP.
    """
    from ast_grep_py import SgRoot

    grammar, offset = GRAMMARS[language], 0
    if language == "php" and is_page(text):
        text = program_of(text)
    elif language == "php" and "<?" not in text:
        text, offset = _TAG_LINE + text, len(_TAG_LINE)
    elif language == "typescript" and _JSX.search(text):
        grammar = "tsx"
    root = SgRoot(text, grammar).root()
    if language == "javascript" and _is_broken(root):
        typed = _typed(text)
        root, language = (root, language) if typed is None else (typed, "typescript")
    look_at(root, text)
    return Tree(root, offset, language)


def _typed(text: str) -> SgNode | None:
    """Return the tree of a text as TypeScript, or None if that has errors, too."""
    from ast_grep_py import SgRoot

    for grammar in ("tsx", "typescript") if _JSX.search(text) else ("typescript", "tsx"):
        root = SgRoot(text, grammar).root()
        if not _is_broken(root):
            return root
    return None


def _is_broken(root: SgNode) -> bool:
    return root.find(kind="ERROR") is not None


def span(node: SgNode) -> Span:
    """Return the place of a node."""
    known = known_place(node)
    if known is not None:
        return Span(*known)
    place = node.range()
    return Span(place.start.index, place.end.index)


def text_of(tree: Tree) -> str:
    """Return the text that was parsed.

    A root node starts at the first token, so blanks are added.
    """
    return " " * span(tree.root).start + tree.root.text()
