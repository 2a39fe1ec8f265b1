"""The report in the output of `codeintel push --wait`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pushing import run
from scripted_workspaces import SESSION, ScriptedService, as_json, refusal

AT = f"/api/workspace/{SESSION}"


def found(path: str, severity: str, comparison: str = "", **more: Any) -> dict[str, Any]:
    finding = {
        "ruleId": "S301",
        "severity": severity,
        "message": "bad\x1b[2J",
        "range": {"startLine": 4, "startColumn": 12, "endLine": 4, "endColumn": 13},
        **more,
    }
    entry = {"path": path, "finding": finding, "fingerprint": "f", "excerpt": "x"}
    return {**entry, "comparison": comparison} if comparison else entry


def reported(service: ScriptedService, *findings: dict[str, Any], **summary: Any) -> None:
    """Make the proof loop fail immediately, with this report."""
    status = {"status": "failed", "revision": 1, "reason": "It is bad."}
    service.on[f"POST {AT}/proof"] = lambda _: as_json(status, 202)
    service.on[f"GET {AT}/proof"] = lambda _: as_json(status)
    report = {"summary": summary, "findings": findings, "engine": "static"}
    service.on[f"GET {AT}/report"] = lambda _: as_json(report)


def test_the_worst_of_what_is_new_comes_first(service: ScriptedService, folder: Path) -> None:
    reported(
        service,
        found("/a.py", "critical", "same"),
        found("/b.py", "low", "new"),
        found("/c.py", "high", "new"),
        found("/d.py", "high", "new", suppression={"comment": "noqa", "line": 4}),
        new=3,
        fixed=1,
        same=1,
        against=7,
    )
    result = run(service, "push", str(folder), "--wait")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()[-5:]
    assert [line.split()[:2] for line in lines[:3]] == [
        ["c.py:4:12", "high"],
        ["b.py:4:12", "low"],
        ["a.py:4:12", "critical"],
    ]
    assert lines[0].endswith("bad\\x1b[2J")
    assert lines[3] == "Compared with revision 7: 3 new, 1 fixed, 1 unchanged."
    assert lines[4].endswith("failed (revision 1): It is bad.")
    assert service.requests[-1][1] == f"{AT}/report?revision=1"


def test_of_many_the_rest_is_counted(service: ScriptedService, folder: Path) -> None:
    reported(service, *(found(f"/{number:02}.py", "high") for number in range(25)))
    result = run(service, "push", str(folder), "--wait")
    assert result.stdout.count(".py:4:12") == 20
    assert f"5 more findings: GET {service.url}{AT}/report?revision=1\n" in result.stdout
    assert "the same as" not in result.stdout


def test_json_has_the_report(service: ScriptedService, folder: Path) -> None:
    reported(service, found("/a.py", "high", "new"), new=1, fixed=0, same=0, against=7)
    document = json.loads(run(service, "push", str(folder), "--wait", "--json").stdout)
    assert document["report"]["summary"]["new"] == 1
    assert document["report"]["findings"][0]["finding"]["ruleId"] == "S301"


@pytest.mark.parametrize("answer", [as_json(refusal("not_found"), 404), as_json({"findings": 5})])
def test_the_verdict_stands_without_a_report(
    service: ScriptedService, folder: Path, answer: Any
) -> None:
    reported(service)
    service.on[f"GET {AT}/report"] = lambda _: answer
    result = run(service, "push", str(folder), "--wait")
    assert result.exit_code == 1
    assert "The report could not be fetched: " in result.stderr
    assert result.stdout.endswith("failed (revision 1): It is bad.\n")
