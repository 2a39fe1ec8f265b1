"""Which files of a revision are analysed, and why others are not. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from codeintel.contracts.languages import language_of_path
from codeintel.contracts.workspaces.records import FileEntry, SkippedFile
from codeintel.contracts.workspaces.selection import (
    UNKNOWN,
    UNSENT_NAMES,
    UNSENT_READING,
    UNSENT_SIZE,
    is_for_analysis,
    reason_against,
)
from codeintel.workspaces.proof.shapes import Cause, UncheckedFile

_CLIENT = {
    **dict.fromkeys(UNSENT_READING, Cause.UNREADABLE),
    **dict.fromkeys(UNSENT_NAMES, Cause.NAME),
    UNSENT_SIZE: Cause.SIZE,
}
"""The causes of what clients give as reasons."""


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
