"""What has changed between two revisions, file by file, within bounds for one page. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import msgspec

from codeintel.contracts.workspaces.records import FileEntry
from codeintel.platform.workers.text_functions import TextFunction, TextWorkError
from codeintel.workspaces.records import Changes
from codeintel.workspaces.text.changes import ADDED, REMOVED, Difference, difference, whole
from codeintel.workspaces.text.matching import MOST_STEPS, Steps

PAGE_LINES = 3_000
PAGE_BYTES = 4 * 1024 * 1024
WHOLE_LINES = 400
"""Lines of a file that is new or gone."""
TOO_MUCH = "So much of it differs that the lines cannot be set against each other here."
ONLY_ENDS = "Only the ends of its lines differ."
LATER = "Not shown here, since the page would become too long."
TOO_COSTLY = "Comparing its lines takes too long: open it before and after instead."
MOST_BYTES = 32 * 1024 * 1024

Read = Callable[[Collection[str]], Mapping[str, bytes]]


@dataclass(frozen=True)
class FileChange:
    """A file that differs. `kind` is `added`, `changed` or `deleted`; `difference` is None where it
    is not shown, and `told` says why or what else there is to know."""

    path: str
    kind: str
    difference: Difference | None
    told: str
    is_later: bool = False


class Pair(msgspec.Struct, frozen=True):
    """A file on both sides; None where it is not there."""

    path: str
    old: bytes | None
    new: bytes | None


def compared(pairs: Iterable[Pair], most_steps: float = MOST_STEPS) -> Iterator[FileChange]:
    """The changes of some files, which share the lines and the steps of one page. The first one has
    them all."""
    lines, steps, is_first = 0, Steps(most_steps), True
    for pair in pairs:
        if not is_first and (lines >= PAGE_LINES or steps.left < 0):
            yield later(pair.path, pair.old, pair.new)
            continue
        change = _change(pair, steps)
        if steps.left < 0 and not is_first:  # alone, it has all steps
            change = later(pair.path, pair.old, pair.new)
        lines += len(change.difference.lines) if change.difference else 0
        is_first = False
        yield change


DIFF = TextFunction("diff", compared, Pair, FileChange, most_bytes=MOST_BYTES)
UNSHOWN = frozenset({TOO_MUCH, LATER})
"""What more steps might have shown."""
Compare = Callable[[Iterable[Pair], int], Iterable[FileChange]]
"""From pairs of files and their size in bytes to their changes: :func:`compared`, or a worker
process that does it."""


def file_changes(
    changes: Changes, before: Mapping[str, FileEntry], read: Read, compare: Compare
) -> tuple[FileChange, ...]:
    """All files that differ, by path: the first ones with their lines.

    :param before: the files of the older side, by path.
    :param read: contents by SHA-256.
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
    """A file that another page has to show."""
    return _named(path, old, new, None, LATER, is_later=True)


def _fitting(
    paths: Sequence[str], before: Mapping[str, FileEntry], after: Mapping[str, FileEntry]
) -> tuple[Sequence[str], int]:
    """The first paths whose contents fit a page, one at least, with their size in bytes."""
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
        told = f"Its first {WHOLE_LINES:,} lines; {hidden:,} more are not shown." if hidden else ""
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
