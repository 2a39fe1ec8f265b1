"""`codeintel analyze`, with recorded answers of the service."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import responses
from analyze_answers import CAPABILITIES, CREATED, FOUND, KEY, RESULT, USAGE, answer, ended, run
from click.testing import CliRunner

from codeintel.cli import main


@pytest.mark.usefixtures("code")
def test_findings_and_summary(service: responses.RequestsMock) -> None:
    answer(service, CREATED, FOUND, RESULT, ended())
    result = run("a.py")
    assert (result.exit_code, result.stdout) == (
        0,
        "a.py:1:2  medium    S602  café \\x9b\nS\n\n1 finding: 1 medium. 1 credit charged.\n",
    )
    page = "http://127.0.0.1:8000/runs/run_1"
    assert result.stderr == f"a.py: {page} (engine static, model flash)\n"
    body = service.calls[0].request.body
    assert json.loads(body or b"") == {"code": "x = 1\r\n", "language": "python", "model": "flash"}


@pytest.mark.usefixtures("code")
def test_json_is_all_that_is_printed(service: responses.RequestsMock) -> None:
    answer(service, CREATED, FOUND, {"type": "output.delta", "text": "t"}, RESULT, ended())
    result = run("a.py", "--json")
    assert result.exit_code == 0
    assert result.stdout.isascii()
    assert json.loads(result.stdout) == {
        "runId": "run_1",
        "status": "completed",
        "result": RESULT["result"],
        "usage": USAGE,
        "creditsCharged": 1,
        "creditsRefunded": 0,
    }


@pytest.mark.usefixtures("code")
@pytest.mark.parametrize(
    ("how", "options", "status"),
    [
        ("completed", [], 0),
        ("completed", ["--fail-on", "high"], 0),
        ("completed", ["--fail-on", "MEDIUM"], 1),
        ("completed", ["--fail-on", "info", "--json"], 1),
        ("incomplete", ["--fail-on", "info"], 3),
        ("failed", [], 3),
        ("cancelled", ["--json"], 3),
    ],
)
def test_exit_status(
    service: responses.RequestsMock, how: str, options: list[str], status: int
) -> None:
    answer(service, CREATED, FOUND, RESULT, ended(how))
    assert run("a.py", *options).exit_code == status


def test_standard_input_and_options(service: responses.RequestsMock) -> None:
    answer(service, FOUND, ended(), url="https://h.example/api/v1/analyze/stream")
    result = run(
        "-",
        *("--url", "https://h.example/", "--key", "k", "--prompt", "p"),
        *("--model", "pro", "--language", "go"),
        input=b"\xef\xbb\xbfpackage x",
    )
    assert result.exit_code == 0
    assert result.stdout.startswith("<stdin>:1:2  ")
    request = service.calls[0].request
    assert request.headers["Authorization"] == "Bearer k"
    assert json.loads(request.body or b"") == {
        "code": "package x",
        "prompt": "p",
        "model": "pro",
        "language": "go",
    }


@pytest.mark.usefixtures("code")
def test_the_url_from_the_environment(
    service: responses.RequestsMock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEINTEL_URL", "https://h.example")
    answer(service, ended(), url="https://h.example/api/v1/analyze/stream")
    assert run("a.py").exit_code == 0


def test_the_most_characters_in_the_most_bytes(service: responses.RequestsMock) -> None:
    Path("a.txt").write_text("😀" * 100_000, encoding="utf-8-sig")
    answer(service, ended())
    assert run("a.txt").exit_code == 0
    assert len(json.loads(service.calls[0].request.body or b"")["code"]) == 100_000


@pytest.mark.usefixtures("code")
@pytest.mark.parametrize(
    ("status", "severity", "exit_code"),
    [
        ("completed", "low", 0),
        ("completed", "high", 1),
        ("failed", "low", 3),
        ("truncated", "low", 3),
        ("timed_out", "high", 1),
    ],
)
def test_a_gate_fails_closed(
    service: responses.RequestsMock, status: str, severity: str, exit_code: int
) -> None:
    found = {**FOUND["finding"], "severity": severity}
    reports = [{"name": "ruff", "status": status}]
    outcome = {"type": "result", "result": {"findings": [found], "analyzers": reports}}
    answer(service, CREATED, outcome, ended())
    assert run("a.py", "--fail-on", "high").exit_code == exit_code
    answer(service, CREATED, outcome, ended())
    assert run("a.py").exit_code == 0


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("a.py", "python"),
        ("Dockerfile", "dockerfile"),
        ("a.test.tsx", "typescript"),
        ("notes.txt", None),
        ("run", None),
    ],
)
def test_the_language_is_what_the_name_tells_and_else_left_to_the_service(
    service: responses.RequestsMock, name: str, language: str | None
) -> None:
    Path(name).write_text("#!/usr/bin/env python3\n")
    answer(service, ended())
    assert run(name).exit_code == 0
    assert json.loads(service.calls[0].request.body or b"").get("language") == language


@pytest.mark.usefixtures("code")
def test_a_stream_that_breaks(service: responses.RequestsMock) -> None:
    answer(service, CREATED, FOUND)
    result = run("a.py")
    assert result.exit_code == 3
    assert result.stderr.endswith("Error: The connection ended before the run did. [run run_1]\n")


@pytest.mark.usefixtures("code")
def test_ctrl_c(service: responses.RequestsMock, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("codeintel.cli.outcome.ReceivedRun.add", interrupt)
    answer(service, CREATED)
    result = run("a.py")
    assert result.exit_code == 130
    assert "Interrupted" in result.stderr


@pytest.mark.usefixtures("code")
@pytest.mark.parametrize(("variable", "colour"), [(None, True), ("", True), ("1", False)])
def test_colours_in_a_terminal(
    service: responses.RequestsMock,
    monkeypatch: pytest.MonkeyPatch,
    variable: str | None,
    colour: bool,
) -> None:
    monkeypatch.setattr("click.testing._NamedTextIOWrapper.isatty", lambda _: True, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    if variable is not None:
        monkeypatch.setenv("NO_COLOR", variable)
    answer(service, FOUND, ended())
    result = run("a.py", color=True)
    assert ("\x1b[33mmedium" in result.stdout) is colour


@pytest.mark.usefixtures("code")
def test_characters_that_the_output_cannot_encode(service: responses.RequestsMock) -> None:
    answer(service, FOUND, ended())
    runner = CliRunner(env={"CODEINTEL_API_KEY": KEY}, charset="ascii")
    result = runner.invoke(main, ["analyze", "a.py"])
    assert result.exit_code == 0
    assert b"caf\\xe9 \\x9b\n" in result.stdout_bytes


LOW = {**FOUND["finding"], "ruleId": "L1", "severity": "low", "confidence": "low"}
HIGH = {**FOUND["finding"], "ruleId": "H1", "severity": "high", "confidence": "high"}
BOTH = {"type": "result", "result": {"findings": [LOW, HIGH]}}


@pytest.mark.usefixtures("code")
@pytest.mark.parametrize(
    ("options", "rules", "note"),
    [
        ([], ["H1"], "1 finding below confidence medium hidden."),
        (["--min-confidence", "low"], ["H1", "L1"], ""),
        (["--severity", "high"], ["H1"], "1 finding below severity high hidden."),
        (["--fail-on", "low"], ["H1", "L1"], ""),  # a finding that decides is never hidden
        (["--fail-on", "low", "--min-confidence", "high"], ["H1"], "confidence high hidden."),
    ],
)
def test_filters(
    service: responses.RequestsMock, options: list[str], rules: list[str], note: str
) -> None:
    answer(service, CREATED, BOTH, ended())
    result = run("a.py", *options)
    shown = result.stdout.splitlines()
    assert [line.split()[2] for line in shown if line.startswith("a.py:")] == rules
    assert note in result.stdout
    assert ("hidden" in result.stdout) is bool(note)
    assert result.exit_code == ("--fail-on" in options)


@pytest.mark.usefixtures("code")
def test_a_filter_holds_for_machines_and_for_the_gate(service: responses.RequestsMock) -> None:
    answer(service, CREATED, BOTH, ended())
    whole = run("a.py", "--format", "json")
    assert len(json.loads(whole.stdout)["result"]["findings"]) == 2
    answer(service, CREATED, BOTH, ended())
    result = run("a.py", "--format", "json", "--severity", "HIGH", "--fail-on", "critical")
    (found,) = json.loads(result.stdout)["result"]["findings"]
    assert found["ruleId"] == "H1"
    assert "1 finding below severity high hidden.\n" in result.stderr
    assert result.exit_code == 0


def test_a_filter_that_hides_from_the_gate() -> None:
    Path("a.py").write_text("x\n")
    result = run("a.py", "--severity", "high", "--fail-on", "low")
    assert result.exit_code == 2
    assert "--severity high hides findings that --fail-on low looks for." in result.stderr


@pytest.mark.usefixtures("code")
def test_annotations_for_github(service: responses.RequestsMock) -> None:
    evil = {**HIGH, "message": "50%\n::error::x", "ruleId": "a,b:c", "cwe": "CWE-89"}
    wide = {**LOW, "confidence": "high", "range": {**LOW["range"], "endLine": 2}}
    outcome = {"type": "result", "result": {"findings": [wide, evil], "unchecked": ["Kotlin."]}}
    answer(service, CREATED, outcome, ended())
    result = run("a.py", "--format", "github")
    assert result.stdout == (
        "::error file=a.py,line=1,endLine=1,col=2,endColumn=3,title=a%2Cb%3Ac CWE-89"
        "::50%25 ::error::x\n"
        "::notice file=a.py,line=1,endLine=2,title=L1::café \\x9b\n"
    )
    assert "2 findings: 1 high, 1 low. 1 credit charged.\nNot checked: Kotlin.\n" in result.stderr


@pytest.mark.usefixtures("code")
def test_output_into_a_file(service: responses.RequestsMock) -> None:
    Path("out.txt").write_text("older")
    answer(service, CREATED, BOTH, ended())
    result = run("a.py", "-o", "out.txt", "--frames")
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.endswith("Wrote out.txt.\n")
    written = Path("out.txt").read_text()
    assert "  > 1 | x = 1\n      |  ^\n" in written
    assert written.endswith(
        "1 finding below confidence medium hidden. To show all, add --min-confidence low.\n"
    )
    answer(service, CREATED, BOTH, ended())
    assert run("a.py", "--json", "--output", "/dev/null").exit_code == 0


def test_an_output_in_no_folder() -> None:
    Path("a.py").write_text("x\n")
    result = run("a.py", "--output", "none/out.txt")
    assert result.exit_code == 2
    assert "Cannot write none/out.txt: the folder none does not exist." in result.stderr


def test_paths_are_relative(service: responses.RequestsMock, tmp_path: Path) -> None:
    for name in (tmp_path / "sub/a.py", tmp_path.parent / "b.py"):
        name.parent.mkdir(exist_ok=True)
        name.write_text("x\n")
        answer(service, CREATED, FOUND, RESULT, ended())
    assert run(str(tmp_path / "sub/a.py")).stdout.startswith("sub/a.py:1:2 ")
    outside = tmp_path.parent / "b.py"
    assert run(str(outside)).stdout.startswith(f"{outside}:1:2 ")


@pytest.mark.usefixtures("code")
def test_a_mistyped_language(service: responses.RequestsMock) -> None:
    service.get(CAPABILITIES, json={"data": {"languages": [{"name": "python"}]}})
    result = run("a.py", "--language", "pyhton")
    assert result.exit_code == 2
    assert 'Unknown language "pyhton". Did you mean "python"?' in result.stderr
    service.replace("GET", CAPABILITIES, json={"data": {"languages": [{"name": "pyhton"}]}})
    answer(service, ended())
    assert run("a.py", "--language", "Pyhton").exit_code == 0, "a plugin may know it"


RENAMED = {**HIGH, "ruleId": "python-ssrf", "formerly": ["python-address-from-request"]}
MERGED = {**HIGH, "ruleId": "H1", "also": [{"engine": "ruff", "ruleId": "S310"}]}


@pytest.mark.usefixtures("code")
@pytest.mark.parametrize(
    ("rule", "shown"),
    [
        ("python-ssrf", ["python-ssrf"]),
        ("python-address-from-request", ["python-ssrf"]),
        ("S310", ["H1"]),
    ],
)
def test_findings_of_one_rule(service: responses.RequestsMock, rule: str, shown: list[str]) -> None:
    listed = [{"id": "python-ssrf", "formerly": ["python-address-from-request"]}, {"id": "S310"}]
    service.get(CAPABILITIES, json={"data": {"rules": listed}})
    answer(service, {"type": "result", "result": {"findings": [MERGED, RENAMED]}}, ended())
    result = run("a.py", "--rule", rule)
    lines = [line.split() for line in result.stdout.splitlines() if line.startswith("a.py:")]
    assert [line[2] for line in lines] == shown
    assert "1 finding of other rules hidden." in result.stdout


@pytest.mark.usefixtures("code")
def test_a_mistyped_rule(service: responses.RequestsMock) -> None:
    service.get(CAPABILITIES, json={"data": {"rules": [{"id": "python-ssrf"}]}})
    result = run("a.py", "--rule", "python-srf")
    assert result.exit_code == 2
    assert 'Unknown rule "python-srf". Did you mean "python-ssrf"?' in result.stderr
