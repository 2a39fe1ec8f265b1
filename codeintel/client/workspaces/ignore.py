"""Apply `.gitignore` and `.codeintelignore` to the files of a folder, as Git does."""

from __future__ import annotations

import os
import re
import stat
import warnings
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from pathspec import GitIgnoreSpec, RegexPattern

GITIGNORE = ".gitignore"
OWN = ".codeintelignore"
IGNORE_FILES = (GITIGNORE, OWN)
"""Within a folder, a later file overrides an earlier one."""
MAX_IGNORE_BYTES = 1024 * 1024
_ANYTHING = "."
"""The library's translation of `*` and `**/*`."""
_BRACKETS = re.compile(r"\\.|\[[!^]?\]?(?:\[:[a-z]+:\]|[^\]])*\]")
_CLASS = re.compile(r"\[:([a-z]+):\]")
_CLASSES = {
    "alnum": "0-9A-Za-z",
    "alpha": "A-Za-z",
    "blank": " \t",
    "cntrl": "\x01-\x1f\x7f",
    "digit": "0-9",
    "graph": '"-~!',
    "lower": "a-z",
    "print": " -~",
    "punct": ":-@[-`{-~!-.",
    "space": "\t-\r ",
    "upper": "A-Z",
    "xdigit": "0-9A-Fa-f",
}
"""Character classes that the library does not support, such as `[[:digit:]]`. None begins with `!`,
which would negate the brackets, and none has a slash.
"""
_GIT_DIR = re.compile(r"gitdir: (?P<folder>[^\n]+)\n*\Z")


class _Rule(NamedTuple):
    """A line of an ignore file. `is_deep` means that it also matches everything below the named
    path.
    """

    pattern: RegexPattern
    is_deep: bool
    folders_only: bool

    def matches(self, path: str, *, is_folder: bool) -> bool:
        """Return whether the rule matches this path itself. A match of a parent folder was decided
        before, perhaps by another line.
        """
        if self.folders_only and not is_folder:
            return False
        found = self.pattern.match_file(path)
        return found is not None and (self.is_deep or found.match.end() == len(path))


class _Level(NamedTuple):
    """The rules of a folder, last one first. `depth` is the number of path components of the
    folder.
    """

    depth: int
    rules: Sequence[_Rule]

    def verdict(self, path: str, *, is_folder: bool) -> bool | None:
        """Return whether the rules omit the path, or None if no rule matches."""
        for rule in self.rules:
            if rule.matches(path, is_folder=is_folder):
                return rule.pattern.include
        return None


class Ignores:
    """The rules for a folder: its own, and those of its parents.

    :param above: the path components from the top of the Git repository to the pushed folder.
    :param names: the names of the ignore files. Without `.gitignore`, the excludes of the
        repository do not count either.
    """

    def __init__(
        self,
        levels: Sequence[_Level] = (),
        above: tuple[str, ...] = (),
        names: Sequence[str] = IGNORE_FILES,
    ) -> None:
        self._levels = levels
        self._names = names
        self.above = above

    @classmethod
    def at(cls, root: Path) -> Ignores:
        """Return the rules of the folders above `root`, within its Git repository."""
        top = next((each for each in (root, *root.parents) if os.path.lexists(each / ".git")), root)
        above = root.relative_to(top).parts
        rules = cls((), above)
        for depth in range(len(above)):
            rules = rules.within(top.joinpath(*above[:depth]), above[:depth])
            if rules.ignores(above[: depth + 1], is_folder=True):
                # the folder was named explicitly, so only its own rules apply
                return cls((), above)
        return rules

    def within(self, folder: Path, parts: tuple[str, ...]) -> Ignores:
        """Return the rules for the content of a folder.

        :param parts: the folder's path from the repository's top.
        """
        lines = _git_excludes(folder) if GITIGNORE in self._names else []
        for name in self._names:
            lines += _lines(folder / name)
        rules = _rules(lines)
        if not rules:
            return self
        level = _Level(len(parts), rules[::-1])
        return Ignores([level, *self._levels], self.above, self._names)

    def ignores(self, parts: tuple[str, ...], *, is_folder: bool) -> bool:
        """Return whether a path is omitted. The folders above it must not be."""
        for level in self._levels:  # the innermost first
            verdict = level.verdict("/".join(parts[level.depth :]), is_folder=is_folder)
            if verdict is not None:
                return verdict
        return False


def _rules(lines: Iterable[str]) -> list[_Rule]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FutureWarning)  # of patterns such as `[[a]`
        return [rule for line in lines for rule in _rule(line)]


def _without_classes(pattern: str) -> str:
    """Replace each character class in a pattern with its characters."""

    def spelt(match: re.Match[str]) -> str:
        if match[0].startswith("\\"):
            return match[0]
        return "[" + _CLASS.sub(lambda found: _CLASSES.get(found[1], found[0]), match[0][1:])

    end = pattern.rfind("]") + 1  # no bracket ends after this, so do not search again
    return _BRACKETS.sub(spelt, pattern[:end]) + pattern[end:]


def _rule(line: str) -> Iterator[_Rule]:
    """Yield the rule in a line, if it has one."""
    text = line if line.endswith("\\ ") else line.rstrip()
    shorter = text.removesuffix("/")
    try:
        patterns = GitIgnoreSpec.from_lines([_without_classes(shorter)], backend="simple").patterns
    except (ValueError, re.error):
        return  # Git treats an invalid pattern as one that matches nothing, too
    for pattern in patterns:
        if pattern.include is not None and pattern.regex is not None:
            is_deep = shorter.endswith("**") or pattern.regex.pattern == _ANYTHING
            yield _Rule(pattern, is_deep, folders_only=text != shorter)


def _lines(path: Path) -> list[str]:
    """Return the lines of an ignore file, or no lines if it is missing, a link or far too long."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return []
    with os.fdopen(descriptor, "rb") as stream:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return []
        data = stream.read(MAX_IGNORE_BYTES + 1)
    if len(data) > MAX_IGNORE_BYTES:
        return []
    return [line for line in data.decode("utf-8-sig", "surrogateescape").split("\n") if line]


def _git_excludes(folder: Path) -> list[str]:
    """Return the lines of `info/exclude` if the folder is the top of a repository."""
    git = folder / ".git"
    if git.is_symlink() or not git.exists():
        return []
    if git.is_file():  # a worktree or a submodule: the file names the folder
        match = _GIT_DIR.match("\n".join(_lines(git)))
        if match is None:
            return []
        git = folder / match["folder"]
        common = _lines(git / "commondir")
        git = git / common[0].strip() if common else git
    return _lines(git / "info" / "exclude")
