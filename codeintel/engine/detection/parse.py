"""How well a grammar fits code: the share that it cannot make sense of."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tree_sitter import Node, Parser

GRAMMARS = frozenset(
    {
        *("bash", "c", "cpp", "csharp", "css", "dart", "elixir", "go", "haskell", "java"),
        *("javascript", "kotlin", "lua", "objc", "php", "powershell", "python", "r", "ruby"),
        *("rust", "scala", "scss", "sql", "swift", "toml", "typescript"),
    }
)
"""Languages whose grammars are asked. YAML's can crash, and Perl's can loop for ever."""
_VARIANTS = ("tsx",)
_MAX_STEPS = 200  # of some hundred operations each: real programs take up to about 130


class Grammars:
    """Grammars, loaded when needed."""

    def __init__(self) -> None:
        self._parsers: dict[str, Parser] = {}

    def load(self) -> None:
        """Load all."""
        for name in (*GRAMMARS, *_VARIANTS):
            self._parser(name)

    def _parser(self, name: str) -> Parser:
        if name not in self._parsers:
            from tree_sitter_language_pack import get_parser

            self._parsers[name] = get_parser(name)  # type: ignore[arg-type]
        return self._parsers[name]

    def errors(self, language: str, code: str, deadline: float) -> float | None:
        """The share of the code, from 0 to 1, that the language's grammar skips; None if that is
        not known after many steps, or at the deadline, which is a `time.monotonic()`."""
        if language == "php" and "<?" not in code:
            code = f"<?php\n{code}"
        if language == "typescript" and ("</" in code or "/>" in code):
            language = "tsx"
        data = code.encode(errors="replace")
        root = _parse(self._parser(language), data, deadline)
        if root is None:
            return None
        return min(1.0, _skipped(root) / (len(data.replace(b" ", b"")) or 1))


def _parse(parser: Parser, data: bytes, deadline: float) -> Node | None:
    steps = 0

    def enough(*_: object) -> bool:
        nonlocal steps
        steps += 1
        return steps > _MAX_STEPS or time.monotonic() > deadline

    try:
        tree = parser.parse(lambda offset, _: data[offset:], progress_callback=enough)
    except ValueError:  # it was told to stop
        parser.reset()
        return None
    return tree.root_node


def _skipped(root: Node) -> int:
    """Bytes that stand in errors, without whole phrases that were understood: where the end of a
    class is cut off, its methods are no errors."""
    skipped = 0
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_missing:
            skipped += 1
        elif node.is_error and node.child_count == 0:
            skipped += node.end_byte - node.start_byte
        for child in node.children:
            if child.has_error:
                stack.append(child)
            elif node.is_error and child.child_count == 0:
                skipped += child.end_byte - child.start_byte
    return skipped
