"""The report as SARIF 2.1.0, within the limits of GitHub code scanning."""

from __future__ import annotations

import gzip
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Any

from codeintel.base.wording import counted
from codeintel.cli.output import json_text
from codeintel.cli.scan.formats.wording import gap_line, remarks, verdict_line, worst_first
from codeintel.cli.scan.report import JudgedFinding, PolicyReport, State
from codeintel.contracts.languages import language_of_path
from codeintel.engine.sarif import Artifact, FileFindings, Tree, path_uri, tree_log

MAX_RESULTS = 5_000
"""GitHub shows this many results of a run, and rejects a run with more than 25,000."""
MAX_RUNS = 20
MAX_PACKED_BYTES = 10_000_000
"""The limit for an upload, compressed with gzip."""


def render(report: PolicyReport) -> str:
    """Return the log.

    More than 5,000 findings are divided into runs by path. If the log is still too large, the
    least severe findings are left out, and a notification says how many.
    """
    findings = sorted(report.findings, key=worst_first)[: MAX_RESULTS * MAX_RUNS]
    while True:
        text = json_text(_log(report, findings))
        if len(text) <= MAX_PACKED_BYTES or not findings:
            return text
        packed = len(gzip.compress(text.encode(), compresslevel=1, mtime=0))
        if packed <= MAX_PACKED_BYTES:
            return text
        findings = findings[: int(len(findings) * MAX_PACKED_BYTES / packed * 0.9)]


def _log(report: PolicyReport, kept: Sequence[JudgedFinding]) -> dict[str, Any]:
    by_place = sorted(kept, key=lambda each: each.found.path)
    chunks = [by_place[at : at + MAX_RESULTS] for at in range(0, len(by_place), MAX_RESULTS)]
    left_out = len(report.findings) - len(kept)
    logs = [
        tree_log(_tree(report, chunk, number, left_out), report.rules)
        for number, chunk in enumerate(chunks or [[]], 1)
    ]
    runs = [run for log in logs for run in log["runs"]]
    for run, chunk in zip(runs, chunks or [[]], strict=True):
        _set_suppressions(run["results"], chunk)
    return {**logs[0], "runs": runs}


def _tree(report: PolicyReport, chunk: Sequence[JudgedFinding], number: int, left_out: int) -> Tree:
    """Return the part of the report in one run. Gaps are in the first run."""
    first = number == 1
    whole = [gap_line(each) for each in report.gaps if not each.path] if first else []
    if left_out and first:
        number_left = counted(left_out, "finding")
        whole.append(f"{number_left} of least severity left out because of GitHub's limits.")
    return Tree(
        files=list(_files(report, chunk)),
        engine=report.summary.engine,
        unchecked=[
            (path_uri(each.path), f"Not checked: {each.reason}")
            for each in report.gaps
            if each.path and first
        ],
        unfinished=" ".join(whole),
        about={
            "automationDetails": {"id": f"codeintel{f'-{number}' if number > 1 else ''}/"},
            "properties": {
                "engine": report.summary.engine,
                "verdict": report.verdict.value,
                "told": [verdict_line(report), *remarks(report)],
                "comparedWith": report.compared_with,
            },
        },
    )


def _files(report: PolicyReport, chunk: Iterable[JudgedFinding]) -> Iterator[FileFindings]:
    for path, group in groupby(chunk, key=lambda each: each.path):
        found = list(group)
        yield FileFindings(
            artifact=Artifact(
                path_uri(path), fingerprints=[each.found.fingerprint for each in found]
            ),
            findings=[each.finding for each in found],
            language=language_of_path(path),
            baselines=[_baseline(each) for each in found] if report.compared_with else [],
        )


def _baseline(each: JudgedFinding) -> str:
    return "unchanged" if each.state is State.KNOWN else "new"


def _set_suppressions(results: Sequence[dict[str, Any]], findings: Iterable[JudgedFinding]) -> None:
    """Tell which findings are suppressed. A comment that the project does not honor is rejected.

    SARIF requires the member for all results of a run or for none.
    """
    judged = list(findings)
    if not any(each.state is State.SUPPRESSED or each.finding.suppression for each in judged):
        return
    for result, each in zip(results, judged, strict=True):
        of_source = result.get("suppressions", [])
        for told in of_source:
            told["status"] = "accepted" if each.state is State.SUPPRESSED else "rejected"
        if each.state is State.SUPPRESSED and not of_source:
            of_source = [{"kind": "external", "status": "accepted", "justification": each.reason}]
        result["suppressions"] = of_source
