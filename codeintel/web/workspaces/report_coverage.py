"""Say how many files a report covers, and name those that it leaves out. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from codeintel.base.wording import counted
from codeintel.contracts.workspaces.records import FileEntry, SkippedFile
from codeintel.workspaces.proof.shapes import Report

MOST_UNSENT = 200
"""That the page names: a client may leave out thousands of files."""


@dataclass(frozen=True)
class Coverage:
    """The files that were not analyzed.

    `stored` are files of the revision that no analyzer checked completely. `unsent` are the first
    files that the client left out of the push, and `more` counts the others. `told` has the
    numbers in words.
    """

    told: str
    empty: tuple[str, ...]
    stored: tuple[SkippedFile, ...]
    unsent: tuple[SkippedFile, ...]
    more: int

    @property
    def total(self) -> int:
        """The number of files that are named or counted."""
        return len(self.empty) + len(self.stored) + len(self.unsent) + self.more


def coverage(
    report: Report, files: Iterable[FileEntry], skipped: Iterable[SkippedFile]
) -> Coverage:
    """
    :param files: the files of the revision.
    :param skipped: the files that the client left out of it.
    """
    sizes = {entry.path: entry.size for entry in files}
    secret = {each.path for each in report.secrets}
    empty = tuple(sorted(path for path, size in sizes.items() if not size))
    # Reports outlive the files of old revisions. Then all unchecked files count as stored.
    stored = tuple(each for each in report.unchecked if not sizes or each.path in sizes)
    unsent = {each.path: each for each in (*skipped, *report.unchecked) if each not in stored}
    shown = sorted(
        (each for path, each in unsent.items() if path not in secret and path not in sizes),
        key=lambda each: each.path,
    )
    return Coverage(
        told=_told(report, len(sizes.keys() | secret), len(empty)),
        empty=empty,
        stored=stored,
        unsent=tuple(shown[:MOST_UNSENT]),
        more=max(0, len(shown) - MOST_UNSENT),
    )


def _told(report: Report, total: int, empty: int) -> str:
    analyzed = report.summary.files_analyzed
    parts = [f"of {total:,}"] if total > analyzed else []
    if empty:
        needs = "needs" if empty == 1 else "need"
        parts.append(f"{counted(empty, 'empty file')} {needs} no analysis")
    return "; ".join(parts)
