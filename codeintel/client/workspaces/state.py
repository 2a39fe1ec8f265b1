"""The sessions of a folder: `.codeintel/workspace.json`.

The file holds no key and no path of the disk. An entry is used only with the service that the user
names, so a file in a foreign repository cannot redirect the key.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta

from codeintel.client.workspaces.disk import Blocked, Disk, Found
from codeintel.client.workspaces.git import GitInfo
from codeintel.contracts.workspaces.paths import BRIDGE_PATH, path_problems
from codeintel.contracts.workspaces.records import FileEntry

STATE_PATH = "/.codeintel/workspace.json"
IGNORE_PATH = "/.codeintel/.gitignore"
MAX_STATE_BYTES = 8 * 1024 * 1024
MAX_ENTRIES = 10
VERSION = 1

Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
SessionId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,64}$")]
CHANGED_BOTH = "changed on both sides"
DELETED_HERE = "deleted locally, changed on the service"
DELETED_THERE = "changed locally, deleted on the service"
ADDED_BOTH = "added on both sides, with different texts"
MEANWHILE = "changed locally during the command"
Seen = Found | Blocked | None
"""The content of a path: a file, an obstacle, or nothing."""


class BadState(Exception):  # noqa: N818 - says what was found
    """The file cannot be used. The text is a readable sentence."""


class Identity(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """The fields by which the service distinguishes the workspaces of an account."""

    name: str = ""
    local_root_name: str = ""
    branch_name: str = ""
    remote_url: str = ""


class Entry(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A session and the last state in which folder and service were equal.

    `branch` and `remote` are Git's at that time. `files` are SHA-256 digests by path, without
    omitted files. `conflicts` are files with two versions, with the path of the service's version.
    """

    url: str
    session_id: SessionId
    revision: Annotated[int, Meta(ge=1, le=2**53)]
    identity: Identity
    branch: str = ""
    remote: str = ""
    files: dict[str, Digest] = {}
    conflicts: dict[str, str] = {}

    def is_for(self, url: str, git: GitInfo, name: str | None = None) -> bool:
        """Return whether the entry is the session of a branch with a service."""
        same = (self.url, self.branch, self.remote) == (url, git.branch, git.remote)
        return same and name in {None, self.identity.name}


class State(msgspec.Struct, frozen=True, kw_only=True):
    """All sessions of the folder, the last used first."""

    version: int = VERSION
    sessions: tuple[Entry, ...] = ()

    def find(self, url: str, git: GitInfo, name: str | None = None) -> Entry | None:
        """Return the session of a branch with a service, or None."""
        return next((each for each in self.sessions if each.is_for(url, git, name)), None)

    def with_entry(self, entry: Entry) -> State:
        """Return a state with the session's entry at the front, replacing its old one."""
        others = [
            each
            for each in self.sessions
            if (each.url, each.session_id) != (entry.url, entry.session_id)
        ]
        return State(sessions=(entry, *others)[:MAX_ENTRIES])


def load(disk: Disk) -> State:
    """Return the state of a folder, or an empty one if it has none yet.

    :raises BadState: if the file is invalid.
    """
    try:
        data = disk.read(STATE_PATH, MAX_STATE_BYTES)
        if data is None:
            return State()
        state = msgspec.json.decode(data, type=State)
    except (Blocked, msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadState(_unusable(str(error))) from None
    if state.version != VERSION:
        raise BadState(_unusable("another version of codeintel wrote it"))
    for entry in state.sessions:
        for problem in path_problems({*entry.files, *entry.conflicts, *entry.conflicts.values()}):
            raise BadState(_unusable(f"it names {problem.path} ({problem.reason})"))
    return state


def _unusable(why: str) -> str:
    return (
        f"{STATE_PATH[1:]} cannot be used: {why}. Delete it. The next push then "
        "replaces changes that were made online. They stay in the history."
    )


def make_ready(disk: Disk) -> None:
    """Check that a state can be written, and hide it from Git.

    :raises Blocked: if it cannot be written.
    """
    rules = disk.read(IGNORE_PATH, MAX_STATE_BYTES)
    disk.write(IGNORE_PATH, b"*\n" if rules is None else rules)


def save(disk: Disk, state: State, bridge: Any = None) -> None:
    """Write the state and the service's bridge file, each completely or not at all.

    :raises Blocked: if something is in the way.
    """
    make_ready(disk)
    disk.write(STATE_PATH, msgspec.json.encode(state))
    if bridge is not None:
        save_bridge(disk, bridge)


def save_bridge(disk: Disk, bridge: Any) -> None:
    """Write the bridge file, completely or not at all.

    :raises Blocked: if something is in the way.
    """
    text = msgspec.json.format(msgspec.json.encode(bridge), indent=2)
    disk.write(BRIDGE_PATH, text + b"\n")


class Step(NamedTuple):
    """A file to write, or to delete if `entry` is None. `before` is the previous digest, or None if
    the file is new.
    """

    path: str
    before: str | None
    entry: FileEntry | None


class Conflict(NamedTuple):
    """A file that stays unchanged. `step` would install the service's version. It is None if an
    obstacle prevents that.
    """

    path: str
    why: str
    step: Step | None


class Plan(NamedTuple):
    """The steps to do. `kept` are files that were changed only on this disk."""

    steps: list[Step]
    kept: list[str]
    conflicts: list[Conflict]


def look_at(disk: Disk, paths: Iterable[str]) -> dict[str, Seen]:
    """Return the contents of paths."""
    seen: dict[str, Seen] = {}
    for path in paths:
        try:
            seen[path] = disk.look(path)
        except Blocked as blocked:
            seen[path] = blocked
    return seen


def plan(base: Mapping[str, str], seen: Mapping[str, Seen], there: Mapping[str, FileEntry]) -> Plan:
    """Return the steps that update the disk to the service's files without losing local changes.

    :param base: digests by path from the last time that both were equal.
    :param seen: the contents of all paths in the other two.
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
            continue  # deleted on both sides
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
    """Do a step. Return a conflict instead if the disk has changed in the meantime."""
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
    """Sort deletions first, since a file may be replaced with a folder or a folder with a file."""
    return sorted(steps, key=lambda step: (step.entry is not None, step.path))


def in_step(
    base: Mapping[str, str], there: Mapping[str, FileEntry], conflicts: Iterable[str]
) -> dict[str, str]:
    """Return the digests after the steps: the service's, but the old ones for conflicts."""
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
    """Return whether the obstacle at a path will be deleted."""
    parts = path.split("/")
    above = {"/".join(parts[:count]) for count in range(2, len(parts))}
    return not above.isdisjoint(gone) or any(each.startswith(f"{path}/") for each in gone)
