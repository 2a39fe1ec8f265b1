"""Logs of many files, and reports of workspaces as such."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
import report_samples as samples
from sarif_helpers import CODE, finding
from sarif_runs import run_of

from codeintel.contracts import Category, Confidence, RuleInfo, Severity
from codeintel.contracts.workspaces.records import ProofState
from codeintel.engine.sarif import Artifact, FileFindings, Tree, path_uri, tree_log
from codeintel.workspaces.proof import exports as exports


def exported(report: Any = None, **more: Any) -> dict[str, Any]:
    made = samples.report() if report is None else report
    return run_of(exports.sarif(made, samples.session(**more), {}, "https://h.example"))


def test_each_file_is_an_artifact() -> None:
    files = [
        FileFindings(Artifact("a.py", CODE), [finding(), finding("F401", 5)], "python"),
        FileFindings(Artifact("b/c.js", CODE), [finding(cwe="CWE-79")], "javascript"),
        FileFindings(Artifact("gone.py", is_analyzed=False), [finding()], None),
    ]
    run = run_of(tree_log(Tree(files, "static")))
    assert [each["location"]["uri"] for each in run["artifacts"]] == ["a.py", "b/c.js", "gone.py"]
    assert ["roles" in each for each in run["artifacts"]] == [True, True, False]
    places = [
        each["locations"][0]["physicalLocation"]["artifactLocation"] for each in run["results"]
    ]
    assert [(each["uri"], each["index"]) for each in places] == [
        ("a.py", 0),
        ("a.py", 0),
        ("b/c.js", 1),
        ("gone.py", 2),
    ]
    assert "partialFingerprints" in run["results"][0]
    assert "baselineState" not in run["results"][0]


@pytest.mark.parametrize(
    ("path", "uri"),
    [
        ("/src/a.py", "src/a.py"),
        ("/a b%20?#.py", "a%20b%2520%3F%23.py"),
        ("/file:x", "file%3Ax"),
        ("/\u202egpj", "%E2%80%AEgpj"),
    ],
)
def test_addresses_of_paths(path: str, uri: str) -> None:
    assert path_uri(path) == uri


def test_a_report_is_compared_with_the_one_before() -> None:
    report = samples.report()
    run = exported(report)
    states = [each["baselineState"] for each in run["results"]]
    assert sorted(set(states)) == ["absent", "new", "unchanged"]
    assert states.count("new") == report.summary.new == 2
    assert states.count("absent") == len(report.fixed) == 1
    marks = {each["partialFingerprints"]["codeintelFindingHash/v1"] for each in run["results"]}
    assert marks == {each.fingerprint for each in (*report.findings, *report.fixed)}
    gone = run["artifacts"][
        run["results"][states.index("absent")]["locations"][0]["physicalLocation"][
            "artifactLocation"
        ]["index"]
    ]
    assert gone["location"]["uri"] == "src/shop/gone.py"
    assert "roles" not in gone
    assert run["automationDetails"]["id"] == "codeintel/workspace/ws_sample/3"
    # Either all results of a run say whether they are suppressed, or none.
    assert sum(bool(each["suppressions"]) for each in run["results"]) == 1


def test_a_first_report_has_nothing_to_be_compared_with() -> None:
    run = exported(samples.report(before=False))
    assert not [each for each in run["results"] if "baselineState" in each]
    assert exported(samples.report(before=False, findings=()))["results"] == []


def test_what_was_left_out_is_told() -> None:
    (invocation,) = exported()["invocations"]
    assert invocation["executionSuccessful"] is True
    told = invocation["toolExecutionNotifications"]
    assert [each["message"]["text"] for each in told] == [
        "Not analyzed: dotenv",
        "Not analyzed: private-key",
        "Not analyzed: longer than 100,000 characters",
    ]
    address = told[0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert address == {"uri": ".env", "uriBaseId": "%SRCROOT%"}


def test_a_report_that_was_skipped_failed_as_a_run() -> None:
    report = samples.report(before=False, findings=(), fixed=())
    skipped = msgspec.structs.replace(
        report.summary, status=ProofState.SKIPPED, reason="No credits."
    )
    run = exported(msgspec.structs.replace(report, summary=skipped))
    (invocation,) = run["invocations"]
    assert invocation["executionSuccessful"] is False


@pytest.mark.parametrize(
    ("remote", "is_told"),
    [
        ("https://git.example/ada/shop.git", True),
        ("git@git.example:ada/shop.git", False),
        ("https://git.example/a b", False),
        ("", False),
    ],
)
def test_the_repository_is_told_where_it_has_an_address(remote: str, is_told: bool) -> None:
    run = exported(remote_url=remote)
    expected = [{"repositoryUri": remote, "branch": "main"}] if is_told else None
    assert run.get("versionControlProvenance") == expected


def test_rules_refer_to_pages_of_the_service() -> None:
    rule = RuleInfo(
        id="F401",
        summary="Unused.",
        cwe=None,
        severity=Severity.LOW,
        confidence=Confidence.HIGH,
        category=Category.UNUSED,
    )
    log = exports.sarif(samples.report(), samples.session(), {"ruff": [rule]}, "https://h.example")
    (ruff,) = [each for each in run_of(log)["tool"]["extensions"] if each["name"] == "ruff"]
    assert ruff["rules"][0]["helpUri"] == "https://h.example/docs/rules/ruff/F401"


def test_no_secret_is_in_it() -> None:
    assert (
        "correct horse"
        not in msgspec.json.encode(
            exports.sarif(samples.report(), samples.session(), {}, "")
        ).decode()
    )
