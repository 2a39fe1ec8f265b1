"""Suppressions: entries of the project's file, and comments that the project honors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date

from msgspec import UNSET

from codeintel.base.wording import printable
from codeintel.cli.scan.policy.settings import (
    PROJECT_FILE,
    PathGlobs,
    ProjectConfig,
    SuppressionEntry,
    is_meant,
)
from codeintel.cli.scan.report import Source
from codeintel.contracts.positions import LineTable
from codeintel.contracts.scans.records import ScanFinding

_UNTIL = re.compile(r"\buntil[ =:]+(\d{4}-\d{2}-\d{2})", re.IGNORECASE)
_REASON = re.compile(r"\s(?:--|:|-)\s+(?P<reason>[^\r\n]*\w[^\r\n]*)")
_ENDS = re.compile(r"\s*(?:\*/|-->)\s*\Z")
_MAX_REASON = 200


class Suppressions:
    """The suppressions of a project. Remembers which ones were used.

    :param source: returns the text of a file, to read the reason and date of a comment.
    """

    def __init__(self, config: ProjectConfig, source: Source, today: date) -> None:
        self._honors = config.file.honor_suppressions
        self._entries = [(each, PathGlobs(each.paths)) for each in config.file.suppress]
        self._used: set[int] = set()
        self._source = source
        self._today = today
        self._tables: dict[str, LineTable | None] = {}
        self._expired: dict[tuple[str, int], date] = {}

    def reason(self, each: ScanFinding) -> str | None:
        """Return why a finding is suppressed, or None if it is not."""
        for at, (entry, globs) in enumerate(self._entries):
            if _covers(entry, globs, each):
                self._used.add(at)
                if not self._is_over(entry):
                    return entry.reason
        return self._of_comment(each) if self._honors else None

    def notes(self, *, is_whole: bool) -> Iterator[str]:
        """Yield a sentence for each expired or unused suppression.

        :param is_whole: whether all files were analyzed completely. Otherwise, an unused entry may
            match a finding of another file.
        """
        for at, (entry, _) in enumerate(self._entries):
            named = f"{PROJECT_FILE}: the suppression {at + 1} ({_named(entry)})"
            if at not in self._used:
                if is_whole:
                    yield f"{named} matches no finding. Remove it."
            elif entry.until is not UNSET and self._is_over(entry):
                yield f"{named} expired on {entry.until:%B} {entry.until.day}, {entry.until.year}."
        for (path, line), until in sorted(self._expired.items()):
            yield f"{printable(path)}:{line}: the suppression expired on {until.isoformat()}."

    def _is_over(self, entry: SuppressionEntry) -> bool:
        return entry.until is not UNSET and entry.until < self._today

    def _of_comment(self, each: ScanFinding) -> str | None:
        """Return the reason of a suppression comment. `until` and a day in it limit its time."""
        comment = each.finding.suppression
        if comment is UNSET:
            return None
        line = self._line(each.path, comment.line)
        at = line.lower().find(comment.comment.lower())
        told = line[at + len(comment.comment) :] if at >= 0 else ""
        until = _UNTIL.search(told)
        if until is not None:
            day = _day(until[1])
            if day is None or day < self._today:
                self._expired[each.path, comment.line] = day or date.min
                return None
        match = _REASON.search(told)
        reason = _ENDS.sub("", match["reason"]).strip()[:_MAX_REASON] if match else ""
        return reason or f"{comment.comment} on line {comment.line}"

    def _line(self, path: str, number: int) -> str:
        if path not in self._tables:
            text = self._source(path)
            self._tables[path] = None if text is None else LineTable(text)
        table = self._tables[path]
        return table.line(number) if table is not None and number <= len(table) else ""


def _covers(entry: SuppressionEntry, globs: PathGlobs, each: ScanFinding) -> bool:
    if entry.fingerprint and not each.fingerprint.startswith(entry.fingerprint):
        return False
    if entry.rule and not is_meant(entry.rule, each.finding):
        return False
    return not entry.paths or globs.matches(each.path)


def _named(entry: SuppressionEntry) -> str:
    parts = (entry.rule or "", *entry.paths, (entry.fingerprint or "")[:12])
    return printable(", ".join(filter(None, parts)))


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
