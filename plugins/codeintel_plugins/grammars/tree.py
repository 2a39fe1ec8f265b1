"""Errors in a syntax tree by tree-sitter, as a reader would tell them. Importing this module
imports tree-sitter.

A grammar's error is a region that fits no rule, or a token that it has put in so that one fits. A
region may take in the whole file for one bracket: so the brackets are looked at first, and where
the parser itself had to stop.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from tree_sitter_language_pack import get_language

from codeintel.engine.syntax.source import parsed
from codeintel_plugins.grammars.pairs import without_other_half
from codeintel_plugins.grammars.stop import Stop, first_stop

if TYPE_CHECKING:
    from tree_sitter import Node, Tree

_MAX_QUOTED = 40


class Problem(NamedTuple):
    """What is wrong, and where: bytes of the code, the end exclusive. `certain` is set where it
    does not depend on the grammar's finer points."""

    start: int
    end: int
    message: str
    certain: bool = False


def load(grammar: str) -> None:
    """Load a grammar, so that processes forked later share it."""
    get_language(grammar)  # type: ignore[arg-type]


class Broken:
    """A text that a grammar could not read."""

    def __init__(self, tree: Tree, text: bytes, grammar: str) -> None:
        self._tree = tree
        self._text = text
        self._grammar = grammar
        self._stop: Stop | None = None

    def stop(self) -> Stop:
        """Where the parser had to stop for the first time."""
        if self._stop is None:
            end = len(self._text.rstrip())
            language = get_language(self._grammar)  # type: ignore[arg-type]
            self._stop = first_stop(self._text, language) or Stop(end, end)
        return self._stop

    def problems(self) -> list[Problem]:
        """What is wrong, in order of place."""
        stop, text = self.stop(), self._text
        told = sorted(_told(node, text) for node in _broken(self._tree.root_node))
        half = without_other_half(self._tree, text)
        if half is not None and half.start <= stop.end:
            # What is wrong from there on follows from it, and so does what is around it.
            before = _apart([each for each in told if each.end <= half.start])
            certain = stop.end > half.start or not before
            return [Problem(*half, certain=True)] if certain else [*before, Problem(*half)]
        first = _at_stop(told, stop, text)
        line_end = text.find(b"\n", max(stop.end, first.end))
        return [first, *_apart([each for each in told if 0 <= line_end < each.start])]


def tree_of(code: bytes, grammar: str) -> Tree:
    """The tree of a piece of code. It may take long, or all the memory there is: grammars that try
    several ways at once meet code that has thousands."""
    return parsed(code, grammar)


def parse(text: bytes, grammar: str) -> Broken | None:
    """Read a text; None if nothing is wrong with it."""
    tree = tree_of(text, grammar)
    is_fine = not tree.root_node.has_error or next(_broken(tree.root_node), None) is None
    return None if is_fine else Broken(tree, text, grammar)


def _at_stop(told: list[Problem], stop: Stop, code: bytes) -> Problem:
    """The problem that made the parser stop: what the grammar says is missing there, or else the
    token that does not fit."""
    for problem in told:
        if problem.start == problem.end <= stop.end:  # something missing takes no room
            return problem
    token = code[stop.start : stop.end].strip()
    if token:
        line = token.splitlines()[0]
        message = f"Syntax error: unexpected `{_quoted(line)}`."
        return Problem(stop.start, stop.start + len(line), message)
    begun = told[0] if told else Problem(stop.start, stop.end, "")
    line = b"".join(code[begun.start : begun.end].splitlines()[:1])
    message = f"Syntax error: `{_quoted(line)}` is not complete where the code ends."
    return Problem(begun.start, begun.start + len(line), message)


def _apart(found: list[Problem]) -> list[Problem]:
    """Of several problems on one spot the first."""
    kept: list[Problem] = []
    for problem in found:
        if not kept or problem.start > kept[-1].end:
            kept.append(problem)
    return kept


def _broken(root: Node) -> Iterator[Node]:
    """The outermost broken places, in order."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_error or node.is_missing:
            yield node
        else:
            stack += reversed([each for each in node.children if each.has_error or each.is_missing])


def _told(node: Node, code: bytes) -> Problem:
    inner = _innermost(node)
    if inner.is_missing:
        # It should stand behind what comes before.
        start = len(code[: inner.start_byte].rstrip())
        what = inner.type.replace("_", " ") if inner.is_named else f"`{inner.type}`"
        return Problem(start, start, f"Syntax error: missing {what}.")
    text = code[inner.start_byte : inner.end_byte]
    line = text.splitlines()[0] if text.strip() else text
    quoted = _quoted(line) or "this"
    message = f"Syntax error: `{quoted}` does not parse."
    return Problem(inner.start_byte, inner.start_byte + max(1, len(line)), message)


def _innermost(node: Node) -> Node:
    """The first broken place within a broken place, as deep as there is one."""
    while (inner := next(_within(node), None)) is not None:
        node = inner
    return node


def _within(node: Node) -> Iterator[Node]:
    for child in node.children:
        if child.has_error or child.is_missing:
            yield from _broken(child)


def _quoted(text: bytes) -> str:
    quoted = text.decode(errors="replace").strip()
    return quoted if len(quoted) <= _MAX_QUOTED else f"{quoted[: _MAX_QUOTED - 1]}…"
