"""Texts with their trees, which are made when they are asked for and then kept.

Checks of a result look at the same two texts one after the other, each for something else. They
share trees by :func:`source_of`, so that none has to be handed through all of them.
"""

from __future__ import annotations

import ast
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

KEPT = 8
"""Texts whose trees are kept. A comparison needs two; a transformation has some more on its way."""


class Source:
    """One text. Its trees are shared: nobody may change them.

    :ivar data: the text in UTF-8.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._trees: dict[str, Tree] = {}
        self._python: dict[bool, ast.Module | Exception] = {}

    def tree(self, grammar: str) -> Tree:
        """The tree by a grammar of tree-sitter, errors included."""
        tree = self._trees.get(grammar)
        if tree is None:
            tree = self._trees[grammar] = parsed(self.data, grammar)
        return tree

    def root(self, grammar: str) -> Node:
        """The root of :meth:`tree`."""
        return self.tree(grammar).root_node

    def python(self, *, type_comments: bool = False) -> ast.Module:
        """The tree of Python code.

        :raises SyntaxError, ValueError, RecursionError, MemoryError, OverflowError: as `ast.parse`.
        """
        made = self._python.get(type_comments)
        if made is None:
            try:
                made = parsed_python(self.data.decode("utf-8", "surrogatepass"), type_comments)
            except (SyntaxError, ValueError, OverflowError) as error:
                made = error
            self._python[type_comments] = made
        if isinstance(made, Exception):
            raise made.with_traceback(None)  # it is raised again and again
        return made


def source_of(text: str | bytes) -> Source:
    """The text with its trees; those of the last few texts are kept. A byte order mark at the
    beginning of a `str` is left out.

    :raises UnicodeEncodeError: for half of a surrogate pair, which no grammar can read.
    """
    return _source(text if isinstance(text, bytes) else text.removeprefix("\ufeff").encode())


@lru_cache(maxsize=KEPT)
def _source(data: bytes) -> Source:
    return Source(data)


def parsed(data: bytes, grammar: Any) -> Tree:
    """A new tree by a grammar of tree-sitter. It may take long, or all the memory there is:
    grammars that try several ways at once meet code that has thousands."""
    from tree_sitter import Parser
    from tree_sitter_language_pack import get_language

    return Parser(get_language(grammar)).parse(data)


def parsed_python(code: str, type_comments: bool = False) -> ast.Module:
    """A new tree of Python code, for those who change it.

    :raises SyntaxError, ValueError, RecursionError, MemoryError, OverflowError: as `ast.parse`.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(code.removeprefix("\ufeff"), type_comments=type_comments)
