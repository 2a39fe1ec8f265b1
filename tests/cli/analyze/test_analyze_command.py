"""`codeintel analyze`, with recorded answers of the service."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import responses
from analyze_answers import CREATED, FOUND, KEY, RESULT, USAGE, answer, ended, run
from click.testing import CliRunner

from codeintel.cli import main


@pytest.mark.usefixtures("code")
def test_findings_and_summary(service: responses.RequestsMock) -> None:
    answer(service, CREATED, FOUND, RESULT, ended())
    result = run("a.py")
    assert (result.exit_code, result.stdout) == (
        0,
        "a.py:1:2  medium    S602  café \\x9b\n\nS\n1 finding (1 medium).\n1 credit charged.\n",
    )
    assert result.stderr == "a.py: run run_1, static flash\n"
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

    monkeypatch.setattr("codeintel.cli.outcome.Outcome.add", interrupt)
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
