"""`codeintel analyze`, with recorded answers of the service."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
import responses
from click.testing import CliRunner, Result

from codeintel.cli import main

STREAM = "http://127.0.0.1:8000/api/v1/analyze/stream"
KEY = "ci_live_secretsecretsecret"
FINDING = {
    "ruleId": "S602",
    "engine": "ruff",
    "severity": "medium",
    "message": "caf\u00e9 \x9b",
    "range": {"startLine": 1, "startColumn": 2, "endLine": 1, "endColumn": 3},
}
CREATED = {"type": "run.created", "runId": "run_1", "engine": "static", "model": "flash"}
FOUND = {"type": "finding", "runId": "run_1", "finding": FINDING}
RESULT = {"type": "result", "runId": "run_1", "result": {"summary": "S", "findings": [FINDING]}}
USAGE = {"inputCharacters": 6}


def ended(how: str = "completed") -> dict[str, Any]:
    return {
        "type": f"run.{how}",
        "runId": "run_1",
        "usage": USAGE,
        "creditsCharged": 1,
        "creditsRefunded": 0,
    }


def sse(*events: object) -> str:
    return "".join(f"data: {json.dumps(event)}\n\n" for event in events)


@pytest.fixture
def service() -> Iterator[responses.RequestsMock]:
    with responses.RequestsMock() as mock:
        yield mock


@pytest.fixture
def code() -> Path:
    path = Path("a.py")
    path.write_bytes(b"x = 1\r\n")
    return path


def run(*arguments: str, key: str | None = KEY, **more: Any) -> Result:
    return CliRunner(env={"CODEINTEL_API_KEY": key}).invoke(main, ["analyze", *arguments], **more)


def answer(service: responses.RequestsMock, *events: object, url: str = STREAM) -> None:
    service.post(url, body=sse(*events), content_type="text/event-stream")


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


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, "There is no file a.py here"),
        (b"", "a.py is empty"),
        (b" \n\t", "a.py is empty"),
        (b"\xef\xbb\xbf", "a.py is empty"),
        (b"a\nb\xe9\n", "a.py is not UTF-8 text: line 2 has the byte 0xe9"),
        (b"x" * 100_001, "a.py has 100,001 characters, the service takes at most 100,000"),
        (b"\xff" * 500_000, "a.py has too many characters"),
    ],
)
def test_files_that_are_refused_before_any_request(content: bytes | None, text: str) -> None:
    if content is not None:
        Path("a.py").write_bytes(content)
    result = run("a.py", key=None)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"Error: {text}")
    assert result.stderr.count("\n") == 1


def test_a_directory(tmp_path: Path) -> None:
    result = run(str(tmp_path))
    assert result.exit_code == 2
    assert "is a directory: name a file" in result.stderr


@pytest.mark.parametrize("name", ["a\x1b[2J.py", "a\udce9.py", "a\0.py", "x" * 300])
def test_odd_names(name: str) -> None:
    result = run(name)
    assert result.exit_code == 2
    assert "\x1b" not in result.stderr
    assert "Traceback" not in result.stderr


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
@pytest.mark.parametrize(
    ("arguments", "key", "text"),
    [
        (["a.py"], None, "codeintel keys create EMAIL --name NAME --scope analysis:write"),
        (["a.py"], "schl\u00fcssel", "The API key is empty, or has characters that no key has."),
        (["a.py", "--url", "h.example"], KEY, "The URL must be one like"),
        (["a.py", "--prompt", "x" * 1001], KEY, "The prompt has 1,001 characters"),
        (["a.py", "--fail-on", "awful"], KEY, "Invalid value for '--fail-on'"),
        (["a.py", "--model", "best"], KEY, "Invalid value for '--model'"),
    ],
)
def test_wrong_use(arguments: list[str], key: str | None, text: str) -> None:
    result = run(*arguments, key=key)
    assert (result.exit_code, result.stdout) == (2, "")
    assert text in result.stderr
    assert KEY not in result.output


@pytest.mark.usefixtures("code")
def test_refusal(service: responses.RequestsMock) -> None:
    error = {
        "code": "insufficient_credits",
        "message": "Not enough\x1b[2J.",
        "details": {"price": 2, "available": 0, "more": []},
    }
    service.post(
        STREAM,
        status=402,
        headers={"Retry-After": "3"},
        json={"error": error, "meta": {"requestId": "abc"}},
    )
    result = run("a.py", "--json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == (
        "Error: The service refused (402 insufficient_credits): Not enough\\x1b[2J. "
        "(price: 2, available: 0) Try again in 3 s. [request abc]\n"
    )


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


def test_a_service_out_of_reach(service: responses.RequestsMock, code: Path) -> None:
    service.post(STREAM, body=requests.exceptions.ConnectionError("refused"))
    result = run(str(code))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Error: http://127.0.0.1:8000 cannot be reached")
    assert "--url or CODEINTEL_URL" in result.stderr
