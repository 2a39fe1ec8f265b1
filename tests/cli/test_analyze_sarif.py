"""`codeintel analyze` with `--sarif` and `--honour-suppressions`: recorded answers of a service."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import responses
from click.testing import CliRunner, Result

from codeintel.cli import main

STREAM = "http://127.0.0.1:8000/api/v1/analyze/stream"
KEY = "ci_live_secretsecretsecret"
CREATED = {"type": "run.created", "runId": "run_1", "engine": "static", "model": "flash"}
CODE = b"\xef\xbb\xbfx = eval(input())\r\n"
FINDING: dict[str, Any] = {
    "ruleId": "S307",
    "engine": "ruff",
    "severity": "high",
    "confidence": "high",
    "cwe": "CWE-95",
    "message": "caf\u00e9",
    "range": {"startLine": 1, "startColumn": 5, "endLine": 1, "endColumn": 18},
    "category": "security",
    "suppression": {"comment": "nosec", "line": 1},
}
RESULT: dict[str, Any] = {
    "language": "python",
    "engine": "static",
    "summary": "S",
    "findings": [FINDING],
    "metrics": {},
    "analyzers": [
        {
            "name": "ruff",
            "version": "0.17.1",
            "status": "completed",
            "findings": 1,
            "milliseconds": 5,
        }
    ],
}


@pytest.fixture
def service() -> Iterator[responses.RequestsMock]:
    with responses.RequestsMock() as mock:
        yield mock


@pytest.fixture(autouse=True)
def code() -> Path:
    path = Path("src/a b.py")
    path.parent.mkdir()
    path.write_bytes(CODE)
    return path


def run(*arguments: str, **more: Any) -> Result:
    runner = CliRunner(env={"CODEINTEL_API_KEY": KEY})
    return runner.invoke(main, ["analyze", *arguments], **more)


def answer(service: responses.RequestsMock, *events: object, how: str = "completed") -> None:
    ended = {"type": f"run.{how}", "runId": "run_1", "message": "It broke."}
    body = "".join(f"data: {json.dumps(event)}\n\n" for event in (CREATED, *events, ended))
    service.post(STREAM, body=body, content_type="text/event-stream")


def test_the_log_is_all_that_is_printed(service: responses.RequestsMock) -> None:
    answer(service, {"type": "finding", "finding": FINDING}, {"type": "result", "result": RESULT})
    result = run("src/a b.py", "--sarif")
    assert result.exit_code == 0
    assert result.stdout.isascii()
    log = json.loads(result.stdout)
    assert log["version"] == "2.1.0"
    (entry,) = log["runs"][0]["artifacts"]
    assert entry["location"]["uri"] == "src/a%20b.py"
    assert entry["hashes"] == {"sha-256": hashlib.sha256(CODE).hexdigest()}
    (found,) = log["runs"][0]["results"]
    assert (found["ruleId"], found["message"]["text"]) == ("S307", "caf\u00e9")
    assert found["suppressions"][0]["justification"] == "`nosec` on line 1"


CAPABILITIES = "http://127.0.0.1:8000/api/v1/capabilities"
LISTED = {
    "analyzer": "ruff",
    "id": "S307",
    "summary": "Evaluated input.",
    "cwe": "CWE-95",
    "severity": "high",
    "confidence": "high",
    "category": "security",
}


@pytest.mark.parametrize(
    ("rules", "page"),
    [
        ([None, {"analyzer": "ruff"}, LISTED], "http://127.0.0.1:8000/docs/rules/ruff/S307"),
        ([{**LISTED, "id": "S1"}], None),
        (None, None),
    ],
)
def test_rules_that_the_service_lists_refer_to_their_pages(
    service: responses.RequestsMock, rules: list[Any] | None, page: str | None
) -> None:
    answer(service, {"type": "result", "result": RESULT})
    service.get(CAPABILITIES, json={"data": {"rules": rules}})
    result = run("src/a b.py", "--sarif")
    assert result.exit_code == 0
    (component,) = json.loads(result.stdout)["runs"][0]["tool"]["extensions"]
    assert component["rules"][0].get("helpUri") == page
    assert service.calls[1].request.headers["Authorization"] == f"Bearer {KEY}"


def test_standard_input(service: responses.RequestsMock) -> None:
    answer(service, {"type": "result", "result": RESULT})
    result = run("-", "--sarif", input=CODE)
    (entry,) = json.loads(result.stdout)["runs"][0]["artifacts"]
    assert (entry["location"]["uri"], entry["length"]) == ("stdin", len(CODE))


def test_a_run_that_failed_prints_what_it_had_found(service: responses.RequestsMock) -> None:
    answer(service, {"type": "finding", "finding": FINDING}, how="failed")
    result = run("src/a b.py", "--sarif")
    assert result.exit_code == 3
    (sarif_run,) = json.loads(result.stdout)["runs"]
    assert [each["ruleId"] for each in sarif_run["results"]] == ["S307"]
    (invocation,) = sarif_run["invocations"]
    assert invocation["executionSuccessful"] is False
    assert "It broke." in invocation["toolExecutionNotifications"][0]["message"]["text"]


def test_two_formats_at_once() -> None:
    result = run("src/a b.py", "--sarif", "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Choose one output format" in result.stderr


NO_RULES = "There are no security rules for JSON. Checked: secrets."


@pytest.mark.parametrize(
    ("told", "status", "verdict"),
    [
        (
            {"noRules": [NO_RULES]},
            0,
            f"No finding reaches --fail-on high. Nothing else to check: {NO_RULES}",
        ),
        ({}, 3, "No finding reaches --fail-on high, but some checks could not run."),
        (
            {"noRules": [NO_RULES], "unchecked": [NO_RULES, "It does not parse."]},
            3,
            "but some checks",
        ),
        ({"noRules": [NO_RULES], "analyzers": []}, 3, "but some checks"),
        (
            {"noRules": [NO_RULES], "analyzers": [{"name": "secrets", "status": "failed"}]},
            3,
            "but some",
        ),
        ({"noRules": [NO_RULES], "findings": [FINDING]}, 1, "1 finding reaches --fail-on high"),
    ],
)
def test_data_without_rules_passes_if_all_analyzers_completed(
    service: responses.RequestsMock, told: dict[str, Any], status: int, verdict: str
) -> None:
    whole = RESULT | {"findings": [], "unchecked": [NO_RULES]} | told
    answer(service, {"type": "result", "result": whole})
    result = run("src/a b.py", "--fail-on", "high")
    assert result.exit_code == status
    assert verdict in result.stderr
    assert f"Not checked: {NO_RULES}" in result.stdout


@pytest.mark.parametrize(
    ("options", "status"),
    [
        (["--fail-on", "high"], 1),
        (["--fail-on", "high", "--sarif"], 1),
        (["--fail-on", "high", "--honour-suppressions"], 0),
        (["--fail-on", "high", "--honour-suppressions", "--sarif"], 0),
        (["--fail-on", "medium", "--honour-suppressions"], 1),
        (["--honour-suppressions"], 0),
    ],
)
def test_suppressed_findings_count_unless_told_otherwise(
    service: responses.RequestsMock, options: list[str], status: int
) -> None:
    other = {key: value for key, value in FINDING.items() if key != "suppression"}
    findings = [FINDING, {**other, "severity": "medium"}]
    answer(service, {"type": "result", "result": {**RESULT, "findings": findings}})
    assert run("src/a b.py", *options).exit_code == status


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--fail-on", "high"], "1 finding reaches --fail-on high: S307 on line 1.\n"),
        (
            ["--fail-on", "high", "--honour-suppressions"],
            "No finding reaches --fail-on high.\n"
            "1 finding ignored because of suppression comments: S307 on line 1.\n",
        ),
        (["--fail-on", "critical", "--sarif"], "No finding reaches --fail-on critical.\n"),
        (
            ["--fail-on", "info", "--json"],
            f"7 findings reach --fail-on info: {'S307 on line 1, ' * 5}2 more.\n",
        ),
        (
            ["--fail-on", "info", "--honour-suppressions"],
            f"6 findings reach --fail-on info: {'S307 on line 1, ' * 5}1 more.\n"
            "1 finding ignored because of suppression comments: S307 on line 1.\n",
        ),
        (["--honour-suppressions"], "--honor-suppressions has no effect without --fail-on.\n"),
    ],
)
def test_what_decided_is_said(
    service: responses.RequestsMock, options: list[str], said: str
) -> None:
    other = {key: value for key, value in FINDING.items() if key != "suppression"}
    findings = [FINDING, *[{**other, "severity": "medium"}] * 6]
    answer(service, {"type": "result", "result": {**RESULT, "findings": findings}})
    assert said in run("src/a b.py", *options).stderr
