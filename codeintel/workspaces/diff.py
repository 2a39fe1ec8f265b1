"""Compare two revisions file by file, and line by line as far as the time limit allows.

Pure functions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import Match, SequenceMatcher
from itertools import accumulate
from typing import NamedTuple

import msgspec

from codeintel.contracts.workspaces.records import FileEntry
from codeintel.platform.workers.text_functions import TextFunction, TextWorkError
from codeintel.workspaces.records import Changes
from codeintel.workspaces.search import lines_of, shortened

MOST_STEPS = 5_000_000
"""Maximum number of steps of a search for equal lines, which takes about a second."""
FEW_STEPS = 25_000
"""Number of steps, about five milliseconds, that is acceptable while other requests wait."""
MOST_LINES = 100_000
"""Maximum number of lines on either side, without equal lines at the start and the end."""
CONTEXT = 3
LINE_CHARACTERS = 500
KEPT, ADDED, REMOVED, PLACE = "kept", "added", "removed", "place"
SIGNS = {KEPT: " ", ADDED: "+", REMOVED: "-", PLACE: ""}
Code = tuple[str, int, int, int, int]
PAGE_LINES = 3_000
PAGE_BYTES = 4 * 1024 * 1024
WHOLE_LINES = 400
"""Maximum number of shown lines of an added or deleted file."""
TOO_MUCH = "Too many lines differ to compare them here."
ONLY_ENDS = "Only the line endings differ."
LATER = "Not shown, because the page would be too long."
TOO_COSTLY = "Comparing the lines takes too long. Open both versions of the file instead."
MOST_BYTES = 32 * 1024 * 1024
Read = Callable[[Collection[str]], Mapping[str, bytes]]
UNSHOWN = frozenset({TOO_MUCH, LATER})
"""Reasons that more steps might have avoided."""


@dataclass
class Steps:
    """The number of remaining steps of a page."""

    left: float = MOST_STEPS


class TooManyStepsError(Exception):
    """Raised for texts whose comparison takes quadratic time."""


class Matcher(SequenceMatcher[str]):
    """A matcher that gives up when no steps are left.

    To find an equal block, it checks all lines of a range on the left side, and all equal lines on
    the right except the most frequent ones. So each search is counted in advance with the lines of
    its range, however few they are.
    """

    def __init__(self, left: Sequence[str], right: Sequence[str], steps: Steps) -> None:
        super().__init__(None, left, right)
        places = self.b2j  # type: ignore[attr-defined] # documented, and not in the stubs
        each = (1 + len(places.get(line, ())) for line in left)
        self._until = list(accumulate(each, initial=0))
        self._budget = steps

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> Match:
        """Return the longest match as the base class does.

        :raises TooManyStepsError: instead of taking more steps than are left.
        """
        last = len(self._until) - 1 if ahi is None else ahi
        self._budget.left -= self._until[last] - self._until[alo]
        if self._budget.left < 0:
            raise TooManyStepsError
        return super().find_longest_match(alo, ahi, blo, bhi)


class DiffLine(NamedTuple):
    """A line of a diff, with its numbers before and after, or 0 where it does not exist.

    `more` is the number of omitted characters.
    """

    kind: str
    old: int
    new: int
    text: str
    more: int = 0

    @property
    def sign(self) -> str:
        """The sign before the line."""
        return SIGNS[self.kind]


@dataclass(frozen=True)
class Difference:
    """The numbers of added and removed lines, and the lines with their context."""

    added: int
    removed: int
    lines: tuple[DiffLine, ...]


def difference(old: str, new: str, steps: Steps | None = None) -> Difference | None:
    """Return the difference of two texts, or None if the comparison would take too long.

    :param steps: the remaining steps, which this call reduces; None for the steps of one page.
    """
    before, after = lines_of(old)[0], lines_of(new)[0]
    if before == after:  # they only differ in line ends
        return Difference(0, 0, ())
    begin = _same(zip(before, after, strict=False))
    rest = min(len(before), len(after)) - begin
    end = min(rest, _same(zip(reversed(before), reversed(after), strict=False)))
    left, right = before[begin : len(before) - end], after[begin : len(after) - end]
    if max(len(left), len(right)) > MOST_LINES:
        return None
    try:
        found = Matcher(left, right, steps or Steps()).get_opcodes()
    except TooManyStepsError:
        return None
    codes = [(tag, a + begin, b + begin, c + begin, d + begin) for tag, a, b, c, d in found]
    codes = [
        ("equal", 0, begin, 0, begin),
        *codes,
        ("equal", len(before) - end, len(before), len(after) - end, len(after)),
    ]
    lines = tuple(_hunks(codes, before, after))
    kinds = Counter(line.kind for line in lines)
    return Difference(kinds[ADDED], kinds[REMOVED], lines)


def whole(text: str, kind: str, most: int) -> Difference:
    """Return a text that is added or removed as a whole, with its first lines."""
    lines = lines_of(text)[0]
    shown = tuple(_line(kind, at, at, line) for at, line in enumerate(lines[:most], 1))
    added = len(lines) if kind == ADDED else 0
    return Difference(added, len(lines) - added, shown)


def _same(pairs: Iterator[tuple[str, str]]) -> int:
    """Return the number of equal pairs at the start."""
    found = 0
    for one, other in pairs:
        if one != other:
            break
        found += 1
    return found


def _hunks(codes: Sequence[Code], before: list[str], after: list[str]) -> Iterator[DiffLine]:
    """Yield the changes with their context lines. Each group follows a line with its position."""
    for group in _groups(codes):
        (_, a, _, c, _), (_, _, b, _, d) = group[0], group[-1]
        place = f"@@ -{_span(a, b)} +{_span(c, d)} @@"
        yield DiffLine(PLACE, 0, 0, place)
        for tag, start, stop, begin, end in group:
            if tag == "equal":
                for at in range(stop - start):
                    yield _line(KEPT, start + at + 1, begin + at + 1, before[start + at])
                continue
            for at in range(start, stop):
                yield _line(REMOVED, at + 1, 0, before[at])
            for at in range(begin, end):
                yield _line(ADDED, 0, at + 1, after[at])


def _groups(codes: Sequence[Code]) -> Iterator[list[Code]]:
    """Yield groups of changes that are near each other, with some context lines."""
    group: list[Code] = []
    for at, (tag, a, b, c, d) in enumerate(codes):
        if tag != "equal":
            group.append((tag, a, b, c, d))
            continue
        is_last = at == len(codes) - 1
        if group and (b - a > 2 * CONTEXT or is_last):
            stop = min(b - a, CONTEXT)
            yield [*group, ("equal", a, a + stop, c, c + stop)]
            group = []
        if group:
            group.append((tag, a, b, c, d))
        elif not is_last:
            start = min(b - a, CONTEXT)
            group = [("equal", b - start, b, d - start, d)]


def _span(start: int, stop: int) -> str:
    """Return a range of lines in the notation of unified diffs."""
    length = stop - start
    if length == 1:
        return f"{start + 1}"
    return f"{start + 1 if length else start},{length}"


def _line(kind: str, old: int, new: int, text: str) -> DiffLine:
    short = shortened(0, text, LINE_CHARACTERS)
    old, new = (old if kind != ADDED else 0), (new if kind != REMOVED else 0)
    return DiffLine(kind, old, new, short.text, short.more)


@dataclass(frozen=True)
class FileChange:
    """A file that differs.

    `kind` is `added`, `changed` or `deleted`. `difference` is None if it is not shown, and `told`
    has the reason or other remarks.
    """

    path: str
    kind: str
    difference: Difference | None
    told: str
    is_later: bool = False


class Pair(msgspec.Struct, frozen=True):
    """A file on both sides, or None where it does not exist."""

    path: str
    old: bytes | None
    new: bytes | None


def compared(pairs: Iterable[Pair], most_steps: float = MOST_STEPS) -> Iterator[FileChange]:
    """Yield the changes of some files, which share the lines and the steps of one page.

    The first file may use all of them.
    """
    lines, steps, is_first = 0, Steps(most_steps), True
    for pair in pairs:
        if not is_first and (lines >= PAGE_LINES or steps.left < 0):
            yield later(pair.path, pair.old, pair.new)
            continue
        change = _change(pair, steps)
        if steps.left < 0 and not is_first:  # alone, the file has all steps
            change = later(pair.path, pair.old, pair.new)
        lines += len(change.difference.lines) if change.difference else 0
        is_first = False
        yield change


DIFF = TextFunction("diff", compared, Pair, FileChange, most_bytes=MOST_BYTES)
Compare = Callable[[Iterable[Pair], int], Iterable[FileChange]]
"""Maps pairs of files and their total size in bytes to their changes: :func:`compared`, or a
worker process that runs it.
"""


def file_changes(
    changes: Changes, before: Mapping[str, FileEntry], read: Read, compare: Compare
) -> tuple[FileChange, ...]:
    """Return all files that differ, by path, the first ones with their lines.

    :param before: the files of the older side, by path.
    :param read: returns contents by SHA-256.
    """
    after = {entry.path: entry for entry in changes.changed}
    paths = sorted({*after, *changes.deleted})
    shown, size = _fitting(paths, before, after)
    pairs = (_pair(path, before.get(path), after.get(path), read) for path in shown)
    found: list[FileChange] = []
    try:
        found.extend(compare(pairs, size))
    except TextWorkError:
        path = paths[len(found)]
        found.append(_named(path, before.get(path), after.get(path), None, TOO_COSTLY))
    found.extend(later(path, before.get(path), after.get(path)) for path in paths[len(found) :])
    return tuple(found)


def later(path: str, old: object, new: object) -> FileChange:
    """Return a file that a later page has to show."""
    return _named(path, old, new, None, LATER, is_later=True)


def _fitting(
    paths: Sequence[str], before: Mapping[str, FileEntry], after: Mapping[str, FileEntry]
) -> tuple[Sequence[str], int]:
    """Return the first paths whose contents fit a page, at least one, with their size in bytes."""
    size = 0
    for at, path in enumerate(paths):
        both = (before.get(path), after.get(path))
        own = sum(entry.size for entry in both if entry is not None)
        if at and size + own > PAGE_BYTES:
            return paths[:at], size
        size += own
    return paths, size


def _pair(path: str, old: FileEntry | None, new: FileEntry | None, read: Read) -> Pair:
    texts = read({entry.sha256 for entry in (old, new) if entry is not None})

    def text(entry: FileEntry | None) -> bytes | None:
        return None if entry is None else texts.get(entry.sha256, b"")

    return Pair(path, text(old), text(new))


def _change(pair: Pair, steps: Steps) -> FileChange:
    path, old, new = pair.path, pair.old, pair.new
    before, after = ((side or b"").decode(errors="replace") for side in (old, new))
    if old is None or new is None:
        made = whole(after or before, ADDED if old is None else REMOVED, WHOLE_LINES)
        hidden = made.added + made.removed - len(made.lines)
        told = f"The first {WHOLE_LINES:,} lines; {hidden:,} more are not shown." if hidden else ""
        return _named(path, old, new, made, told)
    found = difference(before, after, steps)
    if found is None:
        return _named(path, old, new, None, TOO_MUCH)
    if not found.lines:
        return _named(path, old, new, found, ONLY_ENDS)
    if len(found.lines) <= PAGE_LINES:
        return _named(path, old, new, found, "")
    cut = replace(found, lines=found.lines[:PAGE_LINES])
    more = len(found.lines) - PAGE_LINES
    told = f"The first {PAGE_LINES:,} lines of its changes; {more:,} more are not shown."
    return _named(path, old, new, cut, told)


def _named(
    path: str,
    old: object,
    new: object,
    found: Difference | None,
    told: str,
    *,
    is_later: bool = False,
) -> FileChange:
    kind = "added" if old is None else "deleted" if new is None else "changed"
    return FileChange(path, kind, found, told, is_later)
