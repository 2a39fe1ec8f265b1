"""Divide the files of a tree into those to scan and those that are left out, with the reasons."""

from __future__ import annotations

import os

from msgspec import UNSET

from codeintel.base.wording import size as size_in_words
from codeintel.client.repository.content import Unfit, examine, has_secret
from codeintel.client.repository.disk import Kind
from codeintel.client.repository.naming import DiscoveryError
from codeintel.client.repository.rules import OwnRules, PathRules
from codeintel.client.repository.trees import Entry, Read
from codeintel.contracts.languages import language_of_path
from codeintel.contracts.scans.records import (
    MAX_SCAN_BYTES,
    MAX_SCAN_FILE_BYTES,
    Cause,
    ExcludedFile,
    FoundFile,
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
OWN_RULES = "left out by .codeintelignore"
PROJECT_RULES = "left out by the settings of the project"
_CAUSES = {Kind.UNREADABLE: Cause.UNREADABLE, Kind.TOO_DEEP: Cause.NAME}


class Sorting:
    """Divides entries into those to read and those that are left out."""

    def __init__(self, own: OwnRules, rules: PathRules, explicit: frozenset[str]) -> None:
        self.entries: dict[str, Entry] = {}
        self.left_out: list[ExcludedFile] = []
        self.seen: set[str] = set()
        self.selected: set[str] = set()
        """The paths that no rule leaves out."""
        self.closed: set[str] = set()
        """The folders whose files are not known."""
        self.ignored = 0
        self._own = own
        self._rules = rules
        self._explicit = explicit
        self._folders: set[str] = set()

    def language_of(self, path: str) -> str | None:
        """Return the language of a file, which the rules can set."""
        return self._rules.language_of(path) or language_of_path(path)

    def leave(self, path: str, reason: str, cause: Cause | None = None) -> None:
        """Leave a file out."""
        self.left_out.append(ExcludedFile(path=path, reason=reason, cause=cause or UNSET))

    def add(self, entry: Entry) -> None:
        """Decide about an entry by its path."""
        path = entry.path
        self.seen.add(path)
        name = shown(path)
        if len(os.fsencode(path)) > MAX_PATH_BYTES:
            self.leave(f"{name[:MAX_PATH_BYTES]}…", TOO_LONG, Cause.NAME)
            if entry.kind is Kind.TOO_DEEP:
                self.closed.add(folder_above(path))
            return
        if entry.kind is Kind.INVALID:
            self.leave(name, entry.kind.value, Cause.NAME)
            return
        language = self.language_of(path)
        is_own = self._own.omits(path)
        is_closed = entry.kind is Kind.UNREADABLE and path.endswith("/")
        if is_own or not self._selects(path, language, is_closed=is_closed):
            if path in self._explicit:
                self.leave(name, OWN_RULES if is_own else PROJECT_RULES)
            else:
                self.ignored += 1
            return
        self.selected.add(path)
        if is_closed:
            self.closed.add(path)
        folder = vendored_folder(path)
        if folder is not None:
            if folder not in self._folders:  # one line for all of its files
                self._folders.add(folder)
                self.leave(f"{shown(folder)}/", VENDORED)
            return
        reason = reason_against(path, language)
        if entry.kind is not Kind.FILE:
            self.leave(name, entry.kind.value, _CAUSES.get(entry.kind))
        elif name != path:
            self.leave(name, NOT_UNICODE, Cause.NAME if language else None)
        elif reason is not None and reason != UNKNOWN:
            self.leave(path, reason)
        else:
            self.entries[path] = entry

    def _selects(self, path: str, language: str | None, *, is_closed: bool) -> bool:
        if is_closed:
            return self._rules.selects_below(path)
        return self._rules.selects(path) and self._rules.is_enabled(language)

    def read(self, read: Read) -> list[FoundFile]:
        """Read all files, and decide about them by their contents."""
        files, total = [], 0
        for path in sorted(self.entries):
            language = self.language_of(path)
            data = read(self.entries[path], MAX_SCAN_FILE_BYTES)
            if language is None and data is not None and not has_secret(path, data):
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


def folder_above(path: str) -> str:
    """Return the path of the folder that contains a folder, with a slash at the end."""
    return f"{path.rstrip('/').rpartition('/')[0]}/"


def shown(path: str) -> str:
    """Return a path in UTF-8. Other bytes are escaped."""
    return os.fsencode(path).decode("utf-8", "backslashreplace")
