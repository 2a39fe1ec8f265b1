"""Reports made up for tests: whole, hostile, large."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec

from codeintel.contracts import (
    AnalysisResult,
    Applicability,
    Category,
    Confidence,
    Edit,
    Finding,
    Fix,
    FlowStep,
    Range,
    Severity,
    StepKind,
    Suppression,
)
from codeintel.contracts.workspaces.records import ProofState, SkippedFile
from codeintel.workspaces.proof.assembling import hot_spots, shares
from codeintel.workspaces.proof.comparison import compared, reported
from codeintel.workspaces.proof.shapes import (
    Dependency,
    DependencyTrust,
    Manifest,
    Report,
    ReportedFinding,
    ReportSummary,
)
from codeintel.workspaces.records import WorkspaceRecord

NOW = datetime(2026, 11, 22, 10, 0, tzinfo=UTC)
RTL = "\u202e"
HOSTILE_PATH = f"/src/<script>alert(1)</script>{RTL}gpj.py"
HOSTILE = (
    "<script>alert(1)</script><img src=x onerror=alert(2)>"
    "<svg onload=alert(3)>\"'`&{{ 7*7 }}" + RTL + "\u2066\x1b"
)
TEXTS = {
    "/src/shop/cart.py": "import pickle\n\n\ndef load(data):\n    return pickle.loads(data)\n",
    "/src/shop/keys.py": "PASSWORD = 'correct horse battery'\n",
    "/web/app.js": "eval(location.hash)\n\ndocument.write(name)\n",
    HOSTILE_PATH: f"{HOSTILE} = eval(input())\n",
    "/README.md": "# Shop\n\nIt sells.\n",
}

TEXTS_TO_PUSH = {"/README.md": "# Shop\n", "/web/app.js": TEXTS["/web/app.js"]}
"""Those that anybody may push: of the others one has a secret, and one a name that is refused."""


def session(**more: Any) -> WorkspaceRecord:
    """Return a workspace."""
    facts: dict[str, Any] = {
        "id": "ws_sample",
        "account_id": "acc_1",
        "name": "Shop",
        "source": "vscode",
        "local_root_name": "shop",
        "branch_name": "main",
        "remote_url": "https://git.example/ada/shop.git",
        "revision": 3,
        "trust_dependencies": False,
        "created_at": NOW,
        "synced_at": NOW,
    }
    return WorkspaceRecord(**{**facts, **more})


def finding(line: int = 1, severity: Severity = Severity.HIGH, **more: Any) -> Finding:
    """Return a finding of an analyzer whose rules have pages."""
    facts: dict[str, Any] = {
        "rule_id": "F401",
        "engine": "ruff",
        "severity": severity,
        "confidence": Confidence.HIGH,
        "cwe": "CWE-502",
        "message": "`pickle` runs what it is told to by the data.",
        "range": Range(line, 1, line, 10),
        "category": Category.SECURITY,
        "remedy": "Use `json`, which only holds data.",
    }
    return Finding(**{**facts, **more})


def result(*findings: Finding, **metrics: float) -> AnalysisResult:
    """Return an analysis of one file."""
    return AnalysisResult(
        language="python",
        engine="static",
        summary="Looked.",
        findings=findings,
        metrics=metrics,
        analyzers=(),
    )


def results() -> dict[str, AnalysisResult]:
    """Return the results for `TEXTS`."""
    place = Range(1, 1, 1, 5)
    fix = Fix("Take `json`", Applicability.UNSAFE, (Edit(place, "json"),))
    secret = finding(
        1,
        Severity.CRITICAL,
        rule_id="hard-coded-password",
        engine="secrets",
        cwe="CWE-259",
        category=Category.SECRETS,
        message="A password is written in the code.",
        range=Range(1, 13, 1, 34),
    )
    hostile = finding(
        1,
        Severity.MEDIUM,
        rule_id="<b>rule</b>",
        engine="unknown<i>",
        message=HOSTILE,
        remedy=HOSTILE,
        fix=Fix(HOSTILE, Applicability.DISPLAY, ()),
        flow=(FlowStep(StepKind.SOURCE, place, HOSTILE),),
        suppression=Suppression("nosec", 1),
    )
    return {
        "/src/shop/cart.py": result(
            finding(5, fix=fix), finding(1, Severity.LOW), complexityMax=23, functions=4, lines=5
        ),
        "/src/shop/keys.py": result(
            secret, finding(1, Severity.INFO, cwe=None, category=Category.UNUSED)
        ),
        "/web/app.js": result(
            finding(1, unverified=True), finding(3, Severity.MEDIUM), complexityMax=7, lines=3
        ),
        HOSTILE_PATH: result(hostile, complexityMax=11, functions=1, lines=1),
    }


def summary(revision: int = 3, **more: Any) -> ReportSummary:
    """Return a report's summary, compared with the revision before."""
    ended = NOW + timedelta(hours=revision)
    facts: dict[str, Any] = {
        "id": f"rep_{revision}",
        "session_id": "ws_sample",
        "revision": revision,
        "status": ProofState.FAILED,
        "reason": "1 critical and 2 high findings. `critical` and `high` findings decide.",
        "started_at": ended - timedelta(seconds=12),
        "finished_at": ended,
        "credits_charged": 2,
        "counts": {Severity.CRITICAL: 1, Severity.HIGH: 2, Severity.LOW: 4},
        "files_analyzed": 5,
        "new": 3,
        "fixed": 1,
        "same": 4,
        "against": revision - 1,
    }
    return ReportSummary(**{**facts, **more})


