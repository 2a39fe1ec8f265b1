"""What a folder remembers of its sessions: `.codeintel/workspace.json`.

It holds no key and no path of the disk. An entry is used only with the service that the user names:
a file that came along with somebody's repository cannot have the key sent elsewhere.
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta

from codeintel.client.workspaces.disk import Blocked, Disk
from codeintel.client.workspaces.git import GitInfo
from codeintel.contracts.workspaces.paths import BRIDGE_PATH, path_problems

STATE_PATH = "/.codeintel/workspace.json"
IGNORE_PATH = "/.codeintel/.gitignore"
MAX_STATE_BYTES = 8 * 1024 * 1024
MAX_ENTRIES = 10
VERSION = 1

Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
SessionId = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{1,64}$")]


class BadState(Exception):  # noqa: N818 - says what was found
    """The file cannot be used; the text is a sentence for people."""


class Identity(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """By what the service tells a workspace from the account's others."""

    name: str = ""
    local_root_name: str = ""
    branch_name: str = ""
    remote_url: str = ""


class Entry(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """A session as the folder was last in step with it.

    `branch` and `remote` are what Git said then. `files` are SHA-256 by path, without those left
    out. `conflicts` are files whose versions were both kept, with the path of the service's.
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
        """Whether it is the session of a branch with a service."""
        same = (self.url, self.branch, self.remote) == (url, git.branch, git.remote)
        return same and name in {None, self.identity.name}


class State(msgspec.Struct, frozen=True, kw_only=True):
    """All sessions of the folder, the one used last first."""

    version: int = VERSION
    sessions: tuple[Entry, ...] = ()

    def find(self, url: str, git: GitInfo, name: str | None = None) -> Entry | None:
        """The session of a branch with a service."""
        return next((each for each in self.sessions if each.is_for(url, git, name)), None)

    def with_entry(self, entry: Entry) -> State:
        """The same with a session's entry put first, in the place of the one it had."""
        others = [
            each
            for each in self.sessions
            if (each.url, each.session_id) != (entry.url, entry.session_id)
        ]
        return State(sessions=(entry, *others)[:MAX_ENTRIES])


def load(disk: Disk) -> State:
    """The state of a folder; an empty one where there is none yet.

    :raises BadState: if what stands there is none.
    """
    try:
        data = disk.read(STATE_PATH, MAX_STATE_BYTES)
        if data is None:
            return State()
        state = msgspec.json.decode(data, type=State)
    except (Blocked, msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise BadState(_unusable(str(error))) from None
    if state.version != VERSION:
        raise BadState(_unusable("another version of codeintel has written it"))
    for entry in state.sessions:
        for problem in path_problems({*entry.files, *entry.conflicts, *entry.conflicts.values()}):
            raise BadState(_unusable(f"it names {problem.path} ({problem.reason})"))
    return state


def _unusable(why: str) -> str:
    return (
        f"{STATE_PATH[1:]} cannot be used: {why}. Delete it. The next push is then one without a "
        "base: what was changed online since is replaced, and stays in the history."
    )


def make_ready(disk: Disk) -> None:
    """See that a state can be written, and that Git will not see it.

    :raises Blocked: if it cannot.
    """
    rules = disk.read(IGNORE_PATH, MAX_STATE_BYTES)
    disk.write(IGNORE_PATH, b"*\n" if rules is None else rules)


def save(disk: Disk, state: State, bridge: Any = None) -> None:
    """Write the state, and the bridge file that a service answered, each whole or not at all.

    :raises Blocked: if something is in the way.
    """
    make_ready(disk)
    disk.write(STATE_PATH, msgspec.json.encode(state))
    if bridge is not None:
        save_bridge(disk, bridge)


def save_bridge(disk: Disk, bridge: Any) -> None:
    """Write the bridge file, whole or not at all.

    :raises Blocked: if something is in the way.
    """
    text = msgspec.json.format(msgspec.json.encode(bridge), indent=2)
    disk.write(BRIDGE_PATH, text + b"\n")
