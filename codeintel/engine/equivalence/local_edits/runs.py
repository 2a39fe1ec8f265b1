"""Split code into tokens, and find the unchanged runs between changed places in the new code.

Comments are matched in the same way.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from tree_sitter import Node, Tree

from codeintel.base.wording import counted
from codeintel.contracts import Range
from codeintel.engine.syntax import source_of

_QUOTED = re.compile(
    r"string(?!_array)|char|template_literal|heredoc|nowdoc|regex|rune|jsx_text|text_interpolation"
)
_COMMENT = re.compile(r"comment")
_CONTENT = re.compile(r"content|fragment|escape|pattern|text|value|flags")
_TYPE = re.compile(r"_type$")


class Token(NamedTuple):
    """A token, by its bytes.

    `joint` is the type of the innermost node that contains this token and the one before. It
    distinguishes `return x` from `return; x`, whose tokens are equal. `is_text` marks text within
    quotes.
    """

    text: bytes
    start: int
    end: int
    is_comment: bool
    joint: str
    is_text: bool = False


def tree_of(code: bytes, language: str) -> Tree:
    """Parse the code. TypeScript with syntax errors is parsed again as TSX."""
    tree = source_of(code).tree(language)
    if language == "typescript" and tree.root_node.has_error:
        other = source_of(code).tree("tsx")
        return tree if other.root_node.has_error else other
    return tree


def tokens_of(code: bytes, language: str) -> tuple[list[Token], list[Token]]:
    """Return the tokens of the code without comments, and the comments.

    Whitespace counts only within quotes.
    """
    tokens: list[Token] = []
    comments: list[Token] = []
    for token in _walked(code, tree_of(code, language)):
        last = tokens[-1] if tokens else token
        if token.is_comment:
            comments.append(token)
        elif token.is_text and last.is_text and last.end == token.start:
            # The place where a grammar splits a string at escapes means nothing.
            text = last.text + token.text
            tokens[-1] = last._replace(text=text, end=token.end)
        else:
            tokens.append(token)
    return tokens, comments


def _walked(code: bytes, tree: Tree) -> Iterator[Token]:
    """Yield all tokens: the leaves, and the text between them that no node covers."""
    cursor = tree.walk()
    kinds: list[str] = []
    at = 0
    low = 0
    while True:
        node = cursor.node
        assert node is not None  # noqa: S101 - for mypy: a cursor is always somewhere
        start = node.start_byte
        if start > at and kinds and _counts(code[at:start], kinds[-1]):
            yield _between(code, at, start, kinds[-1], kinds[low - 1])
            low = len(kinds)
        at = max(at, start)
        is_comment = _COMMENT.search(node.type) is not None
        if not is_comment and cursor.goto_first_child():
            kinds.append(node.type)
            continue
        if node.end_byte > start and (is_comment or _is_token(node, kinds)):
            joint = kinds[low - 1] if kinds else ""
            text = code[start : node.end_byte]
            yield Token(text, start, node.end_byte, is_comment, joint, _is_text(node, kinds))
            low = len(kinds) if not is_comment else low
        at = max(at, node.end_byte)
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return
            node = cursor.node
            assert node is not None  # noqa: S101 - for mypy, as above
            kind = kinds.pop()
            if node.end_byte > at and _counts(code[at : node.end_byte], kind):
                yield _between(code, at, node.end_byte, kind, kind)
            at = max(at, node.end_byte)
            low = min(low, len(kinds))


def _between(code: bytes, start: int, end: int, kind: str, joint: str) -> Token:
    """Return the token for text that no node covers. Whitespace counts within quotes."""
    quoted = _QUOTED.search(kind) is not None
    text = code[start:end] if quoted else code[start:end].strip()
    return Token(text, start, end, False, joint, quoted)


def _is_text(node: Node, kinds: list[str]) -> bool:
    if not node.is_named:
        return False
    outer = bool(kinds) and _QUOTED.search(kinds[-1]) is not None
    inner = _QUOTED.search(node.type) is not None and _TYPE.search(node.type) is None
    return inner or (outer and _CONTENT.search(node.type) is not None)


def _is_token(node: Node, kinds: list[str]) -> bool:
    return bool(node.text and (node.text.strip() or (kinds and _QUOTED.search(kinds[-1]))))


def _counts(between: bytes, kind: str) -> bool:
    """Return whether text that no node covers means something."""
    return bool(between.strip()) or _QUOTED.search(kind) is not None


_LINE_END = re.compile(r"\r\n|\n|\r")
Place = tuple[int, int]


def places_of(code: str, ranges: Iterable[Range]) -> list[Place]:
    """Return the spans of code that the ranges name, in order.

    Overlapping and adjacent ranges are merged.
    """
    starts = [0, *(end.end() for end in _LINE_END.finditer(code))]
    merged: list[Place] = []
    for start, end in sorted(
        (
            _offset(code, starts, each.start_line, each.start_column),
            _offset(code, starts, each.end_line, each.end_column),
        )
        for each in set(ranges)
    ):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def _offset(code: str, starts: Sequence[int], line: int, column: int) -> int:
    if line > len(starts):
        return len(code.encode())
    offset = min(starts[line - 1] + column - 1, len(code))
    return len(code[:offset].encode())


def is_in(place: Place, start: int, end: int) -> bool:
    """Return whether a token overlaps a place."""
    return start < place[1] and end > place[0] if place[0] < place[1] else start < place[0] < end


_FIRST = 0x10000  # above the surrogates, which are not characters
_MAX_WORDS = 0x10FFFF - _FIRST


class Runs(NamedTuple):
    """The unchanged runs before, between and after the places, one more than there are places.

    Each is a half-open range of token positions.
    """

    spans: list[tuple[int, int]]
    inside: list[int]
    """Positions of the tokens in changed places."""


def runs_of(tokens: Sequence[Token], places: Sequence[Place]) -> Runs:
    """Split the tokens into unchanged runs and changed places."""
    spans: list[tuple[int, int]] = []
    inside: list[int] = []
    position = 0
    for place in places:
        first = position
        while position < len(tokens) and tokens[position].end <= place[0]:
            position += 1
        spans.append((first, position))
        while position < len(tokens) and is_in(place, tokens[position].start, tokens[position].end):
            inside.append(position)
            position += 1
    spans.append((position, len(tokens)))
    return Runs(spans, inside)


def found_again(
    before: Sequence[Token], runs: Runs, after: Sequence[Token]
) -> list[int] | tuple[int]:
    """Return where each run begins in the new tokens.

    The runs keep their order, the first at the start and the last at the end. If a run is missing,
    return a tuple with its number only.
    """
    words: dict[bytes, str] = {}
    old, new = _as_text(before, words), _as_text(after, words)
    begins: list[int] = []
    at = 0
    last = len(runs.spans) - 1
    for number, (first, behind) in enumerate(runs.spans):
        run = old[first:behind]
        if number == last:
            at = len(new) - len(run) if len(new) - len(run) >= at else -1
            found = at if at >= 0 and new.endswith(run) else -1
            if last == 0 and found > 0:
                found = -1
        elif number == 0:
            found = 0 if new.startswith(run) else -1
        else:
            found = new.find(run, at)
        if found < 0:
            return (number,)
        begins.append(found)
        at = found + len(run)
    return begins


def units(
    before: Sequence[Token], runs: Runs, after: Sequence[Token], begins: Sequence[int]
) -> Iterator[tuple[Place, Place]]:
    """Yield the token range of each changed place in the old and the new code.

    A run that several positions match joins the adjacent places, because new tokens could belong to
    either place.
    """
    latest = _last_found(before, runs, after, begins)
    start = 0
    for number in range(1, len(begins)):
        if latest[number] == begins[number]:
            first, behind = runs.spans[start]
            following = begins[start] + behind - first
            yield (behind, runs.spans[number][0]), (following, begins[number])
            start = number


def _last_found(
    before: Sequence[Token], runs: Runs, after: Sequence[Token], begins: Sequence[int]
) -> list[int]:
    """Return where each run begins if all runs are placed as late as possible."""
    words: dict[bytes, str] = {}
    old, new = _as_text(before, words), _as_text(after, words)
    latest = [*begins]
    limit = begins[-1]
    for number in range(len(begins) - 2, 0, -1):
        first, behind = runs.spans[number]
        limit = latest[number] = new.rfind(old[first:behind], 0, limit)
    return latest


def _as_text(tokens: Sequence[Token], words: dict[bytes, str]) -> str:
    """Map each distinct token to a character, because searching text is fast."""
    for token in tokens:
        if token.text not in words:
            words[token.text] = chr(_FIRST + len(words) % _MAX_WORDS)
    return "".join(words[token.text] for token in tokens)


_ORDER = re.compile(
    rb"#!|[/#*!\s]*(?:@(?:ts|flow|jsx)|go:|line |\+build|#cgo|eslint|oxlint|biome|jshint|global |"
    rb"exported |istanbul |c8 |webpack[A-Z]|type:|noqa|nolint|NOLINT|pragma|rubocop:|encoding:|"
    rb"coding:|frozen_string|shellcheck |phpcs|@?phpstan|@?psalm|source(?:Mapping)?URL)"
)


class Commented:
    """Comments, each with the tokens around it."""

    def __init__(self, code: bytes, tokens: Sequence[Token], comments: Sequence[Token]) -> None:
        ends = [token.end for token in tokens]
        self.count = len(tokens)
        self.places = [bisect_left(ends, each.end) for each in comments]
        """For each comment, the number of tokens before it."""
        self.words = [b" ".join(each.text.split()) for each in comments]
        self.behind = [
            place > 0 and b"\n" not in code[ends[place - 1] : each.start]
            for place, each in zip(self.places, comments, strict=True)
        ]
        """For each comment, whether it follows code on the same line."""


def moved(old: Commented, new: Commented, runs: Runs, begins: Sequence[int]) -> str:
    """Describe a comment that vanished, moved, or is new where no change names the place.

    Return an empty string if no comment did.
    """
    slots = _Slots(runs, begins, new.count)
    fixed: dict[tuple[int, bytes, bool], int] = defaultdict(int)
    free: dict[bytes, list[int]] = defaultdict(list)
    for place, words, behind in zip(new.places, new.words, new.behind, strict=True):
        if slots.is_fixed(place):
            fixed[place, words, behind] += 1
        else:
            free[words].append(place)
    gone = 0
    for place, words, behind in zip(old.places, old.words, old.behind, strict=True):
        low, high = slots.between(place)
        if low == high and fixed[low, words, behind]:
            fixed[low, words, behind] -= 1
            continue
        index = bisect_left(free[words], low)
        if index < len(free[words]) and free[words][index] <= high:
            del free[words][index]
        else:
            gone += 1
    if gone:
        return f"{counted(gone, 'comment')} vanished or moved to other code."
    if any(fixed.values()):
        return "There are new comments outside the places that the changes name."
    orders = any(places and _ORDER.match(words) for words, places in free.items())
    return "There are new comments that tools treat as directives." if orders else ""


class _Slots:
    """The token positions in the new code at which a comment may stand."""

    def __init__(self, runs: Runs, begins: Sequence[int], count: int) -> None:
        self._runs, self._begins, self._count = runs, begins, count
        self._firsts = [first for first, _ in runs.spans]
        self._behinds = [behind for _, behind in runs.spans]
        self._ends = [
            begin + behind - first
            for begin, (first, behind) in zip(begins, runs.spans, strict=True)
        ]

    def between(self, place: int) -> tuple[int, int]:
        """Return the first and last position for a comment after `place` tokens of the old code."""
        number = bisect_right(self._behinds, place) - 1
        following = bisect_left(self._firsts, place)
        if number + 1 < following:
            position = self._begins[number + 1] + place - self._firsts[number + 1]
            return position, position
        low = self._ends[number] if number >= 0 else 0
        high = self._begins[following] if following < len(self._begins) else self._count
        return low, high

    def is_fixed(self, place: int) -> bool:
        """Return whether a position in the new code is outside all changed places."""
        number = bisect_right(self._ends, place) - 1
        is_last = number == len(self._ends) - 1
        return number < 0 or is_last or place > self._begins[number + 1]
