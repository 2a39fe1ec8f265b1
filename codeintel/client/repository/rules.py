"""Rules about paths for every tree: `.codeintelignore` files, and the settings of a project."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from codeintel.client.workspaces.ignore import OWN, Ignores


class PathRules(Protocol):
    """The settings of a project for paths and languages."""

    def selects(self, path: str) -> bool:
        """Return whether a file is scanned."""

    def selects_below(self, folder: str) -> bool:
        """Return whether files may be scanned in a folder whose files are not known.

        `folder` ends with a slash.
        """

    def language_of(self, path: str) -> str | None:
        """Return the language that the project sets for a file, or None."""

    def is_enabled(self, language: str | None) -> bool:
        """Return whether files of a language are scanned."""


class _EveryPath:
    def selects(self, path: str) -> bool:  # noqa: ARG002 - part of the protocol
        return True

    def selects_below(self, folder: str) -> bool:  # noqa: ARG002
        return True

    def language_of(self, path: str) -> str | None:  # noqa: ARG002
        return None

    def is_enabled(self, language: str | None) -> bool:  # noqa: ARG002
        return True


EVERY_PATH: PathRules = _EveryPath()


class OwnRules:
    """The `.codeintelignore` files below a root.

    They are always read from the disk, so that the same rules apply to the files of any commit.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._rules: dict[tuple[str, ...], Ignores] = {}
        self._omitted: dict[tuple[str, ...], bool] = {}

    def omits(self, path: str) -> bool:
        """Return whether the rules leave out a file, or a folder above it."""
        parts = tuple(path.split("/"))
        return self._omits_folder(parts[:-1]) or self._inside(parts[:-1]).ignores(
            parts, is_folder=path.endswith("/")
        )

    def _omits_folder(self, parts: tuple[str, ...]) -> bool:
        for depth in range(1, len(parts) + 1):
            folder = parts[:depth]
            if folder not in self._omitted:
                rules = self._inside(folder[:-1])
                self._omitted[folder] = rules.ignores(folder, is_folder=True)
            if self._omitted[folder]:
                return True
        return False

    def _inside(self, parts: tuple[str, ...]) -> Ignores:
        """Return the rules that apply inside a folder."""
        rules = Ignores(names=(OWN,))
        for depth in range(len(parts) + 1):
            folder = parts[:depth]
            if folder not in self._rules:
                self._rules[folder] = rules.within(self._root.joinpath(*folder), folder)
            rules = self._rules[folder]
        return rules
