"""Errors in a syntax tree by tree-sitter, as a reader would describe them. Importing this module
imports tree-sitter.

A grammar's error is a region that fits no rule, or a token that the parser has inserted so that a
rule fits. A region may cover the whole file because of one bracket. So the brackets are checked
first, and then the position at which the parser itself first had to stop. The tree does not contain
that position, because the parser has already tried other ways to continue.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from tree_sitter import LogType
from tree_sitter_language_pack import get_language

from codeintel.engine.syntax import parsed

if TYPE_CHECKING:
    from tree_sitter import Node, Tree


_PLACE = re.compile(r"process .* row:(\d+), col:(\d+)")
_TOKEN = re.compile(r"lexed_lookahead .*, size:(\d+)\Z", re.DOTALL)


class Stop(NamedTuple):
    """The token that does not fit: bytes of the code. It is empty at the end of the code."""

    start: int
    end: int


def first_stop(code: bytes, grammar: str) -> Stop | None:
    """Return the first token that fits no way of reading the code before it, or None."""
    log = _Log()
    parsed(code, grammar, log)
    if log.stop is None:
        return None
    row, column, size = log.stop
    begin = 0
    for _ in range(row):
        begin = code.find(b"\n", begin) + 1
    end = min(begin + column + size, len(code))
    token = code[begin + column : end]
    return Stop(end - len(token.lstrip()), end)


class _Log:
    """Listen to the parser's log.

    The parser tries several readings in parallel. A reading that has no place for the next token
    waits. An error is reported only when all of them wait.
    """

    def __init__(self) -> None:
        self.stop: tuple[int, int, int] | None = None
        """Row and column, in bytes, of the end of what comes before, and the size of the token with
        the blanks in front of it."""
        self._furthest = (-1, -1, 0)
        self._place = (0, 0)
        self._size = 0

    def __call__(self, kind: LogType, message: str) -> None:
        if self.stop is not None or kind is not LogType.PARSE:
            return
        if message.startswith("process"):
            match = _PLACE.match(message)
            if match:
                self._place = int(match[1]), int(match[2])
        elif message.startswith("lexed_lookahead"):
            match = _TOKEN.match(message)
            if match:
                self._size = int(match[1])
        elif message.startswith("detect_error"):
            self._furthest = max(self._furthest, (*self._place, self._size))
        elif message.startswith("resume"):
            self.stop = self._furthest


_OPENING = {"(": ")", "[": "]", "{": "}", "${": "}", "#{": "}", "$(": ")", "\\(": ")", "#[": "]"}
_CLOSING = frozenset(")]}")
_BRACKET = re.compile(rb"[()\[\]{}]")
_QUOTES = frozenset({'"', "'", "`", '"""', "'''"})


class Half(NamedTuple):
    """A bracket or quote without its counterpart, and its bytes in the code."""

    start: int
    end: int
    message: str


class _Open(NamedTuple):
    """A bracket that waits for its other half; `indent` is that of its line."""

    closing: str
    start: int
    end: int
    indent: int


def without_other_half(tree: Tree, code: bytes) -> Half | None:
    """Return the first one, if any. Of brackets that are never closed it is the one whose other
    half another took, as far as the indentation tells."""
    return _quote(tree.root_node) or _bracket(tree, code)


def _quote(root: Node) -> Half | None:
    """Return the quote of a string that does not end: it is alone in a broken region."""
    stack = [root]
    while stack:
        node = stack.pop()
        if node.is_error:
            quotes = [child for child in node.children if child.type in _QUOTES]
            if len(quotes) % 2 and not any(child.is_error for child in node.children):
                message = "Syntax error: a string that starts here is not closed."
                return Half(quotes[-1].start_byte, quotes[-1].end_byte, message)
        else:
            stack += reversed([child for child in node.children if child.has_error])
    return None


def _bracket(tree: Tree, code: bytes) -> Half | None:
    waiting: list[_Open] = []
    robbed: _Open | None = None
    for kind, start, end in _brackets(tree, code):
        indent, is_first = _indent(code, start)
        if kind in _OPENING:
            waiting.append(_Open(_OPENING[kind], start, end, indent))
            continue
        if not waiting or all(each.closing != kind for each in waiting):
            return Half(start, end, f"Syntax error: nothing is open that `{kind}` could close.")
        opened = waiting.pop()
        if opened.closing != kind:
            return _never_closed(opened, code)
        if is_first and indent < opened.indent and robbed is None:
            robbed = opened
    return _never_closed(robbed or waiting[-1], code) if waiting else None


def _never_closed(opened: _Open, code: bytes) -> Half:
    bracket = code[opened.start : opened.end].decode()
    return Half(opened.start, opened.end, f"Syntax error: `{bracket}` is never closed.")


