"""Code as rules see it: its tree, and which text stands where."""

from __future__ import annotations

import math
import re
import time
from functools import cached_property
from typing import TYPE_CHECKING

from codeintel.contracts import Unsupported
from codeintel.engine.dataflow.pages import is_page, program_of
from codeintel.engine.dataflow.places import look_at
from codeintel.engine.dataflow.tree import GRAMMARS, Span, span

if TYPE_CHECKING:
    from ast_grep_py import SgNode

_TAG = "<?php\n"
_COMMENTS = {
    "java": ("line_comment", "block_comment"),
    "rust": ("line_comment", "block_comment"),
}
_TEXT = re.compile(r"string|heredoc|nowdoc|verbatim|^text|text_block|raw_")
_LINE_END = re.compile(r"\r\n|\n|\r")
_IDENTIFIERS = {
    "c": ("identifier", "type_identifier"),
    "cpp": ("identifier", "type_identifier", "namespace_identifier"),
    "php": ("name",),
    "ruby": ("identifier", "constant"),
    "rust": ("identifier", "type_identifier", "shorthand_field_identifier"),
    "go": ("identifier", "package_identifier", "type_identifier"),
    "java": ("identifier", "type_identifier"),
    "csharp": ("identifier", "implicit_parameter"),
    "bash": ("variable_name",),
}


class Reading:
    """A text and its tree. Offsets are code points of the text."""

    def __init__(self, text: str, language: str) -> None:
        from ast_grep_py import SgRoot

        self.text = text
        self.language = language
        self.ends = math.inf
        """When to give up, by the monotonic clock."""
        self.declared: dict[str, list[tuple[str, Span]] | None] = {}
        """What is known of declarations, by name, as far as anybody asked."""
        self.shown, self._offset = text, 0
        if language == "php" and is_page(text):
            self.shown = program_of(text)
        elif language == "php" and "<?" not in text:
            self.shown, self._offset = _TAG + text, len(_TAG)
        self.root = SgRoot(self.shown, GRAMMARS[language]).root()
        look_at(self.root, self.shown)

    def refuse_errors(self) -> None:
        """:raises Unsupported: if the code does not fit the grammar."""
        error = self.root.find(kind="ERROR")
        if error is not None:
            line = len(_LINE_END.findall(self.text, 0, self.span(error).start)) + 1
            raise Unsupported(f"line {line}: it does not fit the grammar of {self.language}")

    def hurry(self) -> None:
        """:raises Unsupported: if it takes too long."""
        if time.monotonic() > self.ends:
            raise Unsupported("line 1: there is too much to do in the code")

    def span(self, node: SgNode) -> Span:
        """Where a node stands in the text."""
        start, end = span(node)
        return Span(max(0, start - self._offset), max(0, end - self._offset))

    def source(self, node: SgNode) -> str:
        """The text of a node, as it was sent."""
        start, end = self.span(node)
        return self.text[start:end]

    def is_as_sent(self, start: int, end: int) -> bool:
        """Whether the tree was made of what stands there, and not of what stands for it."""
        begin = start + self._offset
        return self.shown[begin : begin + end - start] == self.text[start:end]

    @cached_property
    def comments(self) -> list[Span]:
        """Where comments stand."""
        kinds = _COMMENTS.get(self.language, ("comment",))
        found = self.root.find_all({"rule": {"any": [{"kind": kind} for kind in kinds]}})
        return [self.span(node) for node in found]

    @cached_property
    def long_texts(self) -> list[Span]:
        """Where texts stand that go over several lines, of which no line may be moved."""
        found = self.root.find_all({"rule": {"regex": r"\n"}})
        return [
            self.span(node)
            for node in found
            if _TEXT.search(str(node.kind()))
            or (node.is_leaf() and node.is_named() and "comment" not in str(node.kind()))
        ]

    @cached_property
    def named(self) -> dict[str, list[SgNode]]:
        """The places of each name."""
        kinds = _IDENTIFIERS[self.language]
        found: dict[str, list[SgNode]] = {}
        for node in self.root.find_all({"rule": {"any": [{"kind": kind} for kind in kinds]}}):
            found.setdefault(node.text(), []).append(node)
        return found

    @property
    def newline(self) -> str:
        """How its first line ends."""
        end = _LINE_END.search(self.text)
        return end[0] if end else "\n"
