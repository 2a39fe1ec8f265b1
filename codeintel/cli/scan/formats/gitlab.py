"""Code Quality reports of GitLab, which merge requests compare with those of the target branch.

Known findings are included, because GitLab itself tells new ones from old ones.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from typing import Any

from codeintel.cli.output import json_text
from codeintel.cli.scan.formats.wording import WHOLE, full_message, worst_first
from codeintel.cli.scan.report import Gap, JudgedFinding, PolicyReport, State
from codeintel.contracts import Severity

_SEVERITIES = {
    Severity.CRITICAL: "blocker",
    Severity.HIGH: "critical",
    Severity.MEDIUM: "major",
    Severity.LOW: "minor",
    Severity.INFO: "info",
}


def render(report: PolicyReport) -> str:
    """Return the report, worst findings first."""
    seen: Counter[str] = Counter()
    counting = [each for each in report.findings if each.state is not State.SUPPRESSED]
    issues = [_issue(each, seen) for each in sorted(counting, key=worst_first)]
    return json_text([*(_gap(each) for each in report.gaps), *issues])


def _issue(each: JudgedFinding, seen: Counter[str]) -> dict[str, Any]:
    """Return an issue. Fingerprints must differ, and those of findings leave out the path."""
    mark = f"{each.path}\0{each.found.fingerprint}"
    seen[mark] += 1
    return {
        "type": "issue",
        "check_name": each.finding.rule_id,
        "description": full_message(each),
        "categories": ["Security" if each.finding.cwe else "Bug Risk"],
        "severity": _SEVERITIES[each.finding.severity],
        "fingerprint": _digest(f"{mark}\0{seen[mark]}"),
        "location": {
            "path": each.path,
            "lines": {
                "begin": each.finding.range.start_line,
                "end": each.finding.range.end_line,
            },
        },
    }


def _gap(gap: Gap) -> dict[str, Any]:
    return {
        "type": "issue",
        "check_name": "codeintel/not-checked",
        "description": f"Not checked: {gap.reason}",
        "categories": ["Bug Risk"],
        "severity": _SEVERITIES[Severity.HIGH],
        "fingerprint": _digest(f"not-checked\0{gap.path}\0{gap.reason}"),
        "location": {"path": gap.path or WHOLE, "lines": {"begin": 1}},
    }


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
