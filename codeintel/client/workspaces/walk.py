"""Find the files of a folder that can be pushed, and the reasons against others, within the limits
of a push.
"""

from __future__ import annotations

import hashlib
import os
import stat
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import NamedTuple

from codeintel.client.workspaces.disk import TEMPORARY, Blocked, Disk, TooLarge
from codeintel.client.workspaces.ignore import Ignores
from codeintel.contracts.workspaces.paths import is_reserved, path_problems
from codeintel.contracts.workspaces.records import (
    MAX_FILE_BYTES,
    MAX_FILES,
    MAX_PATH_BYTES,
    MAX_TOTAL_BYTES,
    LeftOutFile,
    SkippedFile,
)
from codeintel.contracts.workspaces.selection import masked, secret_rule

GIT = ".git"
SHOWN_FOLDERS = 5
MAX_SKIPPED = 10_000
_MOST = 0.8
"""If a folder has at least this share of its parent's content, it is named instead of the parent.
"""


class Left(StrEnum):
    """The reason why a file is omitted, apart from secrets and invalid paths
    (:mod:`codeintel.contracts.workspaces.paths`).
    """

    BINARY = "binary"
    NOT_UTF8 = "not-utf-8"
    TOO_LARGE = "too-large"
    SYMLINK = "symbolic-link"
    SPECIAL = "not-regular"
    UNREADABLE = "unreadable"
    TOO_LONG = "path-too-long"
    NOT_UNICODE = "not-unicode"


class Tree(NamedTuple):
    """The content of a folder. `sizes` has the bytes by path of files that may be pushed, unless
    their content forbids it. `ignored` is the number of files and whole folders that rules omit.
    """

    sizes: dict[str, int]
    left_out: list[SkippedFile]
    ignored: int


class LocalText(NamedTuple):
    """A file: its text, the SHA-256 of its bytes in hexadecimal, and its size in bytes."""

    path: str
    text: str
    sha256: str
    size: int


def walk(root: Path, tracked: Collection[str] = ()) -> Tree:
    """Walk through a folder without reading files, except for ignore rules. Links are not followed.

    :param tracked: paths of the session, which ignore rules do not omit.
    """
    found = _Walk(root, tracked)
    found.folder(root, Ignores.at(root), ())
    problems = path_problems(found.sizes)
    for problem in problems:
        found.sizes.pop(problem.path, None)
    left_out = sorted([*found.left_out, *problems], key=lambda each: each.path)
    return Tree(dict(sorted(found.sizes.items())), left_out, found.ignored)


class _Walk:
    def __init__(self, root: Path, tracked: Collection[str]) -> None:
        self.sizes: dict[str, int] = {}
        self.left_out: list[SkippedFile] = []
        self.ignored = 0
        self._root = root
        self._tracked = frozenset(tracked)
        self._above_tracked = frozenset(above for path in tracked for above in folders_above(path))

    def folder(
        self, folder: Path, rules: Ignores, parts: tuple[str, ...], *, ignored: bool = False
    ) -> None:
        """Walk through a folder.

        :param ignored: whether rules omit the folder, so that only tracked files count.
        """
        above = rules.above
        rules = rules.within(folder, (*above, *parts))
        if len(os.fsencode("/".join(parts))) > MAX_PATH_BYTES:
            self._leave(parts, Left.TOO_LONG)
            return
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError:
            self._leave(parts, Left.UNREADABLE)
            return
        for entry in entries:
            inner = (*parts, entry.name)
            path = _shown(inner)
            if entry.name == GIT or is_reserved(path):
                continue
            if TEMPORARY.fullmatch(entry.name) and path not in self._tracked:
                continue
            is_folder = entry.is_dir(follow_symlinks=False)
            is_ignored = ignored or rules.ignores((*above, *inner), is_folder=is_folder)
            if is_ignored and not self._is_tracked(path, entry):
                self.ignored += 1
            elif is_folder:
                self.folder(folder / entry.name, rules, inner, ignored=is_ignored)
            else:
                self._file(entry, inner)

    def _is_tracked(self, path: str, entry: os.DirEntry[str]) -> bool:
        """Return whether a path is tracked, has tracked files below it, or is a link that replaced
        a tracked folder.
        """
        if entry.is_dir(follow_symlinks=False):
            return path in self._above_tracked
        return path in self._tracked or (entry.is_symlink() and path in self._above_tracked)

    def _file(self, entry: os.DirEntry[str], parts: tuple[str, ...]) -> None:
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:
            self._leave(parts, Left.UNREADABLE)
            return
        path = _shown(parts)
        if stat.S_ISLNK(status.st_mode):
            self._leave(parts, Left.SYMLINK)
        elif not stat.S_ISREG(status.st_mode):
            self._leave(parts, Left.SPECIAL)
        elif path != "/" + "/".join(parts):
            self._leave(parts, Left.NOT_UNICODE)
        elif len(path.encode()) > MAX_PATH_BYTES:
            self._leave(parts, Left.TOO_LONG)
        elif status.st_size > MAX_FILE_BYTES:
            self._leave(parts, Left.TOO_LARGE)
        else:
            self.sizes[path] = status.st_size

    def _leave(self, parts: tuple[str, ...], why: Left) -> None:
        path = _shown(parts)
        shown = path if len(path) <= MAX_PATH_BYTES else f"{path[: MAX_PATH_BYTES - 1]}…"
        self.left_out.append(SkippedFile(shown, why))


