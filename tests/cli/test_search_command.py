"""`codeintel search`, with recorded answers of the service."""

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

SEARCH = "http://127.0.0.1:8000/api/v1/search"
KEY = "ci_live_secretsecretsecret"
REPOSITORY = {
    "id": "7",
    "name": "redis/redis",
    "description": "A store\x1b[2J.",
    "url": "https://github.test/redis/redis",
    "source": "github",
    "stars": 66000,
}
IMAGE = {
    "id": "redis",
    "name": "redis",
    "description": "",
    "url": "https://docker.test/_/redis",
    "source": "docker",
    "stars": 5,
    "downloads": 2**40,
}
LATE = {"source": "npm", "code": "timeout", "message": "npm did not answer.", "retryAfter": 4}
OLD = {"source": "docker", "code": "unavailable", "asOf": "2026-01-02T03:04:05Z"}


def found(**more: Any) -> dict[str, Any]:
    results = {"github": [REPOSITORY], "npm": [], "docker": [IMAGE]}
    return {
        "query": "redis",
        "results": results,
        "sources": list(results),
        "totalResults": 2,
        "unavailable": [],
        "stale": [],
        **more,
    }


@pytest.fixture
def service() -> Iterator[responses.RequestsMock]:
    with responses.RequestsMock() as mock:
        yield mock


def run(*arguments: str, key: str | None = None) -> Result:
    return CliRunner(env={"CODEINTEL_API_KEY": key}).invoke(main, ["search", *arguments])


def test_results_and_notices(service: responses.RequestsMock) -> None:
    service.get(SEARCH, json={"data": found(unavailable=[LATE], stale=[OLD])})
    result = run("redis")
    assert result.exit_code == 0
    assert result.stdout == (
        "github\n"
        "  redis/redis  66,000 stars\n"
        "    A store\\x1b[2J.\n"
        "    https://github.test/redis/redis\n"
        "\n"
        "docker\n"
        "  redis  5 stars  1,099,511,627,776 downloads\n"
        "    https://docker.test/_/redis\n"
    )
    assert result.stderr == (
        "npm: timeout: npm did not answer. Try again in 4 seconds.\n"
        "docker: unavailable: showing cached results from 2026-01-02T03:04:05Z.\n"
    )
    (call,) = service.calls
    assert call.request.params == {"q": "redis"}
    assert "Authorization" not in call.request.headers


def test_what_is_asked(
    service: responses.RequestsMock, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login someone password else\n")
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    for _ in range(2):
        service.get(SEARCH, json={"data": found()})
    assert run("a&b c", "--sources", "npm,work", "--limit", "3", key=KEY).exit_code == 0
    run("--", "-x")
    first, second = (call.request for call in service.calls)
    assert first.params == {"q": "a&b c", "sources": "npm,work", "limit": "3"}
    assert first.headers["Authorization"] == f"Bearer {KEY}"
    assert second.params == {"q": "-x"}
    assert "Authorization" not in second.headers


def test_json(service: responses.RequestsMock) -> None:
    document = found(unavailable=[LATE])
    service.get(SEARCH, json={"data": document})
    result = run("redis", "--json")
    assert json.loads(result.stdout) == document
    assert "npm: timeout" in result.stderr


@pytest.mark.parametrize(
    ("names", "status"), [(("github", "npm", "docker"), 3), (("github", "npm"), 0)]
)
def test_nothing_found_is_not_nothing_asked(
    service: responses.RequestsMock, names: tuple[str, ...], status: int
) -> None:
    unavailable = [{**LATE, "source": name} for name in names]
    service.get(SEARCH, json={"data": found(results={}, unavailable=unavailable)})
    result = run("redis")
    assert result.exit_code == status
    text = "No source responded.\n" if status else "No results.\n"
    assert result.stdout == text


def test_nobody_was_asked(service: responses.RequestsMock) -> None:
    service.get(SEARCH, json={"data": found(results={}, sources=[])})
    result = run("redis")
    assert (result.exit_code, result.stdout) == (3, "No source responded.\n")


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (
            {
                "status": 400,
                "json": {
                    "error": {
                        "code": "invalid_request",
                        "message": "There is no source 'x'.",
                        "details": {"path": "sources"},
                    }
                },
            },
            "There is no source 'x'. [400 invalid_request, path: sources]",
        ),
        ({"body": "<h1>Hello</h1>"}, "did not answer like codeintel"),
        ({"json": {"data": []}}, "did not answer like codeintel"),
        ({"body": requests.ConnectionError()}, "Set its address with --url or CODEINTEL_URL"),
        ({"status": 302, "headers": {"Location": "http://b.test"}}, "redirects to http://b.test"),
    ],
    ids=["refused", "a page", "another shape", "nobody", "elsewhere"],
)
def test_refusals(service: responses.RequestsMock, answer: dict[str, Any], words: str) -> None:
    service.get(SEARCH, **answer)
    result = run("redis")
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stdout == ""


def test_answers_of_another_shape_do_no_harm(service: responses.RequestsMock) -> None:
    odd = {"results": {"npm": [1, {"stars": "many"}], "x": "y"}, "sources": [3], "unavailable": "z"}
    service.get(SEARCH, json={"data": odd})
    result = run("redis")
    assert result.exit_code == 0
    assert "0 stars" in result.stdout


@pytest.mark.parametrize("arguments", [(), ("a", "--limit", "0"), ("a", "--url", "ftp://x")])
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stderr
