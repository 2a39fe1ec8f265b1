"""Code frames, and fixes as diffs: the lines of code that a finding is shown with. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import unified_diff

from codeintel.contracts.findings import Edit, Range

AROUND = 2
"""Lines before and after the finding in a frame."""
MOST_MARKED = 6
"""Marked lines in a frame. A longer finding shows its first lines."""
MOST_CHARACTERS = 200
"""Characters of a line in a frame."""
_BEFORE = 60
"""Characters before the marked place of a line that is cut."""
_CUT = "…"


@dataclass(frozen=True)
class Code:
    """The lines of a file without their ends. In `masked` lines secrets are left out, so columns
    do not fit them."""

    lines: Sequence[str] = ()
    masked: frozenset[int] = field(default_factory=frozenset)

    def line(self, number: int) -> str:
        """Return a line by its number from 1; empty if the file is shorter."""
        return self.lines[number - 1] if 1 <= number <= len(self.lines) else ""


NO_CODE = Code()


@dataclass(frozen=True)
class FrameLine:
    """A line of a frame in three parts. The finding is about `marked`."""

    number: int
    is_marked: bool
    before: str
    marked: str
    after: str


def frame(code: Code, range_: Range) -> tuple[FrameLine, ...]:
    """Return the lines around a finding, empty where the code has no such line."""
    if range_.start_line > len(code.lines):
        return ()
    last = max(range_.start_line, _last_line(range_))
    first = max(1, range_.start_line - AROUND)
    end = min(len(code.lines), min(last, range_.start_line + MOST_MARKED - 1) + AROUND)
    return tuple(_frame_line(code, number, range_, last) for number in range(first, end + 1))


def _last_line(range_: Range) -> int:
    """Return the last line with a character of the range: its end is exclusive."""
    return range_.end_line - (range_.end_column == 1 and range_.end_line > range_.start_line)


def _frame_line(code: Code, number: int, range_: Range, last: int) -> FrameLine:
    text = code.line(number)
    if not range_.start_line <= number <= last:
        return FrameLine(number, False, _cut(text), "", "")
    start = range_.start_column - 1 if number == range_.start_line else 0
    end = range_.end_column - 1 if number == range_.end_line else len(text)
    if number in code.masked:
        start, end = 0, len(text)
    return FrameLine(number, True, *_parts(text, start, max(end, start)))


def _parts(text: str, start: int, end: int) -> tuple[str, str, str]:
    """Divide a line at the columns of a finding, and cut it where it is too long."""
    indented = len(text) - len(text.lstrip())
    start = min(max(start, indented), len(text))
    end = min(max(end, start), len(text))
    before = text[:start]
    if len(text) > MOST_CHARACTERS and len(before) > _BEFORE:
        before = _CUT + before[-_BEFORE:]
    marked = text[start:end]
    room = max(0, MOST_CHARACTERS - len(before))
    if len(marked) > room:
        return before, marked[:room] + _CUT, ""
    after = text[end:]
    room -= len(marked)
    return before, marked, after if len(after) <= room else after[:room] + _CUT


def _cut(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS] + _CUT


def fix_lines(code: Code, edits: Sequence[Edit]) -> tuple[tuple[str, str], ...]:
    """Return the lines of a fix as a diff: pairs of a kind (`place`, `added`, `removed` or `kept`)
    and a text. Without the code, or where a secret is in the way, the diff has what is added."""
    if not edits:
        return ()
    touched = {
        number for each in edits for number in range(each.range.start_line, each.range.end_line + 1)
    }
    if max(touched) > len(code.lines) + 1 or not code.lines or touched & code.masked:
        return tuple(_added(edits))
    whole = unified_diff(code.lines, _edited(code.lines, edits), lineterm="", n=1)
    return tuple((_kind(line), _cut(line)) for line in list(whole)[2:])


def _added(edits: Sequence[Edit]) -> Iterator[tuple[str, str]]:
    for each in edits:
        place = each.range
        where = f"Line {place.start_line:,}, column {place.start_column:,}"
        if (place.end_line, place.end_column) != (place.start_line, place.start_column):
            where += f" to line {place.end_line:,}, column {place.end_column:,}"
        yield "place", where
        for line in each.content.splitlines():
            yield "added", _cut(f"+{line}")


def _edited(lines: Sequence[str], edits: Sequence[Edit]) -> list[str]:
    """Apply edits, the last one first so that the places of the others stay right."""
    text = [*lines, ""]
    for each in sorted(edits, key=lambda edit: _start(edit.range), reverse=True):
        place = each.range
        head = text[place.start_line - 1][: place.start_column - 1]
        tail = text[place.end_line - 1][place.end_column - 1 :]
        text[place.start_line - 1 : place.end_line] = (head + each.content + tail).split("\n")
    return text[:-1] if not text[-1] else text


def _start(range_: Range) -> tuple[int, int]:
    return range_.start_line, range_.start_column


def _kind(line: str) -> str:
    return {"@": "place", "+": "added", "-": "removed"}.get(line[:1], "kept")
