"""The stored result of a scan as a SARIF log."""

from __future__ import annotations

from typing import Any

from codeintel.contracts.languages import language_of_path
from codeintel.contracts.scans.records import ScanFinding, ScanResult
from codeintel.engine.sarif import Artifact, FileFindings, Tree, path_uri, tree_log


def scan_log(result: ScanResult) -> dict[str, Any]:
    """Return the findings by file, and the files that were not analyzed, for a JSON encoder."""
    of_file: dict[str, list[ScanFinding]] = {}
    for each in result.findings:
        of_file.setdefault(each.path, []).append(each)
    left_out = [
        (path_uri(each.path), f"Not analyzed: {each.reason}") for each in result.summary.left_out
    ]
    notes = list(result.summary.notes)
    if result.summary.unlisted:
        notes.append(f"{result.summary.unlisted:,} more files were not analyzed.")
    if result.omitted:
        notes.append(f"{result.omitted:,} more findings are not listed.")
    tree = Tree(
        files=[
            FileFindings(
                artifact=Artifact(path_uri(path), fingerprints=[each.fingerprint for each in some]),
                findings=[each.finding for each in some],
                language=language_of_path(path),
            )
            for path, some in sorted(of_file.items())
        ],
        engine=result.summary.engine,
        unchecked=left_out,
        unfinished=" ".join(notes),
    )
    return tree_log(tree)
