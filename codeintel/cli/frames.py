"""Code frames: a marked line with its neighbors, for terminals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import click

from codeintel.base.wording import printable
from codeintel.cli.outcome import as_count, as_object, as_objects, as_text
from codeintel.cli.output import columns
from codeintel.contracts.positions import LineTable

_TAB = " " * 4
_CONTEXT = 1
_NO_WIDTH = 160
_MINIMUM_ROOM = 20
_CUT = "..."
_MAX_DIFF = 12


class _Mark(NamedTuple):
    """A line as it is shown, and the columns to put carets under."""

    text: str
    start: int
    size: int

    @property
    def carets(self) -> str:
        return " " * self.start + "^" * self.size


def frame(
    code: LineTable, place: Mapping[str, Any], *, colour: bool = False, width: int | None = None
) -> Iterator[str]:
    """Return the first line of a range with carets below it, and the lines around it.

    :param place: a range in JSON. Nothing is returned for a range outside the code.
    :param width: columns of the terminal. Longer lines are cut around the marked part.
    """
    number = as_count(place.get("startLine"))
    if not 1 <= number <= len(code):
        return
    first, last = max(1, number - _CONTEXT), min(len(code), number + _CONTEXT)
    digits = len(str(last))
    room = _room(width, digits + len("  >  | "))
    for each in range(first, last + 1):
        is_marked = each == number
        mark = _marked(code.line(each), place if is_marked else {}, room)
        if not is_marked and not mark.text.strip():
            continue
        start = f"{'>' if is_marked else ' '} {each:>{digits}} |"
        yield f"  {_dim(start, colour)} {mark.text}".rstrip()
        if is_marked:
            yield f"  {_dim(' ' * (digits + 2) + ' |', colour)} {_red(mark.carets, colour)}"


def excerpt(
    code: LineTable, place: Mapping[str, Any], *, colour: bool = False, width: int | None = None
) -> Iterator[str]:
    """Return the first line of a range without its indentation, and carets below it."""
    number = as_count(place.get("startLine"))
    line = code.line(number) if 1 <= number <= len(code) else ""
    indent = len(line) - len(line.lstrip())
    mark = _marked(line, place, _room(width, 0), indent)
    if mark.text.strip():
        yield mark.text.rstrip()
        yield _red(mark.carets, colour)


def _room(width: int | None, taken: int) -> int:
    return max(_MINIMUM_ROOM, (width or _NO_WIDTH) - taken)


def _marked(line: str, place: Mapping[str, Any], room: int, skipped: int = 0) -> _Mark:
    """Return the part of a line that fits, with the marked columns.

    :param skipped: characters to leave out at the start.
    """
    begin = min(max(as_count(place.get("startColumn")) - 1, skipped), len(line))
    is_one_line = as_count(place.get("endLine")) in {0, as_count(place.get("startLine"))}
    end = as_count(place.get("endColumn")) - 1 if is_one_line else len(line.rstrip())
    end = max(begin + 1, min(end, len(line)))
    low = skipped
    if columns(_shown(line[low:end])) > room:
        low = max(low, begin - room // 3)
        while columns(_shown(line[low:begin])) > room // 2:  # wide or escaped characters
            low += 1
    head = _CUT if low > skipped else ""
    text = line[low : low + room]
    while columns(head + _shown(text)) > room - (len(_CUT) if low + len(text) < len(line) else 0):
        text = text[:-1]
    tail = _CUT if low + len(text) < len(line) else ""
    start = columns(head + _shown(line[low:begin]))
    size = columns(_shown(line[begin : min(end, low + len(text))]))
    return _Mark(head + _shown(text) + tail, start, max(1, size))


def _shown(text: str) -> str:
    return printable(text.replace("\t", _TAB))


def _dim(text: str, colour: bool) -> str:
    return click.style(text, dim=True) if colour else text


def _red(text: str, colour: bool) -> str:
    return click.style(text, fg="red", bold=True) if colour else text


def fix_diff(code: LineTable, fix: Mapping[str, Any], *, colour: bool = False) -> Iterator[str]:
    """Return the lines that a fix removes and adds, without headers. Long diffs are cut."""
    from difflib import unified_diff  # most findings have no fix

    lines = [
        _shown(line.rstrip())
        for line in unified_diff(
            code.text.splitlines(), _fixed(code, fix).splitlines(), lineterm="", n=0
        )
        if not line.startswith(("---", "+++", "@@"))
    ]
    for line in lines[:_MAX_DIFF]:
        yield click.style(line, fg="red" if line.startswith("-") else "green") if colour else line
    if len(lines) > _MAX_DIFF:
        yield f"{len(lines) - _MAX_DIFF:,} more lines"


def _fixed(code: LineTable, fix: Mapping[str, Any]) -> str:
    """Return the code with the edits of a fix, which do not overlap."""
    edits = []
    for edit in as_objects(fix.get("edits")):
        place = as_object(edit.get("range"))
        start = code.offset(as_count(place.get("startLine")), as_count(place.get("startColumn")))
        end = code.offset(as_count(place.get("endLine")), as_count(place.get("endColumn")))
        edits.append((start, max(start, end), as_text(edit.get("content"))))
    text = code.text
    for start, end, content in sorted(edits, reverse=True):
        text = text[:start] + content + text[end:]
    return text
