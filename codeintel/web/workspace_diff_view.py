"""What has changed between two revisions, file by file, within bounds for one page."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace

import gevent

from codeintel.web.workspace_changes import (
    ADDED,
    REMOVED,
    Difference,
    difference,
    whole,
)
from codeintel.web.workspace_matching import Steps
from codeintel.workspace.records import Changes, FileEntry

PAGE_LINES = 3_000
PAGE_BYTES = 4 * 1024 * 1024
WHOLE_LINES = 400
"""Lines of a file that is new or gone."""
TOO_MUCH = "So much of it differs that the lines cannot be set against each other here."
ONLY_ENDS = "Only the ends of its lines differ."
LATER = "Not shown here, since the page would become too long."

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


def file_changes(
    changes: Changes, before: Mapping[str, FileEntry], read: Read
) -> tuple[FileChange, ...]:
    """All files that differ, by path: the first ones with their lines.

    :param before: the files of the older side, by path.
    :param read: contents by SHA-256.
    """
    after = {entry.path: entry for entry in changes.changed}
    found: list[FileChange] = []
    lines = size = 0
    steps = Steps()
    for path in sorted({*after, *changes.deleted}):
        old, new = before.get(path), after.get(path)
        size += sum(entry.size for entry in (old, new) if entry is not None)
        is_full = lines >= PAGE_LINES or size > PAGE_BYTES or steps.left < 0
        if found and is_full:
            found.append(_named(path, old, new, None, LATER, is_later=True))
            continue
        change = _change(path, old, new, read, steps)
        if steps.left < 0 and found:  # alone, it has all steps
            change = _named(path, old, new, None, LATER, is_later=True)
        lines += len(change.difference.lines) if change.difference else 0
        found.append(change)
        gevent.sleep(0)  # others wait while texts are compared
    return tuple(found)


def _change(
    path: str, old: FileEntry | None, new: FileEntry | None, read: Read, steps: Steps
) -> FileChange:
    texts = read({entry.sha256 for entry in (old, new) if entry is not None})
    before, after = (
        texts.get(entry.sha256, b"").decode(errors="replace") if entry is not None else ""
        for entry in (old, new)
    )
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
    old: FileEntry | None,
    new: FileEntry | None,
    found: Difference | None,
    told: str,
    *,
    is_later: bool = False,
) -> FileChange:
    kind = "added" if old is None else "deleted" if new is None else "changed"
    return FileChange(path, kind, found, told, is_later)
