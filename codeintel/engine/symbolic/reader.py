"""What all readers share: scopes, places, and the macros that the file defines."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from codeintel.engine.dataflow.tree import Span, span
from codeintel.engine.symbolic.program import Record
from codeintel.engine.symbolic.syntax import CType, Expr

if TYPE_CHECKING:
    from ast_grep_py import SgNode


WORD = re.compile(r"[A-Za-z_]\w*")
MAX_DEPTH = 150


MAX_SECONDS = 1.0
"""Of processor time, for reading one file. It takes longer to find where a node stands the longer
its line is."""
MAX_EXPANSION = 10_000
"""The characters that a macro's call may stand for."""


class TooDeep(Exception):  # noqa: N818 - a signal, not an error
    """The code is nested too deeply to be read."""


class TooLong(Exception):  # noqa: N818 - a signal, not an error
    """Reading takes too long."""


class Reader:
    """Keeps scopes and macros."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.records: dict[str, Record] = {}
        self.typedefs: dict[str, CType] = {}
        self.constants: dict[str, Expr] = {}
        self.macros: dict[str, tuple[tuple[str, ...], str]] = {}
        self.scopes: list[dict[str, str]] = [{}]
        self.calls: dict[str, int] = {}
        self.packs = False
        """Whether the file says that structures have no gaps."""
        self._defined_at: set[Span] = set()
        self._fixed: Span | None = None
        self._expanding: list[str] = []
        self._depth = 0
        self._deadline = time.thread_time() + MAX_SECONDS

    def lambda_body(self, node: SgNode) -> None:
        """Note the function that a lambda is."""
        raise NotImplementedError

    def span(self, node: SgNode) -> Span:
        """Where a node stands, or the macro's call that it comes from."""
        return self._fixed or span(node)

    def deeper(self) -> None:
        """Note that reading goes one level down.

        :raises TooDeep: beyond :data:`MAX_DEPTH` levels.
        :raises TooLong: beyond :data:`MAX_SECONDS`.
        """
        self._depth += 1
        if time.thread_time() > self._deadline:
            raise TooLong
        if self._depth > MAX_DEPTH:
            raise TooDeep

    def resolve(self, name: str) -> str:
        """A variable's unique name."""
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return name

    def is_local(self, name: str) -> bool:
        """Whether a name is a variable of the function that is read."""
        return any(name in scope for scope in self.scopes[1:])

    @contextmanager
    def expanding(self, name: str, node: SgNode) -> Iterator[None]:
        """While what a macro stands for is read: all of it stands where the call does."""
        outer, self._fixed = self._fixed, self._fixed or span(node)
        self._expanding.append(name)
        try:
            yield
        finally:
            self._fixed = outer
            self._expanding.pop()

    def expansion(self, name: str, arguments: SgNode | None) -> str | None:
        """The text that a call of a macro stands for, or None if it is none or gets too long."""
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
