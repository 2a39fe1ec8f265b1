"""Rules and weaknesses in logs: their content, and their position."""

from __future__ import annotations

import pytest
from sarif_helpers import analysis, finding, report
from sarif_runs import ARTIFACT, run_of

from codeintel.contracts import (
    Category,
    Confidence,
    RuleInfo,
    Severity,
)
from codeintel.engine.sarif import sarif_log
from codeintel.engine.sarif.findings import Components


def test_rules_stand_with_the_analyser_that_has_them() -> None:
    found = (
        finding("B"),
        finding("A"),
        finding("A", line=5),
        finding("A", engine="bandit"),
        finding("X", engine="unreported"),
    )
    run = run_of(sarif_log(analysis(*found, analyzers=(report("secrets"), report())), ARTIFACT))
    rules = {
        each["name"]: [rule["id"] for rule in each["rules"]] for each in run["tool"]["extensions"]
    }
    assert rules == {"bandit": ["A"], "ruff": ["A", "B"], "secrets": [], "unreported": ["X"]}
    assert run["tool"]["driver"]["rules"] == []


def test_what_a_rule_says_of_itself() -> None:
    rule = RuleInfo(
        id="S605",
        summary="Shell from a [link](1) and {0}.",
        cwe="CWE-78",
        severity=Severity.MEDIUM,
        confidence=Confidence.HIGH,
        category=Category.SECURITY,
        remedy="Pass a list.",
    )
    run = run_of(sarif_log(analysis(finding()), ARTIFACT, {"ruff": [rule]}))
    (descriptor,) = run["tool"]["extensions"][0]["rules"]
    assert descriptor == {
        "id": "S605",
        "shortDescription": {"text": "Shell from a [link] (1) and {{0}}."},
        "fullDescription": {"text": "Shell from a [link] (1) and {{0}}."},
        "help": {"text": "Pass a list."},
        "defaultConfiguration": {"level": "warning"},
        "properties": {
            "precision": "high",
            "tags": ["security", "CWE-78", "external/cwe/cwe-078"],
            "severity": "medium",
            "security-severity": "5.5",
        },
        "relationships": [
            {
                "target": {"id": "78", "index": 0, "toolComponent": {"name": "CWE", "index": 0}},
                "kinds": ["relevant"],
            }
        ],
    }
    assert run["tool"]["extensions"][0]["supportedTaxonomies"] == [{"name": "CWE", "index": 0}]
    assert run["results"][0]["level"] == "error"  # the finding's own severity counts for it


def rule_info(rule_id: str) -> RuleInfo:
    return RuleInfo(
        id=rule_id,
        summary="Bad.",
        cwe=None,
        severity=Severity.HIGH,
        confidence=Confidence.HIGH,
        category=Category.SECURITY,
    )


@pytest.mark.parametrize(
    ("service", "engine", "rule_id", "page"),
    [
        ("http://127.0.0.1:8000", "ruff", "F401", "http://127.0.0.1:8000/docs/rules/ruff/F401"),
        (
            "https://a:b@c.example/d/",
            "oxlint",
            "x/y z",
            "https://c.example/d/docs/rules/oxlint/x/y%20z",
        ),
        ("http://[::1]:1", "a", "?#\ud800", "http://[::1]:1/docs/rules/a/%3F%23%3F"),
    ],
)
def test_rules_refer_to_their_pages(service: str, engine: str, rule_id: str, page: str) -> None:
    found, known = finding(rule_id, engine=engine), {engine: [rule_info(rule_id)]}
    (component,) = Components(analysis(found, analyzers=()), known, service).tool([])["extensions"]
    assert component["rules"][0]["helpUri"] == page


def test_a_log_with_pages_is_valid() -> None:
    found = analysis(finding("b"), finding("a"), finding("unlisted"))
    known = {"ruff": [rule_info("a"), rule_info("b")]}
    log = sarif_log(found, ARTIFACT, known, service="http://h.example")
    rules = run_of(log)["tool"]["extensions"][0]["rules"]
    assert [rule.get("helpUri") for rule in rules] == [
        "http://h.example/docs/rules/ruff/a",
        "http://h.example/docs/rules/ruff/b",
        None,
    ]
    plain = run_of(sarif_log(analysis(finding()), ARTIFACT))
    assert "helpUri" not in plain["tool"]["extensions"][0]["rules"][0]


def test_a_rule_has_its_title_and_the_ids_that_it_had_before() -> None:
    rule = RuleInfo(
        id="python-sql-injection",
        title="SQL injection",
        formerly=("python-sql-from-values",),
        summary="An SQL statement is built from values.",
        cwe="CWE-89",
        severity=Severity.HIGH,
        confidence=Confidence.HIGH,
        category=Category.SECURITY,
    )
    known = {"patterns": [rule]}
    found = finding("python-sql-injection", engine="patterns", cwe="CWE-89")
    run = run_of(sarif_log(analysis(found), ARTIFACT, known))
    extensions = {each["name"]: each for each in run["tool"]["extensions"]}
    (descriptor,) = extensions["patterns"]["rules"]
    assert descriptor["name"] == "SQL injection"
    assert descriptor["shortDescription"] == {"text": "SQL injection"}
    assert descriptor["fullDescription"] == {"text": "An SQL statement is built from values."}
    assert descriptor["deprecatedIds"] == ["python-sql-from-values"]
    (taxon,) = run["taxonomies"][0]["taxa"]
    assert taxon["name"].startswith("Improper Neutralization of Special Elements used in an SQL")


def test_of_a_rule_that_nobody_knows_its_findings_tell() -> None:
    found = [
        finding(message="one", severity=Severity.LOW),
        finding(message="two", line=5, cwe=None, remedy="Do not."),
    ]
    run = run_of(sarif_log(analysis(*found), ARTIFACT))
    (descriptor,) = run["tool"]["extensions"][0]["rules"]
    assert descriptor["defaultConfiguration"] == {"level": "error"}
    assert descriptor["shortDescription"] == {"text": "S605, a rule of ruff."}
    assert descriptor["help"] == {"text": "Do not."}
    run = run_of(sarif_log(analysis(found[0]), ARTIFACT))
    assert run["tool"]["extensions"][0]["rules"][0]["shortDescription"] == {"text": "one"}


@pytest.mark.parametrize(
    ("severity", "level", "security"),
    [
        (Severity.CRITICAL, "error", "9.5"),
        (Severity.HIGH, "error", "8.0"),
        (Severity.MEDIUM, "warning", "5.5"),
        (Severity.LOW, "note", "3.0"),
        (Severity.INFO, "note", "1.0"),
    ],
)
def test_grades(severity: Severity, level: str, security: str) -> None:
    run = run_of(sarif_log(analysis(finding(severity=severity)), ARTIFACT))
    assert run["results"][0]["level"] == level
    properties = run["tool"]["extensions"][0]["rules"][0]["properties"]
    assert properties["security-severity"] == security
    plain = run_of(sarif_log(analysis(finding(severity=severity, cwe=None)), ARTIFACT))
    properties = plain["tool"]["extensions"][0]["rules"][0]["properties"]
    assert "security-severity" not in properties
    assert properties["tags"] == ["security"]


def test_weaknesses_are_listed_once_in_order() -> None:
    found = [finding(each, cwe=each) for each in ("CWE-798", "CWE-89", "CWE-089", "CWE-" + "9" * 9)]
    run = run_of(sarif_log(analysis(*found), ARTIFACT))
    (taxonomy,) = run["taxonomies"]
    assert [taxon["id"] for taxon in taxonomy["taxa"]] == ["89", "798", "9" * 9]
