"""Three versions of a workspace, the one last in step, the disk's and the service's: what follows
for the disk."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from codeintel.client.workspaces.disk import Blocked, Disk, Found
from codeintel.contracts.workspaces.records import FileEntry

CHANGED_BOTH = "changed here and there"
DELETED_HERE = "deleted here, changed there"
DELETED_THERE = "changed here, deleted there"
ADDED_BOTH = "added here and there, with different texts"
MEANWHILE = "changed here in this moment"

Seen = Found | Blocked | None
"""What stands at a path: a file, what is in its way, or nothing."""


class Step(NamedTuple):
    """A file to write, or to delete if `entry` is None. `before` is the digest of what stood there,
    None for nothing."""

    path: str
    before: str | None
    entry: FileEntry | None


class Conflict(NamedTuple):
    """A file that is left as it is. `step` is what the service's version would need; None where
    something is in the way, so that there is no doing it."""

    path: str
    why: str
    step: Step | None


class Plan(NamedTuple):
    """What to do. `kept` are changed here and not there."""

    steps: list[Step]
    kept: list[str]
    conflicts: list[Conflict]


def look_at(disk: Disk, paths: Iterable[str]) -> dict[str, Seen]:
    """What stands at paths."""
    seen: dict[str, Seen] = {}
    for path in paths:
        try:
            seen[path] = disk.look(path)
        except Blocked as blocked:
            seen[path] = blocked
    return seen


def plan(base: Mapping[str, str], seen: Mapping[str, Seen], there: Mapping[str, FileEntry]) -> Plan:
    """What to do so that the disk follows the service, without losing what was changed here.

    :param base: digests by path as they were last in step.
    :param seen: what stands at all paths of the other two.
    :param there: the service's files.
    """
    made = Plan([], [], [])
    blocked: list[tuple[Step, Blocked]] = []
    for path in sorted({*base, *there}):
        old, entry, found = base.get(path), there.get(path), seen[path]
        new = entry.sha256 if entry else None
        if isinstance(found, Blocked):
            if new == old:
                made.kept.append(path)
            elif entry is not None:
                blocked.append((Step(path, None, entry), found))
            continue  # what is deleted there has gone here too
        here = found.sha256 if found else None
        step = Step(path, here, entry)
        if here == new:
            continue
        if here == old:
            made.steps.append(step)
        elif new == old:
            made.kept.append(path)
        else:
            made.conflicts.append(Conflict(path, _why(old, here, new), step))
    gone = {step.path for step in made.steps if step.entry is None}
    for step, reason in blocked:
        if _makes_way(step.path, gone):
            made.steps.append(step)
        else:
            made.conflicts.append(Conflict(step.path, str(reason), None))
    return made


def carry_out(disk: Disk, step: Step, contents: Mapping[str, bytes]) -> Conflict | None:
    """Do a step, unless the disk is not any more as it was seen; then the conflict."""
    try:
        found = disk.look(step.path)
        if (found.sha256 if found else None) != step.before:
            return Conflict(step.path, MEANWHILE, None)
        if step.entry is None:
            disk.delete(step.path)
        else:
            disk.write(step.path, contents[step.entry.sha256])
    except Blocked as blocked:
        return Conflict(step.path, str(blocked), None)
    return None


def in_order(steps: Iterable[Step]) -> list[Step]:
    """Deletions first: a file may be where a folder is wanted, or a folder where a file is."""
    return sorted(steps, key=lambda step: (step.entry is not None, step.path))


def in_step(
    base: Mapping[str, str], there: Mapping[str, FileEntry], conflicts: Iterable[str]
) -> dict[str, str]:
    """The digests that are in step afterwards: those of the service, but of conflicts the old."""
    after = {path: entry.sha256 for path, entry in there.items()}
    for path in conflicts:
        after.pop(path, None)
        if path in base:
            after[path] = base[path]
    return after


def _why(old: str | None, here: str | None, new: str | None) -> str:
    if here is None:
        return DELETED_HERE
    if new is None:
        return DELETED_THERE
    return ADDED_BOTH if old is None else CHANGED_BOTH


def _makes_way(path: str, gone: set[str]) -> bool:
    """Whether what is in the way of a path is itself to be deleted."""
    parts = path.split("/")
    above = {"/".join(parts[:count]) for count in range(2, len(parts))}
    return not above.isdisjoint(gone) or any(each.startswith(f"{path}/") for each in gone)
