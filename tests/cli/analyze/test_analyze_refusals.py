"""The errors of `codeintel analyze`, and those of the service that it shows."""

from __future__ import annotations

from pathlib import Path

import pytest
import requests
import responses
from analyze_answers import KEY, STREAM, run


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (None, "a.py does not exist"),
        (b"", "a.py is empty"),
        (b" \n\t", "a.py is empty"),
        (b"\xef\xbb\xbf", "a.py is empty"),
        (b"a\nb\xe9\n", "a.py is not UTF-8 text: line 2 has the byte 0xe9"),
        (b"x" * 100_001, "a.py has 100,001 characters. The limit is 100,000"),
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
    assert "is a folder. Name a file" in result.stderr


@pytest.mark.parametrize("name", ["a\x1b[2J.py", "a\udce9.py", "a\0.py", "x" * 300])
def test_odd_names(name: str) -> None:
    result = run(name)
    assert result.exit_code == 2
    assert "\x1b" not in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.usefixtures("code")
@pytest.mark.parametrize(
    ("arguments", "key", "text"),
    [
        (["a.py"], None, "CODEINTEL_API_KEY=$(codeintel keys create)"),
        (["a.py"], "schl\u00fcssel", "The API key is empty or has invalid characters."),
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
        "Error: Not enough\\x1b[2J. Try again in 3 seconds. "
        "[402 insufficient_credits, price: 2, available: 0, request abc]\n"
    )


def test_a_service_out_of_reach(service: responses.RequestsMock, code: Path) -> None:
    service.post(STREAM, body=requests.exceptions.ConnectionError("refused"))
    result = run(str(code))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("Error: http://127.0.0.1:8000 cannot be reached")
    assert "--url or CODEINTEL_URL" in result.stderr
