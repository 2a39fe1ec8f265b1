"""Syntax trees by ast-grep: parsing, and where a node stands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from codeintel.engine.dataflow.pages import is_page, program_of
from codeintel.engine.dataflow.places import known_place, look_at

if TYPE_CHECKING:
    from ast_grep_py import SgNode

# Our names for languages, and the names of ast-grep's grammars.
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
READ_AS_TYPESCRIPT = (
    "The code could not be read as JavaScript without errors: it was checked as TypeScript."
)
"""What analysers note of it."""
_JSX = re.compile(r"(?:return|=>|[(=?:&|])\s{0,40}<[A-Za-z>]|/>|</[A-Za-z]")
_PHP_TAG = "<?php"
_TAG_LINE = f"{_PHP_TAG}\n"


class Span(NamedTuple):
    """Where a node stands: offsets into the text in code points, the end exclusive."""

    start: int
    end: int


class Tree(NamedTuple):
    """A parsed text; `offset` is how many characters were put before it to make it parse, and
    `language` is the one that it was read as."""

    root: SgNode
    offset: int
    language: str


def parse(text: str, language: str) -> Tree:
    """Parse a text in one of the languages of :data:`GRAMMARS`; broken code gives a tree too.

    TypeScript with JSX has a grammar of its own. JavaScript that has errors as such, and none as
    TypeScript, is read as that: many call it so. PHP's grammar knows no pages, only PHP.
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
    """The tree of a text as TypeScript; None if that has errors too."""
    from ast_grep_py import SgRoot

    for grammar in ("tsx", "typescript") if _JSX.search(text) else ("typescript", "tsx"):
        root = SgRoot(text, grammar).root()
        if not _is_broken(root):
            return root
    return None


def _is_broken(root: SgNode) -> bool:
    return root.find(kind="ERROR") is not None


def span(node: SgNode) -> Span:
    """Where a node stands."""
    known = known_place(node)
    if known is not None:
        return Span(*known)
    place = node.range()
    return Span(place.start.index, place.end.index)


def text_of(tree: Tree) -> str:
    """The text that was parsed; a root node begins only where the first token does."""
    return " " * span(tree.root).start + tree.root.text()
