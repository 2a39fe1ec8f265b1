"""Which files of a revision are analysed, and why others are not. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from codeintel.folders.paths import REASONS
from codeintel.folders.records import FileEntry, SkippedFile
from codeintel.folders.selection import UNKNOWN, is_for_analysis, reason_against
from codeintel.languages import language_of_path
from codeintel.workspace.proof.shapes import Cause, UncheckedFile

_CLIENT = {
    "too-large": Cause.SIZE,
    "unreadable": Cause.UNREADABLE,
    "not-utf-8": Cause.UNREADABLE,
    "binary": Cause.UNREADABLE,
    **dict.fromkeys(REASONS - {"git-folder", "reserved"}, Cause.NAME),
}
"""What clients give as reasons (docs/editor-clients.md)."""


class Chosen(NamedTuple):
    """A file that is analysed, in a canonical language."""

    entry: FileEntry
    language: str


class Plan(NamedTuple):
    """What is to be done with the files of a revision. Empty files are in neither part."""

    chosen: tuple[Chosen, ...]
    unchecked: tuple[UncheckedFile, ...]


def plan(files: Iterable[FileEntry]) -> Plan:
    """Divide the files. What a workspace stores is never too large to be analysed."""
    chosen, unchecked = [], []
    for entry in files:
        if not entry.size:
            continue
        language = language_of_path(entry.path)
        reason = reason_against(entry.path, language)
        if reason is not None or language is None:
            unchecked.append(UncheckedFile(entry.path, reason or UNKNOWN))
        else:
            chosen.append(Chosen(entry, language))
    return Plan(tuple(chosen), tuple(unchecked))


def left_behind(skipped: Iterable[SkippedFile]) -> tuple[UncheckedFile, ...]:
    """The files that a client could not send and that would have been analysed. What it left out on
    purpose is not among them."""
    return tuple(
        UncheckedFile(each.path, each.reason, cause=_CLIENT[each.reason])
        for each in skipped
        if each.reason in _CLIENT and is_for_analysis(each.path)
    )
