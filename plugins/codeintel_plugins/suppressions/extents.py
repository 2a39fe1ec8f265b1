"""The extent of directives: which rules are suppressed on each line.

One pass over the lines. Blocks are detected by their indentation, which defines them in Python and
is customary in other languages.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from enum import Enum, auto
from typing import NamedTuple

from codeintel.contracts import Suppression
from codeintel.contracts.positions import LineTable
from codeintel_plugins.suppressions.comments import Directive
from codeintel_plugins.suppressions.keywords import Scope

_ALL = ""  # the key that stands for all rules
_COMMENT_SIGNS = ("#", "//", "/*", "*")
_COMPOUND = re.compile(r"(?:if|for|while|until|case|select|function)\b|[^\r\n]*[{(][ \t]*$")
_CLOSED_AT_ONCE = re.compile(r"(?:^|[;\s])(?:fi|done|esac|\}|\))[ \t;]*$")
_CLOSES = re.compile(r"(?:fi|done|esac)\b|[})]")


class _Kind(Enum):
    INDENTED = auto()
    COMPOUND = auto()  # a command that ends with its own keyword
    SIMPLE = auto()  # a command that continues after a backslash


class _Block(NamedTuple):
    """The extent of a directive. A block ends before the first line with less indentation than
    `floor`, and a command with its last line."""

    kind: _Kind
    floor: int
    keys: tuple[tuple[str, str], ...]


class _Change(NamedTuple):
    """A state that applies after a line. Of two changes, the one with the higher `order` counts."""

    line: int
    order: int
    suppression: Suppression | None


class Extents:
    """The lines of some code, and what is asked to be passed over there.

    :param directives: in the order of their places.
    """

    def __init__(self, table: LineTable, directives: Iterable[Directive]) -> None:
        self.has_families = False
        self._table = table
        self._lines: defaultdict[int, dict[str, Suppression]] = defaultdict(dict)
        self._file: dict[str, Suppression] = {}
        # By tool and rule. The tools' own order is that in which they are first met.
        self._changes: dict[str, dict[str, list[_Change]]] = {}
        self._count = 0
        self._blocks: list[_Block] = []
        self._waiting: list[tuple[Directive, Suppression]] = []
        self._walk(directives)

    def at(self, line: int, names: Sequence[str]) -> Suppression | None:
        """Return the most specific suppression of a rule on a line.

        :param names: the names that comments may use for the rule.
        """
        for asked in (self._lines.get(line, {}), self._file):
            for name in (*names, _ALL) if asked else ():
                if name in asked:
                    return asked[name]
        for tool in self._changes:
            suppression = self._latest(tool, names, line)
            if suppression is not None:
                return suppression
        return None

    def _latest(self, tool: str, names: Iterable[str], line: int) -> Suppression | None:
        """Return the state of a rule on a line according to the last change that applies to it."""
        latest: _Change | None = None
        of_tool = self._changes.get(tool, {})
        for name in (*names, _ALL):
            changes = of_tool.get(name)
            at = bisect_right(changes, line, key=lambda each: each.line) if changes else 0
            if changes and at and (latest is None or changes[at - 1].order > latest.order):
                latest = changes[at - 1]
        return latest.suppression if latest is not None else None

    def _walk(self, directives: Iterable[Directive]) -> None:
        at_line: defaultdict[int, list[tuple[Directive, Suppression]]] = defaultdict(list)
        for directive in directives:
            line = self._line_of(directive.offset)
            at_line[line].append((directive, Suppression(directive.keyword, line)))
            self.has_families |= any(id_.endswith("*") for id_ in directive.ids or ())
        last = max(at_line, default=0)
        seen_code = False
        for number in range(1, len(self._table) + 1):
            if number > last and not self._blocks and not self._waiting:
                break
            text = self._table.line(number)
            code = text.strip()
            indent = len(text) - len(text.lstrip())
            is_code = bool(code) and not code.startswith(_COMMENT_SIGNS)
            if is_code or number in at_line:
                self._dedent(number, indent)
            if is_code:
                self._begin(number, code, indent)
                seen_code = True
            for directive, suppression in at_line.get(number, ()):
                self._note(directive, suppression, indent, seen_code)
            self._end(number, code, indent)

    def _note(
        self, directive: Directive, suppression: Suppression, indent: int, seen_code: bool
    ) -> None:
        number, ids = suppression.line, directive.ids or (_ALL,)
        match directive.scope:
            case Scope.LINE:
                _add(self._lines[number], ids, suppression)
            case Scope.NEXT:
                _add(self._lines[self._line_of(directive.end) + 1], ids, suppression)
            case Scope.PREVIOUS:
                _add(self._lines[number - 1], ids, suppression)
            case Scope.COMMAND if seen_code:
                self._waiting.append((directive, suppression))
            case Scope.FILE | Scope.COMMAND:
                _add(self._file, ids, suppression)
            case Scope.BLOCK:
                self._note_block(directive, suppression, indent)
            case Scope.OPEN | Scope.CLOSE:
                held = suppression if directive.scope is Scope.OPEN else None
                for id_ in ids:
                    self._change(directive.tool, id_, number, held)

    def _note_block(self, directive: Directive, suppression: Suppression, indent: int) -> None:
        number = suppression.line
        column = self._table.span(directive.start, directive.start).start_column
        code = self._table.line(number)[: column - 1].strip()
        if code and not code.endswith(":"):
            _add(self._lines[number], directive.ids or (_ALL,), suppression)
        else:
            self._open(_Kind.INDENTED, indent + bool(code), number, directive, suppression)

    def _begin(self, number: int, code: str, indent: int) -> None:
        """Let what waits for a command begin with this line."""
        is_compound = _COMPOUND.match(code) and not _CLOSED_AT_ONCE.search(code)
        kind = _Kind.COMPOUND if is_compound else _Kind.SIMPLE
        for directive, suppression in self._waiting:
            self._open(kind, indent if is_compound else 0, number, directive, suppression)
        self._waiting.clear()

    def _open(
        self,
        kind: _Kind,
        floor: int,
        number: int,
        directive: Directive,
        suppression: Suppression,
    ) -> None:
        """Begin a block. Rules that are passed over already stay so when it ends."""
        tool = directive.tool
        keys = []
        for id_ in directive.ids or (_ALL,):
            if self._latest(tool, (id_,), number) is None:
                self._change(tool, id_, number, suppression)
                keys.append((tool, id_))
        if keys:
            self._blocks.append(_Block(kind, floor, tuple(keys)))

    def _dedent(self, number: int, indent: int) -> None:
        while self._blocks and indent < self._blocks[-1].floor:
            self._close(number)

    def _end(self, number: int, code: str, indent: int) -> None:
        """End the commands that end with this line."""
        while self._blocks:
            kind, floor, _ = self._blocks[-1]
            ends = kind is _Kind.SIMPLE and not code.endswith("\\")
            ends |= kind is _Kind.COMPOUND and indent == floor and bool(_CLOSES.match(code))
            if not ends:
                return
            self._close(number + 1)

    def _close(self, number: int) -> None:
        for tool, id_ in self._blocks.pop().keys:
            self._change(tool, id_, number, None)

    def _change(self, tool: str, id_: str, line: int, suppression: Suppression | None) -> None:
        self._count += 1
        of_tool = self._changes.setdefault(tool, {})
        of_tool.setdefault(id_, []).append(_Change(line, self._count, suppression))

    def _line_of(self, offset: int) -> int:
        return self._table.span(offset, offset).start_line


def _add(asked: dict[str, Suppression], ids: Iterable[str], suppression: Suppression) -> None:
    for id_ in ids:
        asked.setdefault(id_, suppression)
