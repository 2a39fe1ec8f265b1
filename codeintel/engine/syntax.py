"""Cache texts with their syntax trees, which are parsed on demand.

The checks of a result read the same two texts in sequence. They share trees through
:func:`source_of`, so that no tree has to be passed to all of them.
"""

from __future__ import annotations

import ast
import warnings
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from tree_sitter import LogType, Node, Tree

KEPT = 8
"""The number of texts whose trees are cached.

A comparison needs two, and a transformation has some more in progress.
"""


class Source:
    """A text with shared trees, which must not be changed.

    :ivar data: the text in UTF-8.
    """

    def __init__(self, data: bytes) -> None:
        self.data = data
        self._trees: dict[str, Tree] = {}
        self._python: dict[bool, ast.Module | Exception] = {}

    def tree(self, grammar: str) -> Tree:
        """Return the tree of a tree-sitter grammar, including errors."""
        tree = self._trees.get(grammar)
        if tree is None:
            tree = self._trees[grammar] = parsed(self.data, grammar)
        return tree

    def root(self, grammar: str) -> Node:
        """Return the root of :meth:`tree`."""
        return self.tree(grammar).root_node

    def python(self, *, type_comments: bool = False) -> ast.Module:
        """Return the tree of Python code.

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
            raise made.with_traceback(None)  # the same error is raised again at each call
        return made


def source_of(text: str | bytes) -> Source:
    """Return the text with its trees, cached for the last few texts.

    Drop a byte order mark at the start of a `str`.

    :raises UnicodeEncodeError: if the text contains an unpaired surrogate, which no grammar can
        read.
    """
    return _source(text if isinstance(text, bytes) else text.removeprefix("\ufeff").encode())


@lru_cache(maxsize=KEPT)
def _source(data: bytes) -> Source:
    return Source(data)


def parsed(data: bytes, grammar: Any, logger: Callable[[LogType, str], None] | None = None) -> Tree:
    """Parse code with a tree-sitter grammar.

    Parsing may take very long or exhaust the memory, because grammars try several interpretations
    in parallel, and some code has thousands.

    :param logger: is called with each step of the parser.
    """
    from tree_sitter import Parser
    from tree_sitter_language_pack import get_language

    parser = Parser(get_language(grammar))
    if logger is not None:
        parser.logger = logger
    return parser.parse(data)


def parsed_python(code: str, type_comments: bool = False) -> ast.Module:
    """Parse Python code into a new tree, for callers that change it.

    :raises SyntaxError, ValueError, RecursionError, MemoryError, OverflowError: as `ast.parse`.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(code.removeprefix("\ufeff"), type_comments=type_comments)
