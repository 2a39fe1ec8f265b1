"""One finding for each defect: which findings of single files repeat one that crosses files.

A finding that crosses files names in `also` the rules that found the same defect in its file alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from msgspec import UNSET

from codeintel.contracts.findings import Finding

Defect = tuple[str, str, int]
"""The path, weakness and line of a finding."""


class Located(Protocol):
    """A finding with the path of its file."""

    @property
    def path(self) -> str:
        """Return the path."""

    @property
    def finding(self) -> Finding:
        """Return the finding."""


def defect_of(path: str, finding: Finding) -> Defect | None:
    """Return what findings about the same defect have in common, or None without a weakness."""
    return None if finding.cwe is None else (path, finding.cwe, finding.range.start_line)


def can_be_repeated(finding: Finding) -> bool:
    """Return whether a finding that crosses files has everything that this finding of one file has.

    It has no fix, and no comment suppresses it.
    """
    return finding.fix is UNSET and finding.suppression is UNSET and not finding.flow


def crosses_files(finding: Finding) -> bool:
    """Return whether the value of a finding comes from another file."""
    return any(step.path for step in finding.flow or ())


class Repeated:
    """Tells which findings of single files repeat one that crosses files.

    :param crossing: the findings that cross files.
    """

    def __init__(self, crossing: Iterable[Located]) -> None:
        self._by: dict[tuple[Defect, str, str], Located] = {}
        for each in crossing:
            defect = defect_of(each.path, each.finding)
            for ref in each.finding.also or ():
                if defect is not None:
                    self._by.setdefault((defect, ref.engine, ref.rule_id), each)

    def by(self, found: Located) -> Located | None:
        """Return the finding that crosses files and reports the same defect, or None."""
        defect = defect_of(found.path, found.finding)
        if defect is None or not can_be_repeated(found.finding):
            return None
        return self._by.get((defect, found.finding.engine, found.finding.rule_id))
