"""The files of a revision as a tree of folders, for a template. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from codeintel.contracts.workspaces.records import FileEntry

DEEPEST = 12
"""Folders within folders; what lies deeper is listed in the last of them."""
OPEN_FILES = 40
"""A tree of that many files is shown whole."""


@dataclass
class Folder:
    """A folder of the tree. `name` has several parts where each but the last holds nothing but the
    next; `files` counts those below it."""

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
    """The root with all that is below it, folders before files, by name without case.

    :param chosen: the path of the file that is shown; the folders that it lies in are open.
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
