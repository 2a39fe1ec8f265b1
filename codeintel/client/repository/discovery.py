"""Find the files to scan, with their digests, and the reasons against all others."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from codeintel.base.wording import counted
from codeintel.client.repository.content import Text, examine
from codeintel.client.repository.disk import Kind, is_there, kind_of
from codeintel.client.repository.git import GitError, NoWorkTreeError, Repository
from codeintel.client.repository.naming import DiscoveryError, Named, resolve
from codeintel.client.repository.reach import may_match_below
from codeintel.client.repository.rules import EVERY_PATH, OwnRules, PathRules
from codeintel.client.repository.sorting import (
    OWN_RULES,
    PROJECT_RULES,
    Sorting,
    folder_above,
    shown,
)
from codeintel.client.repository.trees import (
    CommitTree,
    Entry,
    FolderTree,
    IndexTree,
    Tree,
    WorkTree,
)
from codeintel.contracts.scans.records import (
    MAX_SCAN_FILE_BYTES,
    MAX_SCAN_FILES,
    Cause,
    ExcludedFile,
    FoundFile,
)

MISSING = "it does not exist"
CHANGED = "it changed during the scan"
_OR_RULES = (
    "or ignore rules leave out all. Check .gitignore, .codeintelignore, and include and exclude in "
    ".codeintel.toml."
)
_SHOWN = 3
_NO_CONTENT = frozenset({OWN_RULES, PROJECT_RULES, Kind.LINK.value})
"""The reasons for which the content of a named file does not matter."""


ReadText = Callable[[FoundFile], str]


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
    ignore rules left out. `notes` are sentences about the search itself. `is_part` marks a scan
    of a part of the repository, and `is_of_changes` one of changed files.
    """

    root: Path
    files: tuple[FoundFile, ...]
    left_out: tuple[ExcludedFile, ...]
    ignored: int
    notes: tuple[str, ...]
    repository: Repository | None
    named: Named
    rules: PathRules
    tree: Tree
    entries: dict[str, Entry]
    is_part: bool = False
    is_of_changes: bool = False

    @contextmanager
    def opened(self) -> Iterator[ReadText]:
        """Yield a function that reads the texts of the scanned files.

        It raises ValueError if a file has changed or cannot be read any longer.
        """
        with self.tree.opened() as read:

            def text_of(file: FoundFile) -> str:
                data = read(self.entries[file.path], MAX_SCAN_FILE_BYTES)
                found = examine(file.language, data)
                if not isinstance(found, Text) or found.sha256 != file.sha256:
                    raise ValueError(CHANGED)
                return found.text

            yield text_of

    def text(self, path: str) -> str | None:
        """Return the text of a scanned file, or None if the file has changed since then."""
        at = bisect_left(self.files, path, key=lambda each: each.path)
        if at == len(self.files) or self.files[at].path != path:
            return None
        with self.opened() as text_of:
            try:
                return text_of(self.files[at])
            except ValueError:
                return None

    def compares(self, path: str) -> bool:
        """Return whether a file of another commit says something about the scanned ones."""
        return path in self.entries or not self.exists(path)

    def exists(self, path: str) -> bool:
        """Return whether a path is scanned or is on the disk, whether it was selected or not."""
        return path in self.entries or is_there(self.root / path)


def locate(selection: Selection, cwd: Path) -> Named:
    """Find the root of a scan.

    :raises DiscoveryError: for a name without a file, and if Git refuses the repository.
    """
    names = selection.names
    try:
        return resolve(selection.paths if names is None else names, cwd, may_miss=names is not None)
    except NoWorkTreeError as error:
        raise DiscoveryError(str(error)) from None
    except GitError as error:
        raise DiscoveryError(
            f"Git refuses the repository: {error}. If you trust it, run `git config --global --add "
            "safe.directory FOLDER` with its folder."
        ) from None


def discover(selection: Selection, named: Named, rules: PathRules = EVERY_PATH) -> Discovery:
    """Find the files to scan.

    :param named: the result of :func:`locate` for the same selection.
    :param rules: the settings of the project for paths and languages.
    :raises DiscoveryError: if there is nothing to scan, or more than a scan may contain.
    """
    notes: list[str] = []
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
    sorting = Sorting(OwnRules(named.root), rules, named.files)
    try:
        _add_all(sorting, named, tree, None if only is None else only.__contains__)
        if only is None:
            _add_named(sorting, named)
            _check_names(named, sorting)
        found = _found(named, rules, tree, sorting, tuple(notes))
    except GitError as error:
        raise DiscoveryError(f"Git failed: {error}") from None
    if only is None and selection.names is None:
        _check_files(found)
    is_part = only is not None or "" not in named.folders
    return found._replace(is_part=is_part, is_of_changes=only is not None)