def findings() -> tuple[ReportedFinding, ...]:
    """Return the findings, not compared."""
    return reported(results(), TEXTS)


def report(before: bool = True, **more: Any) -> Report:
    """Return a report with every kind of content.

    :param before: whether it is compared with an earlier report, in which one finding is fixed
        since, and some are new.
    """
    now = findings()
    old = [each for each in now if each.path != "/web/app.js"]
    gone = msgspec.structs.replace(now[-1], path="/src/shop/gone.py", fingerprint="0" * 64)
    marked, fixed = compared(now, [gone, *old] if before else None)
    counts = dict.fromkeys(Severity, 0)
    for reported_ in marked:
        counts[reported_.finding.severity] += 1
    told = summary(counts=counts)
    if before:
        new = sum(each.comparison == "new" for each in marked)
        told = msgspec.structs.replace(told, new=new, same=len(marked) - new, fixed=len(fixed))
    else:
        told = msgspec.structs.replace(told, new=None, same=None, fixed=None, against=None)
    facts: dict[str, Any] = {
        "summary": told,
        "engine": "static",
        "findings": marked,
        "fixed": fixed,
        "languages": shares(TEXTS.items()),
        "hot_spots": hot_spots(results()),
        "secrets": (SkippedFile("/.env", "dotenv"), SkippedFile(f"/x{RTL}<b>", "private-key")),
        "unchecked": (SkippedFile("/data/big.sql", "longer than 100,000 characters"),),
        "manifests": manifests(),
        "trust_asked": True,
        "notes": ("One file was not analyzed.",),
    }
    return Report(**{**facts, **more})


def renumbered(made: Report, revision: int) -> Report:
    """Return the same report on another revision, compared with the previous one."""
    against = None if made.summary.against is None else revision - 1
    told = msgspec.structs.replace(
        made.summary,
        id=f"rep_{revision}",
        revision=revision,
        against=against,
        finished_at=NOW + timedelta(hours=revision),
    )
    return msgspec.structs.replace(made, summary=told)


def manifests() -> tuple[Manifest, ...]:
    """Return manifests with dependencies of all kinds."""
    trusted = DependencyTrust(
        score=81.2, low=74.0, high=90.5, concerns=("One maintainer `alone`.",)
    )
    return (
        Manifest(
            path="/requirements.txt",
            ecosystem="pypi",
            dependencies=(
                Dependency(name="requests", requirement=">=2", group="", trust=trusted),
                Dependency(
                    name="ours", requirement="==1", group="", private="an index of its own is named"
                ),
                Dependency(
                    name="<b>x</b>",
                    requirement=RTL,
                    group="dev",
                    trust=DependencyTrust(unknown="No registry has this package."),
                ),
            ),
        ),
        Manifest(
            path="/web/package.json", ecosystem="npm", dependencies=(), problem="It is no JSON."
        ),
    )


def many(count: int, files: int = 7) -> Report:
    """Return a report with many findings."""
    severities = list(Severity)
    made = tuple(
        ReportedFinding(
            path=f"/src/file{at % files}.py",
            finding=finding(at + 1, severities[at % 5]),
            fingerprint=f"{at:064x}",
            excerpt=f"x = {at}",
        )
        for at in range(count)
    )
    return msgspec.structs.replace(report(before=False), findings=made)


def history(count: int) -> list[ReportSummary]:
    """Return summaries, the newest first. The oldest was compared with no other."""
    made = []
    for revision in range(count, 0, -1):
        is_first: Mapping[str, Any] = (
            {"new": None, "fixed": None, "same": None, "against": None} if revision == 1 else {}
        )
        high = revision * 3 % 7
        status = ProofState.FAILED if high else ProofState.PASSED
        counts = {Severity.HIGH: high, Severity.LOW: 4}
        told: dict[str, Any] = {"new": high, "same": 4, "fixed": revision % 3, **is_first}
        made.append(summary(revision, status=status, counts=counts, **told))
    return made