def _brackets(tree: Tree, code: bytes) -> Iterator[tuple[str, int, int]]:
    """Yield all brackets with their positions.

    This includes brackets in text that the grammar could not even split into tokens.
    """
    for leaf in _leaves(tree):
        if leaf.is_error:
            for match in _BRACKET.finditer(code, leaf.start_byte, leaf.end_byte):
                yield match[0].decode(), *match.span()
        elif leaf.type in _OPENING or leaf.type in _CLOSING:
            yield leaf.type, leaf.start_byte, leaf.end_byte


def _indent(code: bytes, at: int) -> tuple[int, bool]:
    """Return the indentation of a byte's line, and whether the byte is the first that is no
    blank."""
    begin = code.rfind(b"\n", 0, at) + 1
    before = code[begin : min(at, begin + 200)]
    return len(before) - len(before.lstrip()), not before.strip()


def _leaves(tree: Tree) -> Iterator[Node]:
    """Yield all tokens, in order."""
    cursor = tree.walk()
    while True:
        if cursor.goto_first_child():
            continue
        node = cursor.node
        if node is not None and not node.is_missing:
            yield node
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


_MAX_QUOTED = 40


class Problem(NamedTuple):
    """A problem and its bytes in the code, with an exclusive end. `certain` is set if the problem
    does not depend on the grammar's finer points.
    """

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
        """Return the position at which the parser had to stop for the first time."""
        if self._stop is None:
            end = len(self._text.rstrip())
            self._stop = first_stop(self._text, self._grammar) or Stop(end, end)
        return self._stop

    def problems(self) -> list[Problem]:
        """Return the problems, in order of position."""
        stop, text = self.stop(), self._text
        told = sorted(_told(node, text) for node in _broken(self._tree.root_node))
        half = without_other_half(self._tree, text)
        if half is not None and half.start <= stop.end:
            # All problems after it follow from it, and so does the region around it.
            before = _apart([each for each in told if each.end <= half.start])
            certain = stop.end > half.start or not before
            return [Problem(*half, certain=True)] if certain else [*before, Problem(*half)]
        first = _at_stop(told, stop, text)
        line_end = text.find(b"\n", max(stop.end, first.end))
        return [first, *_apart([each for each in told if 0 <= line_end < each.start])]


def tree_of(code: bytes, grammar: str) -> Tree:
    """Return the tree of a piece of code.

    This may take long, or use all memory, because some grammars try several readings in parallel
    and code can cause thousands of them.
    """
    return parsed(code, grammar)


def parse(text: bytes, grammar: str) -> Broken | None:
    """Read a text; None if nothing is wrong with it."""
    tree = tree_of(text, grammar)
    is_fine = not tree.root_node.has_error or next(_broken(tree.root_node), None) is None
    return None if is_fine else Broken(tree, text, grammar)


def _at_stop(told: list[Problem], stop: Stop, code: bytes) -> Problem:
    """Return the problem that made the parser stop: a missing token according to the grammar,
    otherwise the token that does not fit.
    """
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
    """Keep the first of several problems at the same position."""
    kept: list[Problem] = []
    for problem in found:
        if not kept or problem.start > kept[-1].end:
            kept.append(problem)
    return kept


def _broken(root: Node) -> Iterator[Node]:
    """Yield the outermost broken places, in order."""
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
        # The missing token belongs after the text before it.
        start = len(code[: inner.start_byte].rstrip())
        what = inner.type.replace("_", " ") if inner.is_named else f"`{inner.type}`"
        return Problem(start, start, f"Syntax error: missing {what}.")
    text = code[inner.start_byte : inner.end_byte]
    line = text.splitlines()[0] if text.strip() else text
    quoted = _quoted(line) or "this"
    message = f"Syntax error: `{quoted}` does not parse."
    return Problem(inner.start_byte, inner.start_byte + max(1, len(line)), message)


def _innermost(node: Node) -> Node:
    """Return the first broken region within a broken region, at the deepest level."""
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


_MAX_FOUND = 2_000


def duplicate_keys(code: bytes) -> Iterator[tuple[int, int]]:
    """Yield the places, in bytes, of keys that their object has had before."""
    stack = [tree_of(code, "json").root_node]
    found = 0
    while stack and found < _MAX_FOUND:
        node = stack.pop()
        seen: set[bytes] = set()
        for child in node.named_children:
            stack.append(child)
            key = child.child_by_field_name("key") if child.type == "pair" else None
            if key is None or node.type != "object":
                continue
            text = code[key.start_byte : key.end_byte]
            if text in seen:
                found += 1
                yield key.start_byte, key.end_byte
            seen.add(text)
