"""Follow values across the files of a revision, as scans do for a repository."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import msgspec
from msgspec import UNSET
from sqlalchemy import Connection, Engine

from codeintel.base.greenlets import letting_others_run
from codeintel.contracts import AnalysisResult, Finding
from codeintel.contracts.scans.defects import Repeated, crosses_files
from codeintel.contracts.scans.records import CrossFileResult, FoundFile
from codeintel.identity import ledger
from codeintel.platform.db.writer import Writer
from codeintel.platform.workers.pool import AnalyzerPool
from codeintel.runs.scans.cross_file import Known, ProjectAnalysis
from codeintel.runs.scans.results import ScanFile
from codeintel.runs.scans.storage import StoredResults
from codeintel.workspaces.contents import present
from codeintel.workspaces.proof.analysis import TURN, Chosen
from codeintel.workspaces.proof.comparison import of_file
from codeintel.workspaces.proof.shapes import BaselineState, ReportedFinding
from codeintel.workspaces.reading import Texts

_RuleInFile = tuple[str, str | None, str, str]
"""The path, weakness, engine and rule of a finding."""
SLASH = "/"
"""Paths of workspaces start with it. Those of scans are relative to the top of the repository."""


class _Summaries(StoredResults):
    """Summaries of the files of an account's workspaces, which its scans share.

    They are deleted with the contents. Links belong to no content, so they are not stored.
    """

    def insert(self, connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
        """Store the summaries of contents that still exist."""
        ledger.lock(connection, self._account_id)  # as everything that deletes contents does
        there = present(connection, self._account_id, {row["sha256"] for row in rows})
        super().insert(connection, [row for row in rows if row["sha256"] in there])


class RevisionLinks:
    """Links the files of revisions.

    :param seconds: how long summaries are kept.
    """

    def __init__(self, engine: Engine, writer: Writer, pool: AnalyzerPool, seconds: float) -> None:
        self._engine = engine
        self._writer = writer
        self._pool = pool
        self._seconds = seconds

    def result(
        self,
        account_id: str,
        chosen: Sequence[Chosen],
        texts: Texts,
        results: Mapping[str, AnalysisResult],
    ) -> CrossFileResult | None:
        """Return what crosses files, or None if fewer than two files can be linked.

        :param results: of single files by path. Their findings are not repeated.
        """
        stored = _Summaries(self._engine, self._writer, account_id, self._seconds)
        project = ProjectAnalysis(self._pool, stored, TURN, excerpts=False)
        known = Known(excerpts=False)
        for path, result in results.items():
            for finding in result.findings:
                known.add(_relative(path), finding)
        return project.result([_scanned(each, texts) for each in chosen], known)


def crossing_findings(
    crossed: CrossFileResult | None,
    results: Mapping[str, AnalysisResult],
    texts: Mapping[str, str],
) -> tuple[ReportedFinding, ...]:
    """Return the findings whose values come from other files, by path and position.

    :param results: of single files by path. Their findings tell where the secrets of a file are.
    """
    crossing: dict[str, list[Finding]] = {}
    for each in () if crossed is None else crossed.findings:
        crossing.setdefault(SLASH + each.path, []).append(_placed(each.finding))
    found: list[ReportedFinding] = []
    for path in letting_others_run(sorted(crossing)):
        alone = results[path].findings if path in results else ()
        every = of_file(path, (*crossing[path], *alone), texts.get(path, ""))
        found += (each for each in every if any(each.finding is one for one in crossing[path]))
    return tuple(found)


def is_unknown(
    earlier: ReportedFinding,
    crossed: CrossFileResult | None,
    unread: Collection[str],
    unlinked: Collection[str],
) -> bool:
    """Return whether a finding of an earlier report may still exist, because it was not looked for.

    :param unread: paths of existing files that were not, or not completely, analyzed.
    :param unlinked: paths of files whose code is not stored, so that no values were followed.
    """
    if earlier.path in unread:
        return True
    steps = {step.path for step in earlier.finding.flow or () if step.path}
    if not steps:
        return False
    is_cut = crossed is not None and crossed.cause is not UNSET
    return is_cut or any(path in unread or path in unlinked for path in (earlier.path, *steps))


def once(
    marked: Sequence[ReportedFinding], before: Sequence[ReportedFinding] | None
) -> tuple[ReportedFinding, ...]:
    """Leave out findings of single files that repeat one that crosses files.

    If the other one is gone, such a finding is reported again, and it is not new.
    """
    repeated = Repeated(each for each in marked if crosses_files(each.finding))
    earlier = Counter(key for each in before or () for key in _repeatable(each))
    left = []
    for each in letting_others_run(marked):
        if repeated.by(each) is None:
            left.append(each)
        else:
            earlier[_rule_of(each)] -= 1
    return tuple(_not_new(each, earlier) for each in letting_others_run(left))


def _not_new(found: ReportedFinding, earlier: Counter[_RuleInFile]) -> ReportedFinding:
    if found.comparison is not BaselineState.NEW or earlier[_rule_of(found)] <= 0:
        return found
    earlier[_rule_of(found)] -= 1
    return msgspec.structs.replace(found, comparison=BaselineState.SAME)


def _repeatable(earlier: ReportedFinding) -> Iterator[_RuleInFile]:
    """Yield the rules whose findings an earlier finding stood for."""
    if crosses_files(earlier.finding):
        for ref in earlier.finding.also or ():
            yield earlier.path, earlier.finding.cwe, ref.engine, ref.rule_id


def _rule_of(found: ReportedFinding) -> _RuleInFile:
    return found.path, found.finding.cwe, found.finding.engine, found.finding.rule_id


def _scanned(chosen: Chosen, texts: Texts) -> ScanFile:
    entry = chosen.entry
    file = FoundFile(
        path=_relative(entry.path),
        sha256=entry.sha256,
        size=entry.size,
        language=chosen.language,
    )
    return file, partial(_read, texts, entry.path)


def _read(texts: Texts, path: str) -> str:
    """Return a text.

    :raises ValueError: if it was deleted meanwhile.
    """
    return texts[path]


def _relative(path: str) -> str:
    return path.removeprefix(SLASH)


def _placed(finding: Finding) -> Finding:
    """Return the finding with steps whose paths are those of the workspace."""
    if finding.flow is UNSET:
        return finding
    steps = (
        msgspec.structs.replace(step, path=SLASH + step.path) if step.path else step
        for step in finding.flow
    )
    return msgspec.structs.replace(finding, flow=tuple(steps))
