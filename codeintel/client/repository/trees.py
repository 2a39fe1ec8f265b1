"""The files of a work tree, an index, a commit or a folder without Git, and their bytes."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import NamedTuple, Protocol

from codeintel.client.repository.disk import Kind, is_plain, kind_of, read_file
from codeintel.client.repository.git import LINK, REGULAR, SUBMODULE, GitFile, Repository
from codeintel.client.workspaces.ignore import Ignores
from codeintel.contracts.workspaces.records import MAX_PATH_BYTES
from codeintel.contracts.workspaces.selection import vendored_folder

_GIT = ".git"


class Entry(NamedTuple):
    """A path in a tree. `object_id` is empty for files on the disk."""

    path: str
    kind: Kind = Kind.FILE
    object_id: str = ""


Read = Callable[[Entry, int], bytes | None]
"""Returns the bytes of an entry, at most one more than the limit, or None if it is unreadable."""


class Tree(Protocol):
    """A set of files, such as those of a commit."""

    ignored: int
    """The number of files and folders that rules of the tree left out, after `entries`."""
    notes: tuple[str, ...]
    """Sentences about the search for files, after `entries`."""

    def entries(self) -> Iterable[Entry]:
        """Return all entries, in any order."""

    def opened(self) -> AbstractContextManager[Read]:
        """Return the function that reads the entries, for the time of the block."""


class _OnDisk:
    def __init__(self, root: Path) -> None:
        self.ignored = 0
        self.notes: tuple[str, ...] = ()
        self._root = root

    @contextmanager
    def opened(self) -> Iterator[Read]:
        """Yield a function that reads files. It follows no link below the root."""
        yield lambda entry, limit: read_file(self._root, entry.path, limit)


class WorkTree(_OnDisk):
    """The files of a work tree that are tracked or not ignored."""

    def __init__(self, repository: Repository) -> None:
        super().__init__(repository.top)
        self._repository = repository

    def entries(self) -> Iterator[Entry]:
        """Yield the files that exist, those that a sparse checkout leaves out, and the folders that
        cannot be read.
        """
        others = self._repository.untracked()
        self.notes = tuple(f"Git warns: {each}." for each in dict.fromkeys(others.warnings))
        closed = set(others.closed)
        for each in (*self._repository.index_files(), *others.files):
            if not is_plain(each.path):
                yield Entry(each.path, Kind.INVALID)
                continue
            if each.mode == SUBMODULE:
                yield Entry(each.path, Kind.SUBMODULE)
                continue
            kind = kind_of(self._root, each.path)
            if kind is Kind.UNREADABLE:
                closed.add(self._closed_folder(each.path))
            elif kind is not None:
                yield Entry(each.path, kind)
            elif each.is_absent:
                yield Entry(each.path, Kind.ABSENT)
        for folder in sorted(closed):
            if not any(folder.startswith(f"{each}/") for each in closed):
                yield Entry(f"{folder}/", Kind.UNREADABLE)

    def _closed_folder(self, path: str) -> str:
        """Return the outermost folder above a path whose entries cannot be read."""
        folder, _, rest = path.partition("/")
        while "/" in rest:
            name, _, rest = rest.partition("/")
            if kind_of(self._root, f"{folder}/{name}") is not None:
                break
            folder = f"{folder}/{name}"
        return folder


class IndexTree:
    """The files of an index, with the contents that the next commit gets."""

    def __init__(self, repository: Repository) -> None:
        self.ignored = 0
        self.notes: tuple[str, ...] = ()
        self._repository = repository

    def entries(self) -> Iterator[Entry]:
        """Yield all."""
        return map(_stored, self._repository.index_files())

    @contextmanager
    def opened(self) -> Iterator[Read]:
        """Yield a function that reads objects."""
        with self._repository.objects() as objects:
            yield lambda entry, limit: objects.read(entry.object_id, limit)


class CommitTree(IndexTree):
    """The files of a commit."""

    def __init__(self, repository: Repository, commit: str) -> None:
        super().__init__(repository)
        self._commit = commit

    def entries(self) -> Iterator[Entry]:
        """Yield all."""
        return map(_stored, self._repository.commit_files(self._commit))


class FolderTree(_OnDisk):
    """The files below folders, found without Git, which the ignore files do not leave out.

    :param starts: folders relative to the root. An empty text is the root itself.
    """

    def __init__(self, root: Path, starts: Iterable[str] = ("",)) -> None:
        super().__init__(root)
        self._starts = tuple(starts)

    def entries(self) -> Iterator[Entry]:
        """Yield all. The walk keeps its own stack, because folders can be nested deeply."""
        for start in self._starts:
            parts = tuple(start.split("/")) if start else ()
            folders = [(parts, self._rules_above(parts))]
            while folders:
                parts, rules = folders.pop()
                yield from self._folder(parts, rules, folders)

    def _rules_above(self, parts: tuple[str, ...]) -> Ignores:
        rules = Ignores()
        for depth in range(len(parts)):
            rules = rules.within(self._root.joinpath(*parts[:depth]), parts[:depth])
            if rules.ignores(parts[: depth + 1], is_folder=True):
                return Ignores()  # the folder was named explicitly, so only its own rules apply
        return rules

    def _folder(
        self,
        parts: tuple[str, ...],
        rules: Ignores,
        folders: list[tuple[tuple[str, ...], Ignores]],
    ) -> Iterator[Entry]:
        path = "/".join(parts)
        if len(os.fsencode(path)) > MAX_PATH_BYTES:
            yield Entry(path[:MAX_PATH_BYTES] + "/", Kind.TOO_DEEP)
            return
        folder = self._root.joinpath(*parts)
        try:
            with os.scandir(folder) as entries:
                inside = sorted(entries, key=lambda entry: entry.name)
        except OSError:
            yield Entry(f"{path}/", Kind.UNREADABLE)
            return
        rules = rules.within(folder, parts)
        for entry in inside:
            inner = (*parts, entry.name)
            is_folder = _is_folder(entry)
            if entry.name == _GIT:
                continue
            if rules.ignores(inner, is_folder=is_folder):
                self.ignored += 1
            elif is_folder and vendored_folder(f"{entry.name}/") is not None:
                yield Entry("/".join(inner) + "/", Kind.VENDORED)
            elif is_folder:
                folders.append((inner, rules))
            else:
                found = "/".join(inner)
                kind = kind_of(self._root, found)
                if kind is not None:
                    yield Entry(found, kind)


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _stored(each: GitFile) -> Entry:
    if not is_plain(each.path):
        return Entry(each.path, Kind.INVALID)
    if each.mode in REGULAR:
        return Entry(each.path, Kind.FILE, each.object_id)
    kinds = {LINK: Kind.LINK, SUBMODULE: Kind.SUBMODULE}
    return Entry(each.path, kinds.get(each.mode, Kind.SPECIAL), each.object_id)
