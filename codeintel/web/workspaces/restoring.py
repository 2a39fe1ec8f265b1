"""What restoring a revision would change, ready for its template. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from codeintel.contracts.workspaces.records import FileEntry
from codeintel.workspaces.records import Changes, RevisionRecord, WorkspaceRecord

SHOWN_PATHS = 200


@dataclass(frozen=True)
class PathList:
    """Some paths under a title; `more` counts those that are left out."""

    title: str
    paths: tuple[str, ...]
    more: int

    @property
    def total(self) -> int:
        """How many there are."""
        return len(self.paths) + self.more


@dataclass(frozen=True)
class RestoreView:
    """The revision, and what would come of its files. `late` are the paths that a newer revision
    has changed since the page was shown; None if there is no newer one."""

    session: WorkspaceRecord
    revision: RevisionRecord
    lists: tuple[PathList, ...]
    late: PathList | None


def restore_view(
    session: WorkspaceRecord,
    revision: RevisionRecord,
    changes: Changes,
    now: Iterable[FileEntry],
    *,
    is_late: bool,
    paths: Iterable[str],
) -> RestoreView:
    """
    :param changes: from the newest revision to the one to restore.
    :param now: the files of the newest.
    :param is_late: whether the newest came since the page was shown; `paths` differ in it.
    """
    there = {entry.path for entry in now}
    changed = [entry.path for entry in changes.changed]
    lists = (
        path_list("Will be changed back", (path for path in changed if path in there)),
        path_list("Will come back", (path for path in changed if path not in there)),
        path_list("Will be deleted", changes.deleted),
    )
    late = path_list("Changed meanwhile", paths) if is_late else None
    return RestoreView(session, revision, tuple(each for each in lists if each.paths), late)


def path_list(title: str, paths: Iterable[str]) -> PathList:
    """The first paths of some, in order."""
    found = sorted(paths)
    return PathList(title, tuple(found[:SHOWN_PATHS]), max(0, len(found) - SHOWN_PATHS))
