"""The pages of a workspace, ready for templates, with the files as a tree. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from msgspec import UNSET

from codeintel.base.wording import counted, size
from codeintel.contracts.languages import language_of_path, language_title, languages
from codeintel.contracts.workspaces.records import FileEntry, ProofState, ProofStatus
from codeintel.workspaces.records import Origin, RevisionRecord, WorkspaceRecord
from codeintel.workspaces.search import Part, SearchView

DEEPEST = 12
"""Levels of folders in the tree. The last one lists all deeper files."""
OPEN_FILES = 40
"""A tree with up to this many files is shown open."""
PROOF = {
    ProofState.QUEUED: "Waiting for analysis",
    ProofState.RUNNING: "Being analyzed",
    ProofState.PASSED: "Passed",
    ProofState.FAILED: "Failed",
    ProofState.INCOMPLETE: "Incomplete",
    ProofState.SKIPPED: "Not analyzed",
}
"""Each state of the proof loop."""
_ORIGINS = {Origin.PUSH: "Pushed", Origin.EDIT: "Edited", Origin.RESTORE: "Restored"}


@dataclass
class Folder:
    """A folder of the tree. A folder that contains only another folder is combined with it, and
    `name` has both parts. `files` counts the files below it."""

    name: str
    path: str
    is_open: bool
    folders: list[Folder] = field(default_factory=list)
    entries: list[Leaf] = field(default_factory=list)
    files: int = 0


@dataclass(frozen=True)
class Leaf:
    """A file of the tree. `name` leaves folders out where it lies deeper than the tree goes."""

    name: str
    path: str
    size: int
    is_chosen: bool


@dataclass
class _Node:
    """A folder while it is filled."""

    folders: dict[str, _Node] = field(default_factory=dict)
    files: dict[str, tuple[FileEntry, str]] = field(default_factory=dict)
    """Files by path, with their names."""


def tree(files: Iterable[FileEntry], chosen: str) -> Folder:
    """Return the root of the tree: folders before files, sorted by name without case.

    :param chosen: path of the shown file, whose folders are open.
    """
    root = _Node()
    number = 0
    for entry in files:
        number += 1
        *parents, name = entry.path.lstrip("/").split("/")
        node = root
        for at, parent in enumerate(parents):
            if at == DEEPEST:
                name = f"{parent}/…/{name}"
                break
            node = node.folders.setdefault(parent, _Node())
        node.files[entry.path] = entry, name
    return _folder("", "", root, chosen, number <= OPEN_FILES)


def _folder(name: str, path: str, node: _Node, chosen: str, all_open: bool) -> Folder:
    while name and not node.files and len(node.folders) == 1:
        ((below, node),) = node.folders.items()
        name, path = f"{name}/{below}", f"{path}/{below}"
    made = Folder(name, path, all_open or chosen.startswith(f"{path}/"))
    for below in sorted(node.folders, key=_by_name):
        inner = _folder(below, f"{path}/{below}", node.folders[below], chosen, all_open)
        made.folders.append(inner)
        made.files += inner.files
    for entry, shown in sorted(node.files.values(), key=lambda each: _by_name(each[1])):
        made.entries.append(Leaf(shown, entry.path, entry.size, entry.path == chosen))
    made.files += len(made.entries)
    return made


def _by_name(name: str) -> tuple[str, str]:
    return name.casefold(), name


def proof_words(status: ProofStatus) -> str:
    """Return the state of the proof loop as a sentence."""
    if status.status is ProofState.RUNNING and status.total is not UNSET:
        done = 0 if status.done is UNSET else status.done
        return f"{done:,} of {counted(status.total, 'file')} analyzed so far."
    return "" if status.reason is UNSET else status.reason


def origin_words(revision: RevisionRecord) -> str:
    """Return the origin of a revision in words."""
    if revision.restored_from is not None:
        return f"{_ORIGINS[revision.origin]} from revision {revision.restored_from:,}"
    return _ORIGINS[revision.origin]


class StorageView(NamedTuple):
    """The used storage and its limit in bytes, and in words."""

    used: int
    limit: int
    told: str


def storage_view(used: int, limit: int) -> StorageView:
    """Return the storage of an account."""
    return StorageView(used, limit, f"{size(used)} of {size(limit)}")


@dataclass(frozen=True)
class ProofView:
    """How the proof loop stands: its state for a class, a title, and a sentence if there is one."""

    state: str
    title: str
    told: str


@dataclass(frozen=True)
class SessionRow:
    """A workspace in the list. `found` counts the findings of its newest report, `worst` tells them
    by severity. `report` is the report's revision, 0 without a report."""

    session: WorkspaceRecord
    files: int
    proof: ProofView
    report: int
    found: int
    worst: str


@dataclass(frozen=True)
class RevisionRow:
    """A revision in the history. `came` describes its origin. `proof` is None if it is unknown."""

    revision: RevisionRecord
    came: str
    proof: ProofView | None
    is_newest: bool
    has_older: bool


@dataclass(frozen=True)
class FileView:
    """The file that is shown. `language` is as people write it, empty where its name tells none."""

    path: str
    size: int
    language: str
    line: int
    part: Part


@dataclass(frozen=True)
class EnvironmentView:
    """The editing environment. `missing` is a requested path that does not exist. `settings` are
    for its script."""

    session: WorkspaceRecord
    revision: RevisionRecord
    is_newest: bool
    proof: ProofView
    tree: Folder
    file: FileView | None
    missing: str
    search: SearchView | None
    settings: Mapping[str, Any]


def proof_view(status: ProofStatus) -> ProofView:
    """Return the state of the proof loop for a page."""
    return ProofView(status.status.value, PROOF[status.status], proof_words(status))


def file_view(path: str, size: int, line: int, part: Part) -> FileView:
    """Return a file with a part of its text."""
    language = language_of_path(path)
    return FileView(path, size, language_title(language) if language else "", line, part)


def first_file(files: Mapping[str, FileEntry]) -> str:
    """Return the path of the file to open first: the workspace's README, or empty."""
    readmes = [path for path in files if path.lower().startswith("/readme") and "/" not in path[1:]]
    return min(readmes, key=lambda path: (not path.lower().endswith(".md"), path), default="")


def editor_settings(
    session: WorkspaceRecord,
    revision: int,
    *,
    path: str,
    line: int,
    has_report: bool,
    csrf: str,
    addresses: Mapping[str, str],
) -> dict[str, Any]:
    """Return the settings of the editor's script.

    :param path: the file to open; empty for none.
    :param addresses: of other pages, by the names that scripts know them by.
    """
    return {
        **addresses,
        "api": f"/api/workspace/{session.id}",
        "revision": revision,
        "newest": session.revision,
        "path": path,
        "line": line,
        "report": has_report,
        "languages": {
            extension: language.name
            for language in languages()
            for extension in language.extensions
        },
        "csrf": csrf,
    }