def discover_commit(discovery: Discovery, commit: str) -> Discovery:
    """Find the files of a commit by the same rules and names as in a discovery.

    Files that the commit has and the discovery lacks are included, such as deleted ones. For a
    discovery of changed files, other files that still exist are left out.

    :param commit: the ID of a commit of the same repository.
    :raises DiscoveryError: without a repository, or if Git fails.
    """
    repository = discovery.repository
    if repository is None:
        raise DiscoveryError(f"{discovery.root} is not in a Git repository.")
    named, rules = discovery.named, discovery.rules
    sorting = Sorting(OwnRules(named.root), rules, named.files)
    try:
        tree = CommitTree(repository, commit)
        _add_all(sorting, named, tree, discovery.compares if discovery.is_of_changes else None)
        return _found(named, rules, tree, sorting, ())
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


def _add_all(
    sorting: Sorting, named: Named, tree: Tree, only: Callable[[str], bool] | None
) -> None:
    """Add the named entries of a tree. A folder without a list counts for all files in it."""
    for entry in tree.entries():
        path = entry.path
        if entry.kind is Kind.TOO_DEEP:  # its own name may be cut
            is_wanted = named.reaches(folder_above(path))
        elif entry.kind is Kind.UNREADABLE and path.endswith("/"):
            is_wanted = named.reaches(path)
        else:
            is_wanted = named.contains(path) and (only is None or only(path))
        if is_wanted:
            sorting.add(entry)


def _add_named(sorting: Sorting, named: Named) -> None:
    """Add the files that are named explicitly, although Git ignores them."""
    for path in named.files - sorting.seen:
        kind = kind_of(named.root, path)
        if kind is not None:
            sorting.add(Entry(path, kind))


def _found(
    named: Named, rules: PathRules, tree: Tree, sorting: Sorting, notes: tuple[str, ...]
) -> Discovery:
    for name in named.missing:
        sorting.leave(shown(name), MISSING, Cause.UNREADABLE)
    _check_number(sorting.entries)
    with tree.opened() as read:
        files = sorting.read(read)
    return Discovery(
        named.root,
        tuple(files),
        tuple(sorted(sorting.left_out, key=lambda each: each.path)),
        tree.ignored + sorting.ignored,
        (*notes, *tree.notes),
        named.repository,
        named,
        rules,
        tree,
        sorting.entries,
    )


def _check_names(named: Named, sorting: Sorting) -> None:
    """Reject a folder or a pattern without files, because an empty scan would pass."""
    for folder in named.folders:
        inside = f"{folder}/" if folder else ""
        if not any(path.startswith(inside) for path in sorting.selected):
            raise DiscoveryError(f"There are no files in {named.root / folder}, {_OR_RULES}")
    for pattern in named.patterns:
        is_known = any(named.matches(pattern, path) for path in sorting.selected)
        if not is_known and not any(may_match_below(pattern, path) for path in sorting.closed):
            raise DiscoveryError(f"No file in {named.root} matches {pattern[1:]}, {_OR_RULES}")


def _check_files(found: Discovery) -> None:
    """Reject named files if a rule or a link keeps all of them from being scanned."""
    told = {each.path: each.reason for each in found.left_out}
    reasons = {told.get(path, "") for path in found.named.files}
    if found.files or found.named.folders or found.named.patterns or not reasons <= _NO_CONTENT:
        return
    listed = ", ".join(f"{path}: {told[path]}" for path in sorted(found.named.files)[:_SHOWN])
    advice = " Name the file that the link points to." if Kind.LINK.value in reasons else ""
    raise DiscoveryError(f"There is nothing to scan. {listed}.{advice}")


def _check_number(entries: dict[str, Entry]) -> None:
    if len(entries) <= MAX_SCAN_FILES:
        return
    folders = Counter(path.partition("/")[0] + "/" for path in entries if "/" in path)
    largest = ", ".join(
        f"{folder} ({counted(number, 'file')})" for folder, number in folders.most_common(_SHOWN)
    )
    raise DiscoveryError(
        f"There are {len(entries):,} files. The limit for a scan is {MAX_SCAN_FILES:,}. Scan "
        "folders one by one, or leave files out in .codeintelignore. The largest folders: "
        f"{largest}."
    )
