"""The files of a work tree, an index, a commit or a folder without Git, and their bytes."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from enum import Enum
from pathlib import Path
from typing import NamedTuple, Protocol

from codeintel.client.repository.git import LINK, REGULAR, SUBMODULE, GitFile, Repository
from codeintel.client.workspaces.ignore import Ignores
from codeintel.contracts.workspaces.records import MAX_PATH_BYTES
from codeintel.contracts.workspaces.selection import vendored_folder

_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_GIT = ".git"


class Kind(Enum):
    """The kind of file at a path."""

    FILE = "file"
    LINK = "a symbolic link"
    SUBMODULE = "a submodule, or another repository"
    SPECIAL = "not a regular file"
    ABSENT = "not checked out"
    VENDORED = "others' code, vendored"
    UNREADABLE = "the folder cannot be read"
    TOO_DEEP = "the path is too long"


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
        """Yield a function that reads files. It follows no link at the end of a path."""
        yield lambda entry, limit: read_file(self._root / entry.path, limit)


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
            if each.mode == SUBMODULE:
                yield Entry(each.path, Kind.SUBMODULE)
                continue
            kind = kind_of(self._root / each.path)
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
        while "/" in rest and kind_of(self._root / folder / rest.split("/", 1)[0]) is None:
            name, _, rest = rest.partition("/")
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
                kind = kind_of(folder / entry.name)
                if kind is not None:
                    yield Entry("/".join(inner), kind)


def kind_of(path: Path) -> Kind | None:
    """Return what is at a path, or None if nothing is there or it is a folder.

    It is unreadable if the permission for its folder is missing. After another error, such as one
    of the disk, it counts as a file, because reading it tells that it cannot be read.
    """
    try:
        mode = path.lstat().st_mode
    except PermissionError:
        return Kind.UNREADABLE
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None
    except OSError:
        return Kind.FILE
    return None if stat.S_ISDIR(mode) else _kind(mode)


def is_there(path: Path) -> bool:
    """Return whether anything is at a path. Without permission to check, it counts as present."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return False
    except OSError:
        return True
    return True


def read_file(path: Path, limit: int) -> bytes | None:
    """Return the bytes of a regular file, at most one more than the limit, or None."""
    try:
        descriptor = os.open(path, _READ)
    except (OSError, ValueError):
        return None
    with os.fdopen(descriptor, "rb") as stream:
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return None
            return stream.read(limit + 1)
        except OSError:
            return None


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _kind(mode: int) -> Kind:
    if stat.S_ISLNK(mode):
        return Kind.LINK
    return Kind.FILE if stat.S_ISREG(mode) else Kind.SPECIAL


def _stored(each: GitFile) -> Entry:
    if each.mode in REGULAR:
        return Entry(each.path, Kind.FILE, each.object_id)
    kinds = {LINK: Kind.LINK, SUBMODULE: Kind.SUBMODULE}
    return Entry(each.path, kinds.get(each.mode, Kind.SPECIAL), each.object_id)
