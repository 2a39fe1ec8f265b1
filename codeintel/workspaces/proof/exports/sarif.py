"""A report as a SARIF log."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from msgspec import UNSET

from codeintel.contracts.languages import language_of_path
from codeintel.contracts.workspaces.records import ProofState
from codeintel.engine.sarif import Artifact, FileFindings, Tree, path_uri, tree_log
from codeintel.engine.sarif.findings import Rules
from codeintel.workspaces.proof.shapes import BaselineState, Report, ReportedFinding
from codeintel.workspaces.records import WorkspaceRecord

_BASELINES = {
    BaselineState.NEW: "new",
    BaselineState.SAME: "unchanged",
    BaselineState.FIXED: "absent",
}

_UNFINISHED = frozenset({ProofState.INCOMPLETE, ProofState.SKIPPED})
_REPOSITORY = re.compile(r"https://[\w.:\[\]-]+(?:/[!-~]*)?", re.ASCII)


def sarif(report: Report, session: WorkspaceRecord, rules: Rules, service: str) -> dict[str, Any]:
    """The findings as a SARIF 2.1.0 log, ready for a JSON encoder. Against a report before, each
    tells by `baselineState` whether it is `new` or `unchanged`, and those that are fixed are there
    as `absent`.

    :param rules: what is known about rules, by analyser; of others their findings tell.
    :param service: the address of the service, whose pages of rules are referred to.
    """
    summary = report.summary
    left_out = (*report.secrets, *report.unchecked)
    unfinished = summary.reason if summary.status in _UNFINISHED else ""
    tree = Tree(
        files=_files(report),
        engine=report.engine,
        unchecked=[(path_uri(each.path), f"Not analysed: {each.reason}") for each in left_out],
        unfinished=unfinished,
        about=_about(report, session),
    )
    return tree_log(tree, rules, service=service)


def _files(report: Report) -> list[FileFindings]:
    """By path: those with findings, then those of which all are fixed, whether they are there or
    not."""
    of_file: dict[str, list[ReportedFinding]] = {}
    for each in (*report.findings, *report.fixed):
        of_file.setdefault(each.path, []).append(each)
    present = {each.path for each in report.findings}
    return [
        FileFindings(
            artifact=Artifact(
                path_uri(path),
                fingerprints=[each.fingerprint for each in found],
                is_analyzed=path in present,
            ),
            findings=[each.finding for each in found],
            language=language_of_path(path),
            baselines=_baselines(found, report),
        )
        for path, found in sorted(of_file.items())
    ]


def _baselines(found: Sequence[ReportedFinding], report: Report) -> list[str]:
    """All of a log tell it, or none."""
    if report.summary.against is None:
        return []
    return [
        _BASELINES[BaselineState.NEW if each.comparison is UNSET else each.comparison]
        for each in found
    ]


def _about(report: Report, session: WorkspaceRecord) -> dict[str, Any]:
    """Which run of which workspace it is, and the repository if its address can be told."""
    summary = report.summary
    about: dict[str, Any] = {
        "automationDetails": {"id": f"codeintel/workspace/{session.id}/{summary.revision}"}
    }
    if _REPOSITORY.fullmatch(session.remote_url):
        provenance = {"repositoryUri": session.remote_url}
        if session.branch_name:
            provenance["branch"] = session.branch_name
        about["versionControlProvenance"] = [provenance]
    return about
