"""Find the files to scan, with their digests, and the reasons against all others."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from msgspec import UNSET

from codeintel.base.wording import counted, size as size_in_words
from codeintel.client.repository.content import Text, Unfit, examine, has_secret
from codeintel.client.repository.git import GitError, Repository
from codeintel.client.repository.naming import DiscoveryError, Named, resolve
from codeintel.client.repository.rules import OwnRules
from codeintel.client.repository.trees import (
    CommitTree,
    Entry,
    FolderTree,
    IndexTree,
    Kind,
    Tree,
    WorkTree,
    kind_of,
)
from codeintel.contracts.languages import language_of_path
from codeintel.contracts.scans.records import (
    MAX_SCAN_BYTES,
    MAX_SCAN_FILE_BYTES,
    MAX_SCAN_FILES,
    Cause,
    FoundFile,
    LeftOutFile,
)
from codeintel.contracts.workspaces.records import MAX_PATH_BYTES
from codeintel.contracts.workspaces.selection import (
    UNKNOWN,
    VENDORED,
    reason_against,
    vendored_folder,
)

NOT_UNICODE = "the name is not UTF-8"
TOO_LONG = "the path is too long"
MISSING = "it does not exist"
CHANGED = "it changed during the scan"
OWN_RULES = "left out by .codeintelignore"
_SHOWN_FOLDERS = 3
_CAUSES = {Kind.UNREADABLE: Cause.UNREADABLE, Kind.TOO_DEEP: Cause.NAME}


class Selection(NamedTuple):
    """The files that a command names.

    :param paths: folders, files and patterns, relative to the current folder. Default: all of it.
    :param names: files that a program listed, which need not exist. They replace `paths`.
    :param changed: only files that differ from `since`, or from HEAD.
    :param since: a commit. Changes are counted from the last common commit with HEAD.
    :param staged: only files that the index changes, with the contents of the index.
    """

    paths: tuple[str, ...] = ()
    names: tuple[str, ...] | None = None
    changed: bool = False
    since: str | None = None
    staged: bool = False


class Discovery(NamedTuple):
    """The files of a scan.

    `files` and `left_out` are sorted by path. `ignored` is the number of files and folders that
    ignore rules left out. `notes` are sentences about the search itself.
    """

    root: Path
    files: tuple[FoundFile, ...]
    left_out: tuple[LeftOutFile, ...]
    ignored: int
    notes: tuple[str, ...]
    repository: Repository | None
    named: Named
    tree: Tree
    entries: dict[str, Entry]

    def texts(self, files: Iterable[FoundFile]) -> Iterator[tuple[FoundFile, str | LeftOutFile]]:
        """Yield each file with its text, or with the reason why it can no longer be scanned."""
        with self.tree.opened() as read:
            for file in files:
                data = read(self.entries[file.path], MAX_SCAN_FILE_BYTES)
                found = examine(file.language, data)
                if isinstance(found, Text) and found.sha256 == file.sha256:
                    yield file, found.text
                else:
                    yield file, LeftOutFile(path=file.path, reason=CHANGED, cause=Cause.UNREADABLE)

    def text(self, path: str) -> str | None:
        """Return the current text of a scanned file, or None."""
        entry = self.entries.get(path)
        if entry is None:
            return None
        with self.tree.opened() as read:
            found = examine(language_of_path(path), read(entry, MAX_SCAN_FILE_BYTES))
        return found.text if isinstance(found, Text) else None


def discover(selection: Selection, cwd: Path) -> Discovery:
    """Find the files to scan.

    :raises DiscoveryError: if there is nothing to scan, or more than a scan may contain.
    """
    notes: list[str] = []
    names = selection.names
    try:
        named = resolve(
            selection.paths if names is None else names, cwd, may_miss=names is not None
        )
    except GitError as error:
        if "bare repository" in str(error):
            raise DiscoveryError(str(error)) from None
        raise DiscoveryError(
            f"Git refuses the repository: {error}. If you trust it, run `git config --global --add "
            "safe.directory FOLDER` with its folder."
        ) from None
    repository = named.repository
    only: set[str] | None = None
    tree: Tree
    if selection.changed or selection.staged:
        if repository is None:
            raise DiscoveryError(
                "--changed and --staged need a Git repository and the program git. "
                f"{named.root} is not in a repository."
            )
        try:
            only = _changes(repository, selection, notes)
        except GitError as error:
            raise DiscoveryError(str(error)) from None
    if repository is None:
        tree = FolderTree(named.root, _starts(named))
    else:
        tree = IndexTree(repository) if selection.staged else WorkTree(repository)
    try:
        return _found(named, tree, only, tuple(notes), with_named=not selection.staged)
    except GitError as error:
        raise DiscoveryError(f"Git failed: {error}") from None


def discover_commit(discovery: Discovery, commit: str) -> Discovery:
    """Find the files of a commit by the same rules and names as in a discovery.

    Files that the commit has and the discovery lacks are included, such as deleted ones.

    :param commit: the ID of a commit of the same repository.
    :raises DiscoveryError: without a repository, or if Git fails.
    """
    repository = discovery.repository
    if repository is None:
        raise DiscoveryError(f"{discovery.root} is not in a Git repository.")
    try:
        return _found(discovery.named, CommitTree(repository, commit), None, (), with_named=False)
    except GitError as error:
        raise DiscoveryError(f"Git failed: {error}") from None


def _changes(repository: Repository, selection: Selection, notes: list[str]) -> set[str]:
    if selection.staged:
        return repository.staged()
    if selection.since is None:
        return repository.changed("HEAD" if repository.has_commits() else None)
    commit = repository.commit(selection.since)
    base = repository.merge_base(commit)
    if base is None:
        notes.append(
            f"{selection.since} and HEAD have no known common commit, so files were compared with "
            f"{selection.since} itself."
        )
    return repository.changed(base or commit)


def _starts(named: Named) -> tuple[str, ...]:
    """Return the folders to walk through, without those inside another."""
    starts = {*named.folders, *({""} if named.patterns else ())}
    return tuple(
        sorted(
            each
            for each in starts
            if not any(
                each != other and (not other or each.startswith(f"{other}/")) for other in starts
            )
        )
    )


def _found(
    named: Named, tree: Tree, only: set[str] | None, notes: tuple[str, ...], *, with_named: bool
) -> Discovery:
    own = OwnRules(named.root)
    sorting = _Sorting(own, named.files)
    for entry in tree.entries():
        if named.contains(entry.path) and (only is None or entry.path in only):
            sorting.add(entry)
    if with_named and only is None:
        for path in named.files - sorting.seen:  # named explicitly, although Git ignores them
            kind = kind_of(named.root / path)
            if kind is not None:
                sorting.add(Entry(path, kind))
    if only is None:
        _check_names(named, sorting.seen)
    for name in named.missing:
        sorting.leave(_shown(name), MISSING, Cause.UNREADABLE)
    _check_number(sorting.entries)
    with tree.opened() as read:
        files = sorting.read(read)
    return Discovery(
        named.root,
        tuple(files),
        tuple(sorted(sorting.left_out, key=lambda each: each.path)),
        tree.ignored + sorting.ignored,
        notes,
        named.repository,
        named,
        tree,
        sorting.entries,
    )


class _Sorting:
    """Divides entries into those to read and those that are left out."""

    def __init__(self, own: OwnRules, explicit: frozenset[str]) -> None:
        self.entries: dict[str, Entry] = {}
        self.left_out: list[LeftOutFile] = []
        self.seen: set[str] = set()
        self.ignored = 0
        self._own = own
        self._explicit = explicit
        self._folders: set[str] = set()

    def leave(self, path: str, reason: str, cause: Cause | None = None) -> None:
        """Leave a file out."""
        self.left_out.append(LeftOutFile(path=path, reason=reason, cause=cause or UNSET))

    def add(self, entry: Entry) -> None:
        """Decide about an entry by its path."""
        path = entry.path
        self.seen.add(path)
        shown = _shown(path)
        if len(os.fsencode(path)) > MAX_PATH_BYTES:
            self.leave(f"{shown[:MAX_PATH_BYTES]}…", TOO_LONG, Cause.NAME)
            return
        if self._own.omits(path):
            if path in self._explicit:
                self.leave(shown, OWN_RULES)
            else:
                self.ignored += 1
            return
        folder = vendored_folder(path)
        if folder is not None:
            if folder not in self._folders:  # one line for all of its files
                self._folders.add(folder)
                self.leave(f"{_shown(folder)}/", VENDORED)
            return
        language = language_of_path(path)
        reason = reason_against(path, language)
        if entry.kind is not Kind.FILE:
            self.leave(shown, entry.kind.value, _CAUSES.get(entry.kind))
        elif shown != path:
            self.leave(shown, NOT_UNICODE, Cause.NAME if language else None)
        elif reason is not None and reason != UNKNOWN:
            self.leave(path, reason)
        else:
            self.entries[path] = entry

    def read(self, read: Callable[[Entry, int], bytes | None]) -> list[FoundFile]:
        """Read all files, and decide about them by their contents."""
        files, total = [], 0
        for path in sorted(self.entries):
            language = language_of_path(path)
            data = read(self.entries[path], MAX_SCAN_FILE_BYTES)
            if language is None and not has_secret(path, data):
                self.leave(path, UNKNOWN)
                continue
            found = examine(language, data)
            if isinstance(found, Unfit):
                self.leave(path, found.reason, found.cause)
            elif found is not None:
                files.append(
                    FoundFile(path=path, sha256=found.sha256, size=found.size, language=language)
                )
                total += found.size
        if total > MAX_SCAN_BYTES:
            raise DiscoveryError(
                f"The files have {size_in_words(total)}. The limit for a scan is "
                f"{size_in_words(MAX_SCAN_BYTES)}. Scan folders one by one, or leave files out in "
                ".codeintelignore."
            )
        return files


def _check_names(named: Named, seen: set[str]) -> None:
    """Reject a folder or a pattern without files, because an empty scan would pass."""
    for folder in named.folders:
        if not any(not folder or path.startswith(f"{folder}/") for path in seen):
            raise DiscoveryError(
                f"There are no files in {named.root / folder}, or ignore rules leave out all."
            )
    for pattern in named.patterns:
        if not any(named.matches(pattern, path) for path in seen):
            raise DiscoveryError(f"No file in {named.root} matches {pattern[1:]}.")


def _check_number(entries: dict[str, Entry]) -> None:
    if len(entries) <= MAX_SCAN_FILES:
        return
    folders = Counter(path.partition("/")[0] + "/" for path in entries if "/" in path)
    largest = ", ".join(
        f"{folder} ({counted(number, 'file')})"
        for folder, number in folders.most_common(_SHOWN_FOLDERS)
    )
    raise DiscoveryError(
        f"There are {len(entries):,} files. The limit for a scan is {MAX_SCAN_FILES:,}. Scan "
        "folders one by one, or leave files out in .codeintelignore. The largest folders: "
        f"{largest}."
    )


def _shown(path: str) -> str:
    """Return a path in UTF-8. Other bytes are escaped."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")
