"""Shared state of all readers: scopes, places, and the file's macros."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.tree import Span, span
from codeintel.engine.symbolic.facts import EarlyEnds
from codeintel.engine.symbolic.program import Function, Graph, Record
from codeintel.engine.symbolic.syntax import CType, Expr, Several

if TYPE_CHECKING:
    from ast_grep_py import SgNode


WORD = re.compile(r"[A-Za-z_]\w*")
MAX_DEPTH = 150
MAX_SECONDS = 1.0
"""Limit in seconds of processor time for reading one file.

The position of a node takes longer to find the longer its line is.
"""
MAX_EXPANSION = 10_000
"""Maximum number of characters of a macro's expansion."""
_NO_STATEMENTS = ("comment", "type_definition", "using_declaration", "alias_declaration",
                  "static_assert_declaration")  # fmt: skip


class TooDeep(Exception):  # noqa: N818 - a signal, not an error
    """Raised when the code is nested too deeply to be read."""


class TooLong(Exception):  # noqa: N818 - a signal, not an error
    """Raised when reading takes too long."""


class Reader:
    """The part of a file that was read so far, and the current scopes, macros and graph.

    :param early: collects what is left out.
    :param expressions: the functions that read expressions, by the kinds of their nodes.
    :param statements: the functions that read statements.
    """

    def __init__(
        self,
        language: str,
        early: EarlyEnds,
        expressions: Mapping[str, Callable[[Reader, SgNode], Expr]],
        statements: Mapping[str, Callable[[Reader, SgNode], None]],
    ) -> None:
        self.language = language
        self.early = early
        self._expressions, self._statements = expressions, statements
        self.records: dict[str, Record] = {}
        self.typedefs: dict[str, CType] = {}
        self.constants: dict[str, Expr] = {}
        self.globals: dict[str, tuple[CType, Expr | None, bool]] = {}
        self.macros: dict[str, tuple[tuple[str, ...], str]] = {}
        self.functions: list[Function] = []
        self.prototypes: dict[str, tuple[CType, ...]] = {}
        self.enumerations: list[frozenset[int]] = []
        self.calls: dict[str, int] = {}
        self.packs = False
        """Whether the file says that structures have no gaps."""
        self.defined_at: set[Span] = set()
        self.scopes: list[dict[str, str]] = [{}]
        self.graph = Graph()
        self.owner = ""
        """The class that the function belongs to."""
        self.names: dict[str, int] = {}
        """The number of variables of the function with each name."""
        self.fixed: Span | None = None
        """The call of the macro that is being read, if any."""
        self.depth = 0
        self._expanding: list[str] = []
        self._deadline = time.thread_time() + MAX_SECONDS

    def expr(self, node: SgNode) -> Expr:
        """Return the expression of a node of any kind."""
        self.deeper()
        handler = self._expressions.get(node.kind())
        found = handler(self, node) if handler is not None else self.several(node)
        self.depth -= 1
        return found

    def several(self, node: SgNode) -> Expr:
        """Return the parts of a node whose kind is unknown."""
        parts = tuple(
            self.expr(child) for child in node.named_children() if child.kind() != "comment"
        )
        return Several(self.span(node), parts)

    def statement(self, node: SgNode) -> None:
        """Read a statement."""
        handler = self._statements.get(node.kind())
        if handler is not None:
            self.deeper()
            handler(self, node)
            self.depth -= 1
        elif node.kind() not in _NO_STATEMENTS:
            self.graph.add("do", self.span(node), self.expr(node))

    def span(self, node: SgNode) -> Span:
        """Return the place of a node, or of the macro call that it comes from."""
        return self.fixed or span(node)

    def deeper(self) -> None:
        """Note that reading goes one level deeper.

        :raises TooDeep: beyond :data:`MAX_DEPTH` levels.
        :raises TooLong: beyond :data:`MAX_SECONDS`.
        """
        self.depth += 1
        if time.thread_time() > self._deadline:
            raise TooLong
        if self.depth > MAX_DEPTH:
            raise TooDeep

    def resolve(self, name: str) -> str:
        """Return a variable's unique name."""
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return name

    def is_local(self, name: str) -> bool:
        """Return whether a name is a variable of the function that is being read."""
        return any(name in scope for scope in self.scopes[1:])

    @contextmanager
    def expanding(self, name: str, node: SgNode) -> Iterator[None]:
        """Give all nodes the place of a macro's call while its expansion is read."""
        outer, self.fixed = self.fixed, self.fixed or span(node)
        self._expanding.append(name)
        try:
            yield
        finally:
            self.fixed = outer
            self._expanding.pop()

    def expansion(self, name: str, arguments: SgNode | None) -> str | None:
        """Return the expansion of a macro call, or None if it is not a macro or gets too long."""
        macro = self.macros.get(name)
        if macro is None or name in self._expanding or len(self._expanding) > 4:
            return None
        given = [
            child.text()
            for child in (arguments.named_children() if arguments is not None else ())
            if child.kind() != "comment"
        ]
        names, body = macro
        if len(given) != len(names) or "#" in body:
            return None
        values = dict(zip(names, given, strict=True))
        if sum(map(len, given)) * len(body) > MAX_EXPANSION**2:
            return None
        text = WORD.sub(lambda word: values.get(word[0], word[0]), body)
        return text if len(text) <= MAX_EXPANSION else None
