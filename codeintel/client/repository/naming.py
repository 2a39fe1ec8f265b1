"""Resolve what a command names: folders, files, patterns and names from standard input."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from pathspec import GitIgnoreSpec

from codeintel.client.repository.git import Repository
from codeintel.client.repository.reach import may_match_below

_PATTERN = re.compile(r"[*?\[]")
_SPECIAL = re.compile(r"[*?\[\]\\!#]")


class DiscoveryError(Exception):
    """The named files cannot be scanned. The text gives the reason and the solution."""


class Named(NamedTuple):
    """The named folders, files and patterns, relative to the root of the scan.

    `folders` has an empty text for the root. `files` are paths that exist. `missing` are names
    without a file.
    """

    root: Path
    repository: Repository | None
    folders: tuple[str, ...]
    files: frozenset[str]
    patterns: tuple[str, ...]
    missing: tuple[str, ...]

    def contains(self, path: str) -> bool:
        """Return whether a path is named, or below a named folder."""
        if path in self.files or "" in self.folders:
            return True
        if any(path.startswith(f"{folder}/") for folder in self.folders):
            return True
        return any(self.matches(pattern, path) for pattern in self.patterns)

    def reaches(self, folder: str) -> bool:
        """Return whether a folder may have named files. It ends with a slash; `/` is the root."""
        inside = folder.lstrip("/")
        return (
            self.contains(folder)
            or any(each.startswith(inside) for each in (*self.folders, *self.files))
            or any(may_match_below(pattern, folder) for pattern in self.patterns)
        )

    @staticmethod
    def matches(pattern: str, path: str) -> bool:
        """Return whether one of the patterns matches a path."""
        return _spec(pattern).match_file(path)


def names_in(data: bytes) -> list[str]:
    """Return the names in a list: one in a line, or separated by NUL characters."""
    names = data.split(b"\0") if b"\0" in data else data.splitlines()
    return [os.fsdecode(name) for name in names if name]


def resolve(names: Sequence[str], cwd: Path, *, may_miss: bool = False) -> Named:
    """Find the root of the scan, and everything that was named below it.

    The root is the top of the Git repository that contains all names. Without one, it is the only
    named folder, or the current folder, or the nearest common parent of the names.

    :param names: paths and patterns, relative to `cwd`. Without any, `cwd` is scanned.
    :param may_miss: whether names without a file are returned instead of rejected.
    :raises DiscoveryError: for a name without a file, and for a repository without files.
    :raises codeintel.client.repository.git.GitError: if Git refuses the repository.
    """
    cwd = Path(os.path.realpath(cwd))
    found: dict[Path, bool] = {}
    patterns: list[tuple[Path, str]] = []
    missing: list[str] = []
    for name in names if names or may_miss else (".",):
        path = _real(cwd, name)
        if path is not None and (path.is_dir() or os.path.lexists(path)):
            found[path] = path.is_dir() and not path.is_symlink()
        elif _PATTERN.search(name) and not may_miss:
            patterns.append(_split(cwd / name))
            _check_pattern(name, patterns[-1][1])
        elif may_miss:
            missing.append(name)
        else:
            raise DiscoveryError(f"{name} does not exist.")
    bases = [path if is_folder else path.parent for path, is_folder in found.items()]
    bases += [folder for folder, _ in patterns]
    common = Path(os.path.commonpath(bases)) if bases else cwd
    repository = Repository.around(common)
    root = repository.top if repository is not None else _root(common, cwd, bases, found)
    return Named(
        root,
        repository,
        tuple(_relative(path, root) for path, is_folder in found.items() if is_folder),
        frozenset(_relative(path, root) for path, is_folder in found.items() if not is_folder),
        tuple(
            "/".join(["", *filter(None, [_escaped(_relative(folder, root))]), rest])
            for folder, rest in patterns
        ),
        tuple(missing),
    )


def _root(common: Path, cwd: Path, bases: Sequence[Path], found: dict[Path, bool]) -> Path:
    if len(bases) == 1 and True in found.values():
        return common
    return cwd if common.is_relative_to(cwd) else common


def _real(cwd: Path, name: str) -> Path | None:
    """Return the absolute path without symbolic links, except for a file that is a link itself."""
    try:
        path = cwd / name
        if path.is_symlink() and not path.is_dir():
            return Path(os.path.realpath(path.parent)) / path.name
        return Path(os.path.realpath(path))
    except (OSError, ValueError):
        return None


def _split(pattern: Path) -> tuple[Path, str]:
    """Return the folder in front of the pattern, and the rest."""
    parts = pattern.parts
    depth = next(at for at, part in enumerate(parts) if _PATTERN.search(part))
    while Path(*parts[: depth + 1]).is_dir():  # a folder with such a name
        depth += 1
    return Path(os.path.realpath(Path(*parts[:depth]))), "/".join(parts[depth:])


def _check_pattern(name: str, rest: str) -> None:
    try:
        _spec(f"/{rest}")
    except (ValueError, re.error):
        raise DiscoveryError(f"{name} is not a valid pattern.") from None


def _escaped(folder: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", folder)


def _relative(path: Path, root: Path) -> str:
    relative = path.relative_to(root).as_posix()
    return "" if relative == "." else relative


@lru_cache(maxsize=64)
def _spec(pattern: str) -> GitIgnoreSpec:
    return GitIgnoreSpec.from_lines([pattern], backend="simple")