def read(root: Path, paths: Iterable[str]) -> Iterator[LocalText | SkippedFile]:
    """Yield each file's text, or why it is omitted. A file with a secret has its text without the
    secret, if the secret can be located.
    """
    with Disk(root) as disk:
        for path in paths:
            data = _bytes(disk, path)
            text = _text(data) if isinstance(data, bytes) else data
            if isinstance(data, Left) or isinstance(text, Left):
                yield SkippedFile(path, text)
                continue
            rule = secret_rule(path, text)
            if rule is None:
                yield LocalText(path, text, hashlib.sha256(data).hexdigest(), len(data))
            else:
                safe = masked(path, text)
                line = safe.line or 1
                yield LeftOutFile(path, rule, line, text=safe.text if safe.is_clean else "")


def _bytes(disk: Disk, path: str) -> bytes | Left:
    try:
        data = disk.read(path, MAX_FILE_BYTES)
    except TooLarge:
        return Left.TOO_LARGE
    except Blocked:
        return Left.UNREADABLE
    return Left.UNREADABLE if data is None else data


def _text(data: bytes) -> str | Left:
    """Decode a text. Keep its byte order mark and line ends."""
    if b"\0" in data:
        return Left.BINARY
    try:
        return data.decode()
    except UnicodeDecodeError:
        return Left.NOT_UTF8


def folders_above(path: str) -> list[str]:
    """Return the parent folders of a path, the outermost first."""
    return [path[:end] for end, character in enumerate(path) if character == "/" and end]


def _shown(parts: tuple[str, ...]) -> str:
    """Return the path in a workspace. Bytes that are not UTF-8 are escaped."""
    return "/" + "/".join(parts).encode("utf-8", "surrogateescape").decode(
        "utf-8", "backslashreplace"
    )


class Pack(NamedTuple):
    """The texts to push by path, their SHA-256 digests, all omitted files and the total size.
    `masked` are texts without the secrets that keep them from being sent, by path.
    """

    texts: dict[str, str]
    digests: dict[str, str]
    left_out: list[SkippedFile]
    size: int
    masked: dict[str, str]


class Folder(NamedTuple):
    """The number and size of files below a folder. `path` ends in a slash."""

    path: str
    files: int
    size: int


class TooMuch(Exception):  # noqa: N818 - says what happened
    """A folder has more than one push may contain. `folders` are the largest in it."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        super().__init__("more than one push may contain")
        self.files = len(sizes)
        self.size = sum(sizes.values())
        self.folders = largest_folders(sizes)


def pack(root: Path, tree: Tree, paths: Iterable[str]) -> Pack:
    """Read the files of a tree.

    :param paths: the paths of the tree. An iterator can report progress.
    :raises TooMuch: as soon as the limits are exceeded.
    """
    texts: dict[str, str] = {}
    digests: dict[str, str] = {}
    masked: dict[str, str] = {}
    left_out = list(tree.left_out)
    size = 0
    for found in read(root, paths):
        if isinstance(found, SkippedFile):
            left_out.append(SkippedFile(found.path, found.reason, found.line))
            if isinstance(found, LeftOutFile) and found.text:
                masked[found.path] = found.text
            continue
        texts[found.path], digests[found.path] = found.text, found.sha256
        size += found.size
        if len(texts) > MAX_FILES or size > MAX_TOTAL_BYTES:
            gone = {each.path for each in left_out}
            raise TooMuch({path: n for path, n in tree.sizes.items() if path not in gone})
    return Pack(texts, digests, sorted(left_out, key=lambda each: each.path), size, masked)


def held(known: Iterable[str], contents: Pack) -> list[SkippedFile]:
    """Return the files of a session that still exist but can no longer be sent, so they were not
    deleted.

    :param known: the paths of the session.
    """
    reasons = {each.path: each.reason for each in contents.left_out}
    return [
        SkippedFile(path, reasons[at])
        for path in sorted(known)
        if path not in contents.digests
        for at in [next((each for each in (*folders_above(path), path) if each in reasons), None)]
        if at is not None
    ]


def largest_folders(sizes: Mapping[str, int]) -> list[Folder]:
    """Return the folders that make a push too large: those with the most files first, or those with
    the most bytes if files are few.
    """
    files: Counter[str] = Counter()
    size: Counter[str] = Counter()
    for path, each in sizes.items():
        end = path.find("/", 1)
        while end != -1:
            files[path[: end + 1]] += 1
            size[path[: end + 1]] += each
            end = path.find("/", end + 1)
    weight = files if len(sizes) > MAX_FILES else size
    chosen = [_inner(path, weight) for path in weight if path.count("/") == 2]
    chosen.sort(key=lambda path: (-weight[path], path))
    return [Folder(path, files[path], size[path]) for path in chosen[:SHOWN_FOLDERS]]


def _inner(path: str, weight: Mapping[str, int]) -> str:
    """Return the folder, or the subfolder that has nearly all of its content."""
    while True:
        deeper = [
            each
            for each in weight
            if each.startswith(path)
            and each.count("/") == path.count("/") + 1
            and weight[each] >= _MOST * weight[path]
        ]
        if not deeper:
            return path
        path = deeper[0]
